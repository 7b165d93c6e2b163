// Registration of the metalium dialect's generated classes. It has a file of its
// own because each dialect's generated type parser is a static function of one name.

#include "Bridge/TraitNames.h"

#include "Bridge/Dialects.h"

#include "mlir/CAPI/Registration.h"
#include "llvm/ADT/TypeSwitch.h"

#include "tilewright/tilewright.h"

using namespace mlir;

#include "MetaliumDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "MetaliumTypes.cpp.inc"
#define GET_OP_CLASSES
#include "MetaliumOps.cpp.inc"

void tilewright::metalium::MetaliumDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "MetaliumTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "MetaliumOps.cpp.inc"
      >();
}

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Metalium, metalium, tilewright::metalium::MetaliumDialect)
