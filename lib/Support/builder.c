/*===- builder.c - building IR from C ----------------------------------------===*/

#include "tilewright/ir.h"

#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

TtBuilder tt_builder_at_end(MlirBlock block) {
  MlirOperation parent = mlirBlockGetParentOperation(block);
  return (TtBuilder){mlirOperationGetContext(parent), block, {NULL}};
}

TtBuilder tt_builder_at_start(MlirBlock block) {
  TtBuilder b = tt_builder_at_end(block);
  b.before = mlirBlockGetFirstOperation(block);
  return b;
}

TtBuilder tt_builder_at_terminator(MlirBlock block) {
  TtBuilder b = tt_builder_at_end(block);
  b.before = mlirBlockGetTerminator(block);
  return b;
}

TtBuilder tt_builder_before(MlirOperation op) {
  return (TtBuilder){mlirOperationGetContext(op), mlirOperationGetBlock(op), op};
}

TtBuilder tt_builder_after(MlirOperation op) {
  return (TtBuilder){mlirOperationGetContext(op), mlirOperationGetBlock(op),
                     mlirOperationGetNextInBlock(op)};
}

MlirOperation tt_builder_insert(TtBuilder *b, MlirOperation op) {
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, op);
  return op;
}

TtOpState tt_op_state(const char *name, MlirLocation loc) {
  return mlirOperationStateGet(tt_str(name), loc);
}

void tt_op_state_operand(TtOpState *s, MlirValue value) {
  if (!mlirValueIsNull(value)) mlirOperationStateAddOperands(s, 1, &value);
}

void tt_op_state_attr(TtOpState *s, MlirContext context, const char *name, MlirAttribute attr) {
  if (mlirAttributeIsNull(attr)) return;
  MlirNamedAttribute named = {mlirIdentifierGet(context, tt_str(name)), attr};
  mlirOperationStateAddAttributes(s, 1, &named);
}

void tt_op_state_result(TtOpState *s, MlirType type) { mlirOperationStateAddResults(s, 1, &type); }

void tt_op_state_region(TtOpState *s) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
  mlirOperationStateAddOwnedRegions(s, 1, &region);
}

MlirOperation tt_op_state_finish(TtOpState *s) { return mlirOperationCreate(s); }

bool tt_op_is_named(MlirOperation op, const char *name, size_t length) {
  if (mlirOperationIsNull(op)) return false;
  MlirStringRef is = tt_op_name(op);
  return is.length == length && memcmp(is.data, name, length) == 0;
}

MlirAttribute tt_op_attr(MlirOperation op, const char *name) {
  return mlirOperationGetInherentAttributeByName(op, tt_str(name));
}

MlirValue tt_op_optional_operand(MlirOperation op, intptr_t index, intptr_t total) {
  if (mlirOperationGetNumOperands(op) < total) return (MlirValue){NULL};
  return mlirOperationGetOperand(op, index);
}

bool tt_str_eq(MlirStringRef a, const char *b) {
  for (size_t i = 0; i < a.length; ++i) /* most differ soon */
    if (a.data[i] != b[i] || b[i] == '\0') return false;
  return b[a.length] == '\0';
}

MlirAttribute tt_string_attr(MlirContext context, const char *text) {
  return mlirStringAttrGet(context, tt_str(text));
}

MlirAttribute tt_i32_attr(MlirContext context, int32_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), value);
}

