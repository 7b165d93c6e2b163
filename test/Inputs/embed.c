/* Runs a pipeline, the whole one unless another is named, on a file, from C, against an installed
 * Tilewright. */
#include "mlir-c/Pass.h"
#include "tilewright/tilewright.h"

#include <stdio.h>

static void say(MlirStringRef text, void *unused) {
  (void)unused;
  fwrite(text.data, 1, text.length, stderr);
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) return 2;
  const char *pipeline = argc == 3 ? argv[2] : "tt-pipeline";
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tt_register_all_dialects(registry);
  tt_register_all_passes();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  MlirModule module = mlirModuleCreateParseFromFile(context, tt_str(argv[1]));
  if (mlirModuleIsNull(module)) return 1;
  MlirPassManager pm = mlirPassManagerCreate(context);
  bool ok = mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
                mlirPassManagerGetAsOpPassManager(pm), tt_str(pipeline), say, NULL)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(pm, mlirModuleGetOperation(module)));
  if (ok) tt_print(stdout, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(pm);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return !ok;
}
