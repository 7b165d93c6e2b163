/* Ops that no kernel holds (refused.def). */
#ifndef TILEWRIGHT_REFUSED_H
#define TILEWRIGHT_REFUSED_H

#include "tilewright/ir.h"

/* False, after an error that says what to write instead, where `op` is one of them. */
bool tt_check_refused(MlirOperation op);

#endif
