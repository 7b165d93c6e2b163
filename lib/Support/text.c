/*===- text.c - text that grows, and names that do not collide --------------------------------===*/

#include "Support/text.h"

#include <stdlib.h>
#include <string.h>

void tt_text_free(TtText *text) {
  free(text->data);
  *text = (TtText){NULL, 0, 0};
}

void tt_text_append(TtText *text, const char *data, size_t n) {
  if (text->n + n + 1 > text->capacity) {
    text->capacity = (text->n + n + 1) * 2;
    text->data = realloc(text->data, text->capacity);
    if (!text->data) {
      fprintf(stderr, "tilewright: out of memory (%zu bytes)\n", text->capacity);
      exit(1);
    }
  }
  memcpy(text->data + text->n, data, n);
  text->n += n;
  text->data[text->n] = '\0';
}

void tt_text_printf(TtText *text, const char *format, ...) {
  TtArena *arena = tt_arena_create();
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *line = tt_arena_alloc(arena, (size_t)(n < 0 ? 0 : n) + 1);
  vsnprintf(line, (size_t)n + 1, format, again);
  va_end(again);
  tt_text_append(text, line, (size_t)n);
  tt_arena_destroy(arena);
}

/*===- Names ------------------------------------------------------------------------------===*/

/* The row of a name, or the free one where it would go. */
static struct TtName *find(const TtNames *names, const char *text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (const char *c = text; *c; ++c) hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  size_t at = hash & (names->capacity - 1);
  while (names->rows[at].text && strcmp(names->rows[at].text, text) != 0)
    at = (at + 1) & (names->capacity - 1);
  return &names->rows[at];
}

static void grow_rows(TtNames *names) {
  TtNames larger = *names;
  larger.capacity = names->capacity ? names->capacity * 2 : 64;
  larger.rows = tt_arena_alloc(names->arena, larger.capacity * sizeof *larger.rows);
  for (size_t i = 0; i < names->capacity; ++i)
    if (names->rows[i].text) *find(&larger, names->rows[i].text) = names->rows[i];
  *names = larger;
}

static void grow_log(TtNames *names) {
  size_t capacity = names->log_capacity ? names->log_capacity * 2 : 64;
  struct TtTaken *log = tt_arena_alloc(names->arena, capacity * sizeof *log);
  if (names->n) memcpy(log, names->log, names->n * sizeof *log);
  names->log = log, names->log_capacity = capacity;
}

static void take(TtNames *names, struct TtTaken taken) {
  if (names->used * 2 >= names->capacity) grow_rows(names);
  if (names->n == names->log_capacity) grow_log(names);
  struct TtName *row = find(names, taken.text);
  names->used += !row->text;
  *row = (struct TtName){taken.text, 1, true};
  names->log[names->n++] = taken;
}

bool tt_names_has(const TtNames *names, const char *name) {
  return names->capacity > 0 && find(names, name)->taken;
}

bool tt_names_add(TtNames *names, const char *name) {
  if (tt_names_has(names, name)) return false;
  take(names, (struct TtTaken){tt_arena_str(names->arena, tt_str(name)), NULL, 0});
  return true;
}

char *tt_names_take(TtNames *names, const char *wish) {
  char *like = tt_arena_identifier(names->arena, tt_str(wish)), *name = like;
  bool numbered = tt_names_has(names, like);
  int before = numbered ? find(names, like)->next : 0;
  while (tt_names_has(names, name))
    name = tt_arena_printf(names->arena, "%s_%d", like, find(names, like)->next++);
  take(names, (struct TtTaken){name, numbered ? like : NULL, before});
  return name;
}

size_t tt_names_enter(const TtNames *names) { return names->n; }

void tt_names_leave(TtNames *names, size_t scope) {
  while (names->n > scope) {
    const struct TtTaken *last = &names->log[--names->n];
    find(names, last->text)->taken = false;
    if (last->like) find(names, last->like)->next = last->next;
  }
}
