/*===- host_helpers.c - functions that a host program brings along ----------------------------===
 *
 * Raw files, numbers, padding to tiles, and block floats: each only where a tensor or scalar
 * needs it.
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

/*===- Elements of another type than the files have -------------------------------------------===*/

/* The float that elements are: of files (as which fp8 is read), and on the device, where block
 * floats are made of floats unless files have bfloat16. */
static TtDType file_float(const TtTensor *t) {
  TtDType own = TT_D_TYPE_BF16;
  if (!mlirTypeIsNull(t->file)) return own;
  tt_dtype_of(mlirShapedTypeGetElementType(t->type), &own);
  return own;
}

static TtDType device_float(const TtTensor *t) {
  if (!tt_block_bits(t)) return tt_stored_type(t);
  return file_float(t) == TT_D_TYPE_FP16 ? TT_D_TYPE_FP32 : file_float(t);
}

const char *tt_device_type(const TtTensor *t) {
  switch (device_float(t)) {
  case TT_D_TYPE_BF16: return "bfloat16";
  case TT_D_TYPE_FP16: return "uint16_t"; /* the bits of a half */
  case TT_D_TYPE_FP32: return "float";
  case TT_D_TYPE_INT32: return "uint32_t";
  case TT_D_TYPE_UINT8: return "uint8_t";
  default: return tt_host_type(t->type);
  }
}

static const char *between(TtHost *h, const char *data, TtDType from, TtDType to) {
  if (from == to) return data;
  if (!tt_format(from)->is_float)
    return tt_arena_printf(h->arena, "cast_integers<%s>(%s)",
                           to == TT_D_TYPE_INT32 ? "uint32_t" : "uint8_t", data);
  if (from != TT_D_TYPE_FP32)
    data = tt_arena_printf(h->arena, "%s_as_floats(%s)",
                           from == TT_D_TYPE_FP16 ? "halves" : "bfloat16s", data);
  if (to == TT_D_TYPE_FP32) return data;
  return tt_arena_printf(h->arena, "floats_as_%s(%s)",
                         to == TT_D_TYPE_FP16 ? "halves" : "bfloat16s", data);
}

static const char *fp8_bits(const TtTensor *t) {
  return mlirTypeIsAFloat8E5M2(t->file) ? "5, 2" : "4, 3";
}

const char *tt_converted(TtHost *h, const char *data, const TtTensor *t, bool to_device) {
  if (to_device && !mlirTypeIsNull(t->file))
    data = tt_arena_printf(h->arena, "fp8s_as_bfloat16s<%s>(%s)", fp8_bits(t), data);
  if (tt_is_i64(mlirShapedTypeGetElementType(t->type)))
    return tt_arena_printf(h->arena, "%s_integers(%s)", to_device ? "narrow" : "widen", data);
  if (!to_device && !mlirTypeIsNull(t->file))
    return tt_arena_printf(h->arena, "floats_as_fp8s<%s>(%s)", fp8_bits(t),
                           between(h, data, device_float(t), TT_D_TYPE_FP32));
  return to_device ? between(h, data, file_float(t), device_float(t))
                   : between(h, data, device_float(t), file_float(t));
}

static void emit_bfloat16s(TtHost *h) {
  tt_text_printf(
      h->out, "std::vector<float> bfloat16s_as_floats(const std::vector<bfloat16>& from) {\n"
              "    std::vector<float> to(from.size());\n"
              "    for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<float>(from[i]);\n"
              "    return to;\n"
              "}\n\n"
              "std::vector<bfloat16> floats_as_bfloat16s(const std::vector<float>& from) {\n"
              "    std::vector<bfloat16> to(from.size());\n"
              "    for (size_t i = 0; i < from.size(); ++i) to[i] = bfloat16(from[i]);\n"
              "    return to;\n"
              "}\n\n");
}

static void emit_halves(TtHost *h) {
  tt_text_printf(
      h->out,
      "// Halves are 16 bits: a sign, 5 bits of exponent, 10 of mantissa.\n"
      "std::vector<float> halves_as_floats(const std::vector<uint16_t>& from) {\n"
      "    std::vector<float> to(from.size());\n"
      "    for (size_t i = 0; i < from.size(); ++i) {\n"
      "        const int exponent = from[i] >> 10 & 31, mantissa = from[i] & 1023;\n"
      "        const float magnitude = exponent == 31 ? (mantissa ? NAN : INFINITY)\n"
      "                                               : std::ldexp(mantissa + (exponent ? 1024.0f "
      ": 0.0f), std::max(exponent, 1) - 25);\n"
      "        to[i] = from[i] & 0x8000 ? -magnitude : magnitude;\n"
      "    }\n"
      "    return to;\n"
      "}\n\n"
      "std::vector<uint16_t> floats_as_halves(const std::vector<float>& from) {\n"
      "    std::vector<uint16_t> to(from.size());\n"
      "    for (size_t i = 0; i < from.size(); ++i) {\n"
      "        const float magnitude = std::fabs(from[i]);\n"
      "        const uint16_t sign = std::signbit(from[i]) ? 0x8000 : 0;\n"
      "        const int exponent = magnitude < 65520 && magnitude > 0 ? "
      "std::max(std::ilogb(magnitude), -14) : -14;\n"
      "        const int bits = std::isnan(magnitude) ? 0x7E00 : magnitude >= 65520 ? 0x7C00\n"
      "                         : (exponent + 14) * 1024 + "
      "static_cast<int>(std::lrint(std::ldexp(magnitude, 10 - exponent)));\n"
      "        to[i] = static_cast<uint16_t>(sign | bits);\n"
      "    }\n"
      "    return to;\n"
      "}\n\n");
}

