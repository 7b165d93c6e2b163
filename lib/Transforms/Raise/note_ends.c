/*===- note_ends.c - --tt-note-ends -----------------------------------------------------------===
 *
 * Where a block begins and ends may depend on integers that a kernel takes, as the place in a cache
 * where a step of decoding writes. A block that ends outside of its tensor, but inside of the last
 * tile of it, would do so without a word: the host program looks before it launches the kernel.
 *
 *   func.func @append(%cache: memref<?x64xbf16>, %at: index) {
 *     scf.forall (%i) in (4) {
 *       %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%i)[%at]
 *       memref.subview %cache[%0, 0] [2, 64] …
 *
 *   = tt.block_ends = [{dim = 0, ends = affine_map<(d0) -> (d0, d0 + 8)>, of = ["at"],
 *                       size = "cache_d0", tensor = "cache"}]
 *
 * that is, the first row and the one behind the last. What stands in a branch or in a loop that may
 * have no rounds says nothing, nor does a place that is loaded, which is known when the kernel
 * runs; whole tiles that are outside are found then.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/for_each_kernel.h"
#include "Analysis/index_expr.h"
#include "Analysis/index_range.h"
#include "Analysis/kept_dims.h"
#include "Passes/passes_decl.h"
#include "Support/text.h"

/* Places along one dimension: of a block, or of an element. */
typedef struct Place {
  MlirOperation op;
  MlirValue tensor, offset;
  intptr_t dim;
  int64_t last; /* elements from the first to the last */
} Place;

typedef struct Notes {
  TtArena *arena;
  MlirOperation func;
  MlirAttribute *data;
  intptr_t n, capacity;
} Notes;

/*===- What is known of a place ---------------------------------------------------------------===*/

/* Whether constants say that a loop has rounds along its dimension `i`. */
static bool has_rounds(MlirOperation loop, intptr_t i) {
  int64_t lower, upper, step;
  if (tt_op_is(loop, "scf.forall")) {
    lower = mlirDenseI64ArrayGetElement(tt_op_attr(loop, "staticLowerBound"), i);
    upper = mlirDenseI64ArrayGetElement(tt_op_attr(loop, "staticUpperBound"), i);
    step = mlirDenseI64ArrayGetElement(tt_op_attr(loop, "staticStep"), i);
    return lower != INT64_MIN && upper != INT64_MIN && step != INT64_MIN && lower < upper;
  }
  intptr_t n = tt_op_is(loop, "scf.for") ? 1 : mlirBlockGetNumArguments(tt_body(loop));
  return tt_constant(mlirOperationGetOperand(loop, i), &lower) &&
         tt_constant(mlirOperationGetOperand(loop, n + i), &upper) &&
         tt_constant(mlirOperationGetOperand(loop, 2 * n + i), &step) && lower < upper && step > 0;
}

/* Whether an op is run whenever the kernel is. */
static bool is_run(MlirOperation func, MlirOperation op) {
  for (MlirOperation p = tt_parent(op); !tt_op_eq(p, func); p = tt_parent(p)) {
    bool loops = tt_op_is(p, "scf.forall") || tt_op_is(p, "scf.parallel") || tt_op_is(p, "scf.for");
    intptr_t n = tt_op_is(p, "scf.for") ? 1 : loops ? mlirBlockGetNumArguments(tt_body(p)) : 0;
    for (intptr_t i = 0; i < n; ++i) loops = loops && has_rounds(p, i);
    if (!loops) return false;
  }
  return true;
}

/* Whether ops that are run whenever the kernel is go on with a view, or with views of it: the view
 * itself may have been moved out of a branch or a loop. */
static bool is_taken(MlirOperation func, MlirValue view) {
  for (MlirOpOperand use = mlirValueGetFirstUse(view); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool looks = mlirOperationGetNumResults(op) == 1 &&
                 tt_is_memref(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (looks ? is_taken(func, mlirOperationGetResult(op, 0))
              : !tt_op_is(op, "memref.dim") && is_run(func, op))
      return true;
  }
  return false;
}

/* The name of the integer that the kernel takes and that a value is; NULL where it is none. */
static char *scalar_name(const Notes *notes, MlirValue value) {
  MlirOperation cast = tt_defining_op(value);
  if (tt_op_is(cast, "arith.index_cast") || tt_op_is(cast, "arith.index_castui"))
    value = mlirOperationGetOperand(cast, 0);
  MlirType type = mlirValueGetType(value);
  if (!mlirValueIsABlockArgument(value) || !(mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type)) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(notes->func)))
    return NULL;
  return tt_arg_name(notes->arena, notes->func, mlirBlockArgumentGetArgNumber(value));
}

/* `map` of one result with what its leaves are: numbers of loops as their first or their last
 * value, integers that the kernel takes as dimensions in order. */
static MlirAffineExpr with_leaves(const MlirAffineExpr *of, intptr_t n, MlirAffineMap map,
                                  intptr_t dims) {
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineMap leaves = mlirAffineMapGet(context, dims, 0, n, (MlirAffineExpr *)of);
  return mlirAffineExprCompose(mlirAffineMapGetResult(map, 0), leaves);
}

/* The first and the last value of a place, as expressions over the integers that the kernel takes,
 * whose names go to `names`. False where it depends on none of these, or on more than these and
 * loops that add to it. */
