/*===- widen_bits.c - --tt-widen-bits -----------------------------------------------------------===
 *
 * Tensors and buffers of integers of less than 8 bits - flags above all, as masks are, and i4 -
 * hold a byte for each of them, which is what their files and the device have. What is read
 * becomes a flag again by a comparison with zero, a wider integer by the byte; what is stored is
 * cut to its bits.
 *
 *   before  %M: memref<64x64xi1>                        %f = memref.load %M[%i, %j]
 *           memref.store %g, %N[%i, %j] : memref<64x64xi1>
 *   after   %M: memref<64x64xi8> {tt.range = [0, 1]}    %b = memref.load %M[%i, %j]
 *                                                       %f = arith.cmpi ne, %b, %zero : i8
 *           %c = arith.extui %g : i1 to i8              memref.store %c, %N[%i, %j]
 *
 * Of more than one bit they are as in files: with their sign, a byte from -8 to 7 for i4.
 *
 * Requires nothing. Leaves no integer of 2 to 7 bits: what computes with one is refused.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/kernel.h"
#include "Passes/passes_decl.h"

enum { NE = 1 }; /* arith.cmpi's predicate */

static bool is_bits(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) < 8 &&
         mlirIntegerTypeGetWidth(type) > 0 && mlirIntegerTypeIsSignless(type);
}

static bool holds_bits(MlirType type) {
  return tt_is_memref(type) && is_bits(mlirShapedTypeGetElementType(type));
}

static MlirType byte(MlirContext context) { return mlirIntegerTypeGet(context, 8); }

static MlirType in_bytes(TtArena *arena, MlirType type) {
  if (!holds_bits(type)) return type;
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
  for (intptr_t i = 0; i < rank; ++i) shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeGet(byte(mlirTypeGetContext(type)), rank, shape,
                           mlirMemRefTypeGetLayout(type), mlirMemRefTypeGetMemorySpace(type));
}

