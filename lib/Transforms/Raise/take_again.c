/*===- take_again.c - no wide buffers where tensors have what they hold ------------------------===
 *
 *   memref.copy %X[%i, 0] [32, 8192], %x                 linalg.generic (sum) ins(%X[…]) outs(%s)
 *   linalg.generic (sum) ins(%x) outs(%s)             =  linalg.generic (sum) ins(exp(%X[…]))
 *   linalg.generic (exp) ins(%x) outs(%e)                  outs(%t), with both bodies in one
 *   linalg.generic (sum) ins(%e) outs(%t)
 *
 * so that each op goes over tensors alone, in blocks of any size. A buffer that is copied from a
 * tensor once is that block of it, as long as the kernel writes nothing to the tensor. What one
 * elementwise op computes is computed where it is taken, as long as nothing that the op takes
 * changes between; a copy of it to a tensor computes it there.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/take_again.h"

#include "Analysis/kernel.h"
#include "Transforms/Raise/op_loop.h"
#include "Transforms/Tile/block.h"
#include "Transforms/Tile/lowering.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/Dialect/Linalg.h"

typedef struct Again {
  TtArena *arena;
  TtArgs args;
  int64_t size;
} Again;

/*===- Uses of a buffer -----------------------------------------------------------------------===*/

static bool is_wide(const Again *a, MlirValue buffer) {
  MlirType type = mlirValueGetType(buffer);
  if (!tt_is_memref(type) || !mlirShapedTypeHasStaticShape(type)) return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
    if (mlirShapedTypeGetDimSize(type, d) > a->size) return true;
  return false;
}

static bool writes(MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  intptr_t inputs = tt_is_copy(op) ? 1 : tt_linalg_num_inputs(op);
  return (intptr_t)mlirOpOperandGetOperandNumber(use) >= inputs;
}

/* The op that alone fills a buffer, before all that take it, which are linalg ops and copies in its
 * block, or inside of such there; null where there is none. Those go to `takers`, each once. */
static MlirOperation filler_of(const Again *a, MlirValue buffer, TtOps *takers) {
  MlirOperation none = {NULL}, filler = none;
  *takers = (TtOps){NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!tt_is_linalg(op) && !tt_is_copy(op)) return none;
    if (!writes(use)) {
      bool known = false;
      for (intptr_t i = 0; i < takers->n; ++i) known |= tt_op_eq(takers->data[i], op);
      if (!known) tt_ops_add(a->arena, takers, op);
      continue;
    }
    if (!mlirOperationIsNull(filler)) return none;
    filler = op;
  }
  for (intptr_t i = 0; !mlirOperationIsNull(filler) && i < takers->n; ++i) {
    MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(filler), takers->data[i]);
    if (mlirOperationIsNull(at) || !tt_is_before(filler, at)) return none;
  }
  return filler;
}

/* Whether `value`, which `op` takes, is the same wherever that which `op` fills is taken: the
 * kernel writes nothing to the tensor, and to a buffer only before `op`, in its block. */
static bool stays(const Again *a, MlirOperation op, MlirValue value) {
  const TtArg *arg = tt_arg_of(a->args, value);
  if (arg) return !arg->written;
  if (!tt_is_memref(mlirValueGetType(value))) return true;
  if (!tt_op_is(tt_defining_op(value), "memref.alloc")) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation at = tt_ancestor_in(mlirOperationGetBlock(op), user);
    if (!tt_is_linalg(user) && !tt_is_copy(user)) return false;
    if (writes(use) && (mlirOperationIsNull(at) || !tt_is_before(at, op))) return false;
  }
  return true;
}

/*===- Blocks of tensors ----------------------------------------------------------------------===*/

