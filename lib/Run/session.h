/* One run of tt-run, and what its files share. */
#ifndef TILEWRIGHT_SESSION_H
#define TILEWRIGHT_SESSION_H

#include "Analysis/timing.h"
#include "Emit/emit_host.h"
#include "Run/options.h"
#include "Support/fp8.h"

typedef struct TtRun {
  TtArena *arena;
  TtRunOptions options;
  MlirContext context;
  MlirModule module, reference; /* reference: null unless --check */
  bool model;                   /* the file has one: its tensors may have lost units */
  bool rounds_to_integers;      /* the reference makes integers of computed floats */
  bool said;                    /* MLIR has printed a diagnostic */
  MlirOperation subject;        /* the program, or the host function */
  TtOps programs;               /* it, or those that the host function launches */
  char *dir;                    /* of the emitted files: <dir>/<kernel>/ */
  char *folder;
  TtTensors args;  /* of the subject */
  intptr_t n;      /* of args, those of the command line; the others stay on the device */
  MlirType *types; /* of each of them, with the sizes of this run */
  TtHost dims;     /* its dynamic sizes, and which are equal */
  int64_t *sizes;  /* of dims, in elements */
  void **data;     /* elements of each tensor */
  char **numbers;  /* the text of each scalar, else NULL */
} TtRun;

/* One run from its file to its results. False after an error or a result out of tolerance. */
bool tt_session(const TtRunOptions *options);
/* Tries other plans for a model, writes the schedule of the best to options->tune, and runs that
 * (tune.c). */
bool tt_tune(TtArena *arena, const TtRunOptions *options);

/* The function on tensors of a module, or null. */
MlirOperation tt_model_of(TtRun *r, MlirModule module);
/* Reads the results of a run, writes those that options.outputs asks for, and compares them with
 * the reference (results.c). False after an error or a result out of tolerance. */
bool tt_finish(TtRun *r);
/* Runs function `entry` of a copy of the reference with sums of 32 bits on `data`, of which
 * elements of 16 bits become floats that the results are in (reference_wide.c). `module` is
 * changed. False where it has no such form, or after an error. */
bool tt_reference_wide(TtRun *r, MlirModule module, MlirOperation entry, void **data);
/* Prints how far results are from what options.against asks for (against.c); `results` as .npy
 * files have them, those of outputs. False after an error. */
bool tt_compare_against(TtRun *r, const TtArray *results);

/*===- Folders (folders.c) ----------------------------------------------------------------===*/

/* A line on a terminal that says what goes on; "" clears it. */
void tt_progress(const char *step);
/* A new folder, or NULL after a message. */
char *tt_temporary_folder(TtArena *arena);
/* With all that is in it. */
void tt_remove_folder(TtArena *arena, const char *folder);

/*===- Tensors (tensors.c, sizes.c); false after a message ------------------------------------===*/

/* Names and types of the arguments, and the sizes that inputs and --shape give. */
bool tt_describe_args(TtRun *r);
/* `shape` without as many of its dimensions of one element as are more than `rank`, the first ones:
 * a model's tensors lose theirs. The rank that is left. */
int tt_drop_units(int64_t *shape, int n, intptr_t rank);
/* Writes a raw file for each tensor, and keeps the data for the reference. */
bool tt_write_inputs(TtRun *r);
/* The array that argument `i` is in .npy files, with room for its elements. */
TtArray tt_array_for(TtRun *r, intptr_t i);
/* Bytes of its raw file, and the name of that. */
size_t tt_raw_bytes(const TtRun *r, intptr_t i);
char *tt_raw_name(TtRun *r, intptr_t i);
bool tt_read_raw(TtRun *r, const char *name, void *data, size_t bytes);
/* What the device makes of values that it stores, for the reference. */
void tt_round_as_stored(TtRun *r, intptr_t i, TtArray *a);

/*===- What it takes (predict.c, explain.c, table.c) ------------------------------------------===*/

/* The open sizes and the whole numbers among the scalars of the subject, by name. */
TtSizes tt_sizes_of_run(TtRun *r);
/* What a program of the run is expected to take; false where it is not known. */
bool tt_predict_kernel(TtRun *r, MlirOperation program, TtTiming *timing);
/* Has the device print that beside what each launch took, and leave the latter. */
void tt_announce_prediction(TtRun *r);

/* A program of the run, with what the device has left of its launches. */
typedef struct TtKernelRun {
  MlirOperation program;
  char *name, *ops;
  int launches, cores;
  double clk, bytes; /* of all launches; bytes of DRAM */
  bool known;
  TtTiming timing; /* of one launch, where that is known */
} TtKernelRun;
typedef struct TtKernelRuns {
  TtKernelRun *data;
  intptr_t n;
} TtKernelRuns;
TtKernelRuns tt_kernel_runs(TtRun *r);
/* Prints what each kernel asks of the parts of the chip, after a run. */
void tt_explain(TtRun *r);
/* Prints a table of the kernels that a host function has launched, and writes their clk to
 * options.clks. */
void tt_print_launches(TtRun *r);

#endif
