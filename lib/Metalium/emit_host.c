/*===- emit_host.c - main.cpp -----------------------------------------------------------------===
 *
 * A complete program: it reads one raw file an argument, tilizes, runs the
 * kernels, untilizes, and writes what they write.
 *
 *===----------------------------------------------------------------------===*/

#include "emit_kernel.h"

#include <string.h>

TtTensors tt_program_tensors(TtArena *arena, MlirOperation program) {
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  MlirAttribute names = tt_get_attr(program, "tt.args");
  intptr_t n = mlirFunctionTypeGetNumInputs(type);
  TtTensors tensors = {tt_arena_alloc(arena, (size_t)(n + 1) * sizeof(TtTensor)), n};
  static const TtKernelRole roles[] = {TT_KERNEL_ROLE_READER, TT_KERNEL_ROLE_WRITER};
  for (intptr_t i = 0; i < n; ++i) {
    TtTensor *t = &tensors.data[i];
    t->name = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(names, i)));
    t->type = mlirFunctionTypeGetInput(type, i);
    t->buffer = tt_named_attr(program, "buffer", t->name);
    t->scalar = !tt_is_memref(t->type);
    if (t->scalar) continue;
    for (int role = 0; role < 2; ++role) {
      MlirOperation func = tt_program_function(program, roles[role]);
      for (intptr_t j = 0; !mlirOperationIsNull(func) && j < tt_num_args(func); ++j)
        if (strcmp(tt_arg_name(arena, func, j), t->name) == 0)
          *(role == 0 ? &t->read : &t->written) = true;
    }
  }
  return tensors;
}

bool tt_unpacks_to_dest(TtArena *arena, MlirOperation program, MlirOperation cb) {
  MlirOperation func = tt_program_function(program, TT_KERNEL_ROLE_COMPUTE);
  bool copied = false;
  TtDataFormat format = (TtDataFormat)tt_cb_attr_data_format(tt_circular_buffer_config(cb));
  if (mlirOperationIsNull(func) || !tt_dst_is_32bit(program) ||
      (format != TT_DATA_FORMAT_FLOAT32 && format != TT_DATA_FORMAT_INT32))
    return false;
  TtOps ops = tt_collect(arena, func, NULL);
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (!tt_is_tile_math(ops.data[i]) || tt_is_sfpu_tile(ops.data[i])) continue;
    bool copy = metalium_copy_tile_isa(ops.data[i]);
    for (intptr_t j = 0; j < tt_tile_sources(ops.data[i]); ++j) {
      if (!tt_op_eq(tt_cb_decl(program, mlirOperationGetOperand(ops.data[i], j)), cb)) continue;
      if (!copy) return false;
      copied = true;
    }
  }
  return copied;
}

typedef struct Host {
  TtArena *arena;
  MlirOperation program;
  TtApi api;
  TtText *out;
  TtNames names;
  TtTensors tensors;
  char **buffers; /* the variable of each tensor */
  bool has[TT_KERNEL_ROLE_COUNT];
} Host;

static const char *host_type(MlirType memref) {
  MlirType element = mlirShapedTypeGetElementType(memref);
  if (mlirTypeIsABF16(element)) return "bfloat16";
  if (mlirTypeIsAF32(element)) return "float";
  if (mlirTypeIsAF16(element)) return "uint16_t"; /* the bits of a half */
  switch (tt_element_bytes(element)) {
  case 4: return "int32_t";
  case 2: return "uint16_t";
  default: return "uint8_t";
  }
}



static TtDType dtype(const TtTensor *t) { return tt_buffer_attr_dtype(t->buffer); }

/* True where the tiles of a tensor hold more than its elements. */
static bool is_padded(MlirType type) {
  TtMatrices m = tt_matrices(type);
  return m.rows % TT_TILE != 0 || m.cols % TT_TILE != 0;
}

