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
 * Where the row is computed as well, as where an image is sampled at places that a tensor of floats
 * gives, the element is chosen among all of the matrix, which may have 4096; a loop over channels
 * goes around those over pixels (order_by_stores.c).
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
#include "Transforms/Raise/order_by_stores.h"

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

static bool is_number_op(const void *data, MlirOperation op) {
  (void)data;
  MlirStringRef name = tt_op_name(op);
  return (name.length > 6 && memcmp(name.data, "arith.", 6) == 0) ||
         (name.length > 5 && memcmp(name.data, "math.", 5) == 0);
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
  TtValues all = tt_made_of(arena, mlirOperationGetOperand(cast, 0), is_number_op, NULL);
  bool computed = any, loaded = false, of_floats = false;
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]);
    for (size_t j = 0; j < sizeof more / sizeof *more; ++j) computed |= tt_op_is(op, more[j]);
    of_floats |= tt_op_is(op, "arith.fptosi") || tt_op_is(op, "arith.fptoui");
  }
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = tt_defining_op(all.data[i]), loop = tt_parent(cast);
    /* Data movement may go by integers that are the same in the innermost loop, not by floats. */
    while (of_floats && tt_op_is(op, "memref.load") && tt_op_is(loop, "scf.for") &&
           !tt_is_made_of(arena, all.data[i], tt_for_iv(loop)))
      loop = tt_parent(loop);
    loaded |= tt_op_is(op, "memref.load") && tt_op_is(loop, "scf.for") &&
              tt_is_made_of(arena, all.data[i], tt_for_iv(loop));
  }
  return (computed || of_floats) && loaded ? mlirOperationGetOperand(cast, 0) : none;
}

/* The integer that index `value` is, where a loop carries it from step to step: what was found in
 * the last one. Data movement, which runs ahead, cannot know it. */
static MlirValue carried_integer(MlirValue value) {
  MlirOperation cast = tt_defining_op(value);
  MlirValue none = {NULL};
  if (!tt_op_is(cast, "arith.index_cast") && !tt_op_is(cast, "arith.index_castui")) return none;
  MlirValue integer = mlirOperationGetOperand(cast, 0);
  if (!mlirValueIsABlockArgument(integer) || mlirBlockArgumentGetArgNumber(integer) == 0)
    return none;
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(integer));
  return tt_op_is(loop, "scf.for") ? integer : none;
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

/* What is below all elements of a type. */
static const char *least_of(TtArena *arena, MlirType element) {
  if (mlirTypeIsAF32(element)) return "0xFF800000";
  if (mlirTypeIsABF16(element)) return "0xFF80";
  if (mlirTypeIsAF16(element)) return "0xFC00";
  return tt_arena_printf(arena, "%jd",
                         (intmax_t)(-(INT64_C(1) << (mlirIntegerTypeGetWidth(element) - 1))));
}

/* Whether %q<d>, an index of dimension `d`, is integer %l<d>: the flag %is<d>. */
static const char *compared(TtArena *arena, intptr_t d, int64_t size, MlirType integer,
                            bool is_unsigned) {
  const char *n = tt_type_text(arena, integer);
  if (mlirTypeIsAIndex(integer))
    return tt_arena_printf(arena, "%%is%jd = arith.cmpi eq, %%q%jd, %%l%jd : index\n ", (intmax_t)d,
                           (intmax_t)d, (intmax_t)d);
  /* Bytes do not number all of a long row. */
  unsigned bits = mlirIntegerTypeGetWidth(integer);
  bool narrow = bits < 32 && size > INT64_C(1) << (bits - 1);
  const char *widened =
      narrow ? tt_arena_printf(arena, "%%w%jd = arith.ext%s %%l%jd : %s to i32\n ", (intmax_t)d,
                               is_unsigned ? "ui" : "si", (intmax_t)d, n)
             : "";
  return tt_arena_printf(arena,
                         "%s%%n%jd = arith.index_cast %%q%jd : index to %s\n "
                         "%%is%jd = arith.cmpi eq, %%n%jd, %%%s%jd : %s\n ",
                         widened, (intmax_t)d, (intmax_t)d, narrow ? "i32" : n, (intmax_t)d,
                         (intmax_t)d, narrow ? "w" : "l", (intmax_t)d, narrow ? "i32" : n);
}

/* A function of the tensor and its indices, of which those that are `chosen` are integers: the
 * element that has them, among all along these dimensions. */
