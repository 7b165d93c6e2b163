// Bytes of dense_resource attributes: the C API asks for the element type in C.

#include "Support/resources.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

extern "C" bool tt_resource_bytes(MlirAttribute attr, const char **data, size_t *n) {
  auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(unwrap(attr));
  mlir::AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob) return false;
  *data = blob->getData().data();
  *n = blob->getData().size();
  return true;
}

extern "C" MlirAttribute tt_resource_reshape(MlirAttribute attr, MlirType type) {
  auto resource = mlir::cast<mlir::DenseResourceElementsAttr>(unwrap(attr));
  return wrap(mlir::DenseResourceElementsAttr::get(mlir::cast<mlir::ShapedType>(unwrap(type)),
                                                   resource.getRawHandle()));
}
