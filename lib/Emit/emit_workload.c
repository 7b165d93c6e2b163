/*===- emit_workload.c - one program, from its cores to its arguments
 * -----------------------------===
 *
 *   const CoreRangeSet cores(…);   make_cb(…);   CreateKernel(…);   SetRuntimeArgs(…);
 *   workload.add_program(…);   EnqueueMeshWorkload(…)
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/op_info.h"
#include "Emit/emit_host.h"

#include <string.h>

bool tt_unpacks_to_dest(TtArena *arena, MlirOperation program, MlirOperation cb) {
  bool copied = false;
  TtDataFormat format = tt_cb_format(cb);
  if (!tt_dst_is_32bit(program) ||
      (format != TT_DATA_FORMAT_FLOAT32 && format != TT_DATA_FORMAT_INT32))
    return false;
  TtOps ops = tt_collect(arena, program, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (!tt_is_tile_math(ops.data[i]) || tt_is_sfpu_tile(ops.data[i])) continue;
    const TtOpInfo *info = tt_op_info(ops.data[i]);
    for (int j = 0; j < info->num_reads; ++j) {
      if (!tt_op_eq(tt_cb_decl(program, tt_op_reads(ops.data[i], j)), cb)) continue;
      if (!info->unpacks_to_dst) return false;
      copied = true;
    }
  }
  return copied;
}

static bool is_dynamic_grid(TtHost *h) {
  return !mlirAttributeIsNull(tt_get_attr(h->program, "tt.grid_map"));
}

/* As many cores as the grid has units, row by row. */
static void emit_dynamic_cores(TtHost *h) {
  TtTarget target = tt_target_of(h->program);
  intmax_t width = target.grid_x;
  tt_text_printf(
      h->out,
      "    const uint32_t units = gx * gy * gz, num_cores = std::min<uint32_t>(units, %jd);\n"
      "    std::vector<CoreRange> ranges;  // row by row\n"
      "    if (num_cores >= %jd) ranges.emplace_back(CoreCoord(0, 0), CoreCoord(%jd, num_cores / "
      "%jd - 1));\n"
      "    if (num_cores %% %jd != 0)\n"
      "        ranges.emplace_back(CoreCoord(0, num_cores / %jd), CoreCoord(num_cores %% %jd - 1, "
      "num_cores / %jd));\n"
      "    const CoreRangeSet cores(ranges);\n",
      (intmax_t)(target.grid_x * target.grid_y), width, width - 1, width, width, width, width,
      width);
}

static void emit_grid(TtHost *h) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_get_attr(h->program, "tt.grid_map"));
  MlirAttribute symbols = tt_get_attr(h->program, "tt.grid_symbols");
  tt_text_printf(h->out,
                 "\n    // The grid, whose cells are units of work.\n"
                 "    [[maybe_unused]] const uint32_t gx = %s, gy = %s, gz = %s;\n",
                 tt_host_affine(h, map, symbols, 0), tt_host_affine(h, map, symbols, 1),
                 tt_host_affine(h, map, symbols, 2));
}

static void emit_cores(TtHost *h) {
  bool local = tt_str_eq(tt_string(tt_get_attr(h->program, "tt.partition_mode")), "local_shard");
  if (is_dynamic_grid(h)) emit_grid(h);
  if (is_dynamic_grid(h) && !local) {
    emit_dynamic_cores(h);
    return;
  }
  MlirAttribute ranges = tt_get_attr(h->program, "tt.core_ranges");
  tt_text_printf(h->out, "\n    const CoreRangeSet cores(std::vector<CoreRange>{");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    tt_text_printf(h->out, "%sCoreRange(CoreCoord(%jd, %jd), CoreCoord(%jd, %jd))", i ? ", " : "",
                   (intmax_t)tt_core_range_attr_start(r, 0),
                   (intmax_t)tt_core_range_attr_start(r, 1), (intmax_t)tt_core_range_attr_end(r, 0),
                   (intmax_t)tt_core_range_attr_end(r, 1));
  }
  tt_text_printf(h->out, "});\n");
}

static bool is_on_shard(MlirOperation cb) {
  return !mlirAttributeIsNull(tt_circular_buffer_on_shard(cb));
}

static void emit_make_cb(TtHost *h) {
  tt_text_printf(h->out, "    const auto make_cb = [&](CBIndex index, uint32_t pages, uint32_t "
                         "page_bytes, DataFormat format) {\n"
                         "        const CircularBufferConfig config =\n"
                         "            CircularBufferConfig(pages * page_bytes, {{index, "
                         "format}}).set_page_size(index, page_bytes);\n"
                         "        CreateCircularBuffer(program, cores, config);\n"
                         "    };\n");
}