static const char *choice_text(TtArena *arena, MlirOperation load, const bool *chosen,
                               const MlirValue *integers) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(load, 0)),
           element = mlirShapedTypeGetElementType(type);
  intptr_t rank = mlirShapedTypeGetRank(type);
  const char *t = tt_type_text(arena, type), *e = tt_type_text(arena, element), *arguments = "",
             *indices = "", *loops = "", *flags = "", *ends = "", *is = NULL, *m = "%low",
             *least = least_of(arena, element);
  for (intptr_t d = 0; d < rank; ++d) {
    intmax_t i = (intmax_t)d;
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    const char *comma = d + 1 < rank ? ", " : "";
    arguments =
        tt_arena_printf(arena, "%s, %%%s%jd: %s", arguments, chosen[d] ? "l" : "i", i,
                        chosen[d] ? tt_type_text(arena, mlirValueGetType(integers[d])) : "index");
    indices = tt_arena_printf(arena, "%s%%%s%jd%s", indices, chosen[d] ? "q" : "i", i, comma);
    if (!chosen[d]) continue;
    loops = tt_arena_printf(arena,
                            "%s%%end%jd = arith.constant %jd : index\n "
                            "%%r%jd = scf.for %%q%jd = %%c0 to %%end%jd step %%c1 "
                            "iter_args(%%m%jd = %s) -> (%s) {\n ",
                            loops, i, (intmax_t)size, i, i, i, i, m, e);
    ends = is ? tt_arena_printf(arena, "scf.yield %%r%jd : %s\n }\n %s", i, e, ends)
              : tt_arena_printf(arena, "return %%r%jd : %s\n}\n", i, e);
    m = tt_arena_printf(arena, "%%m%jd", i);
    bool no_sign = has_no_sign(mlirOperationGetOperand(load, d + 1));
    flags = tt_arena_printf(arena, "%s%s", flags,
                            compared(arena, d, size, mlirValueGetType(integers[d]), no_sign));
    if (is)
      flags = tt_arena_printf(arena, "%s%%both = arith.andi %s, %%is%jd : i1\n ", flags, is, i);
    is = is ? "%both" : tt_arena_printf(arena, "%%is%jd", i);
  }
  return tt_arena_printf(
      arena,
      "func.func @choose(%%x: %s%s) -> %s {\n %%c0 = arith.constant 0 : index\n "
      "%%c1 = arith.constant 1 : index\n %%low = arith.constant %s : %s\n %s"
      "%%v = memref.load %%x[%s] : %s\n %s%%c = arith.select %s, %%v, %%low : %s\n "
      "%%k = arith.%s %s, %%c : %s\n scf.yield %%k : %s\n }\n %s",
      t, arguments, e, least, e, loops, indices, t, flags, is, e,
      mlirTypeIsAInteger(element) ? "maxsi" : "maximumf", m, e, e, ends);
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

/* The integer that the row of `load` is, where the core computes it of floats or bits, and the
 * tensor is small enough to choose among its rows. */
static MlirValue computed_row(TtArena *arena, MlirOperation load, intptr_t rank) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(load, 0));
  MlirValue none = {NULL};
  if (rank < 2) return none;
  int64_t rows = mlirShapedTypeGetDimSize(type, rank - 2),
          columns = mlirShapedTypeGetDimSize(type, rank - 1);
  if (rows < 0 || columns < 0 || rows > LONGEST_TABLE || rows * columns > LONGEST_ROW) return none;
  MlirValue index = mlirOperationGetOperand(load, rank - 1), carried = carried_integer(index);
  return tt_is_null_value(carried) ? computed_integer(arena, index, false) : carried;
}

static bool run(TtArena *arena, MlirOperation kernel) {
  TtOps loads = tt_collect(arena, kernel, "memref.load");
  for (intptr_t i = 0; i < loads.n; ++i) {
    MlirOperation load = loads.data[i];
    intptr_t last = mlirOperationGetNumOperands(load) - 1;
    MlirType type = mlirValueGetType(mlirOperationGetOperand(load, 0)),
             element = mlirShapedTypeGetElementType(type);
    bool number = mlirTypeIsAF32(element) || mlirTypeIsABF16(element) || mlirTypeIsAF16(element) ||
                  (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) >= 8 &&
                   mlirIntegerTypeGetWidth(element) <= 32);
    if (!number || last < 1 || last > TT_MAX_RANK) continue;
    MlirValue integer = loaded_integer(mlirOperationGetOperand(load, last)),
              row = computed_row(arena, load, last), integers[TT_MAX_RANK] = {{NULL}};
    bool loaded = !tt_is_null_value(integer), chosen[TT_MAX_RANK] = {false};
    if (!loaded && last > 1) integer = on_diagonal(arena, load);
    if (tt_is_null_value(integer) && mlirShapedTypeGetDimSize(type, last - 1) <= LONGEST_TABLE)
      integer = carried_integer(mlirOperationGetOperand(load, last));
    if (tt_is_null_value(integer) && mlirShapedTypeGetDimSize(type, last - 1) <= LONGEST_TABLE)
      integer = computed_integer(arena, mlirOperationGetOperand(load, last), is_written(load));
    bool of_row = !tt_is_null_value(row);
    if ((tt_is_null_value(integer) && !of_row) || mlirShapedTypeIsDynamicDim(type, last - 1) ||
        mlirShapedTypeGetDimSize(type, last - 1) > LONGEST_ROW ||
        (loaded && !of_row && !varies(arena, load, tt_defining_op(integer)) && !is_written(load)))
      continue;
    if (loaded && !of_row) leave_branches(load, integer);
    if (of_row) tt_order_by_stores(arena, load);
    integers[last - 1] = integer, chosen[last - 1] = !tt_is_null_value(integer);
    if (of_row) integers[last - 2] = row, chosen[last - 2] = true;
    const char *text = choice_text(arena, load, chosen, integers);
    for (intptr_t d = 0; d < last; ++d) /* what the function takes */
      if (chosen[d]) mlirOperationSetOperand(load, d + 1, integers[d]);
    if (!tt_inline_text(arena, load, text)) return false;
  }
  return true;
}

bool tt_run_choose_elements(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, run);
}
