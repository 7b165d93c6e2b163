/* Bytes of constants that stand beside the IR (dense_resource), which have no C API for every
 * element type (in the bridge). */
#ifndef TILEWRIGHT_RESOURCES_H
#define TILEWRIGHT_RESOURCES_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of a dense_resource attribute, which belong to the context; false where the resource
 * is not there. */
bool tt_resource_bytes(MlirAttribute attr, const char **data, size_t *n);
/* The same resource, as a tensor of another shape with as many elements of the same type. */
MlirAttribute tt_resource_reshape(MlirAttribute attr, MlirType type);

#ifdef __cplusplus
}
#endif
#endif
