/*===- emitter.c - names and lines of an emitted kernel ---------------------------------------===*/

#include "Emit/emitter.h"

#include <ctype.h>
#include <string.h>

TtNames tt_names_with_api(TtArena *arena) {
  TtNames names = {.arena = arena};
  for (size_t i = 0; i < tt_num_api_reserved; ++i)
    if (!tt_names_has(&names, tt_api_reserved[i])) tt_names_take(&names, tt_api_reserved[i]);
  for (size_t i = 0; i < tt_num_api_rows; ++i)
    for (int api = 0; tt_api_rows[i].call[0] && api < TT_API_COUNT; ++api) {
      const char *call = tt_era_column(tt_api_rows[i].call, (TtApi)api);
      size_t n = 0;
      while (isalnum((unsigned char)call[n]) || call[n] == '_') ++n;
      char *name = tt_arena_str(arena, (MlirStringRef){call, n});
      if (!tt_names_has(&names, name)) tt_names_take(&names, name);
    }
  return names;
}

TtKernelFiles tt_kernel_files(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  TtKernelFiles files = {tt_arena_alloc(arena, (size_t)(kernels.n + 1) * sizeof *files.data), 0};
  TtNames names = {.arena = arena};
  tt_names_add(&names, "main"); /* the host program */
  for (intptr_t i = 0; i < kernels.n; ++i)
    files.data[files.n++] =
        (TtKernelFile){kernels.data[i], tt_role_of(kernels.data[i]),
                       tt_names_take(&names, tt_arena_str(arena, tt_symbol_name(kernels.data[i])))};
  return files;
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

void tt_emit_bind_to(TtEmitter *e, MlirValue value, const char *variable) {
  if (e->num_variables == e->capacity) {
    int capacity = e->capacity ? 2 * e->capacity : 64;
    const char **variables = tt_arena_alloc(e->arena, (size_t)capacity * sizeof *variables);
    if (e->num_variables)
      memcpy(variables, e->variables, (size_t)e->num_variables * sizeof *variables);
    e->variables = variables, e->capacity = capacity;
  }
  tt_value_map_set(e->arena, &e->bound, value, e->num_variables);
  e->variables[e->num_variables++] = variable;
}

const char *tt_emit_bind(TtEmitter *e, MlirValue value, const char *wish) {
  const char *name = tt_names_take(&e->names, wish);
  tt_emit_bind_to(e, value, name);
  return name;
}

const char *tt_emit_bound(TtEmitter *e, MlirValue value) {
  int variable = tt_value_map_get(&e->bound, value);
  return variable < 0 ? NULL : e->variables[variable];
}
