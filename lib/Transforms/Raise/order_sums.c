/*===- order_sums.c - --tt-order-sums ---------------------------------------------------------===
 *
 * Puts products that a loop sums behind what else its steps compute, where nothing of that takes
 * their sum, or gives them what they multiply.
 *
 *   before  for %k { linalg.matmul ins(%a, %b) outs(%sum)   linalg.exp ins(%a) outs(%e) }
 *   after   for %k { linalg.exp ins(%a) outs(%e)   linalg.matmul ins(%a, %b) outs(%sum) }
 *
 * The sum is in DST when a step ends, and what the step packed behind it would be there instead. A
 * factor that the step overwrites is loaded, or copied, before:
 *
 *   before  linalg.matmul ins(%E[%k], %b) outs(%sum)   linalg.exp ins(%a) outs(%E[%k])
 *   after   memref.copy %E[%k], %e   linalg.exp ins(%a) outs(%E[%k])
 *           linalg.matmul ins(%e, %b) outs(%sum)
 *
 * Requires guarded sums. Leaves steps as they are whose other ops work on the sum, or write what
 * the product takes of open size, and sums before a product whose first factor is transposed in
 * each step.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/slices.h"
#include "Transforms/Raise/statements.h"
#include "Transforms/Raise/step_together.h"
#include "Transforms/Tile/block.h"

#include "mlir-c/Dialect/Linalg.h"

/*===- Sums -----------------------------------------------------------------------------------===*/

/* Whether `statement` is a product that `loop` sums, or holds one that no other statement of the
 * loop but such products works on. */
static bool is_sum(TtArena *arena, MlirOperation loop, MlirOperation statement) {
  TtOps all = tt_statement_ops(arena, statement);
  MlirValue sum = {NULL};
  for (intptr_t i = 0; i < all.n; ++i) {
    if (!tt_is_contraction(all.data[i])) continue;
    MlirValue out = mlirOperationGetOperand(all.data[i], tt_linalg_num_inputs(all.data[i]));
    if (tt_is_same_in(loop, out)) sum = out;
  }
  if (tt_is_null_value(sum) || (!tt_is_linalg(statement) && !tt_op_is(statement, "scf.for")) ||
      mlirOperationGetNumResults(statement) > 0) /* which others may take */
    return false;
  for (MlirOperation s = mlirBlockGetFirstOperation(tt_for_body(loop)); !mlirOperationIsNull(s);
       s = tt_next(s))
    if (!tt_op_eq(s, statement) && !tt_is_contraction(s) &&
        tt_any_touches(tt_statement_ops(arena, s), tt_view_root(sum), false))
      return false;
  return true;
}

/* Whether a statement computes what is no product, or puts what was computed somewhere else, which
 * is packed as well. Ends of bodies, and their indices, compute nothing. */
static bool computes(TtArena *arena, MlirOperation statement) {
  TtOps all = tt_statement_ops(arena, statement);
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation op = all.data[i];
    if (tt_is_copy(op) && !tt_is_part_of_tensor(mlirOperationGetOperand(op, 0))) return true;
    if (tt_is_linalg(op) && mlirOperationGetNumRegions(op) > 0 && !tt_is_contraction(op) &&
        !tt_is_copy(op))
      return true;
  }
  return false;
}

/* Whether a product takes its first factor transposed, which is computed for it in its step. */
static bool transposes_first(MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (!tt_is_contraction(op) || mlirAttributeIsNull(maps)) return false;
  MlirAffineMap first = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 0)),
                out = mlirAffineMapAttrGetValue(
                    mlirArrayAttrGetElement(maps, tt_linalg_num_inputs(op)));
  intptr_t n = mlirAffineMapGetNumResults(first);
  for (intptr_t i = 0; n > 0 && i < mlirAffineMapGetNumResults(out); ++i)
    if (mlirAffineExprEqual(mlirAffineMapGetResult(out, i), mlirAffineMapGetResult(first, n - 1)))
      return true;
  return false;
}

/* Whether a product behind the statement packs what it takes, so that a sum right before it would
 * not stay in DST either. */
static bool is_interrupted(TtArena *arena, MlirOperation statement) {
  for (MlirOperation t = tt_next(statement); !mlirOperationIsNull(t); t = tt_next(t)) {
    TtOps all = tt_statement_ops(arena, t);
    for (intptr_t i = 0; i < all.n; ++i)
      if (transposes_first(all.data[i])) return true;
  }
  return false;
}

