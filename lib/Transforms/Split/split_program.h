/* The program that D1 makes of a kernel, before its three kernels are in it (split_program.c). */
#ifndef TILEWRIGHT_SPLIT_PROGRAM_H
#define TILEWRIGHT_SPLIT_PROGRAM_H

#include "Analysis/dfg.h"
#include "Transforms/Split/learn_indices.h"

typedef struct TtSplit {
  TtArena *arena;
  MlirOperation func, program;
  TtDfg dfg;
  TtBuilder members;
  int64_t l1_bytes;
  intptr_t scratches; /* circular buffers for tiles that boxes lie in */
  bool has_l1_tensors;
  TtLearned learned;
  bool failed;
} TtSplit;

MlirAttribute tt_all_cores(MlirContext context);
/* Counts `pages` more in L1, for `what`; false after an error, where it has no room for them. */
bool tt_split_check_l1(TtSplit *s, const char *what, int64_t pages, int64_t page);
/* Makes the program: its attributes, core set and circular buffers; false after an error. */
bool tt_split_program(TtSplit *s);

#endif