static MlirValue made(TtBuilder *b, MlirLocation loc, const char *name, MlirValue x,
                      MlirType type) {
  TtOpState s = tt_op_state(name, loc);
  tt_op_state_operand(&s, x);
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static MlirValue number(TtBuilder *b, MlirLocation loc, int64_t value) {
  TtOpState s = tt_op_state("arith.constant", loc);
  MlirType type = byte(b->context);
  tt_op_state_attr(&s, b->context, "value", mlirIntegerAttrGet(type, value));
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

static MlirValue combined(TtBuilder *b, MlirLocation loc, const char *name, MlirValue x,
                          int64_t other) {
  MlirValue y = number(b, loc, other);
  TtOpState s = tt_op_state(name, loc);
  tt_op_state_operand(&s, x);
  tt_op_state_operand(&s, y);
  tt_op_state_result(&s, byte(b->context));
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/*===- What is read ---------------------------------------------------------------------------===*/

/* Of a byte that holds an integer of `type`: an integer of `to`, without its sign if so. */
static MlirValue extended(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType type, bool sign,
                          MlirType to) {
  unsigned width = mlirIntegerTypeGetWidth(type);
  if (!sign) value = combined(b, loc, "arith.andi", value, (1 << width) - 1);
  if (mlirIntegerTypeGetWidth(to) == 8) return value;
  return made(b, loc, sign ? "arith.extsi" : "arith.extui", value, to);
}

/* Gives what takes the byte `value` instead of an integer of `type`, `was`, the same number. */
static bool read_byte(TtArena *arena, TtBuilder *b, MlirLocation loc, MlirValue was,
                      MlirValue value, MlirType type) {
  if (mlirIntegerTypeGetWidth(type) == 1) {
    MlirValue zero = number(b, loc, 0);
    TtOpState s = tt_op_state("arith.cmpi", loc);
    tt_op_state_operand(&s, value);
    tt_op_state_operand(&s, zero);
    tt_op_state_result(&s, type);
    tt_op_state_attr(&s, b->context, "predicate",
                     mlirIntegerAttrGet(mlirIntegerTypeGet(b->context, 64), NE));
    MlirOperation flag = tt_builder_insert(b, tt_op_state_finish(&s));
    mlirValueReplaceAllUsesExcept(was, mlirOperationGetResult(flag, 0), 1, &flag);
    return true;
  }
  TtOps users = {NULL, 0, 0};
  for (MlirOpOperand use = mlirValueGetFirstUse(was); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    tt_ops_add(arena, &users, mlirOpOperandGetOwner(use));
  for (intptr_t i = 0; i < users.n; ++i) {
    MlirOperation user = users.data[i];
    TtBuilder at = tt_builder_before(user);
    bool extends = tt_op_is(user, "arith.extsi") || tt_op_is(user, "arith.extui"),
         floats = tt_op_is(user, "arith.sitofp") || tt_op_is(user, "arith.uitofp"),
         sign = tt_op_is(user, "arith.extsi") || tt_op_is(user, "arith.sitofp");
    MlirType to = extends ? mlirValueGetType(mlirOperationGetResult(user, 0)) : type;
    if (extends && mlirIntegerTypeGetWidth(to) >= 8)
      tt_replace(user, extended(&at, loc, value, type, sign, to));
    else if (floats)
      mlirOperationSetOperand(user, 0, extended(&at, loc, value, type, sign, byte(b->context)));
    else if (!tt_op_is(user, "linalg.yield") && !tt_op_is(user, "memref.store") &&
             !tt_op_is(user, "affine.store"))
      return tt_error(user,
                      "computes with an integer of %u bits, which tensors hold but no unit of the "
                      "chip has; extend it to i8 by arith.extsi or arith.extui first",
                      mlirIntegerTypeGetWidth(type));
  }
  return true;
}

/*===- What is stored -------------------------------------------------------------------------===*/

/* The byte of what is stored, an integer of less than 8 bits; null after an error. */
static MlirValue stored_byte(TtBuilder *b, MlirOperation store, MlirValue value) {
  MlirLocation loc = mlirOperationGetLocation(store);
  MlirType type = mlirValueGetType(value);
  if (!is_bits(type)) return value; /* a byte that was read */
  unsigned width = mlirIntegerTypeGetWidth(type);
  if (width == 1) return made(b, loc, "arith.extui", value, byte(b->context));
  MlirOperation op = tt_defining_op(value);
  int64_t constant;
  if (tt_constant(value, &constant)) return number(b, loc, constant);
  if (!mlirOperationIsNull(op) && tt_op_is(op, "arith.trunci")) {
    MlirValue from = mlirOperationGetOperand(op, 0);
    MlirType wide = mlirValueGetType(from);
    if (mlirTypeIsAInteger(wide) && mlirIntegerTypeGetWidth(wide) >= 8) {
      if (mlirIntegerTypeGetWidth(wide) > 8)
        from = made(b, loc, "arith.trunci", from, byte(b->context));
      from = combined(b, loc, "arith.shli", from, 8 - width);
      return combined(b, loc, "arith.shrsi", from, 8 - width);
    }
  }
  if (!mlirOperationIsNull(op) && tt_op_is(op, "arith.fptosi"))
    return made(b, loc, "arith.fptosi", mlirOperationGetOperand(op, 0), byte(b->context));
  tt_error(store,
           "stores an integer of %u bits that is no constant and no arith.trunci of i8 or more; "
           "compute with i8, and cut the result by arith.trunci",
           width);
  return (MlirValue){NULL};
}

static bool store_bytes(MlirOperation op, intptr_t at) {
  TtBuilder b = tt_builder_before(op);
  MlirValue value = stored_byte(&b, op, mlirOperationGetOperand(op, at));
  if (mlirValueIsNull(value)) return false;
  mlirOperationSetOperand(op, at, value);
  return true;
}

/*===- Ops ------------------------------------------------------------------------------------===*/

static bool is_one_of(MlirOperation op, const char *const names[], size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

/* Whether `op` goes with tensors of bytes as it goes with those of bits. */
static bool check(MlirOperation op) {
  static const char *const moves[] = {
      "memref.copy",         "linalg.copy",      "linalg.transpose",
      "linalg.broadcast",    "memref.load",      "memref.store",
      "affine.load",         "affine.store",     "linalg.fill",
      "linalg.generic",      "memref.alloc",     "memref.subview",
      "memref.cast",         "memref.dim",       "memref.collapse_shape",
      "memref.expand_shape", "memref.transpose", "memref.dealloc",
      "func.call",           "func.return",      "scf.for",
      "scf.yield",           "scf.if",           "memref.alloca"};
  MlirType held = {NULL};
  bool both = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (holds_bits(type)) held = type;
    both &= tt_is_memref(type);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (holds_bits(mlirValueGetType(mlirOperationGetResult(op, i))))
      held = mlirValueGetType(mlirOperationGetResult(op, i));
  if (mlirTypeIsNull(held)) return true;
  if (!is_one_of(op, moves, sizeof moves / sizeof *moves))
    return tt_error(op,
                    "works on a tensor of less than 8 bits an element, which linalg.generic, "
                    "copies, transpositions, broadcasts, fills, loads and stores do; write it as "
                    "linalg.generic, or store bytes, i8");
  if (tt_is_linalg(op) && !tt_op_is(op, "linalg.generic") && !tt_op_is(op, "linalg.fill") && both)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (!mlirTypeEqual(
              mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(op, i))),
              mlirShapedTypeGetElementType(held)))
        return tt_error(op, "converts elements of less than 8 bits; write it as linalg.generic, "
                            "with arith.extui or arith.extsi");
  return true;
}

/* The body of a linalg op, whose operands are bytes already where `bits` says what they were. */
static bool widen_body(TtArena *arena, MlirOperation op, const MlirType *bits) {
  MlirBlock body = tt_body(op);
  intptr_t operands = mlirOperationGetNumOperands(op), inputs = tt_linalg_num_inputs(op);
  bool generic = tt_op_is(op, "linalg.generic");
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body) && i < operands; ++i) {
    if (mlirTypeIsNull(bits[i])) continue;
    MlirValue arg = mlirBlockGetArgument(body, i);
    MlirType type = mlirValueGetType(arg);
    mlirValueSetType(arg, byte(mlirTypeGetContext(type)));
    TtBuilder b = tt_builder_at_start(body);
    if (generic && !read_byte(arena, &b, mlirOperationGetLocation(op), arg, arg, type))
      return false;
  }
  MlirOperation end = mlirBlockGetTerminator(body);
  if (!generic || mlirOperationIsNull(end)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end) && inputs + i < operands; ++i)
    if (!mlirTypeIsNull(bits[inputs + i]) && !store_bytes(end, i)) return false;
  return true;
}