static void emit_padding(Host *h) {
  tt_text_printf(
      h->out,
      "// Matrices one after the other, from rows x cols to to_rows x to_cols elements: padded with zeros, or cropped.\n"
      "template <typename T>\n"
      "std::vector<T> resize(const std::vector<T>& from, size_t count, size_t rows, size_t cols, size_t to_rows,\n"
      "                      size_t to_cols) {\n"
      "    std::vector<T> to(count * to_rows * to_cols);\n"
      "    for (size_t i = 0; i < count; ++i)\n"
      "        for (size_t row = 0; row < std::min(rows, to_rows); ++row)\n"
      "            std::copy_n(from.begin() + (i * rows + row) * cols, std::min(cols, to_cols),\n"
      "                        to.begin() + (i * to_rows + row) * to_cols);\n"
      "    return to;\n"
      "}\n\n");
}

/* Bits of an element where a tensor is stored with shared exponents, else 0. */
static int block_bits(const TtTensor *t) {
  if (t->scalar) return 0;
  return dtype(t) == TT_D_TYPE_BFP8_B ? 8 : dtype(t) == TT_D_TYPE_BFP4_B ? 4 : 0;
}

static void emit_packing(Host *h) {
  tt_text_printf(
      h->out,
      "// Tiles as block floats of `bits` bits an element: the 16 elements of a face's row share an exponent, and each\n"
      "// has a sign and a magnitude below it. The 64 exponents of a tile come first.\n"
      "template <typename T>\n"
      "std::vector<uint8_t> pack_blocks(const std::vector<T>& tiles, int bits) {\n"
      "    const size_t tile_bytes = 64 + 128 * bits;\n"
      "    std::vector<uint8_t> packed(tiles.size() / 1024 * tile_bytes);\n"
      "    for (size_t row = 0; row < tiles.size() / 16; ++row) {\n"
      "        uint8_t* tile = packed.data() + row / 64 * tile_bytes;\n"
      "        int exponent = -126;\n"
      "        for (size_t i = 0; i < 16; ++i) {\n"
      "            const float x = static_cast<float>(tiles[row * 16 + i]);\n"
      "            if (x != 0) exponent = std::max(exponent, std::ilogb(x));\n"
      "        }\n"
      "        tile[row %% 64] = static_cast<uint8_t>(exponent + 127);\n"
      "        for (size_t i = 0; i < 16; ++i) {\n"
      "            const float x = static_cast<float>(tiles[row * 16 + i]);\n"
      "            const long most = (1 << (bits - 1)) - 1;\n"
      "            const long magnitude = std::min(std::lround(std::ldexp(std::fabs(x), bits - 2 - exponent)), most);\n"
      "            const long sign = x < 0 && magnitude != 0 ? 1 : 0;\n"
      "            const size_t at = (row %% 64 * 16 + i) * bits;\n"
      "            tile[64 + at / 8] |= static_cast<uint8_t>((sign << (bits - 1) | magnitude) << at %% 8);\n"
      "        }\n"
      "    }\n"
      "    return packed;\n"
      "}\n\n"
      "template <typename T>\n"
      "std::vector<T> unpack_blocks(const std::vector<uint8_t>& packed, int bits) {\n"
      "    const size_t tile_bytes = 64 + 128 * bits;\n"
      "    std::vector<T> tiles(packed.size() / tile_bytes * 1024);\n"
      "    for (size_t i = 0; i < tiles.size(); ++i) {\n"
      "        const uint8_t* tile = packed.data() + i / 1024 * tile_bytes;\n"
      "        const size_t at = i %% 1024 * bits;\n"
      "        const int element = tile[64 + at / 8] >> at %% 8 & ((1 << bits) - 1), sign = element >> (bits - 1);\n"
      "        const int magnitude = element & ((1 << (bits - 1)) - 1), exponent = tile[i %% 1024 / 16] - 127;\n"
      "        tiles[i] = T(std::ldexp(sign ? -1.0f * magnitude : 1.0f * magnitude, exponent - (bits - 2)));\n"
      "    }\n"
      "    return tiles;\n"
      "}\n\n");
}

