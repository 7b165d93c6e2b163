/* Linalg ops that become loops over elements (joint_reductions.c). */
#ifndef TILEWRIGHT_JOINT_REDUCTIONS_H
#define TILEWRIGHT_JOINT_REDUCTIONS_H

#include "Analysis/kernel.h"

/* Makes reductions of several results that need each other loops that carry these, and ops with
 * quotients in a map loops. */
void tt_loop_joint_reductions(TtArena *arena, MlirOperation kernel);

#endif
