/* Integers that the reader loads, and the other kernels of a core learn (learn_indices.c). */
#ifndef TILEWRIGHT_LEARN_INDICES_H
#define TILEWRIGHT_LEARN_INDICES_H

#include "Analysis/program.h"

typedef struct TtLearned {
  TtArena *arena;
  MlirOperation func;
  intptr_t n;        /* loads of the kernel */
  bool (*needed)[2]; /* by load: by the compute kernel, by the writer */
} TtLearned;

/* Numbers the tt.load_index of a kernel that is to be split. */
TtLearned tt_number_indices(TtArena *arena, MlirOperation func);
/* Replaces those of one of its kernels, of which the reader is the last. False after an error: the
 * chip has no circular buffer left. */
bool tt_learn_indices(TtLearned *learned, MlirOperation program, MlirOperation kernel,
                      TtKernelRole role);

#endif