/* `data`, a C++ expression, with the elements of a tensor padded to tiles, or cropped. */
static const char *resized(Host *h, const char *data, MlirType type, bool pad) {
  TtMatrices m = tt_matrices(type);
  int64_t rows = tt_tiles(m.rows) * TT_TILE, cols = tt_tiles(m.cols) * TT_TILE;
  if (!is_padded(type)) return data;
  return tt_arena_printf(h->arena, "resize(%s, %jd, %jd, %jd, %jd, %jd)", data, (intmax_t)m.count,
                         (intmax_t)(pad ? m.rows : rows), (intmax_t)(pad ? m.cols : cols),
                         (intmax_t)(pad ? rows : m.rows), (intmax_t)(pad ? cols : m.cols));
}

/* How the program's usage shows an argument. */
static const char *argument_word(Host *h, const TtTensor *t) {
  const char *name = tt_arena_identifier(h->arena, tt_str(t->name));
  return t->scalar ? name : tt_arena_printf(h->arena, "%s.bin", name);
}

static void emit_numbers(Host *h) {
  tt_text_printf(
      h->out,
      "// The number in `text`; ends the program if there is none.\n"
      "double read_number(const char* text) {\n"
      "    char* end = nullptr;\n"
      "    const double number = std::strtod(text, &end);\n"
      "    if (end == text || *end != '\\0') {\n"
      "        std::fprintf(stderr, \"'%%s' is no number\\n\", text);\n"
      "        std::exit(1);\n"
      "    }\n"
      "    return number;\n"
      "}\n\n");
}

static void emit_helpers(Host *h) {
  tt_text_printf(
      h->out,
      "namespace {\n\n"
      "// All elements of a raw file; ends the program if it has another size.\n"
      "template <typename T>\n"
      "std::vector<T> read_file(const char* path, size_t count) {\n"
      "    std::vector<T> data(count);\n"
      "    std::FILE* file = std::fopen(path, \"rb\");\n"
      "    if (file == nullptr || std::fread(data.data(), sizeof(T), count, file) != count ||\n"
      "        std::fgetc(file) != EOF) {\n"
      "        std::fprintf(stderr, \"%%s: expected a file of %%zu bytes\\n\", path, count * sizeof(T));\n"
      "        std::exit(1);\n"
      "    }\n"
      "    std::fclose(file);\n"
      "    return data;\n"
      "}\n\n"
      "template <typename T>\n"
      "void write_file(const char* path, const std::vector<T>& data) {\n"
      "    std::FILE* file = std::fopen(path, \"wb\");\n"
      "    if (file == nullptr || std::fwrite(data.data(), sizeof(T), data.size(), file) != data.size() ||\n"
      "        std::fclose(file) != 0) {\n"
      "        std::fprintf(stderr, \"%%s: cannot be written\\n\", path);\n"
      "        std::exit(1);\n"
      "    }\n"
      "}\n\n");
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    if (h->tensors.data[i].scalar || !is_padded(h->tensors.data[i].type)) continue;
    emit_padding(h);
    break;
  }
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    if (!h->tensors.data[i].scalar) continue;
    emit_numbers(h);
    break;
  }
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    if (!block_bits(&h->tensors.data[i])) continue;
    emit_packing(h);
    break;
  }
  tt_text_printf(h->out, "}  // namespace\n\n");
}

