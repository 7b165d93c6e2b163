/*===- input_op.c - which op of the input an op was ------------------------------------------===
 *
 *   tosa.matmul … loc("m.mlir":3:5)   is named   loc("tosa.matmul"("m.mlir":3:5))
 *
 * MLIR's passes keep locations, so that the name comes through to kernels.
 *
 *===----------------------------------------------------------------------===*/

#include "Support/input_op.h"

#include "tilewright/arena.h"

#include <string.h>

MlirLocation tt_name_input_op(MlirLocation loc, MlirStringRef op) {
  return mlirLocationNameGet(mlirLocationGetContext(loc), op, loc);
}

/* Exporters name layers in the same way, so that not every name is one of an op. */
static bool is_op(MlirStringRef name) {
  static const char *const dialects[] = {"tosa.", "linalg.", "tensor.", "arith.", "math."};
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i) {
    size_t n = strlen(dialects[i]);
    if (name.length > n && memcmp(name.data, dialects[i], n) == 0 &&
        !memchr(name.data + n, '.', name.length - n))
      return true;
  }
  return false;
}

static MlirStringRef first_of_fused(MlirLocation loc) {
  TtArena *arena = tt_arena_create();
  MlirStringRef name = {NULL, 0};
  unsigned n = mlirLocationFusedGetNumLocations(loc);
  MlirLocation *parts = tt_arena_alloc(arena, (n + 1) * sizeof *parts);
  mlirLocationFusedGetLocations(loc, parts);
  for (unsigned i = 0; i < n && name.length == 0; ++i) name = tt_input_op(parts[i]);
  tt_arena_destroy(arena);
  return name;
}

MlirStringRef tt_input_op(MlirLocation loc) {
  for (;;) {
    if (mlirLocationIsAName(loc)) {
      MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(loc));
      if (is_op(name)) return name;
      loc = mlirLocationNameGetChildLoc(loc);
    } else if (mlirLocationIsACallSite(loc)) loc = mlirLocationCallSiteGetCallee(loc);
    else if (mlirLocationIsAFused(loc)) return first_of_fused(loc);
    else return (MlirStringRef){NULL, 0};
  }
}
