/*===- for_each_kernel.c - run one function on every kernel of a module ----------===*/

#include "Analysis/for_each_kernel.h"

/* What one run needed is free before the next. */
static bool for_each(TtOps ops, bool (*run)(TtArena *, MlirOperation)) {
  bool ok = true;
  for (intptr_t i = 0; ok && i < ops.n; ++i) {
    TtArena *arena = tt_arena_create();
    ok = run(arena, ops.data[i]);
    tt_arena_destroy(arena);
  }
  return ok;
}

bool tt_for_each_kernel(MlirOperation module, bool (*run)(TtArena *, MlirOperation)) {
  TtArena *list = tt_arena_create();
  bool ok = for_each(tt_kernels(list, module), run);
  tt_arena_destroy(list);
  return ok;
}

bool tt_for_each_program(MlirOperation module, bool (*run)(TtArena *, MlirOperation)) {
  TtArena *list = tt_arena_create();
  bool ok = for_each(tt_collect(list, module, "tt.program"), run);
  tt_arena_destroy(list);
  return ok;
}