static void emit_top(Host *h) {
  static const char *const std_headers[] = {"algorithm", "bit", "cmath", "cstdint", "cstdio", "cstdlib", "map",
                                            "memory", "utility", "vector"};
  static const char *const headers[] = {"bfloat16", "distributed", "host_api",
                                        "tensor_accessor_args", "tilize_utils"};
  char *name = tt_arena_identifier(h->arena, tt_symbol_name(h->program));
  tt_text_printf(h->out, "// %s: host program. One raw file an argument, row-major:\n//   main", name);
  for (intptr_t i = 0; i < h->tensors.n; ++i)
    tt_text_printf(h->out, " %s", argument_word(h, &h->tensors.data[i]));
  tt_text_printf(h->out, "\n");
  for (size_t i = 0; i < sizeof std_headers / sizeof *std_headers; ++i)
    tt_text_printf(h->out, "#include <%s>\n", std_headers[i]);
  tt_text_printf(h->out, "\n");
  for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i)
    tt_text_printf(h->out, "#include <tt-metalium/%s.hpp>\n", headers[i]);
  tt_text_printf(h->out, "\n#ifndef OVERRIDE_KERNEL_PREFIX\n#define OVERRIDE_KERNEL_PREFIX \"\"\n"
                         "#endif\n\nusing namespace tt;\nusing namespace tt::tt_metal;\n\n");
  emit_helpers(h);
}

static void emit_device(Host *h) {
  TtText *out = h->out;
  tt_text_printf(out, "int main(int argc, char** argv) {\n    if (argc != %jd) {\n"
                      "        std::fprintf(stderr, \"usage: %%s", (intmax_t)h->tensors.n + 1);
  for (intptr_t i = 0; i < h->tensors.n; ++i)
    tt_text_printf(out, " %s", argument_word(h, &h->tensors.data[i]));
  tt_text_printf(
      out,
      "\\n\", argv[0]);\n        return 2;\n    }\n\n"
      "    auto device = distributed::MeshDevice::create_unit_mesh(0);\n"
      "    distributed::MeshCommandQueue& cq = device->mesh_command_queue();\n"
      "    Program program = CreateProgram();\n\n");
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const char *type = mlirTypeIsAFloat(h->tensors.data[i].type) ? "float" : "int32_t";
    if (h->tensors.data[i].scalar)
      tt_text_printf(out, "    const %s %s = static_cast<%s>(read_number(argv[%jd]));\n", type,
                     h->buffers[i], type, (intmax_t)i + 1);
  }
  tt_text_printf(
      out,
      "    // Tensors: pages are tiles.\n"
      "    const auto make_buffer = [&](uint32_t tiles, uint32_t tile_bytes, BufferType type) {\n"
      "        const distributed::DeviceLocalBufferConfig local{.page_size = tile_bytes, .buffer_type = type};\n"
      "        const distributed::ReplicatedBufferConfig replicated{.size = uint64_t{tiles} * tile_bytes};\n"
      "        return distributed::MeshBuffer::create(replicated, local, device.get());\n"
      "    };\n");
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!t->read && !t->written) continue;
    tt_text_printf(out, "    auto %s = make_buffer(%jd, %jd, BufferType::%s);\n", h->buffers[i],
                   (intmax_t)tt_tensor_tiles(t->type), (intmax_t)tt_format(dtype(t))->tile_bytes,
                   tt_memory_str((int)tt_buffer_attr_memory(t->buffer)));
  }
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!t->read) continue;
    TtMatrices m = tt_matrices(t->type);
    const char *file = tt_arena_printf(h->arena, "read_file<%s>(argv[%jd], %jd * %jd)",
                                       host_type(t->type), (intmax_t)i + 1,
                                       (intmax_t)(m.count * m.rows), (intmax_t)m.cols);
    char *data = tt_names_take(&h->names, tt_arena_printf(h->arena, "%s_data", h->buffers[i]));
    const char *tiles = tt_arena_printf(h->arena, "tilize_nfaces(%s, %jd, %jd)",
                                        resized(h, file, t->type, true),
                                        (intmax_t)(m.count * tt_tiles(m.rows) * TT_TILE),
                                        (intmax_t)(tt_tiles(m.cols) * TT_TILE));
    if (block_bits(t)) tiles = tt_arena_printf(h->arena, "pack_blocks(%s, %d)", tiles, block_bits(t));
    tt_text_printf(out, "    auto %s = %s;\n", data, tiles);
    tt_text_printf(out, "    distributed::EnqueueWriteMeshBuffer(cq, %s, %s, false);\n",
                   h->buffers[i], data);
  }
}

