/*===- emit_weights.c - the globals of a host function ----------------------------------------===
 *
 *   memref.global @w : memref<64x64xbf16> = dense<…>      weights.bin, beside main.cpp
 *   %w = memref.get_global @w                             auto w = make_buffer(…);
 *                                                         EnqueueWriteMeshBuffer(cq, w, …)
 *
 * The file has the elements of all that are used, one tensor after the other.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"

#include "Analysis/weights.h"

static int64_t num_elements(MlirType type) {
  int64_t n = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) n *= mlirShapedTypeGetDimSize(type, d);
  return n;
}

static bool is_loaded(const TtHostValues *values, const TtTensors *tensors, intptr_t i) {
  return values->data[i].kind == TT_HOST_GLOBAL && tensors->data[i].launched;
}

static bool append(TtText *out, MlirOperation get) {
  const char *data;
  size_t n, times;
  if (!tt_weight_data(get, &data, &n, &times)) return false;
  for (size_t i = 0; i < times; ++i) tt_text_append(out, data, n);
  return true;
}

bool tt_emit_weights_file(TtArena *arena, MlirOperation func, TtText *out) {
  TtHostValues values;
  TtTensors tensors = tt_host_tensors(arena, func, &values);
  for (intptr_t i = 0; i < values.n; ++i)
    if (is_loaded(&values, &tensors, i) && !append(out, tt_defining_op(values.data[i].value)))
      return false;
  return true;
}

bool tt_has_weights(TtArena *arena, MlirOperation func) {
  TtHostValues values;
  TtTensors tensors = tt_host_tensors(arena, func, &values);
  for (intptr_t i = 0; i < values.n; ++i)
    if (is_loaded(&values, &tensors, i)) return true;
  return false;
}

void tt_emit_weights_helper(TtHost *h) {
  bool any = false;
  for (intptr_t i = 0; h->is_function && i < h->tensors.n; ++i)
    any |= is_loaded(&h->host_values, &h->tensors, i);
  if (!any) return;
  tt_text_printf(
      h->out,
      "// Elements of weights.bin, from byte `at` on; ends the program if they are not there.\n"
      "template <typename T>\n"
      "std::vector<T> read_weights(size_t at, size_t count) {\n"
      "    std::vector<T> data(count);\n"
      "    std::FILE* file = std::fopen(OVERRIDE_KERNEL_PREFIX \"weights.bin\", \"rb\");\n"
      "    if (file == nullptr || std::fseek(file, static_cast<long>(at), SEEK_SET) != 0 ||\n"
      "        std::fread(data.data(), sizeof(T), count, file) != count) {\n"
      "        std::fprintf(stderr, \"weights.bin: expected %%zu bytes from byte %%zu on\\n\", "
      "count * sizeof(T), at);\n"
      "        std::exit(1);\n"
      "    }\n"
      "    std::fclose(file);\n"
      "    return data;\n"
      "}\n\n");
}

void tt_emit_weights(TtHost *h) {
  int64_t at = 0;
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!is_loaded(&h->host_values, &h->tensors, i)) continue;
    int64_t n = num_elements(t->type);
    const char *rows = tt_arena_printf(h->arena, "read_weights<%s>(%jd, %jd)",
                                       tt_host_type(t->type), (intmax_t)at, (intmax_t)n);
    tt_emit_buffer(h, i);
    char *data = tt_names_take(&h->names, tt_arena_printf(h->arena, "%s_data", h->buffers[i]));
    tt_text_printf(h->out, "    auto %s = %s;\n", data, tt_rows_to_tiles(h, t, rows));
    tt_text_printf(h->out, "    distributed::EnqueueWriteMeshBuffer(cq, %s, %s, false);\n",
                   h->buffers[i], data);
    at += n * tt_element_bytes(mlirShapedTypeGetElementType(t->type));
  }
}
