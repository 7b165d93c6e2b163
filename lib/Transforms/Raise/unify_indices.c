/*===- unify_indices.c - indices of one type, in one dialect --------------------------------===
 *
 *   %p = index_cast %i : index to i32    %q = %p + 1 : i32    index_cast %q to index   = %i + 1
 *   index.add, index.cmp, …                                                = arith.addi, cmpi
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Raise/unify_indices.h"

#include "Analysis/kernel.h"

#include "Support/value_map.h"

static bool is_index(MlirValue value) { return mlirTypeIsAIndex(mlirValueGetType(value)); }

static bool is_wide_integer(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 1;
}

/*===- The index dialect ----------------------------------------------------------------------===*/

static const char *const arith_of[][2] = {
    {"index.add", "arith.addi"},
    {"index.sub", "arith.subi"},
    {"index.mul", "arith.muli"},
    {"index.divs", "arith.divsi"},
    {"index.divu", "arith.divui"},
    {"index.ceildivs", "arith.ceildivsi"},
    {"index.ceildivu", "arith.ceildivui"},
    {"index.floordivs", "arith.floordivsi"},
    {"index.rems", "arith.remsi"},
    {"index.remu", "arith.remui"},
    {"index.maxs", "arith.maxsi"},
    {"index.maxu", "arith.maxui"},
    {"index.mins", "arith.minsi"},
    {"index.minu", "arith.minui"},
    {"index.shl", "arith.shli"},
    {"index.shrs", "arith.shrsi"},
    {"index.shru", "arith.shrui"},
    {"index.and", "arith.andi"},
    {"index.or", "arith.ori"},
    {"index.xor", "arith.xori"},
    {"index.casts", "arith.index_cast"},
    {"index.castu", "arith.index_castui"},
};

/* arith::CmpIPredicate of what index.cmp has, an attribute of its own. */
static int64_t arith_predicate(TtArena *arena, MlirOperation compare) {
  static const char *const names[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                      "sge", "ult", "ule", "ugt", "uge"};
  MlirContext context = mlirOperationGetContext(compare);
  int64_t i = 0;
  for (; i < 9; ++i) {
    const char *text = tt_arena_printf(arena, "#index<cmp_predicate %s>", names[i]);
    if (mlirAttributeEqual(mlirAttributeParseGet(context, tt_str(text)),
                           tt_op_attr(compare, "pred")))
      break;
  }
  return i;
}

static void leave_index_dialect(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    MlirContext context = mlirOperationGetContext(op);
    TtOpState s = {0};
    bool made = false;
    for (size_t j = 0; j < sizeof arith_of / sizeof *arith_of && !made; ++j)
      if ((made = tt_op_is(op, arith_of[j][0])))
        s = tt_op_state(arith_of[j][1], mlirOperationGetLocation(op));
    if (tt_op_is(op, "index.cmp")) {
      s = tt_op_state("arith.cmpi", mlirOperationGetLocation(op)), made = true;
      tt_op_state_attr(&s, context, "predicate", tt_i64_attr(context, arith_predicate(arena, op)));
    }
    if (tt_op_is(op, "index.constant") || tt_op_is(op, "index.bool.constant")) {
      s = tt_op_state("arith.constant", mlirOperationGetLocation(op)), made = true;
      tt_op_state_attr(&s, context, "value", tt_op_attr(op, "value"));
    }
    if (!made) continue;
    TtBuilder b = tt_builder_before(op);
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(op); ++j)
      tt_op_state_operand(&s, mlirOperationGetOperand(op, j));
    tt_op_state_result(&s, mlirValueGetType(mlirOperationGetResult(op, 0)));
    tt_replace(op, mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0));
  }
}

/*===- i32 as indices -----------------------------------------------------------------------===*/

static bool is_cast(MlirOperation op) {
  static const char *const casts[] = {"arith.index_cast", "arith.index_castui", "arith.extsi",
                                      "arith.extui", "arith.trunci"};
  for (size_t i = 0; i < sizeof casts / sizeof *casts; ++i)
    if (tt_op_is(op, casts[i])) return true;
  return false;
}

