/*===- upstream.c - what upstream's own parser, passes and verifiers die of ---------------------===
 *
 * Pipelines of the driver have upstream's canonicalization in them, which is not what is tried.
 *
 *   %last = arith.constant -1 : index
 *   memref.dim %x, %last             it reads the size there, outside of the shape
 *
 * Its parser keeps a place for each result that a use before the op names, up to the last one:
 *
 *   %i#1000000007                    sixteen bytes each, and it ends where memory does
 *
 * and takes each element of a list for the name of an iterator, before it looks whether it is one:
 *
 *   iterator_types = ["parallel", 4]
 *
 * The verifier of scf.forall.in_parallel asks the ops in it where they write before theirs have
 * looked at how many operands of each kind they have. That of affine.parallel takes as many
 * operands as the maps of its bounds have inputs, if there are any or not. Those of affine ops go
 * from operands to the ops that they are made by, as long as these have no effects:
 *
 *   %a = arith.addi %b, %i   %b = arith.addi %a, %i   affine.apply (d0) -> (d0) (%a)
 *
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE /* memmem */
#include "fuzz.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* More results than an op of any input has, and few enough to keep a place for each. */
#define MOST_RESULTS 100000

/* Whether there is anything but names, or attributes of the dialect, in a list of iterators. */
static bool has_other_iterators(const char *at, const char *end) {
  bool quoted = false;
  for (; at < end && (quoted || *at != ']'); ++at) {
    if (*at == '"') quoted = !quoted;
    else if (!quoted && *at == '#') at += strcspn(at, ",]") - 1;
    else if (!quoted && *at != ',' && !isspace((unsigned char)*at)) return true;
  }
  return false;
}

static bool kills_generic(const Text *t) {
  static const char list[] = "iterator_types = [";
  const char *at = t->data, *end = t->data + t->n;
  while ((at = memmem(at, (size_t)(end - at), list, sizeof list - 1))) {
    at += sizeof list - 1;
    if (has_other_iterators(at, end)) return true;
  }
  return false;
}

bool kills_parser(const Text *t) {
  if (kills_generic(t)) return true;
  for (const char *at = t->data; (at = memchr(at, '#', t->data + t->n - at)); ++at)
    if (isdigit((unsigned char)at[1]) && strtoull(at + 1, NULL, 10) > MOST_RESULTS) return true;
  return false;
}

static bool is_named(MlirOperation op, const char *name) {
  MlirStringRef own = mlirIdentifierStr(mlirOperationGetName(op));
  return own.length == strlen(name) && memcmp(own.data, name, own.length) == 0;
}

/* Whether `value` is a constant of integers, and which. */
static bool is_number(MlirValue value, int64_t *number) {
  if (!mlirValueIsAOpResult(value)) return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!is_named(op, "arith.constant")) return false;
  MlirAttribute attr = mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("value"));
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAInteger(attr)) return false;
  *number = mlirIntegerAttrGetValueInt(attr);
  return true;
}

static MlirWalkResult look(MlirOperation op, void *found) {
  if (!is_named(op, "memref.dim") && !is_named(op, "tensor.dim")) return MlirWalkResultAdvance;
  if (mlirOperationGetNumOperands(op) != 2) return MlirWalkResultAdvance;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  int64_t dim;
  if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasRank(type) ||
      !is_number(mlirOperationGetOperand(op, 1), &dim))
    return MlirWalkResultAdvance;
  if (dim >= 0 && dim < mlirShapedTypeGetRank(type)) return MlirWalkResultAdvance;
  *(bool *)found = true;
  return MlirWalkResultInterrupt;
}

bool kills_upstream(MlirOperation module) {
  bool found = false;
  mlirOperationWalk(module, look, &found, MlirWalkPreOrder);
  return found;
}

/* How many operands of each kind an op has: at least one in each of the first two, and all of them
 * in all. */
static MlirWalkResult look_at_segments(MlirOperation op, void *found) {
  if (!is_named(op, "tensor.parallel_insert_slice")) return MlirWalkResultAdvance;
  MlirAttribute sizes =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("operandSegmentSizes"));
  bool right = !mlirAttributeIsNull(sizes) && mlirAttributeIsADenseI32Array(sizes) &&
               mlirDenseArrayGetNumElements(sizes) == 5;
  intptr_t n = 0;
  for (intptr_t i = 0; right && i < 5; ++i) {
    int32_t size = mlirDenseI32ArrayGetElement(sizes, i);
    right = i < 2 ? size == 1 : size >= 0;
    n += size;
  }
  if (right && n == mlirOperationGetNumOperands(op)) return MlirWalkResultAdvance;
  *(bool *)found = true;
  return MlirWalkResultInterrupt;
}

/* How many inputs the map of this name has; 0 where it is none. */
static intptr_t inputs_of(MlirOperation op, const char *name) {
  MlirAttribute map = mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
  return !mlirAttributeIsNull(map) && mlirAttributeIsAAffineMap(map)
             ? mlirAffineMapGetNumInputs(mlirAffineMapAttrGetValue(map))
             : 0;
}

static MlirWalkResult look_at_bounds(MlirOperation op, void *found) {
  if (!is_named(op, "affine.parallel")) return MlirWalkResultAdvance;
  intptr_t inputs = inputs_of(op, "lowerBoundsMap") + inputs_of(op, "upperBoundsMap");
  if (inputs == mlirOperationGetNumOperands(op)) return MlirWalkResultAdvance;
  *(bool *)found = true;
  return MlirWalkResultInterrupt;
}

/* Whether `to` is among what `from` is computed of; true, too, where that is more than a circle can
 * be told from in so many steps. */
static bool needs(MlirOperation from, MlirOperation to, int *steps) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(from); ++i) {
    MlirValue value = mlirOperationGetOperand(from, i);
    if (!mlirValueIsAOpResult(value)) continue;
    MlirOperation op = mlirOpResultGetOwner(value);
    if (mlirOperationEqual(op, to) || --*steps < 0 || needs(op, to, steps)) return true;
  }
  return false;
}

static MlirWalkResult look_for_circles(MlirOperation op, void *found) {
  int steps = 1000;
  if (mlirOperationGetNumResults(op) == 0 || !needs(op, op, &steps)) return MlirWalkResultAdvance;
  *(bool *)found = true;
  return MlirWalkResultInterrupt;
}

bool kills_verifier(MlirOperation module) {
  bool found = false;
  mlirOperationWalk(module, look_for_circles, &found, MlirWalkPreOrder);
  mlirOperationWalk(module, look_at_segments, &found, MlirWalkPreOrder);
  mlirOperationWalk(module, look_at_bounds, &found, MlirWalkPreOrder);
  return found;
}
