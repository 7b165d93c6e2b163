/*===- below_maximum.c - differences that are not positive --------------------------------------===
 *
 *   linalg.reduce { arith.maximumf } ins(%s) outs(%new) dimensions = [1]
 *   memref.copy %new, %max
 *   linalg.generic … ins(%s, %max) { ^bb0(%x, %m): %d = arith.subf %x, %m … }       %d <= 0
 *
 * as in a softmax, whether its blocks come one after the other or all at once. A maximum is
 * followed back through copies, maxima that it has become a part of, and maxima of two, to a
 * reduction of the very elements, along the same dimensions, which nothing has written since.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/below_maximum.h"

#include "Analysis/kernel.h"

#include "mlir-c/Dialect/Linalg.h"

enum { MOST_STEPS = 8, MOST_DIMS = 8 };

/* What a value of a body is an element of. */
typedef struct Element {
  MlirValue buffer;
  MlirAffineMap map;
} Element;

static MlirValue without_extension(MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  return tt_op_is(op, "arith.extf") ? mlirOperationGetOperand(op, 0) : value;
}

/* The operand behind an argument of a body, with extensions; -1 for what is none. */
static intptr_t operand_behind(MlirOperation op, MlirValue value) {
  value = without_extension(value);
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(op)))
    return -1;
  return mlirBlockArgumentGetArgNumber(value);
}

static Element element_of(MlirOperation op, intptr_t operand) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  return (Element){mlirOperationGetOperand(op, operand),
                   mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, operand))};
}

/* Which dimensions of `x` those of `m` are. */
static bool find_places(Element x, Element m, intptr_t places[MOST_DIMS]) {
  intptr_t n = mlirAffineMapGetNumResults(m.map), dims = mlirAffineMapGetNumResults(x.map);
  if (n > MOST_DIMS || !mlirAffineMapIsPermutation(x.map)) return false;
  for (intptr_t i = 0; i < n; ++i) {
    for (places[i] = 0; places[i] < dims; ++places[i])
      if (mlirAffineExprEqual(mlirAffineMapGetResult(m.map, i),
                              mlirAffineMapGetResult(x.map, places[i])))
        break;
    if (places[i] == dims) return false;
  }
  return true;
}

static bool same_places(Element a, const intptr_t x[MOST_DIMS], Element b,
                        const intptr_t y[MOST_DIMS]) {
  intptr_t n = mlirAffineMapGetNumResults(a.map);
  if (n != mlirAffineMapGetNumResults(b.map)) return false;
  for (intptr_t i = 0; i < n; ++i)
    if (x[i] != y[i]) return false;
  return true;
}

/*===- Who writes a buffer --------------------------------------------------------------------===*/

/* What a buffer is a view of, where it is one of a circular buffer. */
static MlirValue root_of(MlirValue buffer) {
  MlirOperation view = tt_defining_op(buffer);
  return tt_cb_view_isa(view) ? mlirOperationGetOperand(view, 0) : buffer;
}

static bool is_of(MlirValue value, MlirValue buffer) {
  return tt_value_eq(value, buffer) || tt_value_eq(value, root_of(buffer));
}

typedef struct Search {
  MlirValue buffer;
  bool writes;
} Search;

