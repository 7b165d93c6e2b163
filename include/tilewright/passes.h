/*===- passes.h - the table of passes and pipelines ----------------------------===
 *
 * One row a pass. The rows drive registration, --help, the pipelines and the
 * generated documentation.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_PASSES_H
#define TILEWRIGHT_PASSES_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { TT_MAX_PASS_OPTIONS = 6 };

/* Values of a pass's options, in the order of its row; "" where not given. */
typedef struct TtPassOptions {
  const char *values[TT_MAX_PASS_OPTIONS];
} TtPassOptions;

typedef struct TtPassOption {
  const char *name, *help;
} TtPassOption;

typedef struct TtPass {
  const char *flag; /* tt-infer-layout; its file is infer_layout.c */
  const char *id;   /* A1 … E1 as in the specification */
  char stage;       /* 'A' … 'E', or 0 */
  const char *summary;
  /* Runs on a builtin.module; false after at least one diagnostic. */
  bool (*run)(MlirOperation module, const TtPassOptions *options);
  TtPassOption options[TT_MAX_PASS_OPTIONS];
  bool optimizes; /* runs in a pipeline only where `optimize` asks for it */
} TtPass;

/* In the order in which they run; the array ends after `tt_num_passes`. */
extern const TtPass tt_passes[];
extern const size_t tt_num_passes;

/* Whether a pipeline with `optimize=list` runs the optimization `flag`; all of them where the list
 * is empty. -1 where it names what is none. */
int tt_optimizes(const char *list, const char *flag);

/* A pipeline runs passes of the table in their order, or those of its text. The former takes the
 * options of its first pass that has any, and `optimize`: none, all, or names of optimizations with
 * commas between, which are their flags without "tt-". */
typedef struct TtPipeline {
  const char *flag;
  const char *summary;
  const char *stages;   /* the stages whose passes it runs, e.g. "A" or "ABCDE" */
  bool verify;          /* ends with --tt-verify-ir */
  const char *optimize; /* where it is not given */
  const char *text;     /* passes by name, upstream's among them, where no stages say it; each
                         * %s of it is the options. NULL else. */
} TtPipeline;

/* One for each stage, and for all of them. */
extern const TtPipeline tt_pipelines[];
extern const size_t tt_num_pipelines;

/* The passes of a pipeline as --pass-pipeline text without its anchor; what `options` holds
 * beside `optimize` goes to the passes that have options. Returns bytes written, as
 * snprintf does; -1 where `optimize` names no optimization, with a message in `text`. */
int tt_pipeline_text(const TtPipeline *pipeline, const char *options, char *text, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
