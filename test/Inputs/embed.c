/* Runs the whole pipeline on a file, from C, against an installed Tilewright. */
#include "mlir-c/Pass.h"
#include "tilewright/tilewright.h"

#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tt_register_all_dialects(registry);
  tt_register_passes();
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  MlirModule module = mlirModuleCreateParseFromFile(context, tt_str(argv[1]));
  if (mlirModuleIsNull(module)) return 1;
  MlirPassManager pm = mlirPassManagerCreate(context);
  bool ok = mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
                mlirPassManagerGetAsOpPassManager(pm), tt_str("tt-pipeline"), NULL, NULL)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(pm, mlirModuleGetOperation(module)));
  if (ok) tt_print(stdout, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(pm);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return !ok;
}
