/*===- text.c - changes of text -------------------------------------------------------------===*/

#include "fuzz.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t next_random(Random *r) {
  uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

size_t below(Random *r, size_t n) { return n ? (size_t)(next_random(r) % n) : 0; }

static void *allocate(void *old, size_t n) {
  void *p = realloc(old, n);
  if (!p) abort();
  return p;
}

Text text_copy(const char *data, size_t n) {
  Text t = {allocate(NULL, n + 1), n};
  memcpy(t.data, data, n);
  t.data[n] = '\0';
  return t;
}

void text_replace(Text *t, size_t at, size_t length, const char *with, size_t count) {
  Text changed = {allocate(NULL, t->n - length + count + 1), t->n - length + count};
  memcpy(changed.data, t->data, at);
  memcpy(changed.data + at, with, count);
  memcpy(changed.data + at + count, t->data + at + length, t->n - at - length + 1);
  free(t->data);
  *t = changed;
}

/*===- Corpus -------------------------------------------------------------------------------===*/

static int is_word(char c) { return isalnum((unsigned char)c) || strchr("_.%#!@\"-", c) != NULL; }

static void add(Text **list, size_t *n, size_t *capacity, Text t) {
  if (*n == *capacity) {
    *capacity = *capacity ? 2 * *capacity : 64;
    *list = allocate(*list, *capacity * sizeof **list);
  }
  (*list)[(*n)++] = t;
}

void corpus_add(Corpus *c, const char *data, size_t n) {
  add(&c->inputs, &c->n, &c->capacity, text_copy(data, n));
  for (size_t i = 0; i < n;) {
    size_t from = i;
    while (i < n && data[i] && is_word(data[i])) ++i;
    if (i > from && i - from < 60)
      add(&c->words, &c->num_words, &c->words_capacity, text_copy(data + from, i - from));
    if (i == from) ++i;
  }
}

void corpus_destroy(Corpus *c) {
  for (size_t i = 0; i < c->n; ++i) free(c->inputs[i].data);
  for (size_t i = 0; i < c->num_words; ++i) free(c->words[i].data);
  free(c->inputs), free(c->words);
  *c = (Corpus){0};
}

/*===- Changes ------------------------------------------------------------------------------===*/

static void change_byte(Random *r, Text *t) {
  char byte = (char)below(r, 256);
  size_t at = below(r, t->n + 1), kind = below(r, 3);
  if (at == t->n) kind = 1;
  text_replace(t, at, kind != 1, &byte, kind != 2);
}

/* Where a run of characters of a kind starts, at or behind a random place; t->n where there is
 * none. */
static size_t find(Random *r, const Text *t, int (*is)(char), size_t *length) {
  size_t at = below(r, t->n);
  while (at > 0 && is(t->data[at - 1]) && is(t->data[at])) --at;
  while (at < t->n && !is(t->data[at])) ++at;
  for (*length = 0; at + *length < t->n && is(t->data[at + *length]);) ++*length;
  return at;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_word_char(char c) { return c && is_word(c); }

static void change_number(Random *r, Text *t) {
  static const char *const numbers[] = {"0",
                                        "1",
                                        "-1",
                                        "2",
                                        "3",
                                        "4",
                                        "7",
                                        "8",
                                        "16",
                                        "31",
                                        "32",
                                        "33",
                                        "63",
                                        "64",
                                        "96",
                                        "127",
                                        "128",
                                        "1023",
                                        "4096",
                                        "65535",
                                        "65536",
                                        "1000003",
                                        "2147483647",
                                        "2147483648",
                                        "4294967296",
                                        "1000000007",
                                        "1099511627776",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "18446744073709551615",
                                        "99999999999999999999999"};
  size_t length, at = find(r, t, is_digit, &length);
  if (length == 0) return;
  const char *number = numbers[below(r, below(r, 3) ? 19 : sizeof numbers / sizeof *numbers)];
  text_replace(t, at, length, number, strlen(number));
}

static void change_word(Random *r, const Corpus *c, Text *t) {
  size_t length, at = find(r, t, is_word_char, &length);
  if (length == 0 || c->num_words == 0) return;
  const Text *word = &c->words[below(r, c->num_words)];
  text_replace(t, at, length, word->data, word->n);
}

/* Lines from a random one on. */
static size_t some_lines(Random *r, const Text *t, size_t most, size_t *length) {
  size_t at = below(r, t->n), lines = 1 + below(r, most);
  while (at > 0 && t->data[at - 1] != '\n') --at;
  for (*length = 0; at + *length < t->n && lines > 0; ++*length)
    lines -= t->data[at + *length] == '\n';
  return at;
}

static void change_lines(Random *r, const Corpus *c, Text *t) {
  size_t length, at = some_lines(r, t, 3, &length), other_length;
  const Text *other = below(r, 2) ? t : &c->inputs[below(r, c->n)];
  size_t from = some_lines(r, other, 5, &other_length);
  Text piece = text_copy(other->data + from, other_length);
  switch (below(r, 4)) {
  case 0: text_replace(t, at, length, "", 0); break;                /* gone */
  case 1: text_replace(t, at, 0, t->data + at, length); break;      /* twice */
  case 2: text_replace(t, at, 0, piece.data, piece.n); break;       /* one more */
  default: text_replace(t, at, length, piece.data, piece.n); break; /* another */
  }
  free(piece.data);
}

/* Swaps two words of the text. */
static void swap_words(Random *r, Text *t) {
  size_t a_length, a = find(r, t, is_word_char, &a_length), b_length,
                   b = find(r, t, is_word_char, &b_length);
  if (a_length == 0 || b_length == 0 || a + a_length > b) return;
  Text first = text_copy(t->data + a, a_length), second = text_copy(t->data + b, b_length);
  text_replace(t, b, b_length, first.data, first.n);
  text_replace(t, a, a_length, second.data, second.n);
  free(first.data), free(second.data);
}

void change_text(Random *r, const Corpus *c, Text *t) {
  if (t->n == 0) return;
  switch (below(r, 12)) {
  case 0: change_byte(r, t); break;
  case 1:
  case 2:
  case 3:
  case 4: change_number(r, t); break;
  case 5:
  case 6:
  case 7: change_word(r, c, t); break;
  case 8: swap_words(r, t); break;
  default: change_lines(r, c, t); break;
  }
}

void change_number_or_word(Random *r, const Corpus *c, Text *t) {
  if (t->n == 0) return;
  if (below(r, 3)) change_number(r, t);
  else change_word(r, c, t);
}