static void emit_make_cb_on(TtHost *h) {
  tt_text_printf(
      h->out, "    // On the shard of a tensor that each core has: nothing moves.\n"
              "    const auto make_cb_on = [&](const auto& tensor, CBIndex index, uint32_t pages, "
              "uint32_t page_bytes,\n"
              "                                DataFormat format) {\n"
              "        const CircularBufferConfig config = CircularBufferConfig(pages * "
              "page_bytes, {{index, format}})\n"
              "                                                .set_page_size(index, page_bytes)\n"
              "                                                "
              ".set_globally_allocated_address(*tensor->get_backing_buffer());\n"
              "        CreateCircularBuffer(program, cores, config);\n"
              "    };\n");
}

/* The variable of tensor `name`. */
static const char *buffer_of(TtHost *h, MlirAttribute name) {
  for (intptr_t i = 0; i < h->tensors.n; ++i)
    if (tt_str_eq(tt_string(name), h->tensors.data[i].name)) return h->buffers[i];
  return "";
}

static void emit_cbs(TtHost *h) {
  TtOps cbs = tt_collect(h->arena, h->program, "tt.circular_buffer");
  intptr_t on_shards = 0;
  for (intptr_t i = 0; i < cbs.n; ++i) on_shards += is_on_shard(cbs.data[i]);
  tt_text_printf(h->out, "\n    // Circular buffers: a page is a tile.\n");
  if (on_shards < cbs.n) emit_make_cb(h);
  if (on_shards > 0) emit_make_cb_on(h);
  for (intptr_t i = 0; i < cbs.n; ++i) {
    MlirStringRef name = tt_symbol_name(cbs.data[i]);
    const char *call = "make_cb(";
    if (is_on_shard(cbs.data[i]))
      call = tt_arena_printf(h->arena, "make_cb_on(%s, ",
                             buffer_of(h, tt_circular_buffer_buffer(cbs.data[i])));
    tt_text_printf(h->out, "    %sCBIndex::c_%jd, %jd, %jd, DataFormat::%s);  // %.*s\n", call,
                   (intmax_t)tt_int(tt_circular_buffer_id(cbs.data[i])),
                   (intmax_t)tt_int(tt_circular_buffer_pages(cbs.data[i])),
                   (intmax_t)tt_int(tt_circular_buffer_page_bytes(cbs.data[i])),
                   tt_format((TtDType)tt_cb_format(cbs.data[i]))->data_format, (int)name.length,
                   name.data);
  }
}

static void emit_mover(TtHost *h, intptr_t at) {
  MlirOperation kernel = h->kernels.data[at].op;
  const char *name = h->handles[at];
  tt_text_printf(h->out, "    std::vector<uint32_t> %s_args%s;\n", name,
                 tt_host_semaphore_args(h, kernel));
  for (intptr_t i = 0; i < tt_num_args(kernel); ++i)
    for (intptr_t j = 0; j < h->tensors.n; ++j)
      if (!h->tensors.data[j].scalar &&
          strcmp(tt_arg_name(h->arena, kernel, i), h->tensors.data[j].name) == 0)
        tt_text_printf(h->out, "    TensorAccessorArgs(*%s).append_to(%s_args);\n", h->buffers[j],
                       name);
  int riscv = tt_processor_attr_value(tt_kernel_processor(kernel)) == TT_PROCESSOR_DM1;
  tt_text_printf(h->out,
                 "    const KernelHandle %s = CreateKernel(\n"
                 "        program, OVERRIDE_KERNEL_PREFIX \"%s%s.cpp\", cores,\n"
                 "        DataMovementConfig{.processor = DataMovementProcessor::RISCV_%d,\n"
                 "                           .noc = NOC::NOC_%jd,\n"
                 "                           .compile_args = %s_args});\n",
                 name, h->folder, h->kernels.data[at].name, riscv,
                 (intmax_t)tt_int(tt_kernel_noc(kernel)), name);
}

