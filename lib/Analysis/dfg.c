/*===- dfg.c - who fills and who reads each circular buffer ---------------------------===*/

#include "Analysis/dfg.h"

#include "Dialect/op_info.h"

static const struct {
  TtCBRole role;
  const char *prefix;
  int64_t first_id, last_id;
} ranges[] = {
    {TT_CB_ROLE_INPUT, "cb_in", 0, 15},
    {TT_CB_ROLE_OUTPUT, "cb_out", 16, 23},
    {TT_CB_ROLE_INTERMEDIATE, "cb_intermed", 24, 31},
};

TtTraffic tt_traffic(MlirOperation op) {
  const TtOpInfo *info = tt_op_info(op);
  TtTraffic t = {{{NULL}, {NULL}}, {NULL}, 0};
  if (info->node < 0) return t;
  for (; t.num_in < info->num_reads; ++t.num_in) t.in[t.num_in] = tt_op_reads(op, t.num_in);
  t.out = tt_op_fills(op);
  return t;
}

static bool is_node(MlirOperation op) { return tt_op_info(op)->node >= 0; }

static bool leaves_result_in_dst(MlirOperation op) {
  return tt_op_info(op)->does == TT_ACT_COMPUTE && tt_is_null_value(tt_op_fills(op));
}

static bool is_filled(TtOps nodes, MlirValue cb) {
  for (intptr_t i = 0; i < nodes.n; ++i) {
    MlirValue out = tt_traffic(nodes.data[i]).out;
    if (!tt_is_null_value(out) && tt_value_eq(out, cb)) return true;
  }
  return false;
}

static TtOps collect_nodes(TtArena *arena, MlirOperation func) {
  TtOps all = tt_collect(arena, func, NULL), nodes = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i)
    if (is_node(all.data[i])) tt_ops_add(arena, &nodes, all.data[i]);
  return nodes;
}

bool tt_complete_short_form(TtArena *arena, MlirOperation func) {
  TtOps nodes = collect_nodes(arena, func);
  MlirOperation result = {NULL}, write = {NULL};
  for (intptr_t i = 0; i < nodes.n; ++i) {
    MlirOperation op = nodes.data[i];
    if (leaves_result_in_dst(op)) result = op;
    if (tt_op_info(op)->does != TT_ACT_STORE || is_filled(nodes, tt_write_from_cb_cb(op))) continue;
    if (!mlirOperationIsNull(write) &&
        !tt_value_eq(tt_write_from_cb_cb(write), tt_write_from_cb_cb(op)))
      return tt_error(op, "several circular buffers are written to tensors, but no op fills them; "
                          "name the target of each result with '-> %%cb'");
    if (mlirOperationIsNull(write)) write = op;
  }
  if (mlirOperationIsNull(write) || mlirOperationIsNull(result)) return true;
  TtBuilder b = tt_builder_before(write);
  tt_pack_to_cb_create(&b, mlirOperationGetLocation(result), tt_op_dst(result),
                       mlirAttributeGetNull(), tt_write_from_cb_cb(write));
  return true;
}

/*===- Analysis -------------------------------------------------------------===*/

TtCB *tt_dfg_cb(TtDfg *dfg, MlirValue value) {
  for (intptr_t i = 0; i < dfg->n; ++i)
    if (tt_value_eq(dfg->cbs[i].value, value)) return &dfg->cbs[i];
  return NULL;
}

static bool note_out(TtDfg *dfg, MlirOperation op, MlirValue value, intptr_t at) {
  TtCB *cb = tt_dfg_cb(dfg, value);
  if (!cb) return tt_error(op, "fills a circular buffer that no tt.alloc_cb of the kernel made");
  bool computed = tt_op_info(op)->role == TT_ROLE_COMPUTE;
  if (!mlirOperationIsNull(cb->producer) && cb->held && computed &&
      tt_op_info(cb->producer)->role == TT_ROLE_COMPUTE) {
    cb->last = at; /* the next value of a buffer that compute keeps */
    return true;
  }
  if (!mlirOperationIsNull(cb->producer))
    return tt_error(op,
                    "[rule 4] circular buffer '%s' is filled at a second place; one op fills a "
                    "circular buffer",
                    cb->name);
  cb->producer = op;
  if (tt_read_to_cb_isa(op)) cb->tensor = tt_arg_of(dfg->args, tt_read_to_cb_tensor(op));
  if (cb->first < 0) cb->first = at;
  cb->last = at;
  return true;
}

static bool note_in(TtArena *arena, TtDfg *dfg, MlirOperation op, MlirValue value, intptr_t at) {
  TtCB *cb = tt_dfg_cb(dfg, value);
  if (!cb) return tt_error(op, "reads a circular buffer that no tt.alloc_cb of the kernel made");
  tt_ops_add(arena, &cb->consumers, op);
  if (tt_write_from_cb_isa(op) && !cb->tensor)
    cb->tensor = tt_arg_of(dfg->args, tt_write_from_cb_tensor(op));
  if (cb->first < 0) cb->first = at;
  cb->last = at;
  return true;
}

