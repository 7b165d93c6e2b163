/*===- tilewright.h - the public C API; this header includes all of it ---------===
 *
 * A program that embeds the compiler registers the two dialects, parses or
 * builds a module, and runs passes by their flags:
 *
 *   MlirDialectRegistry registry = mlirDialectRegistryCreate();
 *   tt_register_all_dialects(registry);
 *   tt_register_all_passes();
 *   … mlirParsePassPipeline(pm, "builtin.module(tt-pipeline)", …)
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_TILEWRIGHT_H
#define TILEWRIGHT_TILEWRIGHT_H

#include "mlir-c/IR.h"

#include "tilewright/dialects.h"
#include "tilewright/emit.h"
#include "tilewright/ir.h"
#include "tilewright/passes.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(TT, tt);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Metalium, metalium);

/* Adds `tt` and `metalium` to a registry. */
void tt_register_dialects(MlirDialectRegistry registry);
/* Adds these and everything of upstream, with its extensions. */
void tt_register_all_dialects(MlirDialectRegistry registry);
/* Registers the passes and pipelines of Tilewright; once a process. */
void tt_register_passes(void);
/* Registers these and everything of upstream, which pipelines of models (tt-model) are made of. */
void tt_register_all_passes(void);

/* Such as "0.2.0"; not to be freed. */
const char *tilewright_version(void);

/* The tools: each is the whole of a main(). */
int tilewright_opt_main(int argc, char **argv);
int tilewright_translate_main(int argc, char **argv);
int tilewright_lsp_server_main(int argc, char **argv);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