static void emit_compute(TtHost *h, intptr_t at) {
  MlirAttribute fidelity = tt_get_attr(h->program, "tt.math_fidelity"),
                approx = tt_get_attr(h->program, "tt.math_approx");
  MlirStringRef phases = mlirAttributeIsNull(fidelity) ? tt_str("HiFi4") : tt_string(fidelity);
  bool is_approx = !mlirAttributeIsNull(approx) &&
                   (mlirAttributeIsAUnit(approx) || mlirBoolAttrGetValue(approx));
  TtOps cbs = tt_collect(h->arena, h->program, "tt.circular_buffer");
  bool modes = false;
  for (intptr_t i = 0; i < cbs.n; ++i) {
    if (!tt_unpacks_to_dest(h->arena, h->program, cbs.data[i])) continue;
    if (!modes)
      tt_text_printf(h->out, "    std::vector<UnpackToDestMode> unpack_modes(NUM_CIRCULAR_BUFFERS, "
                             "UnpackToDestMode::Default);\n");
    modes = true;
    tt_text_printf(h->out,
                   "    unpack_modes[CBIndex::c_%jd] = UnpackToDestMode::UnpackToDestFp32;\n",
                   (intmax_t)tt_int(tt_circular_buffer_id(cbs.data[i])));
  }
  tt_text_printf(h->out,
                 "    const KernelHandle %s = CreateKernel(\n"
                 "        program, OVERRIDE_KERNEL_PREFIX \"%s%s.cpp\", cores,\n"
                 "        ComputeConfig{.math_fidelity = MathFidelity::%.*s,\n"
                 "                      .fp32_dest_acc_en = %s,\n%s"
                 "                      .math_approx_mode = %s});\n",
                 h->handles[at], h->folder, h->kernels.data[at].name, (int)phases.length,
                 phases.data, tt_dst_is_32bit(h->program) ? "true" : "false",
                 modes ? "                      .unpack_to_dest_mode = unpack_modes,\n" : "",
                 is_approx ? "true" : "false");
}

/* A kernel that is called like its role has a handle of that name, which is free for it. */
static void name_kernels(TtHost *h) {
  h->kernels = tt_kernel_files(h->arena, h->program);
  h->handles = tt_arena_alloc(h->arena, (size_t)(h->kernels.n + 1) * sizeof *h->handles);
  for (intptr_t i = 0; i < h->kernels.n; ++i) {
    const char *role = tt_kernel_role_str((int)h->kernels.data[i].role);
    bool plain = strcmp(h->kernels.data[i].name, role) == 0;
    h->handles[i] = plain ? role : tt_names_take(&h->names, h->kernels.data[i].name);
  }
}

static void emit_kernels(TtHost *h) {
  for (intptr_t i = 0; i < h->kernels.n; ++i)
    if (h->kernels.data[i].role == TT_KERNEL_ROLE_COMPUTE) emit_compute(h, i);
    else emit_mover(h, i);
}

/* Runtime arguments that are variables of the loop over cores. */
static const char *const per_core[] = {"start_id", "count", "sy", "sx"};

/* The value of runtime argument `name`, in C++, for the core of the loop. */
static const char *arg_value(TtHost *h, const char *name) {
  MlirAttribute tiles = tt_get_attr(h->program, "tt.grid_tiles"),
                kt = tt_get_attr(h->program, "tt.kt"), grid = tt_get_attr(h->program, "tt.grid");
  for (intptr_t i = 0; i < h->tensors.n; ++i)
    if (strcmp(name, tt_arena_printf(h->arena, "%s_addr", h->tensors.data[i].name)) == 0)
      return tt_arena_printf(h->arena, "static_cast<uint32_t>(%s->address())", h->buffers[i]);
  for (intptr_t i = 0; i < h->tensors.n; ++i)
    if (h->tensors.data[i].scalar && strcmp(name, h->tensors.data[i].name) == 0)
      return tt_arena_printf(h->arena, "%s<uint32_t>(%s)",
                             mlirTypeIsAFloat(h->tensors.data[i].type) ? "std::bit_cast"
                                                                       : "static_cast",
                             h->buffers[i]);
  for (size_t i = 0; i < sizeof per_core / sizeof *per_core; ++i)
    if (strcmp(name, per_core[i]) == 0) return per_core[i];
  if (tt_host_dim(h, name)) return tt_host_dim(h, name);
  if (is_dynamic_grid(h) && (strcmp(name, "gx") == 0 || strcmp(name, "gy") == 0)) return name;
  int64_t value = 0;
  if (strcmp(name, "Mt") == 0) value = mlirDenseI64ArrayGetElement(tiles, 0);
  if (strcmp(name, "Nt") == 0) value = mlirDenseI64ArrayGetElement(tiles, 1);
  if (strcmp(name, "Kt") == 0 && !mlirAttributeIsNull(kt)) value = tt_int(kt);
  if (strcmp(name, "gx") == 0) value = mlirDenseI64ArrayGetElement(grid, 0);
  if (strcmp(name, "gy") == 0) value = mlirDenseI64ArrayGetElement(grid, 1);
  return tt_arena_printf(h->arena, "%jd", (intmax_t)value);
}

