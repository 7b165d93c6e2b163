/*===- emit_host.c - main.cpp -----------------------------------------------------------------===
 *
 * A complete program: it reads one raw file an argument, tilizes, runs the
 * kernels, untilizes, and writes what they write.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"

#include "Analysis/shards.h"

#include <string.h>

TtTensors tt_program_tensors(TtArena *arena, MlirOperation program) {
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  MlirAttribute names = tt_get_attr(program, "tt.args");
  intptr_t n = mlirFunctionTypeGetNumInputs(type);
  TtTensors tensors = {tt_arena_alloc(arena, (size_t)(n + 1) * sizeof(TtTensor)), n};
  for (intptr_t i = 0; i < n; ++i) {
    TtTensor *t = &tensors.data[i];
    t->name = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(names, i)));
    t->type = mlirFunctionTypeGetInput(type, i);
    t->buffer = tt_named_attr(program, "buffer", t->name);
    t->scalar = !tt_is_memref(t->type);
    MlirAttribute file = tt_named_attr(program, "file", t->name);
    if (!mlirAttributeIsNull(file)) t->file = mlirTypeAttrGetValue(file);
    if (t->scalar) continue;
    TtUse use = tt_program_use(arena, program, t->name);
    t->read = use.read, t->written = use.written;
    t->launched = t->on_host = true;
  }
  return tensors;
}

/* How the program's usage shows an argument. */
static const char *argument_word(TtHost *h, const TtTensor *t) {
  const char *name = tt_arena_identifier(h->arena, tt_str(t->name));
  return t->scalar ? name : tt_arena_printf(h->arena, "%s.bin", name);
}

static void emit_top(TtHost *h) {
  static const char *const std_headers[] = {"algorithm", "array",  "bit",     "cmath",
                                            "cstdint",   "cstdio", "cstdlib", "map",
                                            "memory",    "tuple",  "utility", "vector"};
  static const char *const headers[] = {"bfloat16", "distributed", "host_api",
                                        "tensor_accessor_args", "tilize_utils"};
  char *name = tt_arena_identifier(h->arena, tt_symbol_name(h->program));
  tt_text_printf(h->out, "// %s: host program. One raw file an argument, row-major:\n//   main",
                 name);
  for (intptr_t i = 0; i < h->num_args; ++i)
    tt_text_printf(h->out, " %s", argument_word(h, &h->tensors.data[i]));
  for (intptr_t i = 0; i < tt_num_free_dims(h); ++i)
    tt_text_printf(h->out, " %s", tt_free_dim(h, i));
  tt_text_printf(h->out, "\n");
  for (size_t i = 0; i < sizeof std_headers / sizeof *std_headers; ++i)
    tt_text_printf(h->out, "#include <%s>\n", std_headers[i]);
  tt_text_printf(h->out, "\n");
  for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i)
    tt_text_printf(h->out, "#include <tt-metalium/%s.hpp>\n", headers[i]);
  tt_text_printf(h->out, "\n#ifndef OVERRIDE_KERNEL_PREFIX\n#define OVERRIDE_KERNEL_PREFIX \"\"\n"
                         "#endif\n\nusing namespace tt;\nusing namespace tt::tt_metal;\n\n");
  tt_emit_host_helpers(h);
}

/* The start of main, up to the scalars. */
static void emit_main(TtHost *h) {
  TtText *out = h->out;
  tt_text_printf(out,
                 "int main(int argc, char** argv) {\n    if (argc != %jd) {\n"
                 "        std::fprintf(stderr, \"usage: %%s",
                 (intmax_t)(h->num_args + tt_num_free_dims(h)) + 1);
  for (intptr_t i = 0; i < h->num_args; ++i)
    tt_text_printf(out, " %s", argument_word(h, &h->tensors.data[i]));
  for (intptr_t i = 0; i < tt_num_free_dims(h); ++i) tt_text_printf(out, " %s", tt_free_dim(h, i));
  tt_text_printf(out,
                 "\\n\", argv[0]);\n        return 2;\n    }\n\n"
                 "    auto device = distributed::MeshDevice::create_unit_mesh(0);\n"
                 "    distributed::MeshCommandQueue& cq = device->mesh_command_queue();\n%s\n",
                 h->is_function ? "" : "    Program program = CreateProgram();\n");
  for (intptr_t i = 0; i < h->num_args; ++i) {
    const char *type = tt_host_scalar_type(h->tensors.data[i].type);
    if (h->tensors.data[i].scalar)
      tt_text_printf(out, "    const %s %s = static_cast<%s>(read_number(argv[%jd]));\n", type,
                     h->buffers[i], type, (intmax_t)i + 1);
  }
  tt_emit_range_checks(h);
  tt_emit_dims(h);
  tt_emit_least_sizes(h);
  tt_emit_block_ends(h);
}

const char *tt_rows_to_tiles(TtHost *h, const TtTensor *t, const char *rows) {
  TtSides s = tt_host_sides(h, t);
  const char *data = tt_converted(h, rows, t, true);
  if (tt_is_row_major(t->buffer)) return tt_resized(h, data, t, true);
  const char *tiles = tt_arena_printf(h->arena, "%s(%s, %s, %s)", tt_tilize(t, true),
                                      tt_resized(h, data, t, true), s.padded_rows, s.padded_cols);
  if (!tt_block_bits(t)) return tiles;
  return tt_arena_printf(h->arena, "pack_blocks(%s, %d)", tiles, tt_block_bits(t));
}

