/*===- unit_writes.c - results that can wait for what the next unit needs -----------------------===
 *
 *   scf.for %unit = … {
 *     scf.for %k = … { tt.read_to_cb %A[…], %a   tt.read_to_cb %B[…], %b   tt.mm.mma %a, %b … }
 *     …
 *     tt.write_from_cb %c, %C[…]       depth = 2: while one block waits, the next one is computed
 *   }
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/unit_writes.h"

#include "Dialect/op_info.h"

int64_t tt_most_units(const TtCoreTable *cores) {
  int64_t most = 0;
  for (int64_t c = 0; c < cores->n; ++c) {
    int64_t n = cores->values[c * cores->num_names + 1];
    if (n > most) most = n;
  }
  return most;
}

/* The loop over a core's units that holds `op`, or null. */
static MlirOperation unit_loop(MlirOperation op) {
  MlirOperation loop = op;
  while (!mlirOperationIsNull(loop) && !tt_is_function(tt_parent(loop))) loop = tt_parent(loop);
  return tt_op_is(loop, "scf.for") && !tt_op_eq(loop, op) ? loop : (MlirOperation){NULL};
}

bool tt_can_write_behind(TtArena *arena, const TtDfg *dfg, const TtCoreTable *cores) {
  if (tt_most_units(cores) <= 1) return true;
  TtOps reads = tt_collect(arena, dfg->func, "tt.read_to_cb"),
        writes = tt_collect(arena, dfg->func, "tt.write_from_cb");
  for (intptr_t i = 0; i < writes.n; ++i) {
    MlirOperation write = writes.data[i], loop = unit_loop(write);
    const TtCB *cb = tt_dfg_cb((TtDfg *)dfg, tt_write_from_cb_cb(write));
    if (mlirOperationIsNull(loop) || !tt_op_eq(tt_parent(write), loop) || !cb || cb->depth < 2)
      return false;
    for (intptr_t j = 0; j < reads.n; ++j) {
      MlirOperation read = tt_ancestor_in(mlirOperationGetBlock(write), reads.data[j]);
      const TtCB *from = tt_dfg_cb((TtDfg *)dfg, tt_read_to_cb_cb(reads.data[j]));
      if (mlirOperationIsNull(read) || !tt_is_before(read, write) || !from || !from->tensor ||
          from->tensor->written)
        return false;
    }
  }
  return writes.n > 0;
}
