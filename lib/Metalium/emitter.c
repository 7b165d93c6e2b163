/*===- emitter.c - names and lines of an emitted kernel -----------------------------------------===*/

#include "emitter.h"

#include <ctype.h>
#include <string.h>

TtNames tt_names_with_api(TtArena *arena) {
  TtNames names = {arena, NULL, 0, 0};
  for (size_t i = 0; i < tt_num_api_reserved; ++i)
    if (!tt_names_has(&names, tt_api_reserved[i])) tt_names_take(&names, tt_api_reserved[i]);
  for (size_t i = 0; i < tt_num_api_rows; ++i)
    for (int api = 0; api < TT_API_COUNT; ++api) {
      const char *call = tt_api_rows[i].call[api];
      size_t n = 0;
      while (isalnum((unsigned char)call[n]) || call[n] == '_') ++n;
      char *name = tt_arena_str(arena, (MlirStringRef){call, n});
      if (!tt_names_has(&names, name)) tt_names_take(&names, name);
    }
  return names;
}

void tt_emit_line(TtEmitter *e, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = tt_arena_alloc(e->arena, (size_t)n + 1);
  vsnprintf(text, (size_t)n + 1, format, again);
  va_end(again);
  tt_text_printf(e->out, "%*s%s\n", n ? 4 * e->indent : 0, "", text);
}

const char *tt_emit_bind(TtEmitter *e, MlirValue value, const char *wish) {
  if (e->num_bindings == e->capacity) {
    intptr_t capacity = e->capacity ? 2 * e->capacity : 64;
    TtBinding *bindings = tt_arena_alloc(e->arena, (size_t)capacity * sizeof *bindings);
    if (e->num_bindings)
      memcpy(bindings, e->bindings, (size_t)e->num_bindings * sizeof *bindings);
    e->bindings = bindings;
    e->capacity = capacity;
  }
  const char *name = tt_names_take(&e->names, wish);
  e->bindings[e->num_bindings++] = (TtBinding){value, name};
  return name;
}

const char *tt_emit_bound(TtEmitter *e, MlirValue value) {
  for (intptr_t i = e->num_bindings; i-- > 0;)
    if (tt_value_eq(e->bindings[i].value, value)) return e->bindings[i].name;
  return NULL;
}
