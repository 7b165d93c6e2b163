/*===- emit_plan.c - tt.plan.json ---------------------------------------------------------------===
 *
 * The execution plan, for launchers and tools: docs/plan.schema.json says what is
 * in it. Keys come in a fixed order, so the same program gives the same bytes.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/core_args.h"
#include "Analysis/dims.h"
#include "Analysis/shards.h"
#include "Emit/emit_host.h"

#include <string.h>

typedef struct Plan {
  TtArena *arena;
  MlirOperation program;
  TtText *out;
} Plan;

static void string(Plan *p, MlirStringRef s) {
  tt_text_append(p->out, "\"", 1);
  for (size_t i = 0; i < s.length; ++i) {
    unsigned char c = (unsigned char)s.data[i];
    if (c == '"' || c == '\\') tt_text_printf(p->out, "\\%c", c);
    else if (c < 32) tt_text_printf(p->out, "\\u%04x", c);
    else tt_text_append(p->out, s.data + i, 1);
  }
  tt_text_append(p->out, "\"", 1);
}

static void ints(Plan *p, MlirAttribute array) {
  tt_text_printf(p->out, "[");
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(array); ++i)
    tt_text_printf(p->out, "%s%jd", i ? ", " : "", (intmax_t)mlirDenseI64ArrayGetElement(array, i));
  tt_text_printf(p->out, "]");
}

static void strings(Plan *p, MlirAttribute array) {
  tt_text_printf(p->out, "[");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(array); ++i) {
    if (i) tt_text_printf(p->out, ", ");
    string(p, tt_string(mlirArrayAttrGetElement(array, i)));
  }
  tt_text_printf(p->out, "]");
}

static void rectangles(Plan *p, MlirAttribute ranges, const char *margin) {
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    tt_text_printf(p->out,
                   "%s%s{\"start\": {\"x\": %jd, \"y\": %jd}, \"end\": {\"x\": %jd, \"y\": %jd}}",
                   i ? "," : "", margin, (intmax_t)tt_core_range_attr_start(r, 0),
                   (intmax_t)tt_core_range_attr_start(r, 1), (intmax_t)tt_core_range_attr_end(r, 0),
                   (intmax_t)tt_core_range_attr_end(r, 1));
  }
}

static void core_ranges(Plan *p) {
  tt_text_printf(p->out, "  \"core_ranges\": [");
  rectangles(p, tt_get_attr(p->program, "tt.core_ranges"), "\n    ");
  tt_text_printf(p->out, "\n  ],\n  \"core_sets\": [");
  TtOps sets = tt_collect(p->arena, p->program, "tt.core_set");
  for (intptr_t i = 0; i < sets.n; ++i) {
    tt_text_printf(p->out, "%s\n    {\"name\": ", i ? "," : "");
    string(p, tt_symbol_name(sets.data[i]));
    tt_text_printf(p->out, ", \"ranges\": [");
    rectangles(p, tt_core_set_ranges(sets.data[i]), " ");
    tt_text_printf(p->out, "]}");
  }
  TtOps semaphores = tt_collect(p->arena, p->program, "tt.semaphore");
  tt_text_printf(p->out, "\n  ],\n  \"semaphores\": [");
  for (intptr_t i = 0; i < semaphores.n; ++i) {
    tt_text_printf(p->out, "%s\n    {\"name\": ", i ? "," : "");
    string(p, tt_symbol_name(semaphores.data[i]));
    tt_text_printf(p->out, ", \"id\": %jd, \"initial_value\": %jd, \"cores\": ", (intmax_t)i,
                   (intmax_t)tt_int(tt_semaphore_init(semaphores.data[i])));
    string(p, tt_string(tt_semaphore_cores(semaphores.data[i])));
    tt_text_printf(p->out, "}");
  }
  tt_text_printf(p->out, "%s],\n", semaphores.n ? "\n  " : "");
}

/* Shard s, counted row by row, is on core (s % core_columns, s / core_columns), or in DRAM bank s.
 */
static void shards(Plan *p, const TtTensor *t) {
  TtShards s = tt_shards_of(t->buffer, t->type);
  TtShardOrder order = tt_nd_shard_attr_order(tt_buffer_attr_nd_shard(t->buffer));
  tt_text_printf(p->out,
                 ", \"shards\": {\"grid\": [%jd, %jd], \"tiles\": [%jd, %jd], \"order\": \"%s\"",
                 (intmax_t)s.grid_rows, (intmax_t)s.grid_cols, (intmax_t)s.shard_rows,
                 (intmax_t)s.shard_cols, tt_shard_order_str((int)order));
  if (tt_is_l1_sharded(t->buffer))
    tt_text_printf(p->out, ", \"core_columns\": %jd",
                   (intmax_t)tt_shard_core_columns(s, tt_target_of(p->program)));
  tt_text_printf(p->out, "}");
}

