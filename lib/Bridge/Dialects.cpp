// Registration of the ODS-generated classes, the three custom directives of
// their assembly, and `verify()` forwarded to C. No decisions here.

#include "Bridge/TraitNames.h"

#include "Bridge/Dialects.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

#include "Dialect/verify.h"
#include "tilewright/dialects.h"
#include "tilewright/tilewright.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Custom directives: [1, 2], 8x8, and 4x1xbf16
//===----------------------------------------------------------------------===//

static ParseResult parseIntList(AsmParser &parser, SmallVector<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

static void printIntList(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << "[";
  llvm::interleaveComma(values, printer.getStream());
  printer << "]";
}

static ParseResult parseGrid(AsmParser &parser, int64_t &x, int64_t &y) {
  SmallVector<int64_t> sides;
  if (parser.parseDimensionList(sides, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return failure();
  if (sides.size() != 2)
    return parser.emitError(parser.getCurrentLocation(), "expected a grid as XxY, such as 8x8");
  x = sides[0], y = sides[1];
  return success();
}

static void printGrid(AsmPrinter &printer, int64_t x, int64_t y) { printer << x << "x" << y; }

static ParseResult parseBlockShape(AsmParser &parser, SmallVector<int64_t> &shape, Type &element) {
  return failure(parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
                 parser.parseType(element));
}

static void printBlockShape(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  for (int64_t size : shape) printer << size << "x";
  printer << element;
}

//===----------------------------------------------------------------------===//
// Generated classes
//===----------------------------------------------------------------------===//

#include "TTEnums.cpp.inc"

#include "TTDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "TTAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "TTTypes.cpp.inc"
#define GET_OP_CLASSES
#include "TTOps.cpp.inc"

#include "glue.cpp.inc"

void tilewright::tt::TTDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TTAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "TTTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "TTOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Verification, forwarded
//===----------------------------------------------------------------------===//

LogicalResult tilewright::tt::CBType::verify(function_ref<InFlightDiagnostic()> emitError,
                                             ArrayRef<int64_t> shape, Type element) {
  const char *reason =
      tt_cb_type_check(static_cast<intptr_t>(shape.size()), shape.data(), wrap(element));
  return reason ? LogicalResult(emitError() << reason) : success();
}

LogicalResult tilewright::tt::TTDialect::verifyOperationAttribute(Operation *op,
                                                                  NamedAttribute attr) {
  return success(tt_verify_op_attr(wrap(op), wrap(attr.getName().strref()), wrap(attr.getValue())));
}

LogicalResult tilewright::tt::TTDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                                  unsigned index,
                                                                  NamedAttribute attr) {
  return success(
      tt_verify_arg_attr(wrap(op), index, wrap(attr.getName().strref()), wrap(attr.getValue())));
}

//===----------------------------------------------------------------------===//
// C API
//===----------------------------------------------------------------------===//

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(TT, tt, tilewright::tt::TTDialect)

extern "C" bool tt_is_trivially_dead(MlirOperation op) { return isOpTriviallyDead(unwrap(op)); }

extern "C" void tt_emit_warning(MlirLocation loc, const char *text) {
  emitWarning(unwrap(loc)) << text;
}

extern "C" void tt_emit_error_with_notes(MlirLocation loc, const char *text, int n,
                                         const MlirLocation *places, const char *const *notes) {
  InFlightDiagnostic error = emitError(unwrap(loc)) << text;
  for (int i = 0; i < n; ++i) error.attachNote(unwrap(places[i])) << notes[i];
}

extern "C" bool tt_has_remark_engine(MlirContext context) {
  return unwrap(context)->getRemarkEngine() != nullptr;
}

extern "C" void tt_emit_remark(MlirLocation loc, TtRemark kind, const char *pass,
                               const char *(*text)(void *), void *of) {
  auto options = remark::RemarkOpts::name(pass).category(pass);
  auto remark = kind == TT_REMARK_PASSED ? remark::passed(unwrap(loc), options)
                                         : remark::missed(unwrap(loc), options);
  if (remark) remark << StringRef(text(of));
}
