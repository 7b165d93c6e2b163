// The ODS classes of both dialects.
#ifndef TILEWRIGHT_BRIDGE_DIALECTS_H
#define TILEWRIGHT_BRIDGE_DIALECTS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "TTEnums.h.inc"

#include "MetaliumDialect.h.inc"
#include "TTDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TTAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "TTTypes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "MetaliumTypes.h.inc"

#define GET_OP_CLASSES
#include "TTOps.h.inc"
#define GET_OP_CLASSES
#include "MetaliumOps.h.inc"

#endif
