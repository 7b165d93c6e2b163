/*===- weights.c - the elements of constants -------------------------------------------------===*/

#include "Analysis/weights.h"

#include "Analysis/host_values.h"
#include "Dialect/shapes.h"
#include "Support/resources.h"

static int64_t element_bytes(MlirType type) {
  MlirType element = mlirShapedTypeGetElementType(type);
  return tt_is_f8(element) ? 1 : tt_element_bytes(element);
}

static size_t times_size(MlirType type, int64_t n) {
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) n *= mlirShapedTypeGetDimSize(type, d);
  return (size_t)n;
}

bool tt_elements(MlirOperation op, MlirAttribute value, MlirType type, const char *name,
                 TtElements *e) {
  size_t bytes = times_size(type, element_bytes(type));
  if (!mlirAttributeIsNull(value) && mlirAttributeIsADenseElements(value) &&
      !mlirAttributeIsADenseResourceElements(value)) {
    bool splat = mlirDenseElementsAttrIsSplat(value);
    e->data = mlirDenseElementsAttrGetRawData(value);
    e->n = splat ? (size_t)element_bytes(type) : bytes;
    e->times = e->n ? bytes / e->n : 0;
    return true;
  }
  e->times = 1;
  if (!mlirAttributeIsNull(value) && mlirAttributeIsASparseElements(value))
    return tt_error(op, "%s is sparse<…>; give all of its elements, as dense<…>", name);
  if (mlirAttributeIsNull(value) || !mlirAttributeIsADenseResourceElements(value) ||
      !tt_resource_bytes(value, &e->data, &e->n))
    return tt_error(op,
                    "%s has a value whose elements are not in this module; give it as "
                    "dense<…> or dense_resource",
                    name);
  MlirType element = mlirShapedTypeGetElementType(type);
  if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1)
    bytes = times_size(type, 1); /* a flag has a byte there */
  if (bytes && e->n != bytes)    /* 0: of a type that is not stored as it is */
    return tt_error(op, "%s takes %zu bytes, but its resource has %zu", name, bytes, e->n);
  return true;
}

bool tt_weight_data(MlirOperation get, const char **data, size_t *n, size_t *times) {
  MlirOperation global = tt_global_of(get);
  MlirStringRef name = tt_string(tt_op_attr(get, "name"));
  MlirAttribute value =
      mlirOperationIsNull(global) ? mlirAttributeGetNull() : tt_op_attr(global, "initial_value");
  if (mlirAttributeIsNull(value) || mlirAttributeIsAUnit(value))
    return tt_error(get,
                    "'%.*s' has no values in this module, so that the host program cannot load "
                    "it; give the memref.global an initial value",
                    (int)name.length, name.data);
  TtArena *arena = tt_arena_create();
  char *quoted = tt_arena_printf(arena, "'%.*s'", (int)name.length, name.data);
  TtElements e = {NULL, 0, 0};
  bool ok = tt_elements(get, value, mlirValueGetType(mlirOperationGetResult(get, 0)), quoted, &e);
  tt_arena_destroy(arena);
  *data = e.data, *n = e.n, *times = e.times;
  return ok;
}