/*===- Factors that the step overwrites -------------------------------------------------------===*/

/* Whether a product and a statement behind it may trade places once what it multiplies is kept:
 * nothing of that takes its sum, and what it writes of the product's operands are factors. */
static bool writes_factors_only(MlirOperation product, TtOps behind) {
  intptr_t inputs = tt_linalg_num_inputs(product);
  if (!tt_is_contraction(product)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(product); ++i) {
    MlirValue operand = mlirOperationGetOperand(product, i);
    if (i >= inputs && tt_any_touches(behind, tt_view_root(operand), false)) return false;
    if (i < inputs && tt_any_touches(behind, tt_view_root(operand), true) &&
        !mlirShapedTypeHasStaticShape(mlirValueGetType(operand)))
      return false;
  }
  return true;
}

/* Copies what a product takes to a buffer of its own, where the product stands: a load, if it is a
 * part of a tensor. */
static void keep_factor(MlirOperation product, intptr_t i) {
  TtBuilder b = tt_builder_before(product);
  MlirLocation loc = mlirOperationGetLocation(product);
  MlirValue from = mlirOperationGetOperand(product, i);
  MlirType type = mlirValueGetType(from);
  const char *space =
      tt_is_part_of_tensor(from) ? "#gpu.address_space<workgroup>" : "#gpu.address_space<private>";
  int64_t shape[TT_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  TtOpState s = tt_op_state("memref.alloc", loc);
  tt_op_state_attr(&s, b.context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b.context, 2, (int32_t[]){0, 0}));
  tt_op_state_result(&s,
                     mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank, shape,
                                                 mlirAttributeParseGet(b.context, tt_str(space))));
  MlirValue to = mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
  TtOpState copy = tt_op_state("memref.copy", loc);
  tt_op_state_operand(&copy, from);
  tt_op_state_operand(&copy, to);
  tt_builder_insert(&b, tt_op_state_finish(&copy));
  mlirOperationSetOperand(product, i, to);
}

/* Keeps those factors of a product that something behind it in its step overwrites. */
static void keep_factors(TtArena *arena, MlirOperation product, MlirOperation end) {
  for (MlirOperation t = tt_next(product); !tt_op_eq(t, end); t = tt_next(t)) {
    TtOps all = tt_statement_ops(arena, t);
    for (intptr_t i = 0; i < tt_linalg_num_inputs(product); ++i)
      if (tt_any_touches(all, tt_view_root(mlirOperationGetOperand(product, i)), true))
        keep_factor(product, i);
  }
}

/*===- The order ------------------------------------------------------------------------------===*/

/* Puts sums of the loop behind what they do not depend on, in their order. */
static void order(TtArena *arena, MlirOperation loop) {
  TtOps statements = {NULL, 0, 0};
  MlirOperation end = mlirBlockGetTerminator(tt_for_body(loop));
  for (MlirOperation s = mlirBlockGetFirstOperation(tt_for_body(loop)); !tt_op_eq(s, end);
       s = tt_next(s))
    tt_ops_add(arena, &statements, s);
  for (intptr_t i = statements.n; i-- > 0;) {
    MlirOperation s = statements.data[i];
    if (!is_sum(arena, loop, s) || is_interrupted(arena, s)) continue;
    TtOps all = tt_statement_ops(arena, s);
    bool free = true, needed = false;
    for (MlirOperation t = tt_next(s); free && !tt_op_eq(t, end); t = tt_next(t)) {
      TtOps behind = tt_statement_ops(arena, t);
      free = !tt_depend(all, behind) || writes_factors_only(s, behind);
      needed |= computes(arena, t);
    }
    if (!free || !needed) continue;
    keep_factors(arena, s, end);
    mlirOperationMoveBefore(s, end);
    end = s;
  }
}

static bool order_sums(TtArena *arena, MlirOperation kernel) {
  TtOps loops = tt_collect(arena, kernel, "scf.for");
  for (intptr_t i = loops.n; i-- > 0;)
    if (mlirOperationGetNumResults(loops.data[i]) == 0) order(arena, loops.data[i]);
  return true;
}

bool tt_run_order_sums(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_for_each_kernel(module, order_sums);
}
