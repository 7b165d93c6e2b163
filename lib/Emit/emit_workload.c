/*===- emit_workload.c - one program, from its cores to its arguments -------------------------===
 *
 *   const CoreRangeSet cores(…);   make_cb(…);   CreateKernel(…);   SetRuntimeArgs(…);
 *   workload.add_program(…);   EnqueueMeshWorkload(…)
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/core_args.h"
#include "Dialect/op_info.h"
#include "Emit/emit_host.h"

#include <string.h>

static void emit_ranges(TtHost *h, const char *variable, MlirAttribute ranges) {
  tt_text_printf(h->out, "    const CoreRangeSet %s(std::vector<CoreRange>{", variable);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    tt_text_printf(h->out, "%sCoreRange(CoreCoord(%jd, %jd), CoreCoord(%jd, %jd))", i ? ", " : "",
                   (intmax_t)tt_core_range_attr_start(r, 0),
                   (intmax_t)tt_core_range_attr_start(r, 1), (intmax_t)tt_core_range_attr_end(r, 0),
                   (intmax_t)tt_core_range_attr_end(r, 1));
  }
  tt_text_printf(h->out, "});\n");
}

const char *tt_host_cores(TtHost *h, MlirOperation member) {
  MlirOperation set = tt_core_set_of(h->program, member);
  for (intptr_t i = 0; i < h->core_sets.n; ++i)
    if (tt_op_eq(h->core_sets.data[i], set)) return h->core_set_names[i];
  return "cores";
}

/* A set of cores that is alone is `cores`; others have their symbols' names. */
static void emit_cores(TtHost *h) {
  h->core_sets = tt_collect(h->arena, h->program, "tt.core_set");
  h->core_set_names =
      tt_arena_alloc(h->arena, (size_t)(h->core_sets.n + 1) * sizeof *h->core_set_names);
  tt_text_printf(h->out, "\n");
  for (intptr_t i = 0; i < h->core_sets.n; ++i) {
    const char *name = tt_arena_printf(
        h->arena, "%s_cores", tt_arena_str(h->arena, tt_symbol_name(h->core_sets.data[i])));
    h->core_set_names[i] = h->core_sets.n == 1 ? "cores" : tt_names_take(&h->names, name);
    emit_ranges(h, h->core_set_names[i], tt_core_set_ranges(h->core_sets.data[i]));
  }
}

static bool is_on_shard(MlirOperation cb) {
  return !mlirAttributeIsNull(tt_circular_buffer_on_shard(cb));
}

/* With one set of cores the functions know it; else they take it first. */
static const char *cores_parameter(TtHost *h) {
  return h->core_sets.n == 1 ? "" : "const CoreRangeSet& cores, ";
}

static void emit_make_cb(TtHost *h) {
  tt_text_printf(h->out,
                 "    const auto make_cb = [&](%sCBIndex index, uint32_t pages, uint32_t "
                 "page_bytes, DataFormat format) {\n"
                 "        const CircularBufferConfig config =\n"
                 "            CircularBufferConfig(pages * page_bytes, {{index, "
                 "format}}).set_page_size(index, page_bytes);\n"
                 "        CreateCircularBuffer(program, cores, config);\n"
                 "    };\n",
                 cores_parameter(h));
}

static void emit_make_cb_on(TtHost *h) {
  tt_text_printf(
      h->out,
      "    // On the shard of a tensor that each core has: nothing moves.\n"
      "    const auto make_cb_on = [&](const auto& tensor, %sCBIndex index, uint32_t pages, "
      "uint32_t page_bytes,\n"
      "                                DataFormat format) {\n"
      "        const CircularBufferConfig config = CircularBufferConfig(pages * "
      "page_bytes, {{index, format}})\n"
      "                                                .set_page_size(index, page_bytes)\n"
      "                                                "
      ".set_globally_allocated_address(*tensor->get_backing_buffer());\n"
      "        CreateCircularBuffer(program, cores, config);\n"
      "    };\n",
      cores_parameter(h));
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
    if (h->core_sets.n > 1)
      call = tt_arena_printf(h->arena, "%s%s, ", call, tt_host_cores(h, cbs.data[i]));
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
                 "        program, OVERRIDE_KERNEL_PREFIX \"%s%s.cpp\", %s,\n"
                 "        DataMovementConfig{.processor = DataMovementProcessor::RISCV_%d,\n"
                 "                           .noc = NOC::NOC_%jd,\n"
                 "                           .compile_args = %s_args});\n",
                 name, h->folder, h->kernels.data[at].name, tt_host_cores(h, kernel), riscv,
                 (intmax_t)tt_int(tt_kernel_noc(kernel)), name);
}

/* The circular buffers whose tiles go to DST past the source registers: their argument of a
 * kernel's configuration. */
static const char *emit_unpack_modes(TtHost *h, MlirAttribute config) {
  MlirAttribute cbs = tt_compute_config_attr_unpack_to_dest(config);
  intptr_t n = mlirAttributeIsNull(cbs) ? 0 : mlirArrayAttrGetNumElements(cbs);
  if (n == 0) return "";
  const char *modes = tt_names_take(&h->names, "unpack_modes");
  tt_text_printf(h->out,
                 "    std::vector<UnpackToDestMode> %s(NUM_CIRCULAR_BUFFERS, "
                 "UnpackToDestMode::Default);\n",
                 modes);
  for (intptr_t i = 0; i < n; ++i)
    tt_text_printf(h->out, "    %s[CBIndex::c_%jd] = UnpackToDestMode::UnpackToDestFp32;\n", modes,
                   (intmax_t)tt_int(tt_circular_buffer_id(
                       tt_program_cb(h->program, tt_string(mlirArrayAttrGetElement(cbs, i))))));
  return tt_arena_printf(h->arena, "                      .unpack_to_dest_mode = %s,\n", modes);
}

static void emit_compute(TtHost *h, intptr_t at) {
  MlirOperation kernel = h->kernels.data[at].op;
  MlirAttribute config = tt_kernel_config(kernel);
  const char *modes = emit_unpack_modes(h, config);
  tt_text_printf(h->out,
                 "    const KernelHandle %s = CreateKernel(\n"
                 "        program, OVERRIDE_KERNEL_PREFIX \"%s%s.cpp\", %s,\n"
                 "        ComputeConfig{.math_fidelity = MathFidelity::%s,\n"
                 "                      .fp32_dest_acc_en = %s,\n%s"
                 "                      .math_approx_mode = %s});\n",
                 h->handles[at], h->folder, h->kernels.data[at].name, tt_host_cores(h, kernel),
                 tt_math_fidelity_str((int)tt_compute_config_attr_math_fidelity(config)),
                 tt_compute_config_attr_fp32_dest_acc(config) ? "true" : "false", modes,
                 tt_compute_config_attr_math_approx(config) ? "true" : "false");
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

bool tt_emit_workload(TtHost *h) {
  name_kernels(h);
  emit_cores(h);
  emit_cbs(h);
  tt_emit_host_semaphores(h);
  tt_text_printf(h->out, "\n");
  emit_kernels(h);
  if (!tt_emit_core_args(h)) return false;
  tt_text_printf(h->out,
                 "\n    distributed::MeshWorkload workload;\n"
                 "    workload.add_program(distributed::MeshCoordinateRange(device->shape()), "
                 "std::move(program));\n"
                 "    distributed::EnqueueMeshWorkload(cq, workload, %s);\n",
                 *h->folder ? "true" : "false"); /* a function's workload ends with it */
  return true;
}
