/*===- weights.c - the elements of globals that host functions take --------------------------===*/

#include "Analysis/weights.h"

#include "Analysis/host_values.h"
#include "Dialect/shapes.h"
#include "Support/resources.h"

static size_t bytes_of(MlirType type) {
  int64_t n = tt_element_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) n *= mlirShapedTypeGetDimSize(type, d);
  return (size_t)n;
}

bool tt_weight_data(MlirOperation get, const char **data, size_t *n, size_t *times) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(get, 0));
  MlirOperation global = tt_global_of(get);
  MlirStringRef name = tt_string(tt_op_attr(get, "name"));
  MlirAttribute value =
      mlirOperationIsNull(global) ? mlirAttributeGetNull() : tt_op_attr(global, "initial_value");
  if (mlirAttributeIsNull(value) || mlirAttributeIsAUnit(value))
    return tt_error(get,
                    "'%.*s' has no values in this module, so that the host program cannot load "
                    "it; give the memref.global an initial value",
                    (int)name.length, name.data);
  size_t bytes = bytes_of(type);
  *times = 1;
  if (mlirAttributeIsADenseElements(value) && !mlirAttributeIsADenseResourceElements(value)) {
    bool splat = mlirDenseElementsAttrIsSplat(value);
    *data = mlirDenseElementsAttrGetRawData(value);
    *n = splat ? (size_t)tt_element_bytes(mlirShapedTypeGetElementType(type)) : bytes;
    *times = bytes / *n;
    return true;
  }
  if (!mlirAttributeIsADenseResourceElements(value) || !tt_resource_bytes(value, data, n))
    return tt_error(get,
                    "'%.*s' has a value whose elements are not in this module; give it as "
                    "dense<…> or dense_resource",
                    (int)name.length, name.data);
  if (*n != bytes)
    return tt_error(get, "'%.*s' takes %zu bytes, but its resource has %zu", (int)name.length,
                    name.data, bytes, *n);
  return true;
}
