/*===- dfg.c - who fills and who reads each circular buffer ------------------------------------===
 *
 * Roles follow from data flow: what the reader fills is an input, what is written to a tensor an
 * output, all else an intermediate. Ids follow from roles: inputs from 0, outputs from 16,
 * intermediates from 24.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dfg.h"

#include "Analysis/sums.h"
#include "Dialect/op_info.h"
#include "Target/eras.h"

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

static TtOps collect_nodes(TtArena *arena, MlirOperation func) {
  TtOps all = tt_collect(arena, func, NULL), nodes = {NULL, 0, 0};
  for (intptr_t i = 0; i < all.n; ++i)
    if (is_node(all.data[i])) tt_ops_add(arena, &nodes, all.data[i]);
  return nodes;
}

bool tt_complete_short_form(TtArena *arena, MlirOperation func) {
  TtOps nodes = collect_nodes(arena, func);
  MlirOperation result = {NULL}, write = {NULL};
  TtValueMap filled = {NULL, 0, 0};
  for (intptr_t i = 0; i < nodes.n; ++i) {
    MlirValue out = tt_traffic(nodes.data[i]).out;
    if (!tt_is_null_value(out)) tt_value_map_set(arena, &filled, out, 1);
  }
  for (intptr_t i = 0; i < nodes.n; ++i) {
    MlirOperation op = nodes.data[i];
    if (leaves_result_in_dst(op)) result = op;
    if (tt_op_info(op)->does != TT_ACT_STORE ||
        tt_value_map_get(&filled, tt_write_from_cb_cb(op)) >= 0)
      continue;
    if (!mlirOperationIsNull(write) &&
        !tt_value_eq(tt_write_from_cb_cb(write), tt_write_from_cb_cb(op)))
      return tt_error(op, "several circular buffers are written to tensors, but no op fills them; "
                          "name the target of each result with '-> %%cb'");
    if (mlirOperationIsNull(write)) write = op;
  }
  if (mlirOperationIsNull(write) || mlirOperationIsNull(result)) return true;
  TtBuilder b = tt_builder_before(write);
  tt_pack_to_cb_create(&b, mlirOperationGetLocation(result), tt_op_dst(result),
                       mlirAttributeGetNull(), tt_write_from_cb_cb(write), (MlirValue){NULL});
  return true;
}

/*===- Analysis -------------------------------------------------------------===*/

TtCB *tt_dfg_cb(TtDfg *dfg, MlirValue value) {
  int at = tt_value_map_get(&dfg->cb_of, value);
  return at < 0 ? NULL : &dfg->cbs[at];
}

void tt_set_cb_depth(TtDfg *dfg, MlirValue value, int64_t depth) {
  MlirContext context = mlirOperationGetContext(dfg->func);
  TtCB *cb = tt_dfg_cb(dfg, value);
  mlirOperationSetInherentAttributeByName(tt_defining_op(value), tt_str("depth"),
                                          tt_i64_attr(context, depth));
  MlirAttribute said =
      cb && cb->tensor ? tt_named_attr(dfg->func, "cb", cb->tensor->name) : mlirAttributeGetNull();
  if (!tt_cb_attr_isa(said)) return;
  tt_set_named_attr(dfg->func, "cb", cb->tensor->name,
                    tt_cb_attr_get(context, tt_cb_attr_cb_id(said), tt_cb_attr_page_size(said),
                                   depth, tt_cb_attr_data_format(said)));
}

static bool filled_twice(const TtCB *cb, MlirOperation op) {
  return tt_error(
      op,
      "[rule 4] circular buffer '%s' is filled at a second place; one op fills a "
      "circular buffer, unless the kernel says with tt.cb_open and tt.cb_close when each "
      "of its blocks is in use",
      cb->name);
}

static bool note_out(TtDfg *dfg, MlirOperation op, MlirValue value) {
  TtCB *cb = tt_dfg_cb(dfg, value);
  if (!cb) return tt_error(op, "fills a circular buffer that no tt.alloc_cb of the kernel made");
  bool again = cb->fillers.n > 0;
  tt_ops_add(dfg->arena, &cb->fillers, op);
  if (again && tt_op_info(op)->role == tt_op_info(cb->producer)->role)
    return true; /* the next value of a buffer that compute holds or the writer takes: see below */
  if (again) return filled_twice(cb, op);
  cb->producer = op;
  TtMove move;
  if (tt_move_of(op, &move)) cb->tensor = tt_arg_of(dfg->args, move.tensor);
  return true;
}

static bool note_in(TtDfg *dfg, MlirOperation op, MlirValue value) {
  TtCB *cb = tt_dfg_cb(dfg, value);
  if (!cb) return tt_error(op, "reads a circular buffer that no tt.alloc_cb of the kernel made");
  tt_ops_add(dfg->arena, &cb->consumers, op);
  TtMove move;
  if (tt_move_of(op, &move) && !cb->tensor) cb->tensor = tt_arg_of(dfg->args, move.tensor);
  return true;
}