static void emit_cores(Host *h) {
  MlirAttribute ranges = tt_get_attr(h->program, "tt.core_ranges");
  tt_text_printf(h->out, "\n    const CoreRangeSet cores(std::vector<CoreRange>{");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    tt_text_printf(h->out, "%sCoreRange(CoreCoord(%jd, %jd), CoreCoord(%jd, %jd))", i ? ", " : "",
                   (intmax_t)tt_core_range_attr_start(r, 0), (intmax_t)tt_core_range_attr_start(r, 1),
                   (intmax_t)tt_core_range_attr_end(r, 0), (intmax_t)tt_core_range_attr_end(r, 1));
  }
  tt_text_printf(h->out, "});\n");
}

static void emit_cbs(Host *h) {
  tt_text_printf(
      h->out,
      "\n    // Circular buffers: a page is a tile.\n"
      "    const auto make_cb = [&](CBIndex index, uint32_t pages, uint32_t page_bytes, DataFormat format) {\n"
      "        const CircularBufferConfig config =\n"
      "            CircularBufferConfig(pages * page_bytes, {{index, format}}).set_page_size(index, page_bytes);\n"
      "        CreateCircularBuffer(program, cores, config);\n"
      "    };\n");
  TtOps cbs = tt_collect(h->arena, h->program, "tt.circular_buffer");
  for (intptr_t i = 0; i < cbs.n; ++i) {
    MlirAttribute config = tt_circular_buffer_config(cbs.data[i]);
    MlirStringRef name = tt_symbol_name(cbs.data[i]);
    tt_text_printf(h->out, "    make_cb(CBIndex::c_%jd, %jd, %jd, DataFormat::%s);  // %.*s\n",
                   (intmax_t)tt_cb_attr_cb_id(config),
                   (intmax_t)tt_int(tt_circular_buffer_pages(cbs.data[i])),
                   (intmax_t)tt_cb_attr_page_size(config),
                   tt_format((TtDType)tt_cb_attr_data_format(config))->data_format,
                   (int)name.length, name.data);
  }
}

static void emit_movers(Host *h) {
  for (int role = 0; role < TT_KERNEL_ROLE_COUNT; ++role) {
    MlirOperation func = tt_program_function(h->program, (TtKernelRole)role);
    const char *name = tt_kernel_role_str(role);
    if (!h->has[role] || role == TT_KERNEL_ROLE_COMPUTE) continue;
    tt_text_printf(h->out, "    std::vector<uint32_t> %s_args;\n", name);
    for (intptr_t i = 0; i < tt_num_args(func); ++i)
      for (intptr_t j = 0; j < h->tensors.n; ++j)
        if (strcmp(tt_arg_name(h->arena, func, i), h->tensors.data[j].name) == 0)
          tt_text_printf(h->out, "    TensorAccessorArgs(*%s).append_to(%s_args);\n", h->buffers[j],
                         name);
    int riscv = role == TT_KERNEL_ROLE_READER ? 1 : 0;
    tt_text_printf(h->out,
                   "    const KernelHandle %s = CreateKernel(\n"
                   "        program, OVERRIDE_KERNEL_PREFIX \"%s.cpp\", cores,\n"
                   "        DataMovementConfig{.processor = DataMovementProcessor::RISCV_%d,\n"
                   "                           .noc = NOC::RISCV_%d_default,\n"
                   "                           .compile_args = %s_args});\n",
                   name, name, riscv, riscv, name);
  }
}