static void emit_set_args(TtHost *h) {
  for (intptr_t k = 0; k < h->kernels.n; ++k) {
    MlirAttribute names = tt_get_attr(h->kernels.data[k].op, "tt.runtime_args");
    if (mlirArrayAttrGetNumElements(names) == 0) continue;
    tt_text_printf(h->out, "        SetRuntimeArgs(program, %s, core, {", h->handles[k]);
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i)
      tt_text_printf(
          h->out, "%s%s", i ? ", " : "",
          arg_value(h, tt_arena_str(h->arena, tt_string(mlirArrayAttrGetElement(names, i)))));
    tt_text_printf(h->out, "});\n");
  }
}

/* True where work is what the loop below computes: contiguous, row by row. */
static bool is_even_split(TtHost *h, int64_t *units, int64_t *cores, int64_t *width) {
  MlirAttribute work = tt_get_attr(h->program, "tt.work_partition");
  *cores = mlirArrayAttrGetNumElements(work);
  *width = mlirDenseI64ArrayGetElement(tt_get_attr(h->program, "tt.core_grid"), 0);
  *units = 0;
  for (int64_t i = 0; i < *cores; ++i)
    *units += tt_work_attr_count(mlirArrayAttrGetElement(work, i));
  for (int64_t i = 0, start = 0; i < *cores; ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(work, i);
    int64_t count = *units / *cores + (i < *units % *cores);
    if (tt_work_attr_core(w, 0) != i % *width || tt_work_attr_core(w, 1) != i / *width ||
        tt_work_attr_start_id(w) != start || tt_work_attr_count(w) != count)
      return false;
    start += count;
  }
  return true;
}

/* How many units the shard of a core has along a side: what is left of the grid there. */
static const char *dynamic_side(TtHost *h, int side) {
  MlirAttribute axes = tt_get_attr(h->program, "tt.unit_axes"),
                full = tt_get_attr(h->program, "tt.shard_units");
  const char *units = "1";
  for (int axis = 0; axis < 3; ++axis)
    if (mlirDenseI64ArrayGetElement(axes, axis) == side)
      units = strcmp(units, "1") == 0 ? tt_arena_printf(h->arena, "g%c", "xyz"[axis])
                                      : tt_arena_printf(h->arena, "%s * g%c", units, "xyz"[axis]);
  intmax_t most = mlirDenseI64ArrayGetElement(full, side);
  if (most == 0) return units;
  if (most == 1) return "1"; /* no shard is empty */
  return tt_arena_printf(h->arena, "std::min<uint32_t>(%jd, %s - %s * %jd)", most, units,
                         side ? "sx" : "sy", most);
}

static void emit_shard_counts(TtHost *h, intmax_t across) {
  MlirAttribute work = tt_get_attr(h->program, "tt.work_partition");
  intmax_t cores = mlirArrayAttrGetNumElements(work);
  if (cores == 0) {
    MlirAttribute axes = tt_get_attr(h->program, "tt.unit_axes");
    MlirAttribute grid = tt_get_attr(h->program, "tt.grid");
    tt_text_printf(h->out, "        const uint32_t count = %s * %s", dynamic_side(h, 0),
                   dynamic_side(h, 1));
    for (int axis = 0; axis < 3; ++axis)
      if (mlirDenseI64ArrayGetElement(axes, axis) < 0 &&
          mlirDenseI64ArrayGetElement(grid, axis) != 1)
        tt_text_printf(h->out, " * g%c", "xyz"[axis]);
    tt_text_printf(h->out, ";\n");
    return;
  }
  /* Along the last row or column shards may be smaller. */
  intmax_t count[2][2];
  for (int row = 0; row < 2; ++row)
    for (int col = 0; col < 2; ++col)
      count[row][col] = tt_work_attr_count(
          mlirArrayAttrGetElement(work, (row ? cores - across : 0) + (col ? across - 1 : 0)));
  bool rows = count[1][0] != count[0][0], cols = count[0][1] != count[0][0];
  if (!rows && !cols) tt_text_printf(h->out, "        const uint32_t count = %jd;\n", count[0][0]);
  else if (!cols || !rows)
    tt_text_printf(h->out, "        const uint32_t count = %s ? %jd : %jd;\n",
                   rows ? tt_arena_printf(h->arena, "i < %jd", cores - across)
                        : tt_arena_printf(h->arena, "sx < %jd", across - 1),
                   count[0][0], count[1][1]);
  else
    tt_text_printf(h->out,
                   "        const uint32_t count = i < %jd ? (sx < %jd ? %jd : %jd) : (sx < %jd ? "
                   "%jd : %jd);\n",
                   cores - across, across - 1, count[0][0], count[0][1], across - 1, count[1][0],
                   count[1][1]);
}