/* A buffer that one copy fills from a tensor that stays as it is: the ops take the block there. */
static bool forward_block(const Again *a, MlirValue buffer) {
  TtOps takers;
  MlirOperation copy = filler_of(a, buffer, &takers);
  if (mlirOperationIsNull(copy) || !tt_is_copy(copy)) return false;
  MlirValue from = mlirOperationGetOperand(copy, 0);
  MlirType type = mlirValueGetType(from), own = mlirValueGetType(buffer);
  if (!tt_arg_of(a->args, from) || !stays(a, copy, from) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) != mlirShapedTypeGetRank(own) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(type), mlirShapedTypeGetElementType(own)))
    return false;
  mlirOperationDestroy(copy);
  mlirValueReplaceAllUsesOfWith(buffer, from);
  return true;
}

/*===- What is computed -----------------------------------------------------------------------===*/

static MlirAffineMap map_of(MlirOperation op, intptr_t i) {
  return mlirAffineMapAttrGetValue(
      mlirArrayAttrGetElement(mlirLinalgGetIndexingMapsAttribute(op), i));
}

/* A linalg.generic whose body is a list of ops. */
static bool is_plain(MlirOperation op) {
  if (!tt_op_is(op, "linalg.generic") || tt_num_op_loops(op) == 0) return false;
  for (MlirOperation in = mlirBlockGetFirstOperation(tt_body(op)); !mlirOperationIsNull(in);
       in = tt_next(in))
    if (mlirOperationGetNumRegions(in) > 0) return false;
  return true;
}

/* Whether `op` computes each element of its one output from its inputs. */
static bool is_elementwise(MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  return is_plain(op) && tt_linalg_num_inputs(op) == n - 1 && !tt_reads_output(op, 0) &&
         mlirAffineMapIsIdentity(map_of(op, n - 1));
}

/* An op with two bodies in one: that of `by`, and that of `op`, which takes its result. */
typedef struct Joint {
  TtArena *arena;
  MlirOperation by, op;
  intptr_t taken; /* the input of `op` that `by` computes */
  intptr_t n,
      from[2][TT_MOST_OPERANDS]; /* where operands of both are among those of the joint one */
  MlirValue operands[TT_MOST_OPERANDS];
  MlirAffineMap maps[TT_MOST_OPERANDS];
} Joint;

/* Adds an operand unless it is there; false where there are too many. */
static bool add_operand(Joint *j, int side, intptr_t i, MlirValue value, MlirAffineMap map,
                        bool output) {
  intptr_t at = 0;
  for (; at < j->n; ++at)
    if (!output && tt_value_eq(j->operands[at], value) && mlirAffineMapEqual(j->maps[at], map))
      break;
  if (at == TT_MOST_OPERANDS) return false;
  j->from[side][i] = at;
  if (at < j->n) return true;
  j->operands[j->n] = value, j->maps[j->n++] = map;
  return true;
}

/* The map of operand `i` of `by`, in loops of `op`. */
static MlirAffineMap composed(const Joint *j, intptr_t i) {
  MlirAffineMap map = map_of(j->by, i), by = map_of(j->op, j->taken);
  MlirAffineExpr results[TT_MAX_RANK];
  intptr_t n = mlirAffineMapGetNumResults(map);
  for (intptr_t r = 0; r < n; ++r)
    results[r] = mlirAffineExprCompose(mlirAffineMapGetResult(map, r), by);
  return mlirAffineMapGet(mlirOperationGetContext(j->op), mlirAffineMapGetNumDims(by), 0, n,
                          results);
}

static bool find_operands(Joint *j) {
  intptr_t inputs = tt_linalg_num_inputs(j->op), n = mlirOperationGetNumOperands(j->op);
  for (intptr_t i = 0; i < inputs; ++i)
    if (i != j->taken &&
        !add_operand(j, 1, i, mlirOperationGetOperand(j->op, i), map_of(j->op, i), false))
      return false;
  for (intptr_t i = 0; i < tt_linalg_num_inputs(j->by); ++i)
    if (!add_operand(j, 0, i, mlirOperationGetOperand(j->by, i), composed(j, i), false))
      return false;
  for (intptr_t i = inputs; i < n; ++i)
    if (!add_operand(j, 1, i, mlirOperationGetOperand(j->op, i), map_of(j->op, i), true))
      return false;
  return true;
}