/* A buffer that several ops fill is held, or the writer takes what each of them left there before
 * the next one: fill, write, fill, write, each pair in one block. */
static bool takes_turns(const TtCB *cb, const TtOpMap *places) {
  for (intptr_t i = 0; i < cb->fillers.n && !cb->held && cb->fillers.n > 1; ++i) {
    MlirOperation fill = cb->fillers.data[i],
                  next = cb->fillers.data[i + 1 < cb->fillers.n ? i + 1 : i],
                  write = i < cb->consumers.n ? cb->consumers.data[i] : fill;
    if (cb->consumers.n != cb->fillers.n || tt_op_info(write)->does != TT_ACT_STORE ||
        !mlirBlockEqual(mlirOperationGetBlock(fill), mlirOperationGetBlock(write)) ||
        tt_op_map_get(places, write) < tt_op_map_get(places, fill) ||
        (!tt_op_eq(next, fill) && tt_op_map_get(places, next) < tt_op_map_get(places, write)))
      return filled_twice(cb, cb->fillers.data[1]);
  }
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
    if (write && written && cb->fillers.n == 1)
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
  for (intptr_t i = 0; i < dfg->n; ++i)
    tt_value_map_set(dfg->arena, &dfg->cb_of, dfg->cbs[i].value, (int)i);
}

static bool assign_ids(TtDfg *dfg) {
  bool taken[TT_MAX_CBS] = {false};
  for (intptr_t i = 0; i < dfg->n; ++i) {
    TtCB *cb = &dfg->cbs[i];
    int64_t id = ranges[cb->role].first_id;
    while (id <= ranges[cb->role].last_id && taken[id]) ++id;
    cb->id = id <= ranges[cb->role].last_id ? id : -1;
    if (cb->id >= 0) taken[id] = true;
  }
  for (intptr_t i = 0, id = 0; i < dfg->n; ++i) { /* a full range: any free id */
    if (dfg->cbs[i].id >= 0) continue;
    while (taken[id]) ++id;
    taken[id] = true;
    dfg->cbs[i].id = id;
  }
  int64_t limit = tt_target_of(dfg->func).cbs;
  int64_t first = ranges[TT_CB_ROLE_INTERMEDIATE].first_id;
  for (intptr_t i = 0, at = 0; i < dfg->num_spills; ++i) {
    while (taken[tt_cb_upwards(at, first, limit)]) ++at;
    dfg->spills[i].id = tt_cb_upwards(at, first, limit);
    taken[dfg->spills[i].id] = true;
  }
  return true;
}

/* The place that most circular buffers come from, and how many of them do. */
static MlirLocation most_from(const TtDfg *dfg, intptr_t *most) {
  MlirLocation place = mlirOperationGetLocation(dfg->func);
  *most = 0;
  for (intptr_t i = 0; i < dfg->n; ++i) {
    MlirLocation own = mlirOperationGetLocation(dfg->cbs[i].alloc);
    intptr_t n = 0;
    for (intptr_t j = 0; j < dfg->n; ++j)
      n += mlirLocationEqual(own, mlirOperationGetLocation(dfg->cbs[j].alloc));
    if (n > *most) *most = n, place = own;
  }
  return place;
}

static bool too_many(const TtDfg *dfg, int64_t limit) {
  intptr_t most;
  MlirLocation place = most_from(dfg, &most);
  const char *note = tt_arena_printf(
      dfg->arena,
      "%jd of them are made here: one for each value between ops, of integers and exact f32 one "
      "for "
      "each part. A buffer of more than two dimensions is a matrix of the last two for each step "
      "of "
      "the others: let the last two be the large ones, so that it has few steps: (4, 32, 64), not "
      "(32, 4, 64)",
      (intmax_t)most);
  return tt_error_with_notes(dfg->func, most >= limit / 2, &place, &note,
                             "[rule 8] the kernel needs %jd circular buffers, but %s %jd; "
                             "split the kernel",
                             (intmax_t)dfg->n, tt_has_cbs(dfg->func), (intmax_t)limit);
}

bool tt_assign_cbs(TtDfg *dfg) {
  int64_t limit = tt_target_of(dfg->func).cbs;
  int count[sizeof ranges / sizeof *ranges] = {0};
  if (dfg->n > limit) return too_many(dfg, limit);
  if (dfg->n + dfg->num_spills > limit)
    return tt_error(dfg->spills[limit - dfg->n].producer,
                    "[rule 8] no circular buffer is left for partial sums");
  for (intptr_t i = 0; i < dfg->n + dfg->num_spills; ++i) {
    TtCB *cb = i < dfg->n ? &dfg->cbs[i] : &dfg->spills[i - dfg->n];
    cb->name = tt_arena_printf(dfg->arena, "%s%d", ranges[cb->role].prefix, count[cb->role]++);
  }
  return assign_ids(dfg);
}