static MlirWalkResult look_for_writes(MlirOperation op, void *data) {
  Search *s = data;
  intptr_t n = mlirOperationGetNumOperands(op), ins = 0;
  if (tt_is_linalg(op)) ins = tt_linalg_num_inputs(op);
  else if (tt_op_is(op, "memref.copy")) ins = 1;
  for (intptr_t i = ins; i < n; ++i) s->writes |= is_of(mlirOperationGetOperand(op, i), s->buffer);
  return s->writes ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* Whether `op`, or what is in it, may write the buffer: what it only reads is known of copies and
 * linalg ops alone. */
static bool may_write(MlirOperation op, MlirValue buffer) {
  Search s = {buffer, false};
  mlirOperationWalk(op, look_for_writes, &s, MlirWalkPreOrder);
  return s.writes;
}

static MlirOperation last_writer(MlirOperation before, MlirValue buffer) {
  MlirOperation op = tt_previous(before);
  while (!mlirOperationIsNull(op) && !may_write(op, buffer)) op = tt_previous(op);
  return op;
}

/* Views of a buffer would have other names. */
static bool has_views(MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (mlirOperationGetNumResults(mlirOpOperandGetOwner(use)) > 0) return true;
  return false;
}

/*===- Maxima ---------------------------------------------------------------------------------===*/

typedef struct Below {
  MlirOperation op; /* the difference is in its body */
  Element x, m;
  intptr_t places[MOST_DIMS]; /* of dimensions of m in x */
  int steps;
} Below;

static bool covers(Below *b, MlirOperation before, MlirValue buffer);

static bool is_unwritten_since(const Below *b, MlirOperation op) {
  for (MlirOperation at = tt_next(op); !tt_op_eq(at, b->op); at = tt_next(at))
    if (may_write(at, b->x.buffer)) return false;
  return true;
}

/* Whether a linalg op that gives the largest of `operand` and others has taken what b->x is of,
 * along the dimensions that b->m leaves out, or takes a maximum that has. */
static bool operand_covers(Below *b, MlirOperation op, intptr_t operand) {
  intptr_t out = tt_linalg_num_inputs(op), places[MOST_DIMS];
  Element x = element_of(op, operand), m = element_of(op, out);
  if (tt_value_eq(x.buffer, b->x.buffer) && find_places(x, m, places) &&
      same_places(m, places, b->m, b->places) && is_unwritten_since(b, op))
    return true;
  return mlirAffineMapEqual(x.map, m.map) && covers(b, op, x.buffer);
}

/* A tree of maxima of a body: each leaf that is an operand may do. */
static bool tree_covers(Below *b, MlirOperation op, MlirValue value) {
  MlirOperation max = tt_defining_op(without_extension(value));
  intptr_t operand = operand_behind(op, value);
  if (operand >= 0) return operand_covers(b, op, operand);
  return (tt_op_is(max, "arith.maximumf") || tt_op_is(max, "arith.maxnumf")) &&
         (tree_covers(b, op, mlirOperationGetOperand(max, 0)) ||
          tree_covers(b, op, mlirOperationGetOperand(max, 1)));
}

/* Whether what `buffer` holds before an op is as large as all of the elements, at their places. */
static bool covers(Below *b, MlirOperation before, MlirValue buffer) {
  if (++b->steps > MOST_STEPS || has_views(buffer)) return false;
  MlirOperation op = last_writer(before, buffer);
  if (tt_op_is(op, "memref.copy")) return covers(b, op, mlirOperationGetOperand(op, 0));
  if (mlirOperationIsNull(op) || !tt_is_linalg(op) || mlirOperationGetNumRegions(op) != 1 ||
      mlirOperationGetNumOperands(op) != tt_linalg_num_inputs(op) + 1)
    return false;
  MlirOperation yield = mlirBlockGetTerminator(tt_body(op));
  return !mlirOperationIsNull(yield) && mlirOperationGetNumOperands(yield) == 1 &&
         tree_covers(b, op, mlirOperationGetOperand(yield, 0));
}

static MlirType element_type(Element e) {
  return mlirShapedTypeGetElementType(mlirValueGetType(e.buffer));
}

bool tt_is_below_maximum(MlirOperation op, MlirValue value) {
  MlirOperation sub = tt_defining_op(value);
  if (!tt_op_is(sub, "arith.subf")) return false;
  intptr_t x = operand_behind(op, mlirOperationGetOperand(sub, 0)),
           m = operand_behind(op, mlirOperationGetOperand(sub, 1)), ins = tt_linalg_num_inputs(op);
  if (x < 0 || m < 0 || x >= ins || m >= ins) return false;
  Below b = {.op = op, .x = element_of(op, x), .m = element_of(op, m)};
  MlirType stored = element_type(b.m);
  return (mlirTypeIsAF32(stored) || mlirTypeEqual(stored, element_type(b.x))) &&
         !has_views(b.x.buffer) && find_places(b.x, b.m, b.places) && covers(&b, op, b.m.buffer);
}
