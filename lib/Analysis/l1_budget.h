/* What the circular buffers of a kernel of level 2 take of L1. */
#ifndef TILEWRIGHT_L1_BUDGET_H
#define TILEWRIGHT_L1_BUDGET_H

#include "Analysis/dfg.h"
#include "Analysis/turns.h"

/* The format in which the tensor of a circular buffer is stored, or that of its elements. */
TtDType tt_cb_dtype(const TtDfg *dfg, const TtCB *cb);
/* Bytes of a page of `cb`, in the format in which its tensor is stored. */
int64_t tt_cb_page_bytes(const TtDfg *dfg, const TtCB *cb);
/* Bytes of a page that --tt-configure-compute may add for Float32 beside integers, or 0. */
int64_t tt_exponents_bytes(const TtDfg *dfg);
/* Bytes of L1 on each core that its circular buffers, partial sums among them, and tensors in L1
 * leave free where some take turns; negative where they do not fit. */
int64_t tt_l1_left_in_turns(const TtDfg *dfg, const TtTurns *turns);
/* The same where all that compute fills for itself take turns that may, as --tt-share-buffers has
 * them do where they do not fit else. */
int64_t tt_l1_left(const TtDfg *dfg);

#endif