/* Values of a body, and what they are in the joint one. */
typedef struct Copies {
  MlirValue *from, *to;
  intptr_t n;
} Copies;

static MlirValue copy_of(const Copies *c, MlirValue value) {
  for (intptr_t i = c->n; i-- > 0;)
    if (tt_value_eq(c->from[i], value)) return c->to[i];
  return value;
}

/* Copies a body but for its end; `loops` (or null) says which loops its indices are. */
static MlirOperation copy_body(TtBuilder *b, MlirBlock body, Copies *c,
                               const MlirAffineMap *loops) {
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !tt_op_is(op, "linalg.yield"); op = tt_next(op)) {
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      mlirOperationSetOperand(copy, i, copy_of(c, mlirOperationGetOperand(op, i)));
    if (loops && tt_op_is(op, "linalg.index")) {
      MlirAffineExpr loop = mlirAffineMapGetResult(*loops, (intptr_t)tt_int(tt_op_attr(op, "dim")));
      mlirOperationSetInherentAttributeByName(
          copy, tt_str("dim"), tt_i64_attr(b->context, mlirAffineDimExprGetPosition(loop)));
    }
    tt_builder_insert(b, copy);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      c->from[c->n] = mlirOperationGetResult(op, i),
      c->to[c->n++] = mlirOperationGetResult(copy, i);
  }
  return op;
}

static intptr_t num_values(MlirBlock body) {
  intptr_t n = mlirBlockGetNumArguments(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = tt_next(op))
    n += mlirOperationGetNumResults(op);
  return n;
}

static void fill_body(const Joint *j, MlirBlock to) {
  MlirBlock bodies[2] = {tt_body(j->by), tt_body(j->op)};
  size_t n = (size_t)(num_values(bodies[0]) + num_values(bodies[1]) + 1);
  Copies c = {tt_arena_alloc(j->arena, n * sizeof *c.from),
              tt_arena_alloc(j->arena, n * sizeof *c.to), 0};
  MlirAffineMap loops = map_of(j->op, j->taken);
  TtBuilder b = tt_builder_at_end(to);
  for (intptr_t i = 0; i < tt_linalg_num_inputs(j->by); ++i) {
    c.from[c.n] = mlirBlockGetArgument(bodies[0], i);
    c.to[c.n++] = mlirBlockGetArgument(to, j->from[0][i]);
  }
  MlirOperation end = copy_body(&b, bodies[0], &c, &loops);
  MlirValue result = copy_of(&c, mlirOperationGetOperand(end, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(j->op); ++i) {
    c.from[c.n] = mlirBlockGetArgument(bodies[1], i);
    c.to[c.n++] = i == j->taken ? result : mlirBlockGetArgument(to, j->from[1][i]);
  }
  end = copy_body(&b, bodies[1], &c, NULL);
  TtOpState s = tt_op_state("linalg.yield", mlirOperationGetLocation(end));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i)
    tt_op_state_operand(&s, copy_of(&c, mlirOperationGetOperand(end, i)));
  tt_builder_insert(&b, tt_op_state_finish(&s));
}

static void build(const Joint *j) {
  MlirLocation loc = mlirOperationGetLocation(j->op), locs[TT_MOST_OPERANDS];
  MlirContext context = mlirOperationGetContext(j->op);
  MlirAttribute maps[TT_MOST_OPERANDS];
  MlirType types[TT_MOST_OPERANDS];
  TtOpState s = tt_op_state("linalg.generic", loc);
  int32_t outputs = (int32_t)(mlirOperationGetNumOperands(j->op) - tt_linalg_num_inputs(j->op));
  for (intptr_t i = 0; i < j->n; ++i) {
    tt_op_state_operand(&s, j->operands[i]);
    maps[i] = mlirAffineMapAttrGet(j->maps[i]), locs[i] = loc;
    types[i] = mlirValueGetType(j->operands[i]);
    if (tt_is_memref(types[i])) types[i] = mlirShapedTypeGetElementType(types[i]);
  }
  tt_op_state_attr(&s, context, "indexing_maps", mlirArrayAttrGet(context, j->n, maps));
  tt_op_state_attr(&s, context, "iterator_types", tt_op_attr(j->op, "iterator_types"));
  tt_op_state_attr(&s, context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, 2, (int32_t[]){(int32_t)j->n - outputs, outputs}));
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(j->n, types, locs));
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  TtBuilder b = tt_builder_before(j->op);
  fill_body(j, tt_body(tt_builder_insert(&b, tt_op_state_finish(&s))));
}