static bool assign_role(TtCB *cb) {
  if (mlirOperationIsNull(cb->producer))
    return tt_error(cb->alloc, "nothing fills circular buffer '%s'", cb->name);
  if (cb->consumers.n == 0)
    return tt_error(cb->alloc, "nothing reads circular buffer '%s'", cb->name);
  bool written = false, computed = false;
  for (intptr_t i = 0; i < cb->consumers.n; ++i) {
    bool write = tt_op_info(cb->consumers.data[i])->does == TT_ACT_STORE;
    if (write && written)
      return tt_error(cb->consumers.data[i],
                      "[rule 6] circular buffer '%s' is written to tensors "
                      "twice, but each block can be taken once",
                      cb->name);
    written |= write;
    computed |= !write;
  }
  if (written && computed)
    return tt_error(cb->alloc,
                    "[rule 4] circular buffer '%s' is read by compute and written to a "
                    "tensor; copy it to a second one",
                    cb->name);
  cb->role = tt_op_info(cb->producer)->role == TT_ROLE_READER ? TT_CB_ROLE_INPUT
             : written                                        ? TT_CB_ROLE_OUTPUT
                                                              : TT_CB_ROLE_INTERMEDIATE;
  return true;
}

static int64_t depth_of(MlirOperation func, const TtCB *cb) {
  MlirAttribute own = tt_alloc_cb_depth(cb->alloc);
  if (!mlirAttributeIsNull(own)) return tt_int(own);
  MlirAttribute geometry =
      cb->tensor ? tt_named_attr(func, "cb", cb->tensor->name) : mlirAttributeGetNull();
  return tt_cb_attr_isa(geometry) ? tt_cb_attr_depth(geometry) : TT_DEFAULT_DEPTH;
}

static intptr_t order_of(const TtDfg *dfg, const TtCB *cb) {
  return cb->tensor ? cb->tensor - dfg->args.data : dfg->args.n;
}

/* Sorts by role, then by argument; stable, and short enough for insertion. */
static void sort_cbs(TtDfg *dfg) {
  for (intptr_t i = 1; i < dfg->n; ++i) {
    TtCB cb = dfg->cbs[i];
    intptr_t j = i;
    for (; j > 0; --j) {
      const TtCB *before = &dfg->cbs[j - 1];
      bool later = before->role != cb.role ? before->role > cb.role
                                           : order_of(dfg, before) > order_of(dfg, &cb);
      if (!later) break;
      dfg->cbs[j] = *before;
    }
    dfg->cbs[j] = cb;
  }
}

static bool assign_ids(TtArena *arena, MlirOperation func, TtDfg *dfg) {
  int64_t limit = tt_target_of(func).chip->cbs;
  bool taken[TT_MAX_CBS] = {false};
  int count[sizeof ranges / sizeof *ranges] = {0};
  if (dfg->n > limit)
    return tt_error(func,
                    "[rule 8] the kernel needs %jd circular buffers, but the chip has %jd; "
                    "split the kernel",
                    (intmax_t)dfg->n, (intmax_t)limit);
  for (intptr_t i = 0; i < dfg->n; ++i) {
    TtCB *cb = &dfg->cbs[i];
    int64_t id = ranges[cb->role].first_id;
    while (id <= ranges[cb->role].last_id && taken[id]) ++id;
    cb->id = id <= ranges[cb->role].last_id ? id : -1;
    if (cb->id >= 0) taken[id] = true;
    cb->name = tt_arena_printf(arena, "%s%d", ranges[cb->role].prefix, count[cb->role]++);
  }
  for (intptr_t i = 0, id = 0; i < dfg->n; ++i) { /* a full range: any free id */
    if (dfg->cbs[i].id >= 0) continue;
    while (taken[id]) ++id;
    taken[id] = true;
    dfg->cbs[i].id = id;
  }
  return true;
}

bool tt_analyze_dfg(TtArena *arena, MlirOperation func, TtDfg *dfg) {
  TtOps allocs = tt_collect(arena, func, "tt.alloc_cb");
  *dfg = (TtDfg){tt_kernel_args(arena, func), collect_nodes(arena, func), NULL, allocs.n};
  dfg->cbs = tt_arena_alloc(arena, (size_t)(allocs.n + 1) * sizeof *dfg->cbs);
  for (intptr_t i = 0; i < allocs.n; ++i) {
    MlirOperation op = allocs.data[i];
    dfg->cbs[i] = (TtCB){.alloc = op,
                         .value = tt_alloc_cb_cb(op),
                         .first = -1,
                         .last = -1,
                         .type = mlirValueGetType(tt_alloc_cb_cb(op)),
                         .name = tt_arena_str(arena, tt_string(tt_alloc_cb_name(op)))};
  }
  TtOps opens = tt_collect(arena, func, "tt.cb_open");
  for (intptr_t i = 0; i < opens.n; ++i) {
    TtCB *cb = tt_dfg_cb(dfg, tt_cb_open_cb(opens.data[i]));
    if (cb) cb->held = true;
  }
  for (intptr_t i = 0; i < dfg->nodes.n; ++i) {
    TtTraffic t = tt_traffic(dfg->nodes.data[i]);
    for (int j = 0; j < t.num_in; ++j) {
      if (j == 1 && tt_value_eq(t.in[0], t.in[1])) continue; /* x op x reads x once */
      if (!note_in(arena, dfg, dfg->nodes.data[i], t.in[j], i)) return false;
    }
    if (!tt_is_null_value(t.out) && !note_out(dfg, dfg->nodes.data[i], t.out, i)) return false;
  }
  for (intptr_t i = 0; i < dfg->n; ++i) {
    if (!assign_role(&dfg->cbs[i])) return false;
    dfg->cbs[i].depth = depth_of(func, &dfg->cbs[i]);
  }
  sort_cbs(dfg);
  return assign_ids(arena, func, dfg);
}