static bool is_arithmetic(MlirOperation op) {
  static const char *const names[] = {
      "arith.addi",  "arith.subi",       "arith.muli",      "arith.divui", "arith.divsi",
      "arith.remui", "arith.remsi",      "arith.ceildivui", "arith.shli",  "arith.ceildivsi",
      "arith.shrui", "arith.floordivsi", "arith.shrsi",     "arith.andi",  "arith.ori",
      "arith.xori",  "arith.minui",      "arith.minsi",     "arith.maxui", "arith.maxsi",
      "arith.select"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

/* Integers that have been made indices. */
typedef struct Integers {
  TtArena *arena;
  TtValueMap known; /* places in `indices` */
  MlirValue *indices;
  int n, capacity;
} Integers;

static MlirValue as_index(Integers *done, MlirValue value);

static MlirValue result_of(TtBuilder *b, TtOpState *s) {
  tt_op_state_result(s, mlirIndexTypeGet(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(s)), 0);
}

/* A scalar argument of the kernel. */
static MlirValue argument_as_index(MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  TtBuilder b = tt_builder_at_start(block);
  TtOpState s =
      tt_op_state("arith.index_cast", mlirOperationGetLocation(mlirBlockGetParentOperation(block)));
  tt_op_state_operand(&s, value);
  return result_of(&b, &s);
}

static MlirValue cast_as_index(Integers *done, MlirOperation cast) {
  MlirValue from = mlirOperationGetOperand(cast, 0);
  MlirType type = mlirValueGetType(from);
  if (!mlirTypeIsAInteger(type) || is_wide_integer(type)) return as_index(done, from);
  TtBuilder b = tt_builder_before(cast);
  MlirLocation loc = mlirOperationGetLocation(cast);
  TtOpState s = tt_op_state("arith.select", loc);
  tt_op_state_operand(&s, from);
  tt_op_state_operand(&s, tt_index(&b, loc, 1));
  tt_op_state_operand(&s, tt_index(&b, loc, 0));
  return result_of(&b, &s);
}

/* The same op on indices; null where an operand is none. */
static MlirValue arithmetic_as_index(Integers *done, MlirOperation op) {
  TtBuilder b = tt_builder_before(op);
  TtOpState s = mlirOperationStateGet(tt_op_name(op), mlirOperationGetLocation(op));
  MlirValue in[3];
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n && i < 3; ++i) {
    bool condition = i == 0 && tt_op_is(op, "arith.select");
    in[i] = mlirOperationGetOperand(op, i);
    if (!condition) in[i] = as_index(done, in[i]);
    if (tt_is_null_value(in[i])) return in[i];
  }
  for (intptr_t i = 0; i < n; ++i) tt_op_state_operand(&s, in[i]);
  return result_of(&b, &s);
}

/* Whether `cast` only gives an integer of a tensor its type back: it held it before. */
static bool is_loaded_as(MlirOperation cast, MlirType type) {
  if (!tt_op_is(cast, "arith.index_cast")) return false;
  MlirOperation load = tt_defining_op(mlirOperationGetOperand(cast, 0));
  if (tt_op_is(load, "arith.subi")) /* what --tt-load-indices has added */
    load = tt_defining_op(mlirOperationGetOperand(load, 0));
  return !mlirOperationIsNull(load) && tt_load_index_isa(load) &&
         mlirTypeEqual(type,
                       mlirShapedTypeGetElementType(mlirValueGetType(tt_load_index_tensor(load))));
}

/* Whether `op` gives one of its operands, so that no width wraps. */
static bool is_choice(MlirOperation op) {
  return tt_op_is(op, "arith.maxsi") || tt_op_is(op, "arith.minsi") ||
         tt_op_is(op, "arith.maxui") || tt_op_is(op, "arith.minui") || tt_op_is(op, "arith.select");
}

/* An integer of fewer than 32 bits. */
static MlirValue make_narrow_index(Integers *done, MlirOperation op, MlirType type) {
  if (is_choice(op)) return arithmetic_as_index(done, op);
  return is_loaded_as(op, type) ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
}

static MlirValue make_index(Integers *done, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  int64_t constant;
  if (!is_wide_integer(mlirValueGetType(value))) return (MlirValue){NULL};
  if (mlirOperationIsNull(op)) return argument_as_index(value);
  TtBuilder b = tt_builder_before(op);
  if (tt_constant(value, &constant)) return tt_index(&b, mlirOperationGetLocation(op), constant);
  if (mlirIntegerTypeGetWidth(mlirValueGetType(value)) < 32) /* wraps */
    return make_narrow_index(done, op, mlirValueGetType(value));
  if (is_cast(op)) return cast_as_index(done, op);
  return is_arithmetic(op) ? arithmetic_as_index(done, op) : (MlirValue){NULL};
}

/* Integer `value` as an index; null where it is none that arithmetic of indices gave. */
static MlirValue as_index(Integers *done, MlirValue value) {
  if (is_index(value)) return value;
  int at = tt_value_map_get(&done->known, value);
  if (at >= 0) return done->indices[at];
  MlirValue index = make_index(done, value);
  if (done->n == done->capacity) {
    int capacity = 2 * done->capacity + 16;
    MlirValue *more = tt_arena_alloc(done->arena, (size_t)capacity * sizeof *more);
    for (int i = 0; i < done->n; ++i) more[i] = done->indices[i];
    done->indices = more, done->capacity = capacity;
  }
  done->indices[done->n] = index;
  tt_value_map_set(done->arena, &done->known, value, done->n++);
  return index;
}

/* Casts to index, and comparisons, of integers that come from indices. */
static void leave_integers(TtArena *arena, MlirOperation kernel) {
  Integers done = {.arena = arena};
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!tt_is_control(op)) continue;
    if ((tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.index_castui")) &&
        is_index(mlirOperationGetResult(op, 0)) &&
        !mlirOperationIsNull(tt_defining_op(mlirOperationGetOperand(op, 0)))) {
      MlirValue index = as_index(&done, mlirOperationGetOperand(op, 0));
      if (!tt_is_null_value(index)) tt_replace(op, index);
    } else if (tt_op_is(op, "arith.cmpi") &&
               is_wide_integer(mlirValueGetType(mlirOperationGetOperand(op, 0)))) {
      MlirValue x = as_index(&done, mlirOperationGetOperand(op, 0)),
                y = as_index(&done, mlirOperationGetOperand(op, 1));
      if (tt_is_null_value(x) || tt_is_null_value(y)) continue;
      mlirOperationSetOperand(op, 0, x);
      mlirOperationSetOperand(op, 1, y);
    }
  }
}

