/*===- for_each_kernel.c - run one function on every kernel of a module ----------===*/

#include "Analysis/for_each_kernel.h"

bool tt_for_each_kernel(MlirOperation module, bool (*run)(TtArena *, MlirOperation)) {
  TtArena *arena = tt_arena_create();
  TtOps kernels = tt_kernels(arena, module);
  bool ok = true;
  for (intptr_t i = 0; ok && i < kernels.n; ++i) ok = run(arena, kernels.data[i]);
  tt_arena_destroy(arena);
  return ok;
}

bool tt_for_each_program(MlirOperation module, bool (*run)(TtArena *, MlirOperation)) {
  TtArena *arena = tt_arena_create();
  TtOps programs = tt_collect(arena, module, "tt.program");
  bool ok = true;
  for (intptr_t i = 0; ok && i < programs.n; ++i) ok = run(arena, programs.data[i]);
  tt_arena_destroy(arena);
  return ok;
}
