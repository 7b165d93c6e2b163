/*===- host_helpers.c - functions that a host program brings along ----------------------------===
 *
 * Raw files, numbers, padding to tiles, and block floats: each only where a tensor or scalar
 * needs it. Elements of another type: host_conversions.c.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"

#include <string.h>

const char *tt_host_type(MlirType memref) {
  MlirType element = mlirShapedTypeGetElementType(memref);
  if (mlirTypeIsABF16(element)) return "bfloat16";
  if (mlirTypeIsAF32(element)) return "float";
  if (mlirTypeIsAF16(element)) return "uint16_t"; /* the bits of a half */
  switch (tt_element_bytes(element)) {
  case 8: return "int64_t";
  case 4: return "uint32_t"; /* the bits of an integer: what the library tilizes */
  case 2: return "uint16_t";
  default: return "uint8_t";
  }
}

const char *tt_host_scalar_type(MlirType scalar) {
  return mlirTypeIsAFloat(scalar) ? "float" : "int32_t";
}

TtDType tt_stored_type(const TtTensor *t) { return tt_buffer_attr_dtype(t->buffer); }

/*===- Tiles ----------------------------------------------------------------------------------===*/

static bool has_bytes(const TtTensor *t) {
  return !t->scalar && !tt_block_bits(t) && strcmp(tt_device_type(t), "uint8_t") == 0;
}

const char *tt_tilize(const TtTensor *t, bool to_device) {
  if (has_bytes(t)) return to_device ? "tilize_bytes" : "untilize_bytes";
  return to_device ? "tilize_nfaces" : "untilize_nfaces";
}

static void emit_bytes(TtHost *h) {
  static const char *const functions[] = {"tilize", "untilize"};
  bool any = false;
  for (intptr_t i = 0; i < h->tensors.n; ++i)
    any |= h->tensors.data[i].on_host && has_bytes(&h->tensors.data[i]);
  if (!any) return;
  tt_text_printf(h->out, "// The library does this for elements of 16 and of 32 bits only.\n");
  for (int i = 0; i < 2; ++i)
    tt_text_printf(h->out,
                   "std::vector<uint8_t> %s_bytes(const std::vector<uint8_t>& from, uint32_t rows, "
                   "uint32_t cols) {\n"
                   "    const auto to = %s_nfaces(std::vector<uint16_t>(from.begin(), from.end()), "
                   "rows, cols);\n"
                   "    return std::vector<uint8_t>(to.begin(), to.end());\n"
                   "}\n\n",
                   functions[i], functions[i]);
}

/*===- Padding --------------------------------------------------------------------------------===*/

/* True where the tiles of a tensor hold more than its elements. */
static bool is_padded(const TtTensor *t) {
  TtMatrices m = tt_matrices(t->type);
  return tt_is_dynamic(t) || m.rows % TT_TILE != 0 || m.cols % TT_TILE != 0;
}

