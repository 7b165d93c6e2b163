/*===- protocol_cores.c - what each core has: kernels, buffers, arguments -----------------------===
 *
 * Where a core is decides which kernels it runs and where its circular buffers lie; what the host
 * gives it, tt.core_args says.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Verify/protocol.h"

bool tt_is_on(const TtProtocol *p, MlirOperation member, const TtProtocolCore *core) {
  MlirOperation set = tt_core_set_of(p->program, member);
  return !mlirOperationIsNull(set) && tt_core_set_has(set, (TtCore){core->x, core->y});
}

int64_t tt_cb_address(const TtProtocol *p, int cb, const TtProtocolCore *core) {
  int64_t at = 0;
  for (int i = 0; i < cb; ++i)
    if (!p->cbs[i].bound && tt_is_on(p, p->cbs[i].op, core))
      at += p->cbs[i].pages * p->cbs[i].page_bytes;
  return at;
}

static TtProtocolCore core_at(const TtProtocol *p, TtCore place) {
  TtProtocolCore core = {.x = place.x, .y = place.y, .kernels = {-1, -1, -1}};
  for (int k = 0; k < p->num_kernels; ++k)
    if (tt_is_on(p, p->kernels[k].op, &core)) core.kernels[p->kernels[k].role] = k;
  return core;
}

bool tt_core_args(const TtProtocol *p, const TtSizes *sizes, TtCoreArgs *out) {
  TtCoreTable table;
  if (!tt_core_table(p->arena, p->program, sizes, &table)) return false;
  *out = (TtCoreArgs){
      tt_arena_alloc(p->arena, ((size_t)table.n + 1) * sizeof(TtProtocolCore)),
      tt_arena_alloc(p->arena, ((size_t)table.n * (size_t)p->num_args + 1) * sizeof(int64_t)),
      table.n};
  for (int64_t core = 0; core < table.n; ++core) out->cores[core] = core_at(p, table.cores[core]);
  for (int i = 0; i < p->num_args; ++i) {
    MlirStringRef name = tt_str(p->args[i].name);
    intptr_t column = tt_core_table_column(&table, name);
    if (column < 0 && !tt_is_dim_name(name))
      return tt_error(p->program,
                      "cannot prove the protocol: a kernel reads runtime argument '%s', which "
                      "tt.core_args does not give",
                      p->args[i].name);
    for (int64_t core = 0; core < table.n; ++core)
      out->values[core * p->num_args + i] =
          column < 0 ? tt_size_named(sizes, name) : table.values[core * table.num_names + column];
  }
  return true;
}
