/*===- plain_elements.c - loops over elements without carried numbers and branches --------------===
 *
 *   for %i { %r = for %j iter_args(%s = %z) { yield f(%s) }  g(%r) }
 * = %t = alloc   for %i { store %z, %t[%i]  for %j { store f(load %t[%i]), %t[%i] }
 *                         g(load %t[%i]) }
 *
 *   if %c { store %x, %A[%i] }              store (select %c, %x, load %A[%i]), %A[%i]
 *   %r = if %c { yield %x } else { yield %y }       %r = select %c, %x, %y
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/elements.h"

/*===- Small things -------------------------------------------------------------------------===*/

static MlirValue load(TtBuilder *b, MlirLocation loc, MlirValue memref, intptr_t n,
                      const MlirValue *indices) {
  TtOpState s = tt_op_state("memref.load", loc);
  tt_op_state_operand(&s, memref);
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&s, indices[i]);
  tt_op_state_result(&s, mlirShapedTypeGetElementType(mlirValueGetType(memref)));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static void store(TtBuilder *b, MlirLocation loc, MlirValue value, MlirValue memref, intptr_t n,
                  const MlirValue *indices) {
  TtOpState s = tt_op_state("memref.store", loc);
  tt_op_state_operand(&s, value);
  tt_op_state_operand(&s, memref);
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&s, indices[i]);
  tt_builder_insert(b, tt_op_state_finish(&s));
}

static MlirValue choose(TtBuilder *b, MlirLocation loc, MlirValue c, MlirValue x, MlirValue y) {
  TtOpState s = tt_op_state("arith.select", loc);
  tt_op_state_operand(&s, c);
  tt_op_state_operand(&s, x);
  tt_op_state_operand(&s, y);
  tt_op_state_result(&s, mlirValueGetType(x));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/*===- Branches ------------------------------------------------------------------------------===*/

/* Whether a branch holds loads, stores and numbers only. */
static bool is_flat(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (mlirOperationGetNumRegions(op) > 0) return false;
  return true;
}

/* Stores of a branch become choices between what they store and what is there. */
static void flatten_block(MlirOperation branch, MlirBlock block, bool otherwise) {
  MlirLocation loc = mlirOperationGetLocation(branch);
  MlirValue condition = mlirOperationGetOperand(branch, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !tt_is_terminator(op);
       op = next) {
    next = tt_next(op);
    mlirOperationMoveBefore(op, branch);
    if (!tt_op_is(op, "memref.store")) continue;
    MlirValue indices[TT_MAX_RANK], value = mlirOperationGetOperand(op, 0),
                                    memref = mlirOperationGetOperand(op, 1);
    intptr_t n = mlirOperationGetNumOperands(op) - 2;
    for (intptr_t i = 0; i < n && i < TT_MAX_RANK; ++i)
      indices[i] = mlirOperationGetOperand(op, i + 2);
    TtBuilder b = tt_builder_before(op);
    MlirValue old = load(&b, loc, memref, n, indices);
    mlirOperationSetOperand(op, 0,
                            otherwise ? choose(&b, loc, condition, old, value)
                                      : choose(&b, loc, condition, value, old));
  }
}

static void flatten(MlirOperation branch) {
  MlirBlock blocks[2];
  for (intptr_t i = 0; i < 2; ++i) {
    blocks[i] = mlirRegionGetFirstBlock(mlirOperationGetRegion(branch, i));
    if (!mlirBlockIsNull(blocks[i]) && !is_flat(blocks[i])) return;
  }
  for (intptr_t i = 0; i < 2; ++i)
    if (!mlirBlockIsNull(blocks[i])) flatten_block(branch, blocks[i], i == 1);
  TtBuilder b = tt_builder_before(branch);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(branch, i),
        choose(&b, mlirOperationGetLocation(branch), mlirOperationGetOperand(branch, 0),
               mlirOperationGetOperand(mlirBlockGetTerminator(blocks[0]), i),
               mlirOperationGetOperand(mlirBlockGetTerminator(blocks[1]), i)));
  mlirOperationDestroy(branch);
}