MlirAttribute tt_i64_attr(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

MlirAttribute tt_strings_attr(TtArena *arena, MlirContext context, intptr_t n,
                              const char *const *texts) {
  MlirAttribute *items = tt_arena_alloc(arena, (size_t)(n + 1) * sizeof *items);
  for (intptr_t i = 0; i < n; ++i) items[i] = tt_string_attr(context, texts[i]);
  return mlirArrayAttrGet(context, n, items);
}

/*===- arith ----------------------------------------------------------------===*/

static MlirValue constant(TtBuilder *b, MlirLocation loc, MlirAttribute value) {
  TtOpState s = tt_op_state("arith.constant", loc);
  tt_op_state_attr(&s, b->context, "value", value);
  tt_op_state_result(&s, mlirAttributeGetType(value));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

MlirValue tt_index(TtBuilder *b, MlirLocation loc, int64_t value) {
  return constant(b, loc, mlirIntegerAttrGet(mlirIndexTypeGet(b->context), value));
}

MlirValue tt_bool(TtBuilder *b, MlirLocation loc, bool value) {
  return constant(b, loc, mlirIntegerAttrGet(mlirIntegerTypeGet(b->context, 1), value));
}

MlirValue tt_zero(TtBuilder *b, MlirLocation loc, MlirType type) {
  return constant(b, loc,
                  mlirTypeIsAFloat(type) ? mlirFloatAttrDoubleGet(b->context, type, 0)
                                         : mlirIntegerAttrGet(type, 0));
}

MlirValue tt_cast(TtBuilder *b, MlirLocation loc, const char *name, MlirValue value,
                  MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type)) return value;
  TtOpState s = tt_op_state(name, loc);
  tt_op_state_operand(&s, value);
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

MlirOperation tt_named_op(TtBuilder *b, MlirLocation loc, const char *name, intptr_t inputs,
                          const MlirValue *operands) {
  TtOpState s = tt_op_state(name, loc);
  for (intptr_t i = 0; i <= inputs; ++i) tt_op_state_operand(&s, operands[i]);
  tt_op_state_attr(&s, b->context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(b->context, 2, (int32_t[]){(int32_t)inputs, 1}));
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  MlirOperation op = tt_op_state_finish(&s);
  mlirLinalgFillBuiltinNamedOpRegion(op);
  return tt_builder_insert(b, op);
}

MlirValue tt_op_of_two(TtBuilder *b, MlirLocation loc, const char *name, MlirValue x, MlirValue y) {
  TtOpState s = tt_op_state(name, loc);
  tt_op_state_operand(&s, x);
  tt_op_state_operand(&s, y);
  tt_op_state_result(&s, mlirValueGetType(x));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

MlirValue tt_add(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  int64_t cx, cy;
  bool has_x = tt_constant(x, &cx), has_y = tt_constant(y, &cy);
  if (has_x && has_y) return tt_index(b, loc, cx + cy);
  if (has_x && cx == 0) return y;
  if (has_y && cy == 0) return x;
  return tt_op_of_two(b, loc, "arith.addi", x, y);
}

MlirValue tt_sub(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  int64_t cx, cy;
  bool has_x = tt_constant(x, &cx), has_y = tt_constant(y, &cy);
  if (has_x && has_y) return tt_index(b, loc, cx - cy);
  if (has_y && cy == 0) return x;
  return tt_op_of_two(b, loc, "arith.subi", x, y);
}

MlirValue tt_mul(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  int64_t cx, cy;
  bool has_x = tt_constant(x, &cx), has_y = tt_constant(y, &cy);
  if (has_x && has_y) return tt_index(b, loc, cx * cy);
  if (has_x && (cx == 0 || cx == 1)) return cx ? y : x;
  if (has_y && (cy == 0 || cy == 1)) return cy ? x : y;
  return tt_op_of_two(b, loc, "arith.muli", x, y);
}

MlirValue tt_div(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  int64_t cx, cy;
  bool has_x = tt_constant(x, &cx), has_y = tt_constant(y, &cy);
  if (has_x && has_y && cy > 0 && cx >= 0) return tt_index(b, loc, cx / cy);
  if (has_y && cy == 1) return x;
  return tt_op_of_two(b, loc, "arith.divui", x, y);
}

MlirValue tt_rem(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  int64_t cx, cy;
  bool has_x = tt_constant(x, &cx), has_y = tt_constant(y, &cy);
  if (has_x && has_y && cy > 0 && cx >= 0) return tt_index(b, loc, cx % cy);
  if (has_y && cy == 1) return tt_index(b, loc, 0);
  return tt_op_of_two(b, loc, "arith.remui", x, y);
}

MlirValue tt_min(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  int64_t cx, cy;
  if (tt_constant(x, &cx) && tt_constant(y, &cy)) return cx < cy ? x : y;
  return tt_op_of_two(b, loc, "arith.minui", x, y);
}

MlirValue tt_max(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  int64_t cx, cy;
  if (tt_constant(x, &cx) && tt_constant(y, &cy)) return cx > cy ? x : y;
  return tt_op_of_two(b, loc, "arith.maxui", x, y);
}

MlirValue tt_or(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  return tt_op_of_two(b, loc, "arith.ori", x, y);
}

MlirValue tt_and(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  int64_t c;
  if (tt_constant(x, &c) && c != 0) return y;
  if (tt_constant(y, &c) && c != 0) return x;
  return tt_op_of_two(b, loc, "arith.andi", x, y);
}

enum { PREDICATE_NE = 1, PREDICATE_ULT = 6 }; /* of arith::CmpIPredicate */

MlirValue tt_cmpi(TtBuilder *b, MlirLocation loc, int64_t predicate, MlirValue x, MlirValue y) {
  TtOpState s = tt_op_state("arith.cmpi", loc);
  tt_op_state_operand(&s, x);
  tt_op_state_operand(&s, y);
  tt_op_state_attr(&s, b->context, "predicate", tt_i64_attr(b->context, predicate));
  tt_op_state_result(&s, mlirIntegerTypeGet(b->context, 1));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

MlirValue tt_ne(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  return tt_cmpi(b, loc, PREDICATE_NE, x, y);
}

MlirValue tt_select(TtBuilder *b, MlirLocation loc, MlirValue condition, MlirValue yes,
                    MlirValue no) {
  int64_t x, y;
  if (tt_value_eq(yes, no) || (tt_constant(yes, &x) && tt_constant(no, &y) && x == y)) return yes;
  TtOpState s = tt_op_state("arith.select", loc);
  tt_op_state_operand(&s, condition);
  tt_op_state_operand(&s, yes);
  tt_op_state_operand(&s, no);
  tt_op_state_result(&s, mlirValueGetType(yes));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

MlirValue tt_less(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y) {
  return tt_cmpi(b, loc, PREDICATE_ULT, x, y);
}

/*===- scf ------------------------------------------------------------------===*/

static void add_yield(MlirContext context, MlirBlock block, MlirLocation loc) {
  (void)context;
  TtOpState s = tt_op_state("scf.yield", loc);
  mlirBlockAppendOwnedOperation(block, tt_op_state_finish(&s));
}

MlirOperation tt_for(TtBuilder *b, MlirLocation loc, MlirValue lb, MlirValue ub, MlirValue step,
                     const char *name) {
  TtOpState s = tt_op_state("scf.for", loc);
  tt_op_state_operand(&s, lb);
  tt_op_state_operand(&s, ub);
  tt_op_state_operand(&s, step);
  MlirType index = mlirIndexTypeGet(b->context);
  MlirRegion region = mlirRegionCreate();
  MlirBlock body = mlirBlockCreate(1, &index, &loc);
  mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&s, 1, &region);
  add_yield(b->context, body, loc);
  MlirOperation loop = tt_builder_insert(b, tt_op_state_finish(&s));
  if (name) tt_name_hint(loop, name);
  return loop;
}

MlirValue tt_counted_loop(TtBuilder *b, MlirLocation loc, int64_t n, const char *name) {
  MlirValue zero = tt_index(b, loc, 0);
  if (n == 1) return zero;
  MlirOperation loop = tt_for(b, loc, zero, tt_index(b, loc, n), tt_index(b, loc, 1), name);
  *b = tt_builder_at_terminator(tt_for_body(loop));
  return tt_for_iv(loop);
}

MlirBlock tt_for_body(MlirOperation loop) { return tt_body(loop); }

MlirValue tt_for_iv(MlirOperation loop) { return mlirBlockGetArgument(tt_body(loop), 0); }

static MlirOperation make_if(TtBuilder *b, MlirLocation loc, MlirValue condition, int blocks) {
  TtOpState s = tt_op_state("scf.if", loc);
  tt_op_state_operand(&s, condition);
  MlirRegion regions[2] = {mlirRegionCreate(), mlirRegionCreate()};
  for (int i = 0; i < blocks; ++i) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(regions[i], block);
    add_yield(b->context, block, loc);
  }
  mlirOperationStateAddOwnedRegions(&s, 2, regions);
  return tt_builder_insert(b, tt_op_state_finish(&s));
}

MlirOperation tt_if(TtBuilder *b, MlirLocation loc, MlirValue condition) {
  return make_if(b, loc, condition, 1);
}

MlirOperation tt_if_else(TtBuilder *b, MlirLocation loc, MlirValue condition) {
  return make_if(b, loc, condition, 2);
}

void tt_name_hint(MlirOperation op, const char *name) {
  tt_set_attr(op, "tt.var", tt_string_attr(mlirOperationGetContext(op), name));
}