static void emit_padding(TtHost *h) {
  tt_text_printf(
      h->out,
      "// Matrices one after the other, from rows x cols to to_rows x to_cols elements: padded "
      "with zeros, or cropped.\n"
      "template <typename T>\n"
      "std::vector<T> resize(const std::vector<T>& from, size_t count, size_t rows, size_t cols, "
      "size_t to_rows,\n"
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
int tt_block_bits(const TtTensor *t) {
  if (t->scalar || mlirAttributeIsNull(t->buffer)) return 0;
  return tt_stored_type(t) == TT_D_TYPE_BFP8_B ? 8 : tt_stored_type(t) == TT_D_TYPE_BFP4_B ? 4 : 0;
}

static void emit_packing(TtHost *h) {
  tt_text_printf(h->out,
                 "// Tiles as block floats of `bits` bits an element: the 16 elements of a face's "
                 "row share an exponent, and each\n"
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
                 "            const long magnitude = std::min(std::lround(std::ldexp(std::fabs(x), "
                 "bits - 2 - exponent)), most);\n"
                 "            const long sign = x < 0 && magnitude != 0 ? 1 : 0;\n"
                 "            const size_t at = (row %% 64 * 16 + i) * bits;\n"
                 "            tile[64 + at / 8] |= static_cast<uint8_t>((sign << (bits - 1) | "
                 "magnitude) << at %% 8);\n"
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
                 "        const int element = tile[64 + at / 8] >> at %% 8 & ((1 << bits) - 1), "
                 "sign = element >> (bits - 1);\n"
                 "        const int magnitude = element & ((1 << (bits - 1)) - 1), exponent = "
                 "tile[i %% 1024 / 16] - 127;\n"
                 "        tiles[i] = T(std::ldexp(sign ? -1.0f * magnitude : 1.0f * magnitude, "
                 "exponent - (bits - 2)));\n"
                 "    }\n"
                 "    return tiles;\n"
                 "}\n\n");
}

/* `data`, a C++ expression, with the elements of a tensor padded to tiles, or cropped. */
const char *tt_resized(TtHost *h, const char *data, const TtTensor *t, bool pad) {
  if (!is_padded(t)) return data;
  TtSides s = tt_host_sides(h, t);
  TtMatrices m = tt_matrices(t->type);
  const char *rows = tt_is_dynamic(t)
                         ? tt_arena_printf(h->arena, "tiles_of(%s) * 32", s.rows)
                         : tt_arena_printf(h->arena, "%jd", (intmax_t)(tt_tiles(m.rows) * TT_TILE));
  return pad ? tt_arena_printf(h->arena, "resize(%s, %s, %s, %s, %s, %s)", data, s.count, s.rows,
                               s.cols, rows, s.padded_cols)
             : tt_arena_printf(h->arena, "resize(%s, %s, %s, %s, %s, %s)", data, s.count, rows,
                               s.padded_cols, s.rows, s.cols);
}

/* Functions that sizes need: of arguments, of tensors that a host function makes, of both. */
static void emit_sizes(TtHost *h) {
  bool given = h->dims.n > 0, made = false, dynamic = given;
  for (intptr_t i = 0; i < h->tensors.n; ++i) dynamic |= tt_is_dynamic(&h->tensors.data[i]);
  for (intptr_t i = 0; h->is_function && i < h->tensors.n; ++i)
    made |= h->host_values.data[i].kind == TT_HOST_ALLOC && tt_is_dynamic(&h->tensors.data[i]);
  if (given)
    tt_text_printf(h->out, "// The size in `text`; ends the program if there is none.\n"
                           "uint32_t read_size(const char* text) {\n"
                           "    const double number = read_number(text);\n"
                           "    if (number < 1 || number != std::floor(number)) {\n"
                           "        std::fprintf(stderr, \"'%%s' is no size\\n\", text);\n"
                           "        std::exit(1);\n"
                           "    }\n"
                           "    return static_cast<uint32_t>(number);\n"
                           "}\n\n");
  if (made)
    tt_text_printf(h->out,
                   "// The size of a tensor that is made here; ends the program if it is none.\n"
                   "uint32_t size_of(const char* name, int64_t size) {\n"
                   "    if (size < 1 || size > 0xFFFFFFFF) {\n"
                   "        std::fprintf(stderr, \"a dimension of '%%s' is %%jd\\n\", name, "
                   "static_cast<intmax_t>(size));\n"
                   "        std::exit(1);\n"
                   "    }\n"
                   "    return static_cast<uint32_t>(size);\n"
                   "}\n\n");
  if (dynamic)
    tt_text_printf(h->out, "// Tiles that so many elements take.\n"
                           "constexpr uint32_t tiles_of(uint32_t elements) {\n"
                           "    return (elements + 31) / 32;\n"
                           "}\n\n");
}

/* Quotients that are rounded down and up, of a host function. */
static void emit_division(TtHost *h) {
  static const char *const ops[] = {"affine.apply", "affine.min", "affine.max", "arith.floordivsi",
                                    "arith.ceildivsi"};
  bool any = false;
  for (size_t i = 0; h->is_function && i < sizeof ops / sizeof *ops; ++i)
    any |= tt_collect(h->arena, h->program, ops[i]).n > 0;
  if (!any) return;
  tt_text_printf(h->out, "// Quotients, rounded down and up.\n"
                         "constexpr int64_t divide_down(int64_t a, int64_t b) {\n"
                         "    return a / b - (a %% b != 0 && (a < 0) != (b < 0) ? 1 : 0);\n"
                         "}\n\n"
                         "constexpr int64_t divide_up(int64_t a, int64_t b) {\n"
                         "    return -divide_down(-a, b);\n"
                         "}\n\n");
}

static void emit_numbers(TtHost *h) {
  tt_text_printf(h->out, "// The number in `text`; ends the program if there is none.\n"
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

void tt_emit_host_helpers(TtHost *h) {
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
      "        std::fprintf(stderr, \"%%s: expected a file of %%zu bytes\\n\", path, count * "
      "sizeof(T));\n"
      "        std::exit(1);\n"
      "    }\n"
      "    std::fclose(file);\n"
      "    return data;\n"
      "}\n\n"
      "template <typename T>\n"
      "void write_file(const char* path, const std::vector<T>& data) {\n"
      "    std::FILE* file = std::fopen(path, \"wb\");\n"
      "    if (file == nullptr || std::fwrite(data.data(), sizeof(T), data.size(), file) != "
      "data.size() ||\n"
      "        std::fclose(file) != 0) {\n"
      "        std::fprintf(stderr, \"%%s: cannot be written\\n\", path);\n"
      "        std::exit(1);\n"
      "    }\n"
      "}\n\n");
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (t->scalar || !(t->on_host || i < h->num_args) || !is_padded(t)) continue;
    emit_padding(h);
    break;
  }
  for (intptr_t i = 0; i < h->num_args; ++i) {
    if (!h->tensors.data[i].scalar && h->dims.n == 0) continue;
    emit_numbers(h);
    break;
  }
  emit_sizes(h);
  emit_division(h);
  emit_bytes(h);
  tt_emit_conversions(h);
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!(t->on_host || i < h->num_args) || !tt_block_bits(t)) continue;
    emit_packing(h);
    break;
  }
  tt_emit_weights_helper(h);
  tt_text_printf(h->out, "}  // namespace\n\n");
}