static void emit_compute(Host *h) {
  MlirAttribute fidelity = tt_get_attr(h->program, "tt.math_fidelity"),
                approx = tt_get_attr(h->program, "tt.math_approx");
  MlirStringRef phases = mlirAttributeIsNull(fidelity) ? tt_str("HiFi4") : tt_string(fidelity);
  bool is_approx = !mlirAttributeIsNull(approx) &&
                   (mlirAttributeIsAUnit(approx) || mlirBoolAttrGetValue(approx));
  TtOps cbs = tt_collect(h->arena, h->program, "tt.circular_buffer");
  bool modes = false;
  if (!h->has[TT_KERNEL_ROLE_COMPUTE]) return;
  for (intptr_t i = 0; i < cbs.n; ++i) {
    if (!tt_unpacks_to_dest(h->arena, h->program, cbs.data[i])) continue;
    if (!modes)
      tt_text_printf(h->out, "    std::vector<UnpackToDestMode> unpack_modes(NUM_CIRCULAR_BUFFERS, "
                             "UnpackToDestMode::Default);\n");
    modes = true;
    tt_text_printf(h->out, "    unpack_modes[CBIndex::c_%jd] = UnpackToDestMode::UnpackToDestFp32;\n",
                   (intmax_t)tt_cb_attr_cb_id(tt_circular_buffer_config(cbs.data[i])));
  }
  tt_text_printf(h->out,
                 "    const KernelHandle compute = CreateKernel(\n"
                 "        program, OVERRIDE_KERNEL_PREFIX \"compute.cpp\", cores,\n"
                 "        ComputeConfig{.math_fidelity = MathFidelity::%.*s,\n"
                 "                      .fp32_dest_acc_en = %s,\n%s"
                 "                      .math_approx_mode = %s});\n",
                 (int)phases.length, phases.data, tt_dst_is_32bit(h->program) ? "true" : "false",
                 modes ? "                      .unpack_to_dest_mode = unpack_modes,\n" : "",
                 is_approx ? "true" : "false");
}

/* The value of runtime argument `name`, in C++, for the core of the loop. */
static const char *arg_value(Host *h, const char *name) {
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
  if (strcmp(name, "start_id") == 0 || strcmp(name, "count") == 0) return name;
  int64_t value = 0;
  if (strcmp(name, "Mt") == 0) value = mlirDenseI64ArrayGetElement(tiles, 0);
  if (strcmp(name, "Nt") == 0) value = mlirDenseI64ArrayGetElement(tiles, 1);
  if (strcmp(name, "Kt") == 0 && !mlirAttributeIsNull(kt)) value = tt_int(kt);
  if (strcmp(name, "gx") == 0) value = mlirDenseI64ArrayGetElement(grid, 0);
  if (strcmp(name, "gy") == 0) value = mlirDenseI64ArrayGetElement(grid, 1);
  return tt_arena_printf(h->arena, "%jd", (intmax_t)value);
}

static void emit_set_args(Host *h) {
  for (int role = 0; role < TT_KERNEL_ROLE_COUNT; ++role) {
    MlirOperation func = tt_program_function(h->program, (TtKernelRole)role);
    if (!h->has[role]) continue;
    MlirAttribute names = tt_get_attr(func, "tt.runtime_args");
    if (mlirArrayAttrGetNumElements(names) == 0) continue;
    tt_text_printf(h->out, "        SetRuntimeArgs(program, %s, core, {", tt_kernel_role_str(role));
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i)
      tt_text_printf(h->out, "%s%s", i ? ", " : "",
                     arg_value(h, tt_arena_str(h->arena, tt_string(mlirArrayAttrGetElement(names, i)))));
    tt_text_printf(h->out, "});\n");
  }
}

