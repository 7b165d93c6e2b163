/*===- reference_fp8.c - rounding to fp8, in the reference ------------------------------------===
 *
 * MLIR's JIT has no casts to fp8. What they leave is found by bits: a carry into the last one that
 * is kept, and what is below is cut; below the least normal number all have one last place.
 *
 *   before  %r = arith.truncf %x : f32 to f8E4M3FN, %q = arith.extf %r : f8E4M3FN to f32
 *   after   %q = func.call @tt_round_e4m3(%x)
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/target.h"
#include "Run/run.h"

static const char text[] =
    "func.func private @tt_round_%s(%%x: f32) -> f32 {\n"
    "  %%one = arith.constant 1 : i32\n  %%shift = arith.constant %d : i32\n"
    "  %%half = arith.constant %d : i32\n  %%mask = arith.constant %d : i32\n"
    "  %%fixed = arith.constant %e : f32\n  %%least = arith.constant %e : f32\n"
    "  %%most = arith.constant %e : f32\n  %%beyond = arith.constant %s : f32\n"
    "  %%bits = arith.bitcast %%x : f32 to i32\n  %%down = arith.shrui %%bits, %%shift : i32\n"
    "  %%odd = arith.andi %%down, %%one : i32\n  %%carry = arith.addi %%half, %%odd : i32\n"
    "  %%sum = arith.addi %%bits, %%carry : i32\n  %%cut = arith.andi %%sum, %%mask : i32\n"
    "  %%normal = arith.bitcast %%cut : i32 to f32\n  %%up = arith.addf %%x, %%fixed : f32\n"
    "  %%small = arith.subf %%up, %%fixed : f32\n  %%size = math.absf %%x : f32\n"
    "  %%is_small = arith.cmpf olt, %%size, %%least : f32\n"
    "  %%near = arith.select %%is_small, %%small, %%normal : f32\n"
    "  %%end = math.absf %%near : f32\n  %%is_over = arith.cmpf ogt, %%end, %%most : f32\n"
    "  %%signed = math.copysign %%beyond, %%x : f32\n"
    "  %%r = arith.select %%is_over, %%signed, %%near : f32\n"
    "  %%none = arith.cmpf uno, %%x, %%x : f32\n  %%all = arith.select %%none, %%x, %%r : f32\n"
    "  return %%all : f32\n}\n";

static const char *name_of(bool e5m2) { return e5m2 ? "e5m2" : "e4m3"; }

/* Puts the function into the module, once. */
static void add_function(TtArena *arena, MlirOperation module, bool e5m2) {
  int dropped = e5m2 ? 21 : 20;
  double least = e5m2 ? 0x1p-14 : 0x1p-6, fixed = least * 1.5 * (1 << dropped);
  char *source = tt_arena_printf(arena, text, name_of(e5m2), dropped, (1 << (dropped - 1)) - 1,
                                 -(1 << dropped), fixed, least, e5m2 ? 57344.0 : 448.0,
                                 e5m2 ? "0x7F800000" : "0x7FC00000");
  MlirModule parsed = mlirModuleCreateParse(mlirOperationGetContext(module), tt_str(source));
  if (mlirModuleIsNull(parsed)) return;
  MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(parsed));
  mlirOperationRemoveFromParent(function);
  mlirBlockAppendOwnedOperation(tt_body(module), function);
  mlirModuleDestroy(parsed);
}

/* `value` as a float of type `type`; casts of other widths leave what f32 holds exactly. */
static MlirValue cast_to(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType type) {
  MlirType from = mlirValueGetType(value);
  if (mlirTypeEqual(from, type)) return value;
  TtOpState s = tt_op_state(mlirTypeIsAF32(type) ? "arith.extf" : "arith.truncf", loc);
  tt_op_state_operand(&s, value);
  tt_op_state_result(&s, type);
  return mlirOperationGetResult(tt_builder_insert(b, tt_op_state_finish(&s)), 0);
}

/* Calls it for what `rounding` leaves. */
static void call_function(MlirOperation rounding, bool e5m2) {
  MlirLocation loc = mlirOperationGetLocation(rounding);
  MlirValue narrow = mlirOperationGetResult(rounding, 0);
  MlirContext context = mlirOperationGetContext(rounding);
  MlirType f32 = mlirF32TypeGet(context);
  while (tt_has_uses(narrow)) {
    MlirOperation extension = mlirOpOperandGetOwner(mlirValueGetFirstUse(narrow));
    if (!tt_op_is(extension, "arith.extf")) return;
    TtBuilder b = tt_builder_before(extension);
    TtOpState s = tt_op_state("func.call", loc);
    tt_op_state_operand(&s, cast_to(&b, loc, mlirOperationGetOperand(rounding, 0), f32));
    tt_op_state_result(&s, f32);
    tt_op_state_attr(
        &s, context, "callee",
        mlirFlatSymbolRefAttrGet(context, tt_str(e5m2 ? "tt_round_e5m2" : "tt_round_e4m3")));
    MlirValue rounded = mlirOperationGetResult(tt_builder_insert(&b, tt_op_state_finish(&s)), 0);
    MlirType type = mlirValueGetType(mlirOperationGetResult(extension, 0));
    tt_replace(extension, cast_to(&b, loc, rounded, type));
  }
  mlirOperationDestroy(rounding);
}

void tt_reference_fp8(TtArena *arena, MlirOperation module) {
  TtOps casts = tt_collect(arena, module, "arith.truncf");
  bool there[2] = {false, false};
  for (intptr_t i = 0; i < casts.n; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(casts.data[i], 0));
    if (!tt_is_f8(type)) continue;
    bool e5m2 = mlirTypeIsAFloat8E5M2(type);
    if (!there[e5m2]) add_function(arena, module, e5m2);
    there[e5m2] = true;
    call_function(casts.data[i], e5m2);
  }
}