const char *tt_tiles_to_rows(TtHost *h, const TtTensor *t, const char *tiles) {
  TtSides s = tt_host_sides(h, t);
  if (tt_block_bits(t))
    tiles = tt_arena_printf(h->arena, "unpack_blocks<%s>(%s, %d)", tt_device_type(t), tiles,
                            tt_block_bits(t));
  const char *rows = tiles;
  if (!tt_is_row_major(t->buffer))
    rows = tt_arena_printf(h->arena, "%s(%s, %s, %s)", tt_tilize(t, false), tiles, s.padded_rows,
                           s.padded_cols);
  return tt_converted(h, tt_resized(h, rows, t, false), t, false);
}

/* A tensor stored row by row has pages for the rows that pad it to tiles, which no kernel writes
 * and the host reads with the others, before it drops them. What kernels have to write is none of
 * that: a tensor of which they write a part only is read, too (keep_rest.c). */
static void emit_padding_rows(TtHost *h, intptr_t i) {
  const TtTensor *t = &h->tensors.data[i];
  if (!t->written || !tt_is_row_major(t->buffer) ||
      (!tt_is_dynamic(t) && tt_matrices(t->type).rows % TT_TILE == 0))
    return;
  char *zeros = tt_names_take(&h->names, tt_arena_printf(h->arena, "%s_zeros", h->buffers[i]));
  tt_text_printf(h->out,
                 "    std::vector<uint8_t> %s(%s->size()); // for the rows that pad it to tiles\n"
                 "    distributed::EnqueueWriteMeshBuffer(cq, %s, %s, false);\n",
                 zeros, h->buffers[i], h->buffers[i], zeros);
}

static void emit_inputs(TtHost *h) {
  for (intptr_t i = 0; i < h->num_args; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!t->read) {
      emit_padding_rows(h, i);
      continue;
    }
    TtSides s = tt_host_sides(h, t);
    bool stacked = strcmp(s.count, "1") != 0;
    const char *rows =
        !tt_is_dynamic(t)
            ? tt_arena_printf(h->arena, "%jd",
                              (intmax_t)(tt_matrices(t->type).count * tt_matrices(t->type).rows))
        : stacked ? tt_arena_printf(h->arena, "%s * %s", s.count, s.rows)
                  : s.rows;
    const char *file =
        tt_arena_printf(h->arena, "read_file<%s>(argv[%jd], %s%s * %s)",
                        mlirTypeIsNull(t->file) ? tt_host_type(t->type) : "uint8_t",
                        (intmax_t)i + 1, tt_is_dynamic(t) ? "size_t{1} * " : "", rows, s.cols);
    char *data = tt_names_take(&h->names, tt_arena_printf(h->arena, "%s_data", h->buffers[i]));
    tt_text_printf(h->out, "    auto %s = %s;\n", data, tt_rows_to_tiles(h, t, file));
    tt_text_printf(h->out, "    distributed::EnqueueWriteMeshBuffer(cq, %s, %s, false);\n",
                   h->buffers[i], data);
  }
}

static void emit_outputs(TtHost *h) {
  tt_text_printf(h->out, "    distributed::Finish(cq);\n\n");
  for (intptr_t i = 0; i < h->num_args; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!t->written) continue;
    char *result = tt_names_take(&h->names, tt_arena_printf(h->arena, "%s_result", h->buffers[i]));
    tt_text_printf(h->out, "    std::vector<%s> %s;\n",
                   tt_block_bits(t) ? "uint8_t" : tt_device_type(t), result);
    tt_text_printf(h->out, "    distributed::EnqueueReadMeshBuffer(cq, %s, %s, true);\n", result,
                   h->buffers[i]);
    tt_text_printf(h->out, "    write_file(argv[%jd], %s);\n", (intmax_t)i + 1,
                   tt_tiles_to_rows(h, t, result));
  }
  tt_text_printf(h->out, "    device->close();\n    return 0;\n}\n");
}

static void name_buffers(TtHost *h) { /* and dimensions */
  h->names = tt_names_with_api(h->arena);
  h->buffers = tt_arena_alloc(h->arena, (size_t)(h->tensors.n + 1) * sizeof *h->buffers);
  for (intptr_t i = 0; i < h->tensors.n; ++i)
    h->buffers[i] = tt_names_take(&h->names, h->tensors.data[i].name);
  tt_name_host_dims(h);
}

bool tt_emit_host(TtArena *arena, MlirOperation program, TtApi api, TtText *out) {
  TtHost h = {.folder = "", .arena = arena, .program = program, .api = api, .out = out};
  h.tensors = tt_program_tensors(arena, program);
  h.num_args = h.tensors.n;
  name_buffers(&h);
  emit_top(&h);
  emit_main(&h);
  tt_emit_buffers(&h);
  emit_inputs(&h);
  if (!tt_emit_workload(&h)) return false;
  emit_outputs(&h);
  return true;
}

bool tt_emit_host_function(TtArena *arena, MlirOperation func, TtApi api, TtText *out) {
  TtHost h = {
      .folder = "", .arena = arena, .program = func, .api = api, .out = out, .is_function = true};
  tt_note_equal_host_dims(arena, func);
  h.tensors = tt_host_tensors(arena, func, &h.host_values);
  h.num_args = tt_num_args(func);
  name_buffers(&h);
  emit_top(&h);
  if (!tt_emit_run_functions(&h)) return false;
  emit_main(&h);
  tt_emit_buffers(&h);
  emit_inputs(&h);
  tt_emit_weights(&h);
  tt_emit_host_body(&h);
  emit_outputs(&h);
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