static bool find_ends(Notes *notes, const Place *p, MlirAffineExpr ends[2], MlirAttribute *names) {
  enum { MOST = 32 };
  MlirContext context = mlirOperationGetContext(p->op);
  MlirAffineMap map;
  const MlirValue *leaves;
  intptr_t n, dims = 0;
  MlirAffineExpr of[2][MOST];
  const char *texts[MOST];
  if (!tt_index_map(notes->arena, &p->offset, 1, &map, &leaves, &n) || n > MOST) return false;
  for (intptr_t i = 0; i < n; ++i) {
    const char *name = scalar_name(notes, leaves[i]);
    if (name) {
      of[0][i] = of[1][i] = mlirAffineDimExprGet(context, dims);
      texts[dims++] = name;
      continue;
    }
    int64_t factor;
    TtIndexRange range;
    if (!mlirValueIsABlockArgument(leaves[i]) || !tt_index_range(notes->arena, leaves[i], &range) ||
        !tt_index_factor(notes->arena, p->offset, leaves[i], &factor))
      return false;
    of[0][i] = mlirAffineConstantExprGet(context, factor > 0 ? range.least : range.most);
    of[1][i] = mlirAffineConstantExprGet(context, factor > 0 ? range.most : range.least);
  }
  if (dims == 0) return false;
  for (int end = 0; end < 2; ++end) ends[end] = with_leaves(of[end], n, map, dims);
  *names = tt_strings_attr(notes->arena, context, dims, texts);
  return true;
}

/*===- Notes ----------------------------------------------------------------------------------===*/

static void add(Notes *notes, MlirAttribute note) {
  for (intptr_t i = 0; i < notes->n; ++i)
    if (mlirAttributeEqual(notes->data[i], note)) return;
  if (notes->n < notes->capacity) notes->data[notes->n++] = note;
}

static void note_place(Notes *notes, const Place *p) {
  MlirContext context = mlirOperationGetContext(p->op);
  MlirType type = mlirValueGetType(p->tensor);
  MlirAffineExpr ends[2];
  MlirAttribute names;
  if (!find_ends(notes, p, ends, &names)) return;
  ends[1] = mlirAffineAddExprGet(ends[1], mlirAffineConstantExprGet(context, p->last + 1));
  MlirAffineMap map = mlirAffineMapGet(context, mlirArrayAttrGetNumElements(names), 0, 2, ends);
  const char *tensor =
      tt_arg_name(notes->arena, notes->func, mlirBlockArgumentGetArgNumber(p->tensor));
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  MlirAttribute size = mlirShapedTypeIsDynamicDim(type, p->dim)
                           ? tt_string_attr(context, tt_dim_name(notes->arena, tensor, p->dim))
                           : mlirIntegerAttrGet(i64, mlirShapedTypeGetDimSize(type, p->dim));
  const struct {
    const char *name;
    MlirAttribute value;
  } fields[] = {{"dim", mlirIntegerAttrGet(i64, p->dim)},
                {"ends", mlirAffineMapAttrGet(map)},
                {"of", names},
                {"size", size},
                {"tensor", tt_string_attr(context, tensor)}};
  MlirNamedAttribute named[sizeof fields / sizeof *fields];
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    named[i] =
        mlirNamedAttributeGet(mlirIdentifierGet(context, tt_str(fields[i].name)), fields[i].value);
  add(notes, mlirDictionaryAttrGet(context, sizeof fields / sizeof *fields, named));
}

static bool is_argument(const Notes *notes, MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(notes->func));
}

static void note_block(Notes *notes, MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  MlirValue tensor = mlirOperationGetOperand(op, 0);
  if (!is_argument(notes, tensor) || !is_taken(notes->func, mlirOperationGetResult(op, 0))) return;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(tensor)); ++d) {
    int64_t size = mlirDenseI64ArrayGetElement(tt_op_attr(op, "static_sizes"), d),
            stride = mlirDenseI64ArrayGetElement(tt_op_attr(op, "static_strides"), d), last;
    if (size <= 0 || stride <= 0 || __builtin_mul_overflow(size - 1, stride, &last) ||
        last >= INT32_MAX || mlirDenseI64ArrayGetElement(tt_op_attr(op, "static_offsets"), d) >= 0)
      continue;
    note_place(notes, &(Place){op, tensor, tt_subview_offset(&b, op, d), d, last});
  }
}

static void note_element(Notes *notes, MlirOperation op, intptr_t tensor) {
  MlirValue of = mlirOperationGetOperand(op, tensor);
  if (!is_argument(notes, of) || !is_run(notes->func, op)) return;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(of)); ++d)
    note_place(notes, &(Place){op, of, mlirOperationGetOperand(op, tensor + 1 + d), d, 0});
}

static bool note_ends(TtArena *arena, MlirOperation func) {
  TtOps blocks = tt_collect(arena, func, "memref.subview"),
        loads = tt_collect(arena, func, "memref.load"),
        stores = tt_collect(arena, func, "memref.store");
  Notes notes = {.arena = arena, .func = func};
  enum { MOST_DIMS = 8 };
  notes.capacity = (blocks.n + loads.n + stores.n) * MOST_DIMS;
  notes.data = tt_arena_alloc(arena, (size_t)(notes.capacity + 1) * sizeof *notes.data);
  for (intptr_t i = 0; i < blocks.n; ++i) note_block(&notes, blocks.data[i]);
  for (intptr_t i = 0; i < loads.n; ++i) note_element(&notes, loads.data[i], 0);
  for (intptr_t i = 0; i < stores.n; ++i) note_element(&notes, stores.data[i], 1);
  if (notes.n > 0)
    tt_set_attr(func, "tt.block_ends",
                mlirArrayAttrGet(mlirOperationGetContext(func), notes.n, notes.data));
  return true;
}

bool tt_run_note_ends(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, note_ends);
}