static void tensors(Plan *p) {
  TtTensors list = tt_program_tensors(p->arena, p->program);
  tt_text_printf(p->out, "  \"tensors\": [");
  bool first = true;
  for (intptr_t i = 0; i < list.n; ++i) {
    const TtTensor *t = &list.data[i];
    if (t->scalar) continue;
    TtDType dtype = tt_buffer_attr_dtype(t->buffer);
    tt_text_printf(p->out, "%s\n    {\"name\": ", first ? "" : ",");
    first = false;
    string(p, tt_str(t->name));
    tt_text_printf(p->out, ", \"shape\": [");
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(t->type); ++d) {
      if (d) tt_text_printf(p->out, ", ");
      if (mlirShapedTypeIsDynamicDim(t->type, d))
        string(p, tt_str(tt_dim_name(p->arena, t->name, d)));
      else tt_text_printf(p->out, "%jd", (intmax_t)mlirShapedTypeGetDimSize(t->type, d));
    }
    tt_text_printf(
        p->out,
        "], \"dtype\": \"%s\", \"memory\": \"%s\", \"layout\": \"%s\", \"tile_shape\": [32, 32],"
        " \"page_bytes\": %jd, \"read\": %s, \"written\": %s",
        tt_d_type_str((int)dtype), tt_memory_str((int)tt_buffer_attr_memory(t->buffer)),
        tt_layout_str((int)tt_buffer_attr_layout(t->buffer)),
        (intmax_t)tt_page_bytes(t->buffer, t->type), t->read ? "true" : "false",
        t->written ? "true" : "false");
    if (tt_is_row_major(t->buffer)) tt_text_printf(p->out, ", \"storage\": \"row_major\"");
    if (tt_is_sharded(t->buffer)) shards(p, t);
    tt_text_printf(p->out, "}");
  }
  tt_text_printf(p->out, "\n  ],\n");
}

static void scalars(Plan *p) {
  TtTensors list = tt_program_tensors(p->arena, p->program);
  bool first = true;
  tt_text_printf(p->out, "  \"scalars\": [");
  for (intptr_t i = 0; i < list.n; ++i) {
    if (!list.data[i].scalar) continue;
    tt_text_printf(p->out, "%s{\"name\": ", first ? "" : ", ");
    first = false;
    string(p, tt_str(list.data[i].name));
    tt_text_printf(p->out, ", \"type\": \"%s\"}",
                   mlirTypeIsAFloat(list.data[i].type) ? "float" : "int");
  }
  tt_text_printf(p->out, "],\n");
}

/* A grid that depends on the sizes of tensors; the launcher computes it. */
static void dynamic_grid(Plan *p) {
  MlirAttribute map = tt_get_attr(p->program, "tt.grid_map"),
                equal = tt_get_attr(p->program, "tt.equal_dims");
  if (!mlirAttributeIsNull(map)) {
    TtHost h = {.arena = p->arena,
                .program = p->program,
                .tensors = tt_program_tensors(p->arena, p->program)};
    h.num_args = h.tensors.n;
    h.names = (TtNames){.arena = p->arena};
    tt_name_host_dims(&h);
    tt_text_printf(p->out, "  \"dynamic_grid\": [");
    for (int i = 0; i < 3; ++i) {
      if (i) tt_text_printf(p->out, ", ");
      string(p, tt_str(tt_host_affine(&h, mlirAffineMapAttrGetValue(map),
                                      tt_get_attr(p->program, "tt.grid_symbols"), i)));
    }
    tt_text_printf(p->out, "],\n");
  }
  if (mlirAttributeIsNull(equal)) return;
  tt_text_printf(p->out, "  \"equal_sizes\": ");
  strings(p, equal);
  tt_text_printf(p->out, ",\n");
}

