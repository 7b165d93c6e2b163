/*===- choose_elements.c - --tt-choose-elements ------------------------------------------------===
 *
 * One element of a row, at an index that comes from a tensor, is chosen among all of the row: the
 * one of which the index is the same, the largest of it and of minus infinities.
 *
 *   before  %l = load %L[%i] : memref<64xi32>        after  %x = for %q = 0 to 320
 *           %x = load %X[%i, index_cast %l]                       iter_args(%m = -inf) {
 *                                                             %c = %q == %l ? load %X[%i, %q] : %m
 *                                                             yield max(%m, %c) }
 *
 * An element of the diagonal, %X[%i, %i], is one of row %i as well, at index %i. And so is one of a
 * short table, %X[(%p[%i] >> 4) & 15], at an index that the core computes: what codes stand for.
 *
 * This is exact, and takes what the largest of a row takes. Requires raised loops. Leaves rows that
 * are longer than LONGEST_ROW or of a dynamic length, and indices that are the same for all of a
 * block, but into what the kernel itself writes: those are offsets (--tt-load-indices).
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/made_of.h"
#include "Passes/passes_decl.h"
#include "Support/text.h"
#include "Transforms/Raise/inline_text.h"

#include <string.h>

enum { LONGEST_ROW = 4096, LONGEST_TABLE = 256 };

/* The integer that index `value` is, where it is an element of a tensor, also of fewer bits. */
static MlirValue loaded_integer(MlirValue value) {
  MlirOperation cast = tt_defining_op(value), load;
  MlirValue none = {NULL};
  if (!tt_op_is(cast, "arith.index_cast") && !tt_op_is(cast, "arith.index_castui")) return none;
  load = tt_defining_op(mlirOperationGetOperand(cast, 0));
  while (tt_op_is(load, "arith.extsi") || tt_op_is(load, "arith.extui"))
    cast = load, load = tt_defining_op(mlirOperationGetOperand(cast, 0));
  return tt_op_is(load, "memref.load") ? mlirOperationGetOperand(cast, 0) : none;
}

/* Whether index `value` was widened without a sign. */
static bool has_no_sign(MlirValue value) {
  for (MlirOperation op = tt_defining_op(value);; op = tt_defining_op(value)) {
    if (tt_op_is(op, "arith.index_castui") || tt_op_is(op, "arith.extui")) return true;
    if (!tt_op_is(op, "arith.index_cast") && !tt_op_is(op, "arith.extsi")) return false;
    value = mlirOperationGetOperand(op, 0);
  }
}

static bool is_integer_op(const void *data, MlirOperation op) {
  (void)data;
  MlirStringRef name = tt_op_name(op);
  return name.length > 6 && memcmp(name.data, "arith.", 6) == 0;
}

/* Whether the kernel stores to what it loads from: data movement cannot follow a list into that. */
static bool is_written(MlirOperation load) {
  MlirValue memref = mlirOperationGetOperand(load, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(memref); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (tt_op_is(mlirOpOperandGetOwner(use), "memref.store") &&
        mlirOpOperandGetOperandNumber(use) == 1)
      return true;
  return false;
}

/* The integer that index `value` is, where it is computed from elements of a tensor by more than
 * sums, or by `any` ops, and a loop around goes from one of these to the next. */
static MlirValue computed_integer(TtArena *arena, MlirValue value, bool any) {
  static const char *const more[] = {"arith.andi", "arith.ori",   "arith.xori",  "arith.shrui",
                                     "arith.shli", "arith.shrsi", "arith.select"};
  MlirOperation cast = tt_defining_op(value);
  MlirValue none = {NULL};
  if (!tt_op_is(cast, "arith.index_cast") && !tt_op_is(cast, "arith.index_castui")) return none;
  TtValues all = tt_made_of(arena, mlirOperationGetOperand(cast, 0), is_integer_op, NULL);
  bool computed = any, loaded = false;
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]), loop = tt_parent(cast);
    for (size_t j = 0; j < sizeof more / sizeof *more; ++j) computed |= tt_op_is(op, more[j]);
    if (!tt_op_is(op, "memref.load")) continue;
    loaded |= tt_op_is(loop, "scf.for") && tt_is_made_of(arena, all.data[i], tt_for_iv(loop));
  }
  return computed && loaded ? mlirOperationGetOperand(cast, 0) : none;
}

