/*===- sfpu.h - functions of the vector unit ----------------------------------------------===
 *
 * One table, sfpu.def. Nothing of LLVM here.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_SFPU_H
#define TILEWRIGHT_SFPU_H

#include "tilewright/eras.h"

#include <stdbool.h>

/* As tt.sfpu.unary and tt.sfpu.combine name it; the enum `Sfpu` of the IR is its index. */
typedef struct TtSfpuFunction {
  const char *name;
  int inputs;    /* tiles of DST that it reads */
  bool scalar;   /* takes one */
  bool in_place; /* on one tile; else DST[last] = f(DST[others]…) */
  const char *init[TT_API_COUNT];
  const char *call[TT_API_COUNT], *value_call[TT_API_COUNT];
} TtSfpuFunction;
extern const TtSfpuFunction tt_sfpu_functions[];
extern const int tt_num_sfpu_functions;

/* The function of this name, or NULL. */
const TtSfpuFunction *tt_sfpu_function(const char *name);
/* By index: the function that computes the left half of a tile alone, or -1; whether it is one. */
int tt_sfpu_of_column(int function);
bool tt_sfpu_is_of_column(int function);
/* Whether the init of one function does for another, in an era; in all of them. */
bool tt_sfpu_shares_init_in(TtApi api, int function, int other);
bool tt_sfpu_shares_init(int function, int other);

#endif