static bool widen_op(TtArena *arena, MlirOperation op, const MlirType *bits) {
  MlirContext context = mlirOperationGetContext(op);
  bool loads = tt_op_is(op, "memref.load") || tt_op_is(op, "affine.load"),
       stores = tt_op_is(op, "memref.store") || tt_op_is(op, "affine.store");
  if (loads && !mlirTypeIsNull(bits[0])) {
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType type = mlirValueGetType(result);
    mlirValueSetType(result, byte(context));
    TtBuilder b = tt_builder_after(op);
    return read_byte(arena, &b, mlirOperationGetLocation(op), result, result, type);
  }
  if (stores && !mlirTypeIsNull(bits[1])) return store_bytes(op, 0);
  if (tt_op_is(op, "linalg.fill") && mlirOperationGetNumOperands(op) == 2 &&
      !mlirTypeIsNull(bits[1])) {
    if (!store_bytes(op, 0)) return false;
    MlirBlock body = tt_body(op);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
      mlirValueSetType(mlirBlockGetArgument(body, i), byte(context));
    return true;
  }
  return !tt_is_linalg(op) || mlirBlockIsNull(tt_body(op)) || widen_body(arena, op, bits);
}

/*===- Functions ------------------------------------------------------------------------------===*/

static void note_range(MlirOperation func, intptr_t i, MlirType type) {
  if (!mlirAttributeIsNull(tt_arg_attr(func, i, "tt.range"))) return;
  MlirContext context = mlirOperationGetContext(func);
  int64_t width = mlirIntegerTypeGetWidth(type), half = 1 << (width - 1);
  MlirAttribute range[] = {tt_i64_attr(context, width == 1 ? 0 : -half),
                           tt_i64_attr(context, width == 1 ? 1 : half - 1)};
  tt_set_arg_attr(func, i, "tt.range", mlirArrayAttrGet(context, 2, range));
}