/* Mode local_shard: core i has shard i, row by row; the last ones may have fewer units. */
static void emit_shard_loop(TtHost *h) {
  MlirAttribute shards = tt_get_attr(h->program, "tt.shard_grid");
  intmax_t down = mlirDenseI64ArrayGetElement(shards, 0),
           across = mlirDenseI64ArrayGetElement(shards, 1),
           width = mlirDenseI64ArrayGetElement(tt_get_attr(h->program, "tt.core_grid"), 0);
  tt_text_printf(
      h->out,
      "\n    // Each core has the units of work of its shard: %jd x %jd shards, row by row.\n"
      "    for (uint32_t i = 0; i < %jd; ++i) {\n"
      "        const CoreCoord core(i %% %jd, i / %jd);\n"
      "        [[maybe_unused]] const uint32_t sy = i / %jd, sx = i %% %jd;\n",
      down, across, down * across, width, width, across, across);
  emit_shard_counts(h, across);
  emit_set_args(h);
  tt_text_printf(h->out, "    }\n");
}

static void emit_dynamic_loop(TtHost *h) {
  intmax_t width = tt_target_of(h->program).grid_x;
  tt_text_printf(
      h->out,
      "\n    // The first cores get one unit more where they cannot be divided evenly.\n"
      "    for (uint32_t i = 0, start_id = 0, count; i < num_cores; ++i, start_id += count) {\n"
      "        const CoreCoord core(i %% %jd, i / %jd);\n"
      "        count = units / num_cores + (i < units %% num_cores ? 1 : 0);\n",
      width, width);
  emit_set_args(h);
  tt_text_printf(h->out, "    }\n");
}

static void emit_runtime_args(TtHost *h) {
  int64_t units, cores, width;
  if (tt_str_eq(tt_string(tt_get_attr(h->program, "tt.partition_mode")), "local_shard")) {
    emit_shard_loop(h);
    return;
  }
  if (is_dynamic_grid(h)) {
    emit_dynamic_loop(h);
    return;
  }
  if (is_even_split(h, &units, &cores, &width)) {
    tt_text_printf(
        h->out,
        "\n    // %jd units of work over %jd cores, row by row.\n"
        "    for (uint32_t i = 0, start_id = 0, count; i < %jd; ++i, start_id += count) {\n"
        "        const CoreCoord core(i %% %jd, i / %jd);\n",
        (intmax_t)units, (intmax_t)cores, (intmax_t)cores, (intmax_t)width, (intmax_t)width);
    if (units % cores == 0)
      tt_text_printf(h->out, "        count = %jd;\n", (intmax_t)(units / cores));
    else
      tt_text_printf(h->out, "        count = i < %jd ? %jd : %jd;\n", (intmax_t)(units % cores),
                     (intmax_t)(units / cores + 1), (intmax_t)(units / cores));
  } else {
    MlirAttribute work = tt_get_attr(h->program, "tt.work_partition");
    tt_text_printf(h->out, "\n    // x, y, first unit of work, number of units\n"
                           "    const uint32_t work[][4] = {\n");
    for (int64_t i = 0; i < cores; ++i) {
      MlirAttribute w = mlirArrayAttrGetElement(work, i);
      tt_text_printf(h->out, "        {%jd, %jd, %jd, %jd},\n", (intmax_t)tt_work_attr_core(w, 0),
                     (intmax_t)tt_work_attr_core(w, 1), (intmax_t)tt_work_attr_start_id(w),
                     (intmax_t)tt_work_attr_count(w));
    }
    tt_text_printf(h->out, "    };\n    for (const auto& [x, y, start_id, count] : work) {\n"
                           "        const CoreCoord core(x, y);\n");
  }
  emit_set_args(h);
  tt_text_printf(h->out, "    }\n");
}

void tt_emit_workload(TtHost *h) {
  name_kernels(h);
  emit_cores(h);
  emit_cbs(h);
  tt_emit_host_semaphores(h);
  tt_text_printf(h->out, "\n");
  emit_kernels(h);
  emit_runtime_args(h);
  tt_text_printf(h->out,
                 "\n    distributed::MeshWorkload workload;\n"
                 "    workload.add_program(distributed::MeshCoordinateRange(device->shape()), "
                 "std::move(program));\n"
                 "    distributed::EnqueueMeshWorkload(cq, workload, %s);\n",
                 *h->folder ? "true" : "false"); /* a function's workload ends with it */
}