/*===- Partial sums -------------------------------------------------------------------------===*/

/* Products that DST does not hold until their sum is complete. Those of one sum share a
 * circular buffer, in the format of DST. */
static void find_spills(TtDfg *dfg) {
  TtOps products = {NULL, 0, 0};
  for (intptr_t i = 0; i < dfg->nodes.n; ++i)
    if (tt_mm_mma_isa(dfg->nodes.data[i])) tt_ops_add(dfg->arena, &products, dfg->nodes.data[i]);
  if (products.n == 0) return;
  MlirContext context = mlirOperationGetContext(dfg->func);
  bool wide = tt_dst_is_32bit(dfg->func);
  int64_t capacity = tt_dst_capacity(dfg->func);
  TtOpMap known = {NULL, 0, 0}; /* of what packs a sum, its buffer */
  dfg->sums = tt_arena_alloc(dfg->arena, sizeof *dfg->sums);
  *dfg->sums = tt_analyze_sums(dfg->arena, dfg->func);
  dfg->spills = tt_arena_alloc(dfg->arena, (size_t)products.n * sizeof *dfg->spills);
  for (intptr_t i = 0; i < products.n; ++i) {
    MlirOperation mma = products.data[i], pack = tt_pack_after(dfg->sums, mma);
    if (!tt_must_spill(dfg->sums, mma, capacity)) continue;
    int at = mlirOperationIsNull(pack) ? -1 : tt_op_map_get(&known, pack);
    if (at < 0) {
      TtProductShape s = tt_product_shape(mma);
      int64_t block[2] = {s.r, s.c};
      MlirType a = mlirValueGetType(tt_mm_mma_a(mma)),
               element = wide ? mlirF32TypeGet(context) : tt_cb_type_element_type(a);
      at = (int)dfg->num_spills++;
      dfg->spills[at] = (TtCB){.type = tt_cb_type_get(context, 2, block, element),
                               .role = TT_CB_ROLE_INTERMEDIATE,
                               .id = -1,
                               .depth = 1,
                               .producer = mma};
      if (!mlirOperationIsNull(pack)) tt_op_map_set(dfg->arena, &known, pack, at);
    }
    tt_op_map_set(dfg->arena, &dfg->spill_of, mma, at);
  }
}

/*===- Everything -----------------------------------------------------------------------------===*/

static void collect_cbs(TtDfg *dfg) {
  TtOps ops = tt_collect(dfg->arena, dfg->func, NULL);
  dfg->cbs = tt_arena_alloc(dfg->arena, (size_t)(ops.n + 1) * sizeof *dfg->cbs);
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation op = ops.data[i];
    if (!tt_alloc_cb_isa(op)) continue;
    tt_value_map_set(dfg->arena, &dfg->cb_of, tt_alloc_cb_cb(op), (int)dfg->n);
    dfg->cbs[dfg->n++] = (TtCB){.alloc = op,
                                .value = tt_alloc_cb_cb(op),
                                .id = -1,
                                .type = mlirValueGetType(tt_alloc_cb_cb(op)),
                                .name = tt_arena_str(dfg->arena, tt_string(tt_alloc_cb_name(op)))};
  }
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (tt_op_info(ops.data[i])->does != TT_ACT_OPEN) continue;
    TtCB *cb = tt_dfg_cb(dfg, mlirOperationGetOperand(ops.data[i], 0));
    if (cb) cb->held = true;
  }
}

bool tt_analyze_dfg(TtArena *arena, MlirOperation func, TtDfg *dfg) {
  *dfg = (TtDfg){.arena = arena,
                 .func = func,
                 .args = tt_kernel_args(arena, func),
                 .nodes = collect_nodes(arena, func)};
  collect_cbs(dfg);
  for (intptr_t i = 0; i < dfg->nodes.n; ++i) {
    TtTraffic t = tt_traffic(dfg->nodes.data[i]);
    for (int j = 0; j < t.num_in; ++j) {
      if (j == 1 && tt_value_eq(t.in[0], t.in[1])) continue; /* x op x reads x once */
      if (!note_in(dfg, dfg->nodes.data[i], t.in[j])) return false;
    }
    if (!tt_is_null_value(t.out) && !note_out(dfg, dfg->nodes.data[i], t.out)) return false;
  }
  TtOpMap places = {NULL, 0, 0};
  for (intptr_t i = 0; i < dfg->nodes.n; ++i)
    tt_op_map_set(arena, &places, dfg->nodes.data[i], (int)i);
  for (intptr_t i = 0; i < dfg->n; ++i) {
    if (!takes_turns(&dfg->cbs[i], &places) || !assign_role(&dfg->cbs[i])) return false;
    dfg->cbs[i].depth = depth_of(func, &dfg->cbs[i]);
  }
  sort_cbs(dfg);
  find_spills(dfg);
  tt_build_graph(dfg);
  return true;
}
