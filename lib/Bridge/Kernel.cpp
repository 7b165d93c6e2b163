// The text of ops with arguments in their middle:
//
//   tt.kernel @reader(%A: … {tt.name = "A"}) on @all processor = dm1 noc = 0 attributes {…} { … }
//   tt.core_args (%x, %y, %A_d0) -> ["start_id", "count"] { … }

#include "Bridge/TraitNames.h"

#include "Bridge/Dialects.h"

#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using tilewright::tt::CoreArgsOp;
using tilewright::tt::KernelOp;

// What an equals sign and an attribute without its name say.
template <typename Attr>
static ParseResult parseStripped(OpAsmParser &parser, OperationState &result, StringRef name) {
  Attr attr;
  return failure(parser.parseEqual() ||
                 parser.parseCustomAttributeWithFallback(attr, Type(), name, result.attributes));
}

static ParseResult parsePlace(OpAsmParser &parser, OperationState &result) {
  SymbolRefAttr cores;
  if (parser.parseKeyword("on") ||
      parser.parseCustomAttributeWithFallback(cores, Type(), "cores", result.attributes) ||
      parser.parseKeyword("processor") ||
      parseStripped<tilewright::tt::ProcessorAttr>(parser, result, "processor"))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("noc"))) {
    int64_t noc = 0;
    if (parser.parseEqual() || parser.parseInteger(noc)) return failure();
    result.addAttribute("noc", parser.getBuilder().getI64IntegerAttr(noc));
  }
  if (failed(parser.parseOptionalKeyword("config"))) return success();
  return parseStripped<tilewright::tt::ComputeConfigAttr>(parser, result, "config");
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> types, results;
  SmallVector<DictionaryAttr> resultAttrs;
  StringAttr name;
  bool variadic;
  if (parser.parseSymbolName(name, "sym_name", result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, variadic, results, resultAttrs) ||
      parsePlace(parser, result) || parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (const OpAsmParser::Argument &argument : arguments) types.push_back(argument.type);
  result.addAttribute("function_type", TypeAttr::get(builder.getFunctionType(types, results)));
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, resultAttrs,
                                            builder.getStringAttr("arg_attrs"),
                                            builder.getStringAttr("res_attrs"));
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments)) return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(printer, *this, getArgumentTypes(),
                                                  /*isVariadic=*/false, getResultTypes());
  printer << " on " << getCoresAttr() << " processor =";
  printer.printStrippedAttrOrType(getProcessorAttr());
  if (getNoc()) printer << " noc = " << *getNoc();
  if (getConfigAttr()) {
    printer << " config = ";
    printer.printStrippedAttrOrType(getConfigAttr());
  }
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {"function_type", "cores", "processor", "noc", "config", "arg_attrs", "res_attrs"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

ParseResult CoreArgsOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  ArrayAttr names;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren) || parser.parseArrow() ||
      parser.parseAttribute(names, "names", result.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (OpAsmParser::Argument &argument : arguments)
    argument.type = parser.getBuilder().getIndexType();
  return parser.parseRegion(*result.addRegion(), arguments);
}

void CoreArgsOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getBody().getArguments(), printer, [&](BlockArgument argument) {
    printer.printRegionArgument(argument, {}, /*omitType=*/true);
  });
  printer << ") -> " << getNamesAttr();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"names"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}
