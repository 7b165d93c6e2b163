/* What the circular buffers of a kernel of level 2 take of L1. */
#ifndef TILEWRIGHT_L1_BUDGET_H
#define TILEWRIGHT_L1_BUDGET_H

#include "Analysis/dfg.h"

/* Bytes of a page of `cb`, in the format in which its tensor is stored. */
int64_t tt_cb_page_bytes(const TtDfg *dfg, const TtCB *cb);
/* Bytes of L1 on each core that its circular buffers, partial sums among them, and tensors in L1
 * leave free; negative where they do not fit. */
int64_t tt_l1_left(const TtDfg *dfg);

#endif
