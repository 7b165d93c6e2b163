/* Reductions of several results that need each other (joint_reductions.c). */
#ifndef TILEWRIGHT_JOINT_REDUCTIONS_H
#define TILEWRIGHT_JOINT_REDUCTIONS_H

#include "Analysis/kernel.h"

/* Makes each of them loops over elements that carry the results. */
void tt_loop_joint_reductions(TtArena *arena, MlirOperation kernel);

#endif