/*===- Carried numbers
 * --------------------------------------------------------------------------===*/

/* A buffer before `top` with an element for each step of the loops of `nest`, in their order. */
static MlirValue buffer_for(const TtNest *nest, MlirType element) {
  TtBuilder b = tt_builder_before(nest->top);
  MlirContext context = b.context;
  TtOpState s = tt_op_state("memref.alloc", mlirOperationGetLocation(nest->top));
  int64_t shape[TT_NEST_LOOPS];
  int32_t sizes = 0;
  for (intptr_t i = 0; i < nest->n; ++i) {
    shape[i] = nest->extent[i] < 0 ? INT64_MIN : nest->lower[i] + nest->extent[i];
    if (nest->extent[i] < 0) tt_op_state_operand(&s, nest->size[i]), ++sizes;
  }
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){sizes, 0}));
  MlirAttribute space = mlirAttributeParseGet(context, tt_str("#gpu.address_space<private>"));
  tt_op_state_result(&s, mlirMemRefTypeContiguousGet(element, nest->n, shape, space));
  return mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
}

/* Keeps what `loop` carries in buffers. */
static void keep_in_buffers(TtArena *arena, MlirOperation top, MlirOperation loop) {
  TtNest nest = {.arena = arena, .top = top};
  MlirLocation loc = mlirOperationGetLocation(loop);
  intptr_t n = mlirOperationGetNumResults(loop);
  if (!tt_op_eq(loop, top) && tt_nest_around(arena, top, loop, &nest)) return;
  for (intptr_t i = 0; i < n; ++i)
    if (!mlirTypeIsAFloat(mlirValueGetType(mlirOperationGetResult(loop, i)))) return;
  MlirBlock body = tt_for_body(loop);
  MlirOperation yield = mlirBlockGetTerminator(body);
  TtBuilder before = tt_builder_before(loop), after = tt_builder_after(loop),
            first = tt_builder_at_start(body), last = tt_builder_before(yield);
  MlirValue indices[TT_NEST_LOOPS];
  for (intptr_t i = 0; i < nest.n; ++i) indices[i] = tt_for_iv(nest.loops[i]);
  TtOpState s = tt_op_state("scf.for", loc), y = tt_op_state("scf.yield", loc);
  for (intptr_t i = 0; i < 3; ++i) tt_op_state_operand(&s, mlirOperationGetOperand(loop, i));
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue result = mlirOperationGetResult(loop, i), arg = mlirBlockGetArgument(body, i + 1),
              memref = buffer_for(&nest, mlirValueGetType(result));
    store(&before, loc, mlirOperationGetOperand(loop, i + 3), memref, nest.n, indices);
    mlirValueReplaceAllUsesOfWith(arg, load(&first, loc, memref, nest.n, indices));
    store(&last, loc, mlirOperationGetOperand(yield, i), memref, nest.n, indices);
    mlirValueReplaceAllUsesOfWith(result, load(&after, loc, memref, nest.n, indices));
  }
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation made = tt_builder_insert(&before, tt_op_state_finish(&s));
  mlirRegionTakeBody(mlirOperationGetRegion(made, 0), mlirOperationGetRegion(loop, 0));
  tt_builder_insert(&last, tt_op_state_finish(&y));
  mlirOperationDestroy(yield);
  for (intptr_t i = n; i-- > 0;) mlirBlockEraseArgument(tt_for_body(made), (unsigned)(i + 1));
  mlirOperationDestroy(loop);
}

void tt_plain_elements(TtArena *arena, MlirOperation top) {
  TtOps branches = tt_collect(arena, top, "scf.if");
  for (intptr_t i = branches.n; i-- > 0;) flatten(branches.data[i]);
  TtOps loops = tt_collect(arena, top, "scf.for");
  for (intptr_t i = loops.n; i-- > 0;)
    if (mlirOperationGetNumResults(loops.data[i]) > 0) keep_in_buffers(arena, top, loops.data[i]);
}