static bool moves(TtArena *arena, MlirOperation load, intptr_t but, MlirValue iv) {
  for (intptr_t d = 1; d < mlirOperationGetNumOperands(load); ++d) {
    int64_t factor;
    if (d != but &&
        (!tt_index_factor(arena, mlirOperationGetOperand(load, d), iv, &factor) || factor != 0))
      return true;
  }
  return false;
}

static bool goes_along(TtArena *arena, MlirValue index, MlirValue iv) {
  int64_t factor;
  return tt_index_factor(arena, index, iv, &factor) && factor != 0;
}

/* The last index, where a loop around moves it and another one, as on the diagonal. */
static MlirValue on_diagonal(TtArena *arena, MlirOperation load) {
  MlirValue last = mlirOperationGetOperand(load, mlirOperationGetNumOperands(load) - 1);
  for (MlirOperation p = tt_parent(load); !mlirOperationIsNull(p); p = tt_parent(p))
    for (intptr_t d = 1; tt_op_is(p, "scf.for") && d + 1 < mlirOperationGetNumOperands(load); ++d)
      if (goes_along(arena, last, tt_for_iv(p)) &&
          goes_along(arena, mlirOperationGetOperand(load, d), tt_for_iv(p)))
        return last;
  return (MlirValue){NULL};
}

/* Whether a loop around `load` moves both its other indices and the integer: each row has its own.
 */
static bool varies(TtArena *arena, MlirOperation load, MlirOperation integer) {
  intptr_t last = mlirOperationGetNumOperands(load) - 1;
  for (MlirOperation p = tt_parent(load); !mlirOperationIsNull(p); p = tt_parent(p))
    if (tt_op_is(p, "scf.for") && moves(arena, load, last, tt_for_iv(p)) &&
        moves(arena, integer, -1, tt_for_iv(p)))
      return true;
  return false;
}

/* A function of the tensor, its indices and the integer. */
static const char *choice_text(TtArena *arena, MlirOperation load, MlirType integer,
                               bool is_unsigned) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(load, 0)),
           element = mlirShapedTypeGetElementType(type);
  intptr_t rank = mlirShapedTypeGetRank(type);
  const char *t = tt_type_text(arena, type), *e = tt_type_text(arena, element),
             *n = tt_type_text(arena, integer), *arguments = "", *indices = "";
  unsigned bits = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element) : 0;
  const char *least = bits ? tt_arena_printf(arena, "%jd", (intmax_t)(-(INT64_C(1) << (bits - 1))))
                           : tt_arena_printf(arena, "%s",
                                             mlirTypeIsAF32(element)    ? "0xFF800000"
                                             : mlirTypeIsABF16(element) ? "0xFF80"
                                                                        : "0xFC00");
  bool index = mlirTypeIsAIndex(integer);
  int64_t size = mlirShapedTypeGetDimSize(type, rank - 1);
  /* Bytes do not number all of a long row. */
  bool narrow = !index && mlirIntegerTypeGetWidth(integer) < 32 &&
                size > INT64_C(1) << (mlirIntegerTypeGetWidth(integer) - 1);
  const char *label = narrow ? "%w" : "%l", *wide = narrow ? "i32" : n,
             *widened = narrow ? tt_arena_printf(arena, "%%w = arith.ext%s %%l : %s to i32\n ",
                                                 is_unsigned ? "ui" : "si", n)
                               : "",
             *cast = index ? ""
                           : tt_arena_printf(arena, "%s%%n = arith.index_cast %%q : index to %s\n ",
                                             widened, wide);
  for (intptr_t d = 0; d + 1 < rank; ++d) {
    arguments = tt_arena_printf(arena, "%s%%i%jd: index, ", arguments, (intmax_t)d);
    indices = tt_arena_printf(arena, "%s%%i%jd, ", indices, (intmax_t)d);
  }
  return tt_arena_printf(
      arena,
      "func.func @choose(%%x: %s, %s%%l: %s) -> %s {\n %%c0 = arith.constant 0 : index\n "
      "%%c1 = arith.constant 1 : index\n %%end = arith.constant %jd : index\n "
      "%%low = arith.constant %s : %s\n "
      "%%r = scf.for %%q = %%c0 to %%end step %%c1 iter_args(%%m = %%low) -> (%s) {\n "
      "%%v = memref.load %%x[%s%%q] : %s\n %s"
      "%%is = arith.cmpi eq, %s, %s : %s\n %%c = arith.select %%is, %%v, %%low : %s\n "
      "%%k = arith.%s %%m, %%c : %s\n scf.yield %%k : %s\n }\n return %%r : %s\n}\n",
      t, arguments, n, e, (intmax_t)size, least, e, e, indices, t, cast, index ? "%q" : "%n", label,
      wide, e, bits ? "maxsi" : "maximumf", e, e, e);
}

