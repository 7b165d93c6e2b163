/*===- bracket_blocks.c - how long a block is in use ---------------------------------------===
 *
 * A block that one op reads, next to the op that fills it, needs no mark: the
 * reader waits for it and frees it. Any other is open from its first use to its
 * last, both taken in the region where it is filled:
 *
 *   read %q; for { f(%q) }   =   read %q; tt.cb_open %q; for { f(%q) }; tt.cb_close %q
 *
 * A block that the kernel itself opens is left alone, and so are those of which the writer takes
 * one after the other.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/op_info.h"
#include "Transforms/Split/split.h"

static bool bracket(TtCB *cb) {
  MlirBlock block = mlirOperationGetBlock(cb->producer);
  MlirOperation first = {NULL}, last = {NULL};
  for (intptr_t i = 0; i < cb->consumers.n; ++i) {
    MlirOperation at = tt_ancestor_in(block, cb->consumers.data[i]);
    if (mlirOperationIsNull(at) || !tt_is_before(cb->producer, at))
      return tt_error(cb->consumers.data[i],
                      "[rule 6] reads circular buffer '%s' at a place that "
                      "the op filling it does not reach first",
                      cb->name);
    if (mlirOperationIsNull(first) || tt_is_before(at, first)) first = at;
    if (mlirOperationIsNull(last) || tt_is_before(last, at)) last = at;
  }
  bool alone = cb->consumers.n == 1 && tt_op_eq(first, cb->consumers.data[0]);
  if (alone) return true;
  if (tt_op_info(cb->consumers.data[0])->does == TT_ACT_STORE)
    return tt_error(cb->consumers.data[0],
                    "[rule 6] writes circular buffer '%s' in a loop that "
                    "does not fill it",
                    cb->name);
  TtBuilder before = tt_builder_before(first), after = tt_builder_after(last);
  tt_cb_open_create(&before, mlirOperationGetLocation(first), cb->value);
  tt_cb_close_create(&after, mlirOperationGetLocation(last), cb->value);
  return true;
}

bool tt_bracket_blocks(TtDfg *dfg) {
  for (intptr_t i = 0; i < dfg->n; ++i)
    if (!dfg->cbs[i].held && dfg->cbs[i].fillers.n == 1 && !bracket(&dfg->cbs[i])) return false;
  return true;
}
