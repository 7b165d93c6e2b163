// MLIR's tool drivers with our dialects, passes and translations, and the entry
// points of the plugin.

#include "Bridge/TraitNames.h"
#include "Target/eras.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

#include "Bridge/Dialects.h"
#include "tilewright/tilewright.h"

using namespace mlir;

static void registerOurDialects(DialectRegistry &registry) {
  registry.insert<tilewright::tt::TTDialect, tilewright::metalium::MetaliumDialect>();
}

static void registerEverything(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerOurDialects(registry);
}

extern "C" void tt_register_dialects(MlirDialectRegistry registry) {
  registerOurDialects(*unwrap(registry));
}

extern "C" void tt_register_all_passes(void) {
  registerAllPasses();
  tt_register_passes();
}

static void printOurVersion(raw_ostream &os) {
  os << "Tilewright " << tilewright_version() << "\n";
}

extern "C" int tilewright_opt_main(int argc, char **argv) {
  llvm::cl::AddExtraVersionPrinter(printOurVersion);
  DialectRegistry registry;
  registerEverything(registry);
  tt_register_all_passes();
  return asMainReturnCode(MlirOptMain(argc, argv, "Tilewright optimizer driver\n", registry));
}

extern "C" void tt_register_all_dialects(MlirDialectRegistry registry) {
  registerEverything(*unwrap(registry));
}

static void writeToStream(const char *text, size_t length, void *stream) {
  static_cast<raw_ostream *>(stream)->write(text, length);
}

extern "C" int tilewright_translate_main(int argc, char **argv) {
  llvm::cl::AddExtraVersionPrinter(printOurVersion);
  static llvm::cl::opt<std::string> api(
      "metalium-api", llvm::cl::init(tt_api_str(static_cast<TtApi>(TT_API_NEWEST))),
      llvm::cl::value_desc("era"), llvm::cl::desc(tt_era_help));
  static llvm::cl::opt<std::string> dir(
      "output-dir", llvm::cl::value_desc("dir"),
      llvm::cl::desc("Write files here, as DIR/<kernel>/<file>, instead of printing them"));

  static llvm::cl::opt<bool> sourceComments(
      "source-comments",
      llvm::cl::desc("Say in kernels which place of the source a call comes from"));

  static llvm::cl::opt<bool> unverified(
      "unverified", llvm::cl::desc("Emit programs that --tt-verify-ir rejects, too"));

  TranslateFromMLIRRegistration metalium(
      "emit-metalium", "Emit kernels, host program and plan",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        TtEmitOptions options = {static_cast<TtApi>(TT_API_NEWEST),
                                 dir.empty() ? nullptr : dir.c_str(), sourceComments, unverified};
        if (!tt_api_parse(api.c_str(), &options.api))
          return op->emitError("unknown API era '")
                 << api << "': --metalium-api takes " << tt_era_names();
        return success(tt_emit_metalium(wrap(op), &options, writeToStream, &os));
      },
      registerEverything);
  TranslateFromMLIRRegistration dfg(
      "emit-dfg", "Print the tile dataflow graph as DOT",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        return success(tt_emit_dfg(wrap(op), writeToStream, &os));
      },
      registerEverything);
  return failed(mlirTranslateMain(argc, argv, "Tilewright translation driver"));
}

extern "C" int tilewright_lsp_server_main(int argc, char **argv) {
  llvm::cl::AddExtraVersionPrinter(printOurVersion);
  DialectRegistry registry;
  registerEverything(registry);
  return failed(MlirLspServerMain(argc, argv, registry));
}

extern "C" LLVM_ATTRIBUTE_WEAK LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tilewright", LLVM_VERSION_STRING,
          [](DialectRegistry *registry) { registerOurDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tilewright", LLVM_VERSION_STRING, [] { tt_register_passes(); }};
}