static void circular_buffers(Plan *p) {
  TtOps cbs = tt_collect(p->arena, p->program, "tt.circular_buffer");
  tt_text_printf(p->out, "  \"circular_buffers\": [");
  for (intptr_t i = 0; i < cbs.n; ++i) {
    MlirAttribute buffer = tt_circular_buffer_buffer(cbs.data[i]);
    const char *role = tt_cb_role_str((int)tt_circular_buffer_role(cbs.data[i]));
    tt_text_printf(p->out, "%s\n    {\"name\": ", i ? "," : "");
    string(p, tt_symbol_name(cbs.data[i]));
    tt_text_printf(p->out,
                   ", \"id\": %jd, \"role\": \"%s\", \"data_format\": \"%s\", \"page_bytes\": %jd, "
                   "\"pages\": %jd, \"tensor\": ",
                   (intmax_t)tt_int(tt_circular_buffer_id(cbs.data[i])), role,
                   tt_data_format_str((int)tt_cb_format(cbs.data[i])),
                   (intmax_t)tt_int(tt_circular_buffer_page_bytes(cbs.data[i])),
                   (intmax_t)tt_int(tt_circular_buffer_pages(cbs.data[i])));
    if (mlirAttributeIsNull(buffer)) tt_text_printf(p->out, "null");
    else string(p, tt_string(buffer));
    MlirAttribute on_shard = tt_circular_buffer_on_shard(cbs.data[i]);
    tt_text_printf(p->out, ", \"on_shard\": %s, \"cores\": ",
                   mlirAttributeIsNull(on_shard) ? "false" : "true");
    string(p, tt_string(tt_circular_buffer_cores(cbs.data[i])));
    tt_text_printf(p->out, "}");
  }
  tt_text_printf(p->out, "\n  ],\n");
}

/* What the processors that compute are set to; null for the others. */
static void config(Plan *p, MlirOperation kernel) {
  MlirAttribute c = tt_kernel_config(kernel);
  if (mlirAttributeIsNull(c)) {
    tt_text_printf(p->out, "null");
    return;
  }
  MlirAttribute unpacked = tt_compute_config_attr_unpack_to_dest(c);
  tt_text_printf(p->out,
                 "{\"math_fidelity\": \"%s\", \"fp32_dest_acc\": %s, \"math_approx\": %s, "
                 "\"unpack_to_dest\": [",
                 tt_math_fidelity_str((int)tt_compute_config_attr_math_fidelity(c)),
                 tt_compute_config_attr_fp32_dest_acc(c) ? "true" : "false",
                 tt_compute_config_attr_math_approx(c) ? "true" : "false");
  for (intptr_t i = 0; !mlirAttributeIsNull(unpacked) && i < mlirArrayAttrGetNumElements(unpacked);
       ++i) {
    if (i) tt_text_printf(p->out, ", ");
    string(p, tt_string(mlirArrayAttrGetElement(unpacked, i)));
  }
  tt_text_printf(p->out, "]}");
}

static void kernels(Plan *p) {
  static const char *const processors[] = {[TT_PROCESSOR_DM0] = "RISCV_0",
                                           [TT_PROCESSOR_DM1] = "RISCV_1",
                                           [TT_PROCESSOR_COMPUTE] = "TRISC"};
  TtKernelFiles list = tt_kernel_files(p->arena, p->program);
  tt_text_printf(p->out, "  \"kernels\": [");
  for (intptr_t i = 0; i < list.n; ++i) {
    MlirOperation kernel = list.data[i].op;
    MlirAttribute noc = tt_kernel_noc(kernel);
    tt_text_printf(p->out,
                   "%s\n    {\"role\": \"%s\", \"file\": \"%s.cpp\", \"processor\": \"%s\", "
                   "\"noc\": %s, \"config\": ",
                   i ? "," : "", tt_kernel_role_str((int)list.data[i].role), list.data[i].name,
                   processors[tt_processor_attr_value(tt_kernel_processor(kernel))],
                   mlirAttributeIsNull(noc)
                       ? "null"
                       : tt_arena_printf(p->arena, "%jd", (intmax_t)tt_int(noc)));
    config(p, kernel);
    tt_text_printf(p->out, ", \"cores\": ");
    string(p, tt_string(tt_kernel_cores(kernel)));
    tt_text_printf(p->out, ", \"runtime_args\": ");
    strings(p, tt_get_attr(kernel, "tt.runtime_args"));
    tt_text_printf(p->out, "}");
  }
  tt_text_printf(p->out, "\n  ],\n");
}

