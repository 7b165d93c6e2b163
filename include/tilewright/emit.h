/*===- emit.h - from L3 to files ------------------------------------------------===*/

#ifndef TILEWRIGHT_EMIT_H
#define TILEWRIGHT_EMIT_H

#include "tilewright/eras.h"

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* As --metalium-api takes it, e.g. "2026-08"; NULL where there is no such value. */
const char *tt_api_str(int api);
/* False, with nothing printed, where `text` names no era. */
bool tt_api_parse(const char *text, TtApi *api);

typedef struct TtEmitOptions {
  TtApi api;
  /* Where files go, as DIR/<kernel>/…; NULL prints them all, each after a line
   * `//--- <kernel>/<file>`. */
  const char *output_dir;
  /* Kernels say in comments which place of the source their calls come from. */
  bool source_comments;
  /* What --tt-verify-ir rejects is emitted, too: to see on a device what it does. */
  bool unverified;
} TtEmitOptions;

typedef void (*TtWrite)(const char *text, size_t length, void *data);

/* Emits every program of a module that stage D or E left. Stage E and
 * --tt-verify-ir (not with `unverified`) run first, on a copy. Nothing is written unless all is
 * right. False after at least one diagnostic. */
bool tt_emit_metalium(MlirOperation module, const TtEmitOptions *options, TtWrite write,
                      void *data);

/* Prints the tile dataflow graph of every kernel (pass C3) as DOT. */
bool tt_emit_dfg(MlirOperation module, TtWrite write, void *data);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