/*===- Branches -------------------------------------------------------------------------------===*/

static bool is_arithmetic(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  return name.length > 6 && memcmp(name.data, "arith.", 6) == 0;
}

/* Whether `value` is made of `integer` and constants alone. */
static bool is_made_of(MlirValue value, MlirValue integer, int depth) {
  int64_t constant;
  if (tt_value_eq(value, integer) || tt_constant(value, &constant)) return true;
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op) || depth == 0 || !is_arithmetic(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_made_of(mlirOperationGetOperand(op, i), integer, depth - 1)) return false;
  return true;
}

/* A branch that looks at the integer alone, as for labels that do not count, is not needed: no
 * element of the row is chosen where the integer is none. The load leaves it. */
static void leave_branches(MlirOperation load, MlirValue integer) {
  enum { DEPTH = 8 };
  for (MlirOperation branch = tt_parent(load);
       tt_op_is(branch, "scf.if") && !tt_is_defined_in(branch, integer) &&
       is_made_of(mlirOperationGetOperand(branch, 0), integer, DEPTH);
       branch = tt_parent(load)) {
    for (intptr_t d = 1; d < mlirOperationGetNumOperands(load); ++d) {
      MlirValue index = mlirOperationGetOperand(load, d);
      if (!tt_is_defined_in(branch, index)) continue;
      MlirOperation cast = tt_defining_op(index);
      if (mlirOperationIsNull(cast) || !is_arithmetic(cast) ||
          mlirOperationGetNumOperands(cast) != 1 ||
          tt_is_defined_in(branch, mlirOperationGetOperand(cast, 0)))
        return;
    }
    for (intptr_t d = 1; d < mlirOperationGetNumOperands(load); ++d)
      if (tt_is_defined_in(branch, mlirOperationGetOperand(load, d)))
        mlirOperationMoveBefore(tt_defining_op(mlirOperationGetOperand(load, d)), branch);
    mlirOperationMoveBefore(load, branch);
  }
}

static bool run(TtArena *arena, MlirOperation kernel) {
  TtOps loads = tt_collect(arena, kernel, "memref.load");
  for (intptr_t i = 0; i < loads.n; ++i) {
    MlirOperation load = loads.data[i];
    intptr_t last = mlirOperationGetNumOperands(load) - 1;
    MlirType type = mlirValueGetType(mlirOperationGetOperand(load, 0)),
             element = mlirShapedTypeGetElementType(type);
    MlirValue integer =
        last > 0 ? loaded_integer(mlirOperationGetOperand(load, last)) : (MlirValue){NULL};
    bool loaded = !tt_is_null_value(integer), computed = false, is_unsigned = false;
    if (!loaded && last > 1) integer = on_diagonal(arena, load);
    if (tt_is_null_value(integer) && last > 0 &&
        mlirShapedTypeGetDimSize(type, last - 1) <= LONGEST_TABLE) {
      integer = computed_integer(arena, mlirOperationGetOperand(load, last), is_written(load));
      computed = !tt_is_null_value(integer);
    }
    if (loaded || computed) is_unsigned = has_no_sign(mlirOperationGetOperand(load, last));
    bool number = mlirTypeIsAF32(element) || mlirTypeIsABF16(element) || mlirTypeIsAF16(element) ||
                  (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) >= 8 &&
                   mlirIntegerTypeGetWidth(element) <= 32);
    if (tt_is_null_value(integer) || !number || mlirShapedTypeIsDynamicDim(type, last - 1) ||
        mlirShapedTypeGetDimSize(type, last - 1) > LONGEST_ROW ||
        (loaded && !varies(arena, load, tt_defining_op(integer)) && !is_written(load)))
      continue;
    if (loaded) leave_branches(load, integer);
    const char *text = choice_text(arena, load, mlirValueGetType(integer), is_unsigned);
    mlirOperationSetOperand(load, last, integer); /* what the function takes */
    if (!tt_inline_text(arena, load, text)) return false;
  }
  return true;
}

bool tt_run_choose_elements(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