static void widen_signature(TtArena *arena, MlirOperation func) {
  MlirType old = mlirTypeAttrGetValue(tt_op_attr(func, "function_type"));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(old), n = mlirFunctionTypeGetNumResults(old);
  MlirType *types = tt_arena_alloc(arena, (size_t)(inputs + n + 1) * sizeof *types);
  for (intptr_t i = 0; i < inputs; ++i)
    types[i] = in_bytes(arena, mlirFunctionTypeGetInput(old, i));
  for (intptr_t i = 0; i < n; ++i)
    types[inputs + i] = in_bytes(arena, mlirFunctionTypeGetResult(old, i));
  mlirOperationSetInherentAttributeByName(
      func, tt_str("function_type"),
      mlirTypeAttrGet(
          mlirFunctionTypeGet(mlirOperationGetContext(func), inputs, types, n, types + inputs)));
}

static bool has_bits(MlirOperation func, TtOps ops) {
  for (intptr_t i = 0; i < tt_num_args(func); ++i)
    if (holds_bits(mlirValueGetType(tt_arg(func, i)))) return true;
  for (intptr_t i = 0; i < ops.n; ++i)
    for (intptr_t j = 0; j < mlirOperationGetNumResults(ops.data[i]); ++j)
      if (holds_bits(mlirValueGetType(mlirOperationGetResult(ops.data[i], j)))) return true;
  return false;
}

static void widen_values(TtArena *arena, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue value = mlirOperationGetResult(op, i);
    if (holds_bits(mlirValueGetType(value)))
      mlirValueSetType(value, in_bytes(arena, mlirValueGetType(value)));
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
        MlirValue value = mlirBlockGetArgument(block, i);
        if (holds_bits(mlirValueGetType(value)))
          mlirValueSetType(value, in_bytes(arena, mlirValueGetType(value)));
      }
}

/* The element types of an op's operands that hold bits; null ones for the others. */
static MlirType *bits_of(TtArena *arena, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  MlirType *bits = tt_arena_alloc(arena, (size_t)(n + 2) * sizeof *bits);
  for (intptr_t i = 0; i < n + 2; ++i) bits[i] = (MlirType){NULL};
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (holds_bits(type)) bits[i] = mlirShapedTypeGetElementType(type);
  }
  return bits;
}

static bool widen_function(TtArena *arena, MlirOperation func) {
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0))) ||
      tt_is_model(func))
    return true;
  TtOps ops = tt_collect(arena, func, NULL), users = {NULL, 0, 0};
  if (!has_bits(func, ops)) return true;
  MlirType **bits = tt_arena_alloc(arena, (size_t)(ops.n + 1) * sizeof *bits);
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (!check(ops.data[i])) return false;
    MlirType *own = bits_of(arena, ops.data[i]);
    bool takes = false;
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(ops.data[i]); ++j)
      takes |= !mlirTypeIsNull(own[j]);
    if (!takes) continue;
    bits[users.n] = own;
    tt_ops_add(arena, &users, ops.data[i]);
  }
  for (intptr_t i = 0; i < tt_num_args(func); ++i) {
    MlirType type = mlirValueGetType(tt_arg(func, i));
    if (holds_bits(type)) note_range(func, i, mlirShapedTypeGetElementType(type));
  }
  for (intptr_t i = 0; i < ops.n; ++i) widen_values(arena, ops.data[i]);
  widen_values(arena, func);
  widen_signature(arena, func);
  for (intptr_t i = 0; i < users.n; ++i)
    if (!widen_op(arena, users.data[i], bits[i])) return false;
  tt_erase_dead(func);
  return true;
}

bool tt_run_widen_bits(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  TtArena *arena = tt_arena_create();
  TtOps funcs = tt_collect(arena, module, "func.func");
  bool ok = true;
  for (intptr_t i = 0; ok && i < funcs.n; ++i) ok = widen_function(arena, funcs.data[i]);
  tt_arena_destroy(arena);
  return ok;
}
