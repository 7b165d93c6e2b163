/*===- reference_wide.c - the reference with sums of 32 bits
 * --------------------------------------===
 *
 * A sum that is kept in bf16 rounds at each of its terms in the reference; the device adds in DST,
 * and rounds once. Where that is more than what is allowed, the reference is no judge of it. This
 * one has f32 for 16 bits, and rounds what the kernel rounds, but for sums on their way:
 *
 *   %r = arith.addf %x, %sum : bf16            %r = arith.addf %x, %sum : f32
 *   memref.store %r, %Y[%i]                    memref.store %r, %Y[%i]        what it held is in %r
 *   %q = arith.mulf %x, %y : bf16              %q = arith.mulf %x, %y : f32
 *   memref.store %q, %Z[%i]                    memref.store (extf (truncf %q : bf16)), %Z[%i]
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/target.h"
#include "Run/session.h"

#include <string.h>

static bool is_narrow(MlirType type) { return mlirTypeIsABF16(type) || mlirTypeIsAF16(type); }

static MlirType element_of(MlirType type) {
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

/* `type` with f32 for 16 bits; null where there is no such type. */
static MlirType widened(TtArena *arena, MlirType type) {
  MlirType f32 = mlirF32TypeGet(mlirTypeGetContext(type));
  if (is_narrow(type)) return f32;
  if (!mlirTypeIsAShaped(type) || !is_narrow(element_of(type))) return type;
  if (!tt_is_memref(type)) return (MlirType){NULL};
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
  for (intptr_t d = 0; d < rank; ++d) shape[d] = mlirShapedTypeGetDimSize(type, d);
  return mlirMemRefTypeGet(f32, rank, shape, mlirMemRefTypeGetLayout(type),
                           mlirMemRefTypeGetMemorySpace(type));
}

static bool widen_value(TtArena *arena, MlirValue value) {
  MlirType type = widened(arena, mlirValueGetType(value));
  if (!mlirTypeIsNull(type)) mlirValueSetType(value, type);
  return !mlirTypeIsNull(type);
}

/*===- Where it rounds ----------------------------------------------------------------------===*/

/* An operand that a kernel rounds to `type` as it stores it. */
typedef struct Site {
  MlirOperation op;
  intptr_t operand;
  MlirType type;
} Site;

typedef struct Sites {
  Site *data;
  intptr_t n;
} Sites;

/* With room for each operand of `ops`. */
static Sites room_for(TtArena *arena, TtOps ops) {
  size_t n = 1;
  for (intptr_t i = 0; i < ops.n; ++i) n += (size_t)mlirOperationGetNumOperands(ops.data[i]);
  return (Sites){tt_arena_alloc(arena, n * sizeof(Site)), 0};
}

static bool is_store(MlirOperation op) {
  return tt_op_is(op, "memref.store") || tt_op_is(op, "affine.store");
}

static bool is_loop(MlirOperation op) {
  return tt_op_is(op, "scf.for") || tt_op_is(op, "affine.for") || tt_op_is(op, "scf.while");
}

enum { MAX_DEPTH = 32 };

/* Whether `value` is made of an element of `memory`, or of what a loop carries: a sum on its way.
 */
static bool is_made_of(MlirValue value, MlirValue memory, int depth) {
  if (depth == MAX_DEPTH || !mlirTypeIsAFloat(mlirValueGetType(value))) return false;
  if (mlirValueIsABlockArgument(value))
    return is_loop(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)));
  MlirOperation op = tt_defining_op(value);
  if (is_loop(op)) return true;
  if (tt_op_is(op, "memref.load") || tt_op_is(op, "affine.load"))
    return tt_value_eq(tt_view_root(mlirOperationGetOperand(op, 0)), memory);
  if (tt_op_is(op, "scf.if")) {
    intptr_t at = mlirOpResultGetResultNumber(value);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
      MlirOperation yield = mlirBlockGetTerminator(block);
      if (is_made_of(mlirOperationGetOperand(yield, at), memory, depth + 1)) return true;
    }
    return false;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_made_of(mlirOperationGetOperand(op, i), memory, depth + 1)) return true;
  return false;
}

/* Whether a structured op goes on with what its output `i` holds. */
static bool adds_to(MlirOperation op, intptr_t i) {
  intptr_t inputs = tt_linalg_num_inputs(op);
  MlirValue out = mlirOperationGetOperand(op, inputs + i);
  if (tt_has_uses(mlirBlockGetArgument(tt_body(op), inputs + i))) return true;
  for (intptr_t j = 0; j < inputs; ++j)
    if (tt_value_eq(tt_view_root(mlirOperationGetOperand(op, j)), tt_view_root(out))) return true;
  return false;
}

static bool is_private(MlirType type) {
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
  return !mlirAttributeIsNull(space) &&
         mlirAttributeEqual(space, mlirAttributeParseGet(mlirTypeGetContext(type),
                                                         tt_str("#gpu.address_space<private>")));
}

/* Buffers of private space are f32 in every reference. */
static bool rounds_in(MlirType memory) {
  return tt_is_memref(memory) && is_narrow(element_of(memory)) && !is_private(memory);
}

