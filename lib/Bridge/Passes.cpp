// Registers the passes and pipelines of the C table in MLIR's registry. A pass
// is a row of that table; this class only carries it, with its options.

#include "Bridge/TraitNames.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "Bridge/Dialects.h"
#include "tilewright/passes.h"
#include "tilewright/tilewright.h"

using namespace mlir;

namespace {

// A number for all that the verifier looks at: attributes are unique, and so are types and
// locations, so that their addresses tell. An analysis, so that a pass finds the number that the
// one before it left.
class Fingerprint {
public:
  explicit Fingerprint(Operation *root) {
    root->walk([&](Operation *op) { add(op); });
  }
  bool operator==(const Fingerprint &other) const { return all == other.all; }

private:
  void mix(uint64_t value) { all = ((all << 23 | all >> 41) ^ value) * 0x9e3779b97f4a7c15u; }
  void mix(const void *address) { mix(reinterpret_cast<uintptr_t>(address)); }

  void add(Operation *op) {
    mix(op);
    mix(op->getBlock());
    mix(op->getName().getAsOpaquePointer());
    mix(op->getDiscardableAttrDictionary().getAsOpaquePointer());
    mix(static_cast<size_t>(op->hashProperties()));
    mix(op->getLoc().getAsOpaquePointer());
    for (Value operand : op->getOperands()) mix(operand.getAsOpaquePointer());
    for (Type type : op->getResultTypes()) mix(type.getAsOpaquePointer());
    for (Block *successor : op->getSuccessors()) mix(successor);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        mix(&block);
        for (BlockArgument argument : block.getArguments()) {
          mix(argument.getAsOpaquePointer());
          mix(argument.getType().getAsOpaquePointer());
        }
      }
  }

  uint64_t all = 0;
};

class TablePass final : public Pass {
public:
  explicit TablePass(const TtPass *row)
      : Pass(TypeID::getFromOpaquePointer(row), ModuleOp::getOperationName()), row(row) {
    for (const TtPassOption &option : row->options)
      if (option.name)
        values.push_back(std::make_unique<Option<std::string>>(
            *this, option.name, llvm::cl::desc(option.help), llvm::cl::init("")));
  }

  StringRef getName() const override { return row->flag; }
  StringRef getArgument() const override { return row->flag; }
  StringRef getDescription() const override { return row->summary; }

  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.getStringRef() == ModuleOp::getOperationName();
  }

  std::unique_ptr<Pass> clonePass() const override {
    auto copy = std::make_unique<TablePass>(row);
    copy->copyOptionValuesFrom(this);
    return copy;
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tilewright::tt::TTDialect, tilewright::metalium::MetaliumDialect,
                    affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, memref::MemRefDialect, scf::SCFDialect,
                    tensor::TensorDialect, transform::TransformDialect>();
  }

  void runOnOperation() override {
    TtPassOptions options = {};
    for (size_t i = 0; i < values.size(); ++i) options.values[i] = values[i]->getValue().c_str();
    for (size_t i = values.size(); i < TT_MAX_PASS_OPTIONS; ++i) options.values[i] = "";
    Fingerprint &known = getAnalysis<Fingerprint>();
    if (!row->run(wrap(getOperation()), &options)) return signalPassFailure();
    Fingerprint now(getOperation());
    // Most passes of a pipeline find nothing to do; what they leave is not verified again.
    if (now == known) return markAllAnalysesPreserved();
    known = now;
    markAnalysesPreserved<Fingerprint>();
  }

private:
  const TtPass *row;
  std::vector<std::unique_ptr<Option<std::string>>> values;
};

LogicalResult addPipeline(OpPassManager &pm, const TtPipeline *row, StringRef options,
                          function_ref<LogicalResult(const Twine &)> onError) {
  char text[4096];
  if (tt_pipeline_text(row, options.str().c_str(), text, sizeof text) < 0) return onError(text);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  OpPassManager *target = &pm;
  if (pm.getOpAnchorName() != ModuleOp::getOperationName() &&
      pm.getOpAnchorName() != OpPassManager::getAnyOpAnchorName())
    return onError("pipeline '--" + Twine(row->flag) + "' runs on builtin.module, not on " +
                   pm.getOpAnchorName());
  if (failed(parsePassPipeline(text, *target, stream))) return onError(errors);
  return success();
}

} // namespace

extern "C" void tt_register_passes(void) {
  for (size_t i = 0; i < tt_num_passes; ++i)
    registerPass([i] { return std::make_unique<TablePass>(&tt_passes[i]); });
  for (size_t i = 0; i < tt_num_pipelines; ++i) {
    const TtPipeline *row = &tt_pipelines[i];
    registerPassPipeline(
        row->flag, row->summary,
        [row](OpPassManager &pm, StringRef options,
              function_ref<LogicalResult(const Twine &)> onError) {
          return addPipeline(pm, row, options, onError);
        },
        [](function_ref<void(const detail::PassOptions &)>) {});
  }
}
