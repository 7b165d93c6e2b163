/*===- space.c - the loops of a linalg op and the sides of its operands -------------------===
 *
 *   (i, j) -> (i, j)   a block, with rows along i and columns along j
 *   (i, j) -> (j)      a vector along j: a row of tiles, or a column
 *   (i, j) -> (i, 0)   a block of one column, along i
 *
 * A loop of one step runs along no side.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Tile/lowering.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

static MlirAffineMap map_of(MlirOperation op, intptr_t operand) {
  return mlirAffineMapAttrGetValue(
      mlirArrayAttrGetElement(mlirLinalgGetIndexingMapsAttribute(op), operand));
}

/* The loop that a result of a map is; TT_UNIT for the constant 0, -2 for anything else. */
static intptr_t loop_of(MlirAffineExpr e) {
  if (mlirAffineExprIsADim(e)) return mlirAffineDimExprGetPosition(e);
  return mlirAffineExprIsAConstant(e) && mlirAffineConstantExprGetValue(e) == 0 ? TT_UNIT : -2;
}

static bool refuse(MlirOperation op, const char *why) {
  MlirStringRef name = tt_op_name(op);
  return tt_error(op, "%.*s has no tile intrinsic: %s", (int)name.length, name.data, why);
}

static bool read_operand(TtSpace *s, intptr_t i) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(s->op, i));
  MlirAffineMap map = map_of(s->op, i);
  if (!tt_is_memref(type)) return true;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); ++d) {
    intptr_t loop = loop_of(mlirAffineMapGetResult(map, d));
    int64_t size = mlirShapedTypeGetDimSize(type, d);
    if (mlirShapedTypeIsDynamicDim(type, d))
      return refuse(s->op, "an operand has a dynamic size; make it constant");
    if (loop == TT_UNIT && size == 1) continue;
    if (loop < 0)
      return refuse(s->op, "an indexing map is no projection of its loops; copy what it picks to a "
                           "buffer of the core first");
    s->extent[loop] = size;
  }
  return true;
}

bool tt_space_of(MlirOperation op, TtSpace *space) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  *space = (TtSpace){.op = op, .sides = {TT_UNIT, TT_UNIT}};
  if (mlirAttributeIsNull(maps) || mlirArrayAttrGetNumElements(maps) == 0 ||
      mlirOperationGetNumRegions(op) != 1)
    return refuse(op, "it has no indexing maps");
  space->loops = mlirAffineMapGetNumDims(map_of(op, 0));
  if (space->loops > TT_MAX_LOOPS) return refuse(op, "it has more than 4 loops");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(maps); ++i)
    if (!read_operand(space, i)) return false;
  intptr_t inputs = tt_linalg_num_inputs(op);
  for (intptr_t d = 0; d < space->loops; ++d) space->reduced[d] = true;
  for (intptr_t i = inputs; i < mlirArrayAttrGetNumElements(maps); ++i) {
    MlirAffineMap map = map_of(op, i);
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); ++d) {
      intptr_t loop = loop_of(mlirAffineMapGetResult(map, d));
      if (loop >= 0) space->reduced[loop] = false;
    }
  }
  return true;
}

void tt_space_sizes(const TtLowering *l, TtSpace *space) {
  for (const TtSize *s = l->sizes.first; s; s = s->next) {
    if (!tt_op_eq(s->op, space->op)) continue;
    intptr_t loop = loop_of(mlirAffineMapGetResult(map_of(space->op, s->operand), s->dim));
    if (loop >= 0) space->size[loop] = s->value;
  }
}

bool tt_is_padded(const TtSpace *space, intptr_t loop) {
  return space->extent[loop] % TT_TILE != 0 || !tt_is_null_value(space->size[loop]);
}

bool tt_sides_of(const TtSpace *space, intptr_t i, bool column, TtSides *sides) {
  MlirAffineMap map = map_of(space->op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map), loops[2] = {TT_UNIT, TT_UNIT};
  if (rank > 2) return refuse(space->op, "blocks of the core have two dimensions");
  for (intptr_t d = 0; d < rank; ++d) {
    intptr_t loop = loop_of(mlirAffineMapGetResult(map, d));
    if (loop >= 0 && space->extent[loop] == 1) loop = TT_UNIT;
    loops[rank == 1 ? !column : d] = loop;
  }
  *sides = (TtSides){loops[0], loops[1]};
  if (sides->row >= 0 && sides->row == sides->col)
    return refuse(space->op, "it takes the diagonal of an operand");
  return true;
}

bool tt_reads_output(MlirOperation op, intptr_t out) {
  MlirBlock body = tt_body(op);
  return tt_has_uses(mlirBlockGetArgument(body, tt_linalg_num_inputs(op) + out));
}

bool tt_is_reduction(MlirOperation op) {
  TtSpace s;
  if (!tt_is_linalg(op) || tt_is_contraction(op) || tt_op_is(op, "linalg.fill")) return false;
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (mlirAttributeIsNull(maps) || mlirOperationGetNumRegions(op) != 1) return false;
  bool written[TT_MAX_LOOPS] = {false};
  s.loops = mlirAffineMapGetNumDims(map_of(op, 0));
  for (intptr_t i = tt_linalg_num_inputs(op); i < mlirArrayAttrGetNumElements(maps); ++i)
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map_of(op, i)); ++d) {
      intptr_t loop = loop_of(mlirAffineMapGetResult(map_of(op, i), d));
      if (loop >= 0 && loop < TT_MAX_LOOPS) written[loop] = true;
    }
  for (intptr_t d = 0; d < s.loops && d < TT_MAX_LOOPS; ++d)
    if (!written[d]) return true;
  return false;
}