/* What tt.work_partition gives a core: start and count, where tt.core_args does not say. */
static void parted(Plan *p, TtCore core, int64_t units[2]) {
  MlirAttribute work = tt_get_attr(p->program, "tt.work_partition");
  units[0] = 0, units[1] = 1;
  for (intptr_t i = 0; !mlirAttributeIsNull(work) && i < mlirArrayAttrGetNumElements(work); ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(work, i);
    if (tt_work_attr_core(w, 0) != core.x || tt_work_attr_core(w, 1) != core.y) continue;
    units[0] = tt_work_attr_start_id(w), units[1] = tt_work_attr_count(w);
  }
}

/* What tt.core_args gives, where it does not depend on sizes that the launcher has. */
static bool assignments(Plan *p) {
  TtCoreTable t;
  intptr_t sizes;
  tt_core_arg_sizes(p->arena, p->program, &sizes);
  bool known = mlirAttributeIsNull(tt_get_attr(p->program, "tt.grid_map")) || sizes == 0;
  if (!tt_core_table(p->arena, p->program, &(TtSizes){.others = 1}, &t)) return false;
  intptr_t start = tt_core_table_column(&t, tt_str("start_id")),
           count = tt_core_table_column(&t, tt_str("count")),
           sy = tt_core_table_column(&t, tt_str("sy")), sx = tt_core_table_column(&t, tt_str("sx"));
  tt_text_printf(p->out, "  \"assignments\": [");
  for (int64_t i = 0; known && i < t.n; ++i) {
    const int64_t *row = t.values + i * t.num_names;
    int64_t units[2];
    parted(p, t.cores[i], units);
    tt_text_printf(p->out,
                   "%s\n    {\"core\": {\"x\": %jd, \"y\": %jd}, \"start_id\": %jd, \"count\": %jd",
                   i ? "," : "", (intmax_t)t.cores[i].x, (intmax_t)t.cores[i].y,
                   (intmax_t)(start < 0 ? units[0] : row[start]),
                   (intmax_t)(count < 0 ? units[1] : row[count]));
    if (sy >= 0 && sx >= 0)
      tt_text_printf(p->out, ", \"shard\": [%jd, %jd]", (intmax_t)row[sy], (intmax_t)row[sx]);
    tt_text_printf(p->out, "}");
  }
  tt_text_printf(p->out, "\n  ]\n");
  return true;
}

/* The order of units of work: that of the first sharded tensor which has one of its own. */
static const char *unit_order(Plan *p) {
  TtTensors list = tt_program_tensors(p->arena, p->program);
  for (int written = 1; written >= 0; --written)
    for (intptr_t i = 0; i < list.n; ++i) {
      const TtTensor *t = &list.data[i];
      if (t->scalar || t->written != written || !tt_is_sharded(t->buffer)) continue;
      TtShardOrder order = tt_nd_shard_attr_order(tt_buffer_attr_nd_shard(t->buffer));
      if (order != TT_SHARD_ORDER_ROW_MAJOR) return tt_shard_order_str((int)order);
    }
  return tt_shard_order_str(TT_SHARD_ORDER_ROW_MAJOR);
}

bool tt_emit_plan(TtArena *arena, MlirOperation program, TtApi api, TtText *out) {
  Plan p = {arena, program, out};
  TtTarget target = tt_target_of(program);
  MlirAttribute kt = tt_get_attr(program, "tt.kt");
  MlirStringRef mode = tt_string(tt_get_attr(program, "tt.partition_mode"));
  tt_text_printf(out, "{\n  \"schema_version\": 2,\n  \"kernel\": ");
  string(&p, tt_symbol_name(program));
  tt_text_printf(out, ",\n  \"target\": {\"arch\": \"%s\", \"grid\": {\"x\": %jd, \"y\": %jd}},\n",
                 tt_arch_str((int)target.arch), (intmax_t)target.grid_x, (intmax_t)target.grid_y);
  tt_text_printf(out, "  \"metalium_api\": \"%s\",\n  \"grid\": ", tt_api_str((int)api));
  ints(&p, tt_get_attr(program, "tt.grid"));
  tt_text_printf(out, ",\n  \"grid_tiles\": ");
  ints(&p, tt_get_attr(program, "tt.grid_tiles"));
  tt_text_printf(out, ",\n  \"core_grid\": ");
  ints(&p, tt_get_attr(program, "tt.core_grid"));
  tt_text_printf(out, ",\n  \"contraction_tiles\": %jd,\n",
                 (intmax_t)(mlirAttributeIsNull(kt) ? 1 : tt_int(kt)));
  dynamic_grid(&p);
  core_ranges(&p);
  tensors(&p);
  scalars(&p);
  circular_buffers(&p);
  kernels(&p);
  tt_text_printf(out, "  \"schedule\": {\"partition_mode\": \"%.*s\", \"order\": \"%s\"},\n",
                 (int)mode.length, mode.data, unit_order(&p));
  if (!assignments(&p)) return false;
  tt_text_printf(out, "}\n");
  return true;
}