/* The first input of `op` that is the buffer, or -1. */
static intptr_t input_of(MlirOperation op, MlirValue buffer) {
  for (intptr_t i = 0; i < tt_linalg_num_inputs(op); ++i)
    if (tt_value_eq(mlirOperationGetOperand(op, i), buffer)) return i;
  return -1;
}

static bool joint_of(const Again *a, MlirOperation by, MlirOperation op, MlirValue buffer,
                     Joint *j) {
  if (!is_plain(op)) return false;
  *j = (Joint){.arena = a->arena, .by = by, .op = op, .taken = input_of(op, buffer)};
  MlirAffineMap map = map_of(op, j->taken);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    if (!mlirAffineExprIsADim(mlirAffineMapGetResult(map, r))) return false;
  intptr_t times = 0;
  for (intptr_t i = 0; i < tt_linalg_num_inputs(op); ++i)
    times += tt_value_eq(mlirOperationGetOperand(op, i), buffer);
  return times == 1 && find_operands(j);
}

/* A copy of what `by` computes to a tensor of such elements becomes `by` itself. */
static bool computes_copy(const Again *a, MlirOperation copy, MlirValue buffer) {
  MlirValue to = mlirOperationGetOperand(copy, 1);
  return tt_arg_of(a->args, to) &&
         mlirTypeEqual(mlirShapedTypeGetElementType(mlirValueGetType(to)),
                       mlirShapedTypeGetElementType(mlirValueGetType(buffer)));
}

static bool compute_again(const Again *a, MlirValue buffer) {
  TtOps takers;
  MlirOperation by = filler_of(a, buffer, &takers);
  if (mlirOperationIsNull(by) || !is_elementwise(by)) return false;
  intptr_t inputs = tt_linalg_num_inputs(by);
  for (intptr_t i = 0; i < inputs; ++i)
    if (!stays(a, by, mlirOperationGetOperand(by, i))) return false;
  Joint *joints = tt_arena_alloc(a->arena, (size_t)(takers.n + 1) * sizeof *joints);
  for (intptr_t i = 0; i < takers.n; ++i)
    if (tt_is_copy(takers.data[i]) ? !computes_copy(a, takers.data[i], buffer)
                                   : !joint_of(a, by, takers.data[i], buffer, &joints[i]))
      return false;
  for (intptr_t i = 0; i < takers.n; ++i) {
    MlirOperation taker = takers.data[i];
    if (tt_is_copy(taker)) {
      TtBuilder b = tt_builder_before(taker);
      MlirOperation clone = tt_builder_insert(&b, mlirOperationClone(by));
      mlirOperationSetOperand(clone, inputs, mlirOperationGetOperand(taker, 1));
    } else build(&joints[i]);
    mlirOperationDestroy(taker);
  }
  mlirOperationDestroy(by);
  return true;
}

void tt_take_again(TtArena *arena, MlirOperation kernel, int64_t size) {
  Again a = {arena, tt_kernel_args(arena, kernel), size};
  TtOps allocs = tt_collect(arena, kernel, "memref.alloc");
  for (intptr_t i = 0; i < allocs.n; ++i) {
    MlirValue buffer = mlirOperationGetResult(allocs.data[i], 0);
    if (is_wide(&a, buffer) && !forward_block(&a, buffer)) (void)compute_again(&a, buffer);
  }
  tt_erase_dead(kernel);
}