static void find_sites(MlirOperation op, Sites *sites) {
  if (is_store(op)) {
    MlirValue memory = mlirOperationGetOperand(op, 1);
    MlirType type = mlirValueGetType(memory);
    if (rounds_in(type) && !is_made_of(mlirOperationGetOperand(op, 0), tt_view_root(memory), 0))
      sites->data[sites->n++] = (Site){op, 0, element_of(type)};
  }
  if (!tt_op_is(op, "linalg.yield")) return;
  MlirOperation parent = mlirBlockGetParentOperation(mlirOperationGetBlock(op));
  intptr_t inputs = tt_linalg_num_inputs(parent);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(parent, inputs + i));
    if (rounds_in(type) && !adds_to(parent, i))
      sites->data[sites->n++] = (Site){op, i, element_of(type)};
  }
}

static MlirValue rounded(TtBuilder *b, MlirLocation loc, MlirValue value, MlirType type) {
  MlirValue part = tt_cast(b, loc, "arith.truncf", value, type);
  return tt_cast(b, loc, "arith.extf", part, mlirValueGetType(value));
}

static void round_at(const Site *site) {
  TtBuilder b = tt_builder_before(site->op);
  MlirValue value = mlirOperationGetOperand(site->op, site->operand);
  mlirOperationSetOperand(site->op, site->operand,
                          rounded(&b, mlirOperationGetLocation(site->op), value, site->type));
}

/* A truncation whose operand and result are f32 by now. */
static void round_cast(MlirOperation op, MlirType type) {
  TtBuilder b = tt_builder_before(op);
  MlirValue whole = mlirOperationGetOperand(op, 0);
  tt_replace(op, rounded(&b, mlirOperationGetLocation(op), whole, type));
}

/*===- Types --------------------------------------------------------------------------------===*/

static bool widen_constant(MlirOperation op) {
  MlirAttribute value = tt_op_attr(op, "value");
  if (!is_narrow(mlirAttributeGetType(value)))
    return !is_narrow(element_of(mlirAttributeGetType(value)));
  MlirContext context = mlirOperationGetContext(op);
  mlirOperationSetInherentAttributeByName(
      op, tt_str("value"),
      mlirFloatAttrDoubleGet(context, mlirF32TypeGet(context), mlirFloatAttrGetValueDouble(value)));
  return true;
}

static bool widen_function(TtArena *arena, MlirOperation op) {
  MlirType type = mlirTypeAttrGetValue(tt_op_attr(op, "function_type"));
  intptr_t n = mlirFunctionTypeGetNumInputs(type), results = mlirFunctionTypeGetNumResults(type);
  MlirType *types = tt_arena_alloc(arena, (size_t)(n + results + 1) * sizeof *types);
  for (intptr_t i = 0; i < n + results; ++i) {
    types[i] = widened(arena, i < n ? mlirFunctionTypeGetInput(type, i)
                                    : mlirFunctionTypeGetResult(type, i - n));
    if (mlirTypeIsNull(types[i])) return false;
  }
  mlirOperationSetInherentAttributeByName(
      op, tt_str("function_type"),
      mlirTypeAttrGet(
          mlirFunctionTypeGet(mlirOperationGetContext(op), n, types, results, types + n)));
  return true;
}

/* Bits of narrow numbers, and numbers in attributes, have no such form. */
static bool widen_op(TtArena *arena, MlirOperation op) {
  if (tt_op_is(op, "arith.bitcast") || tt_op_is(op, "memref.global")) return false;
  if (tt_op_is(op, "arith.constant") && !widen_constant(op)) return false;
  if (tt_op_is(op, "func.func") && !widen_function(arena, op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (tt_is_f8(element_of(mlirValueGetType(mlirOperationGetResult(op, i)))) ||
        !widen_value(arena, mlirOperationGetResult(op, i)))
      return false;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        if (tt_is_f8(element_of(mlirValueGetType(mlirBlockGetArgument(block, i)))) ||
            !widen_value(arena, mlirBlockGetArgument(block, i)))
          return false;
  return true;
}

static bool widen_module(TtArena *arena, MlirOperation module) {
  TtOps ops = tt_collect(arena, module, NULL);
  Sites sites = room_for(arena, ops), casts = room_for(arena, ops);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    find_sites(op, &sites);
    if (!tt_op_is(op, "arith.truncf") && !tt_op_is(op, "arith.extf")) continue;
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    casts.data[casts.n++] = (Site){op, 0, type};
  }
  for (intptr_t i = 0; i < ops.n; ++i)
    if (!widen_op(arena, ops.data[i])) return false;
  for (intptr_t i = 0; i < casts.n; ++i) {
    MlirOperation op = casts.data[i].op;
    MlirValue value = mlirOperationGetOperand(op, 0);
    if (!mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(mlirOperationGetResult(op, 0))))
      continue;
    if (is_narrow(casts.data[i].type)) round_cast(op, casts.data[i].type);
    else tt_replace(op, value);
  }
  for (intptr_t i = 0; i < sites.n; ++i) round_at(&sites.data[i]);
  return true;
}

/*===- Running ------------------------------------------------------------------------------===*/

bool tt_reference_wide(TtRun *r, MlirModule module, MlirOperation entry, void **data) {
  if (!widen_module(r->arena, mlirModuleGetOperation(module))) return false;
  MlirType *types = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *types);
  for (intptr_t i = 0; i < r->n; ++i) {
    types[i] = widened(r->arena, r->types[i]);
    if (!is_narrow(element_of(r->types[i]))) continue;
    TtArray a = tt_array_for(r, i);
    tt_from_elements(element_of(r->types[i]), data[i], &a);
    data[i] = a.data;
  }
  return tt_reference_run(module, entry, types, data);
}
