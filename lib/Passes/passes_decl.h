/* The run function of each pass, from the rows of passes.def. */
#ifndef TILEWRIGHT_PASSES_DECL_H
#define TILEWRIGHT_PASSES_DECL_H

#include "tilewright/passes.h"

#define PASS(name, flag, id, stage, summary, options)                                              \
  bool tt_run_##name(MlirOperation module, const TtPassOptions *given);
#define OPTIMIZATION(name, flag, stage, summary) PASS(name, flag, "", stage, summary, )
#include "Passes/passes.def"
#undef OPTIMIZATION
#undef PASS

#endif