/*===- Integers that bodies take from outside -------------------------------------------------===*/

/* `value`, which is outside of the body, as a cast of an index in it; null where it is no number
 * of indices and arguments. */
static MlirValue inside(Integers *done, MlirOperation linalg, MlirValue value) {
  int64_t constant;
  if (!is_wide_integer(mlirValueGetType(value)) || tt_constant(value, &constant))
    return (MlirValue){NULL};
  MlirValue index = as_index(done, value);
  if (tt_is_null_value(index)) return index;
  TtBuilder b = tt_builder_at_start(tt_body(linalg));
  TtOpState s = tt_op_state("arith.index_cast", mlirOperationGetLocation(linalg));
  tt_op_state_operand(&s, index);
  tt_op_state_result(&s, mlirValueGetType(value));
  return mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
}

static bool is_outside(MlirBlock body, MlirValue value) {
  MlirBlock block = mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                                     : mlirOperationGetBlock(tt_defining_op(value));
  return !mlirBlockEqual(block, body);
}

static void bring_inside(Integers *done, MlirOperation linalg) {
  MlirBlock body = tt_body(linalg);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) { /* operands that are numbers */
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (!tt_has_uses(argument) || i >= mlirOperationGetNumOperands(linalg)) continue;
    MlirValue number = inside(done, linalg, mlirOperationGetOperand(linalg, i));
    if (!tt_is_null_value(number)) mlirValueReplaceAllUsesOfWith(argument, number);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = tt_next(op))
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      if (!is_outside(body, operand)) continue;
      MlirValue number = inside(done, linalg, operand);
      if (!tt_is_null_value(number)) mlirOperationSetOperand(op, i, number);
    }
}

static void leave_scalars(TtArena *arena, MlirOperation kernel) {
  Integers done = {.arena = arena};
  TtOps ops = tt_collect(arena, kernel, "linalg.generic");
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!mlirBlockIsNull(tt_body(ops.data[i]))) bring_inside(&done, ops.data[i]);
}

void tt_unify_indices(TtArena *arena, MlirOperation kernel) {
  leave_index_dialect(arena, kernel);
  leave_integers(arena, kernel);
  leave_scalars(arena, kernel);
}