static void emit_fp8s(TtHost *h) {
  tt_text_printf(
      h->out,
      "// fp8: a sign, an exponent and a mantissa; bfloat16 holds all of them. With 4 bits of\n"
      "// exponent there is no infinity.\n"
      "template <int exponent_bits, int mantissa_bits>\n"
      "std::vector<bfloat16> fp8s_as_bfloat16s(const std::vector<uint8_t>& from) {\n"
      "    constexpr int most = (1 << exponent_bits) - 1, bias = most / 2, one = 1 << "
      "mantissa_bits;\n"
      "    std::vector<bfloat16> to(from.size());\n"
      "    for (size_t i = 0; i < from.size(); ++i) {\n"
      "        const int exponent = from[i] >> mantissa_bits & most, mantissa = from[i] & (one - "
      "1);\n"
      "        float magnitude = std::ldexp(mantissa + (exponent ? 1.0f * one : 0.0f), "
      "std::max(exponent, 1) - bias - mantissa_bits);\n"
      "        if (exponent_bits == 4 && (from[i] & 127) == 127) magnitude = NAN;\n"
      "        if (exponent_bits == 5 && exponent == most) magnitude = mantissa ? NAN : "
      "INFINITY;\n"
      "        to[i] = bfloat16(from[i] & 128 ? -magnitude : magnitude);\n"
      "    }\n"
      "    return to;\n"
      "}\n\n");
}

static void emit_to_fp8s(TtHost *h) {
  tt_text_printf(
      h->out,
      "// The device has rounded them already. What is too large is no number, or an infinity.\n"
      "template <int exponent_bits, int mantissa_bits>\n"
      "std::vector<uint8_t> floats_as_fp8s(const std::vector<float>& from) {\n"
      "    constexpr int least = 2 - (1 << (exponent_bits - 1)), beyond = exponent_bits == 4 ? 127 "
      ": "
      "124;\n"
      "    std::vector<uint8_t> to(from.size());\n"
      "    for (size_t i = 0; i < from.size(); ++i) {\n"
      "        const float magnitude = std::fabs(from[i]);\n"
      "        const bool finite = std::isfinite(magnitude);\n"
      "        const int exponent = finite && magnitude > 0 ? std::max(std::ilogb(magnitude), "
      "least) "
      ": least;\n"
      "        const float steps = finite ? std::ldexp(magnitude, mantissa_bits - exponent) : 0;\n"
      "        const int code = ((exponent - least) << mantissa_bits) + "
      "static_cast<int>(std::lrint(steps));\n"
      "        const int bits = std::isnan(magnitude) ? 127 : finite ? std::min(code, beyond) : "
      "beyond;\n"
      "        to[i] = static_cast<uint8_t>(bits | (std::signbit(from[i]) ? 128 : 0));\n"
      "    }\n"
      "    return to;\n"
      "}\n\n");
}

/* The functions that tt_converted calls. */
static void emit_conversions(TtHost *h) {
  bool bfloat16s = false, halves = false, integers = false, wide = false, fp8s = false,
       to_fp8s = false;
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (t->scalar || !t->on_host || (!t->read && !t->written)) continue;
    TtDType a = file_float(t), b = device_float(t);
    fp8s |= t->read && !mlirTypeIsNull(t->file);
    if (t->written && !mlirTypeIsNull(t->file)) {
      to_fp8s = true;
      bfloat16s |= b == TT_D_TYPE_BF16;
      halves |= b == TT_D_TYPE_FP16;
    }
    wide |= tt_is_i64(mlirShapedTypeGetElementType(t->type));
    if (a == b) continue;
    integers |= !tt_format(a)->is_float;
    bfloat16s |= a == TT_D_TYPE_BF16 || b == TT_D_TYPE_BF16;
    halves |= a == TT_D_TYPE_FP16 || b == TT_D_TYPE_FP16;
  }
  if (integers)
    tt_text_printf(
        h->out, "template <typename To, typename From>\n"
                "std::vector<To> cast_integers(const std::vector<From>& from) {\n"
                "    std::vector<To> to(from.size());\n"
                "    for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<To>(from[i]);\n"
                "    return to;\n"
                "}\n\n");
  if (wide)
    tt_text_printf(
        h->out,
        "// Integers of 64 bits have 32 on the device; ends the program where one does not fit.\n"
        "std::vector<uint32_t> narrow_integers(const std::vector<int64_t>& from) {\n"
        "    std::vector<uint32_t> to(from.size());\n"
        "    for (size_t i = 0; i < from.size(); ++i) {\n"
        "        to[i] = static_cast<uint32_t>(from[i]);\n"
        "        if (static_cast<int32_t>(to[i]) != from[i]) {\n"
        "            std::fprintf(stderr, \"%%jd does not fit 32 bits\\n\", "
        "static_cast<intmax_t>(from[i]));\n"
        "            std::exit(1);\n"
        "        }\n"
        "    }\n"
        "    return to;\n"
        "}\n\n"
        "std::vector<int64_t> widen_integers(const std::vector<uint32_t>& from) {\n"
        "    std::vector<int64_t> to(from.size());\n"
        "    for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<int32_t>(from[i]);\n"
        "    return to;\n"
        "}\n\n");
  if (fp8s) emit_fp8s(h);
  if (bfloat16s) emit_bfloat16s(h);
  if (halves) emit_halves(h);
  if (to_fp8s) emit_to_fp8s(h);
}

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
  emit_conversions(h);
  for (intptr_t i = 0; i < h->tensors.n; ++i) {
    const TtTensor *t = &h->tensors.data[i];
    if (!(t->on_host || i < h->num_args) || !tt_block_bits(t)) continue;
    emit_packing(h);
    break;
  }
  tt_emit_weights_helper(h);
  tt_text_printf(h->out, "}  // namespace\n\n");
}
