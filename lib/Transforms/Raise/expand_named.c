/*===- expand_named.c - --tt-expand-named --------------------------------------------------===
 *
 * Named ops that are several in one become those.
 *
 *   linalg.softmax dimension(1) ins(%x) outs(%y)
 * = %m = max over j of %x    %e = exp(%x - %m)    %s = sum over j of %e    %y = %e / %s
 *
 * A reduction whose results need each other, as a largest element and where it is, becomes loops
 * over elements (joint_reductions.c).
 *
 * Requires nothing. Leaves ops of dynamic sizes, which are refused later on.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/inline_text.h"
#include "Transforms/Raise/joint_reductions.h"

#include <string.h>

/* "2x64x" and "(d0, d1)", with or without dimension `except`. */
static const char *list(TtArena *arena, MlirType type, intptr_t except, bool shape) {
  const char *text = "";
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    if (d == except) continue;
    if (shape)
      text = tt_arena_printf(arena, "%s%jdx", text, (intmax_t)mlirShapedTypeGetDimSize(type, d));
    else text = tt_arena_printf(arena, "%s%sd%jd", text, *text ? ", " : "", (intmax_t)d);
  }
  return text;
}

static const char *kinds(TtArena *arena, MlirType type, intptr_t reduced) {
  const char *text = "";
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    text = tt_arena_printf(arena, "%s%s\"%s\"", text, *text ? ", " : "",
                           d == reduced ? "reduction" : "parallel");
  return text;
}

/* The ops of a softmax, as a function of its operands. */
static const char *softmax_text(TtArena *arena, MlirType in, MlirType out, intptr_t dim) {
  const char *x = tt_type_text(arena, in), *y = tt_type_text(arena, out),
             *ex = tt_type_text(arena, mlirShapedTypeGetElementType(in)),
             *ey = tt_type_text(arena, mlirShapedTypeGetElementType(out)),
             *all = list(arena, in, -1, false), *rows = list(arena, in, dim, false);
  const char *space = "#gpu.address_space<private>";
  const char *block = tt_arena_printf(arena, "memref<%sf32, %s>", list(arena, in, -1, true), space),
             *row = tt_arena_printf(arena, "memref<%sf32, %s>", list(arena, in, dim, true), space);
  /* The largest of a number and itself is the number. */
  const char *wide = strcmp(ex, "f32") == 0
                         ? "%w = arith.maximumf %v, %v : f32"
                         : tt_arena_printf(arena, "%%w = arith.extf %%v : %s to f32", ex);
  const char *narrow = strcmp(ey, "f32") == 0
                           ? "linalg.yield %q : f32"
                           : tt_arena_printf(arena,
                                             "%%n = arith.truncf %%q : f32 to %s linalg.yield %%n "
                                             ": %s",
                                             ey, ey);
  const char *reduce = kinds(arena, in, dim), *map = kinds(arena, in, -1);
  return tt_arena_printf(
      arena,
      "#a = affine_map<(%s) -> (%s)>\n#r = affine_map<(%s) -> (%s)>\n"
      "func.func @softmax(%%x: %s, %%y: %s) {\n"
      "  %%low = arith.constant 0xFF800000 : f32\n  %%zero = arith.constant 0.0 : f32\n"
      "  %%e = memref.alloc() : %s\n  %%m = memref.alloc() : %s\n  %%s = memref.alloc() : %s\n"
      "  linalg.fill ins(%%low : f32) outs(%%m : %s)\n"
      "  linalg.generic {indexing_maps = [#a, #r], iterator_types = [%s]} ins(%%x : %s) "
      "outs(%%m : %s) {\n  ^bb0(%%v: %s, %%o: f32):\n    %s\n"
      "    %%b = arith.maximumf %%o, %%w : f32\n    linalg.yield %%b : f32\n  }\n"
      "  linalg.generic {indexing_maps = [#a, #r, #a], iterator_types = [%s]} ins(%%x, %%m : %s, "
      "%s) outs(%%e : %s) {\n  ^bb0(%%v: %s, %%b: f32, %%o: f32):\n    %s\n"
      "    %%d = arith.subf %%w, %%b : f32\n    %%p = math.exp %%d : f32\n"
      "    linalg.yield %%p : f32\n  }\n"
      "  linalg.fill ins(%%zero : f32) outs(%%s : %s)\n"
      "  linalg.generic {indexing_maps = [#a, #r], iterator_types = [%s]} ins(%%e : %s) "
      "outs(%%s : %s) {\n  ^bb0(%%v: f32, %%o: f32):\n    %%t = arith.addf %%o, %%v : f32\n"
      "    linalg.yield %%t : f32\n  }\n"
      "  linalg.generic {indexing_maps = [#a, #r, #a], iterator_types = [%s]} ins(%%e, %%s : %s, "
      "%s) outs(%%y : %s) {\n  ^bb0(%%v: f32, %%t: f32, %%o: %s):\n"
      "    %%q = arith.divf %%v, %%t : f32\n    %s\n  }\n  return\n}\n",
      all, all, all, rows, x, y, block, row, row, row, reduce, x, row, ex, wide, map, x, row, block,
      ex, wide, row, reduce, block, row, map, block, row, y, ey, narrow);
}

static bool expand(TtArena *arena, MlirOperation kernel) {
  tt_loop_joint_reductions(arena, kernel);
  TtOps ops = tt_collect(arena, kernel, "linalg.softmax");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    MlirType in = mlirValueGetType(mlirOperationGetOperand(op, 0)),
             out = mlirValueGetType(mlirOperationGetOperand(op, 1));
    if (!tt_is_memref(in) || !tt_is_memref(out) || !mlirShapedTypeHasStaticShape(in)) continue;
    intptr_t dim = (intptr_t)tt_int(tt_op_attr(op, "dimension"));
    if (!tt_inline_text(arena, op, softmax_text(arena, in, out, dim))) return false;
  }
  return true;
}

bool tt_run_expand_named(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, expand);
}
