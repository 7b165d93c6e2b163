/*===- reference_buffers.c - buffers of the core, in the reference ------------------------------===
 *
 *   alloc() : memref<32x32xbf16, private>           alloc() : memref<32x32xf32>, which sums in f32
 *   alloc() : memref<32x32xbf16, workgroup>         alloc() : memref<32x32xbf16>
 *
 * Each is freed at the end of the block that allocates it, unless that gives it on; not where the
 * kernel says.
 *
 *===----------------------------------------------------------------------===*/

#include "Run/run.h"

static bool has_space(MlirType type, const char *name) {
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
  if (mlirAttributeIsNull(space)) return false;
  MlirAttribute expected = mlirAttributeParseGet(mlirTypeGetContext(type), tt_str(name));
  return mlirAttributeEqual(space, expected);
}

static MlirType plain_type(TtArena *arena, MlirType type, MlirType element) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = tt_arena_alloc(arena, (size_t)(rank + 1) * sizeof *shape);
  for (intptr_t i = 0; i < rank; ++i) shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeGet(element, rank, shape, mlirMemRefTypeGetLayout(type),
                           mlirAttributeGetNull());
}

static void retype(TtArena *arena, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!tt_is_memref(type)) return;
  MlirType element = mlirShapedTypeGetElementType(type);
  bool fragment = has_space(type, "#gpu.address_space<private>") &&
                  (mlirTypeIsABF16(element) || mlirTypeIsAF16(element));
  if (fragment) element = mlirF32TypeGet(mlirTypeGetContext(type));
  if (!mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)))
    mlirValueSetType(value, plain_type(arena, type, element));
}

void tt_reference_buffers(TtArena *arena, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    for (intptr_t j = 0; j < mlirOperationGetNumResults(op); ++j)
      retype(arena, mlirOperationGetResult(op, j));
    MlirBlock body = tt_op_is(op, "scf.for") ? tt_for_body(op) : (MlirBlock){NULL};
    for (intptr_t j = 1; body.ptr && j < mlirBlockGetNumArguments(body); ++j)
      retype(arena, mlirBlockGetArgument(body, j));
  }
}

/* Whether a step gives a buffer on to the next one, or to what is behind the loop. */
static bool is_given_on(MlirValue buffer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (tt_is_terminator(mlirOpOperandGetOwner(use))) return true;
  return false;
}

void tt_reference_free(TtArena *arena, MlirOperation kernel) {
  TtOps own = tt_collect(arena, kernel, "memref.dealloc");
  for (intptr_t i = 0; i < own.n; ++i) mlirOperationDestroy(own.data[i]);
  TtOps allocs = tt_collect(arena, kernel, "memref.alloc");
  for (intptr_t i = 0; i < allocs.n; ++i) {
    if (is_given_on(mlirOperationGetResult(allocs.data[i], 0))) continue;
    TtBuilder b = tt_builder_at_terminator(mlirOperationGetBlock(allocs.data[i]));
    TtOpState s = tt_op_state("memref.dealloc", mlirOperationGetLocation(allocs.data[i]));
    tt_op_state_operand(&s, mlirOperationGetResult(allocs.data[i], 0));
    tt_builder_insert(&b, tt_op_state_finish(&s));
  }
}
