/* A driver that feeds changed inputs to the library, in one process.
 *
 *   text.c  changes of text: bytes, words, numbers, lines, parts of other inputs
 *   ir.c    changes of IR that is parsed: ops, operands, attributes
 *   upstream.c  what is left out, since upstream's own code dies of it
 *   fuzz.c  what is done with each, and what must not happen
 */
#ifndef TILEWRIGHT_FUZZ_H
#define TILEWRIGHT_FUZZ_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* splitmix64: a number for each state, and states that follow each other are as good as any. */
typedef struct Random {
  uint64_t state;
} Random;
uint64_t next_random(Random *r);
/* 0 … n - 1; 0 for n = 0. */
size_t below(Random *r, size_t n);

/* Text that grows; `data` ends with a zero byte. */
typedef struct Text {
  char *data;
  size_t n;
} Text;
Text text_copy(const char *data, size_t n);
/* Puts `count` bytes in place of `length` bytes from `at` on. */
void text_replace(Text *t, size_t at, size_t length, const char *with, size_t count);

/* Inputs, and the words in them. */
typedef struct Corpus {
  Text *inputs;
  size_t n, capacity;
  Text *words;
  size_t num_words, words_capacity;
} Corpus;
void corpus_add(Corpus *c, const char *data, size_t n);
void corpus_destroy(Corpus *c);

/* One change, of one of some kinds. */
void change_text(Random *r, const Corpus *c, Text *t);
/* As much of an attribute's text. */
void change_number_or_word(Random *r, const Corpus *c, Text *t);

/* One change of a module's IR; it may not verify afterwards. */
void change_ir(Random *r, const Corpus *c, MlirOperation module);

/* Whether upstream's parser would take all memory for a text. */
bool kills_parser(const Text *t);
/* Whether upstream's canonicalization would die of the module as it is. */
bool kills_upstream(MlirOperation module);
/* Whether upstream's verifier would. */
bool kills_verifier(MlirOperation module);

#endif