/* True where work is what the loop below computes: contiguous, row by row. */
static bool is_even_split(Host *h, int64_t *units, int64_t *cores, int64_t *width) {
  MlirAttribute work = tt_get_attr(h->program, "tt.work_partition");
  *cores = mlirArrayAttrGetNumElements(work);
  *width = mlirDenseI64ArrayGetElement(tt_get_attr(h->program, "tt.core_grid"), 0);
  *units = 0;
  for (int64_t i = 0; i < *cores; ++i) *units += tt_work_attr_count(mlirArrayAttrGetElement(work, i));
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

static void emit_runtime_args(Host *h) {
  int64_t units, cores, width;
  if (is_even_split(h, &units, &cores, &width)) {
    tt_text_printf(h->out,
                   "\n    // %jd units of work over %jd cores, row by row.\n"
                   "    for (uint32_t i = 0, start_id = 0, count; i < %jd; ++i, start_id += count) {\n"
                   "        const CoreCoord core(i %% %jd, i / %jd);\n",
                   (intmax_t)units, (intmax_t)cores, (intmax_t)cores, (intmax_t)width, (intmax_t)width);
    if (units % cores == 0) tt_text_printf(h->out, "        count = %jd;\n", (intmax_t)(units / cores));
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

static void emit_run(Host *h) {
  tt_text_printf(h->out,
                 "\n    distributed::MeshWorkload workload;\n"
                 "    workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));\n"
                 "    distributed::EnqueueMeshWorkload(cq, workload, false);\n"
                 "    distributed::Finish(cq);\n\n");
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!t->written) continue;
    char *result = tt_names_take(&h->names, tt_arena_printf(h->arena, "%s_result", h->buffers[i]));
    tt_text_printf(h->out, "    std::vector<%s> %s;\n", block_bits(t) ? "uint8_t" : host_type(t->type),
                   result);
    tt_text_printf(h->out, "    distributed::EnqueueReadMeshBuffer(cq, %s, %s, true);\n", result,
                   h->buffers[i]);
    TtMatrices m = tt_matrices(t->type);
    const char *tiles = block_bits(t) ? tt_arena_printf(h->arena, "unpack_blocks<%s>(%s, %d)",
                                                        host_type(t->type), result, block_bits(t))
                                      : result;
    const char *rows = tt_arena_printf(h->arena, "untilize_nfaces(%s, %jd, %jd)", tiles,
                                       (intmax_t)(m.count * tt_tiles(m.rows) * TT_TILE),
                                       (intmax_t)(tt_tiles(m.cols) * TT_TILE));
    tt_text_printf(h->out, "    write_file(argv[%jd], %s);\n", (intmax_t)i + 1,
                   resized(h, rows, t->type, false));
  }
  tt_text_printf(h->out, "    device->close();\n    return 0;\n}\n");
}

bool tt_emit_host(TtArena *arena, MlirOperation program, TtApi api, TtText *out) {
  Host h = {.arena = arena, .program = program, .api = api, .out = out};
  h.names = tt_names_with_api(arena);
  h.tensors = tt_program_tensors(arena, program);
  h.buffers = tt_arena_alloc(arena, (size_t)(h.tensors.n + 1) * sizeof *h.buffers);
  for (intptr_t i = 0; i < h.tensors.n; ++i) {
    if (!h.tensors.data[i].scalar && !mlirShapedTypeHasStaticShape(h.tensors.data[i].type))
      return tt_error(program, "argument '%s' is no tensor of constant dimensions; host programs "
                               "for others are not supported", h.tensors.data[i].name);
    h.buffers[i] = tt_names_take(&h.names, h.tensors.data[i].name);
  }
  for (int role = 0; role < TT_KERNEL_ROLE_COUNT; ++role)
    h.has[role] = !mlirOperationIsNull(tt_program_function(program, (TtKernelRole)role));
  emit_top(&h);
  emit_device(&h);
  emit_cores(&h);
  emit_cbs(&h);
  tt_text_printf(out, "\n");
  emit_movers(&h);
  emit_compute(&h);
  emit_runtime_args(&h);
  emit_run(&h);
  return true;
}

void tt_emit_cmake(const char *name, TtText *out) {
  tt_text_printf(out,
                 "# Builds the host program of %s against an installed TT-Metalium SDK.\n"
                 "# Run it from this folder: kernels are found beside it.\n"
                 "cmake_minimum_required(VERSION 3.22)\n"
                 "project(%s LANGUAGES CXX)\n"
                 "find_package(TT-Metalium REQUIRED)\n"
                 "add_executable(main main.cpp)\n"
                 "target_compile_features(main PRIVATE cxx_std_20)\n"
                 "target_link_libraries(main PRIVATE TT::Metalium)\n",
                 name, name);
}
