/*===- text.c - text that grows, and names that do not collide --------------------------------===*/

#include "text.h"

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

bool tt_names_has(const TtNames *names, const char *name) {
  for (size_t i = 0; i < names->n; ++i)
    if (strcmp(names->data[i], name) == 0) return true;
  return false;
}

char *tt_names_take(TtNames *names, const char *wish) {
  char *base = tt_arena_identifier(names->arena, tt_str(wish)), *name = base;
  for (int i = 1; tt_names_has(names, name); ++i)
    name = tt_arena_printf(names->arena, "%s_%d", base, i);
  if (names->n == names->capacity) {
    size_t capacity = names->capacity ? names->capacity * 2 : 64;
    char **data = tt_arena_alloc(names->arena, capacity * sizeof *data);
    if (names->n) memcpy(data, names->data, names->n * sizeof *data);
    names->data = data;
    names->capacity = capacity;
  }
  return names->data[names->n++] = name;
}