/*===- Host functions -------------------------------------------------------------------------===*/

static void host_tensors(Plan *p, MlirOperation func, TtTensors list) {
  bool first = true;
  tt_text_printf(p->out, "  \"tensors\": [");
  for (intptr_t i = 0; i < list.n; ++i) {
    const TtTensor *t = &list.data[i];
    if (t->scalar || mlirAttributeIsNull(t->buffer)) continue;
    tt_text_printf(p->out, "%s\n    {\"name\": ", first ? "" : ",");
    first = false;
    string(p, tt_str(t->name));
    tt_text_printf(p->out, ", \"argument\": %s}", i < tt_num_args(func) ? "true" : "false");
  }
  tt_text_printf(p->out, "\n  ],\n");
}

static bool is_repeated(MlirOperation op) {
  while (!tt_op_is(op, "func.func") && !tt_op_is(op, "scf.for")) op = tt_parent(op);
  return tt_op_is(op, "scf.for");
}

/* A number that the host program computes has no value here. */
static void launched_number(Plan *p, MlirValue value) {
  MlirOperation op = tt_defining_op(value);
  bool given = !mlirOperationIsNull(op) && tt_op_is(op, "arith.constant");
  MlirAttribute constant = given ? tt_op_attr(op, "value") : mlirAttributeGetNull();
  if (!given) tt_text_printf(p->out, "null");
  else if (mlirAttributeIsAFloat(constant))
    tt_text_printf(p->out, "%.9g", mlirFloatAttrGetValueDouble(constant));
  else tt_text_printf(p->out, "%jd", (intmax_t)tt_int(constant));
}

static void launches(Plan *p, MlirOperation func, TtTensors list, const TtHostValues *values) {
  TtOps ops = tt_collect(p->arena, func, "tt.launch");
  tt_text_printf(p->out, "  \"launches\": [");
  for (intptr_t i = 0; i < ops.n; ++i) {
    tt_text_printf(p->out, "%s\n    {\"kernel\": ", i ? "," : "");
    string(p, tt_string(tt_launch_program(ops.data[i])));
    tt_text_printf(p->out, ", \"arguments\": [");
    for (intptr_t j = 0; j < mlirOperationGetNumOperands(ops.data[i]); ++j) {
      MlirValue value = mlirOperationGetOperand(ops.data[i], j);
      if (j) tt_text_printf(p->out, ", ");
      intptr_t k = tt_host_tensor(values, value);
      if (k >= 0) string(p, tt_str(list.data[k].name));
      else launched_number(p, value);
    }
    tt_text_printf(p->out, "]%s}", is_repeated(ops.data[i]) ? ", \"repeated\": true" : "");
  }
  tt_text_printf(p->out, "\n  ],\n");
}

/* The plan of a kernel, four columns further in. */
static void kernel_plan(Plan *p, MlirOperation program, TtApi api) {
  TtText text = {NULL, 0, 0};
  tt_emit_plan(p->arena, program, api, &text);
  for (size_t i = 0; i + 1 < text.n; ++i) {
    if (i == 0 || text.data[i - 1] == '\n') tt_text_append(p->out, "    ", 4);
    tt_text_append(p->out, text.data + i, 1);
  }
  tt_text_free(&text);
}

void tt_emit_host_plan(TtArena *arena, MlirOperation func, TtApi api, TtText *out) {
  Plan p = {arena, func, out};
  TtHostValues values;
  TtTensors list = tt_host_tensors(arena, func, &values);
  TtOps programs = tt_launched_programs(arena, func);
  tt_text_printf(out, "{\n  \"schema_version\": 2,\n  \"host\": ");
  string(&p, tt_symbol_name(func));
  tt_text_printf(out, ",\n  \"metalium_api\": \"%s\",\n", tt_api_str((int)api));
  host_tensors(&p, func, list);
  launches(&p, func, list, &values);
  tt_text_printf(out, "  \"plans\": [");
  for (intptr_t i = 0; i < programs.n; ++i) {
    tt_text_printf(out, i ? ",\n" : "\n");
    kernel_plan(&p, programs.data[i], api);
  }
  tt_text_printf(out, "\n  ]\n}\n");
}
