/*===- host_conversions.c - elements of another type on the device than in files ----------------===
 *
 *   tensor of f16 in files, of f32 on the device -> halves_as_floats(read_file<uint16_t>(argv[1],
 * n)) and the function, if a tensor needs it
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/ranges.h"
#include "Emit/emit_host.h"

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

/* What tt.range says that a tensor of the command line holds; without it, what 32 bits do. */
static TtRange range_of(TtHost *h, const TtTensor *t) {
  TtRange range = {INT32_MIN, INT32_MAX, false};
  if (!h->is_function) range = tt_program_range(h->program, t->name, t->type);
  else
    for (intptr_t i = 0; i < h->num_args; ++i)
      if (tt_str_eq(tt_str(h->tensors.data[i].name), t->name)) range = tt_arg_range(h->program, i);
  return range.given ? range : (TtRange){INT32_MIN, INT32_MAX, false};
}

const char *tt_converted(TtHost *h, const char *data, const TtTensor *t, bool to_device) {
  if (to_device && !mlirTypeIsNull(t->file))
    data = tt_arena_printf(h->arena, "fp8s_as_bfloat16s<%s>(%s)", fp8_bits(t), data);
  if (tt_is_i64(mlirShapedTypeGetElementType(t->type))) {
    TtRange range = range_of(h, t);
    if (!to_device) return tt_arena_printf(h->arena, "widen_integers(%s)", data);
    return tt_arena_printf(h->arena, "narrow_integers(%s, %jd, %jd)", data, (intmax_t)range.lo,
                           (intmax_t)range.hi);
  }
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

void tt_emit_conversions(TtHost *h) {
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
        "// Integers of 64 bits have 32 on the device; ends the program where one is none of those "
        "that the kernel takes.\n"
        "std::vector<uint32_t> narrow_integers(const std::vector<int64_t>& from, int64_t least, "
        "int64_t most) {\n"
        "    std::vector<uint32_t> to(from.size());\n"
        "    for (size_t i = 0; i < from.size(); ++i) {\n"
        "        to[i] = static_cast<uint32_t>(from[i]);\n"
        "        if (from[i] < least || from[i] > most) {\n"
        "            std::fprintf(stderr, \"%%jd is not from %%jd to %%jd\\n\", "
        "static_cast<intmax_t>(from[i]),\n"
        "                         static_cast<intmax_t>(least), static_cast<intmax_t>(most));\n"
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
