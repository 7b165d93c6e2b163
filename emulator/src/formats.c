/*===- formats.c - unpack and pack ---------------------------------------------------------===
 *
 * Tiles in L1 are four faces of 16x16; source registers and DST are row-major
 * here. Unpack truncates, pack rounds half away from zero.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <string.h>

uint32_t emu_tile_bytes(ttemu_format format) {
  const TtFormat *row = tt_format_of_code((int)format);
  return row ? (uint32_t)row->tile_bytes : 0;
}

/* Element (row, col) of a tile is at this place among its faces. */
static int face_index(int i) {
  int row = i / 32, col = i % 32;
  return (row / 16 * 2 + col / 16) * 256 + row % 16 * 16 + col % 16;
}

static uint32_t load(const uint8_t *tile, int i, int bytes) {
  uint32_t value = 0;
  memcpy(&value, tile + (size_t)face_index(i) * (size_t)bytes, (size_t)bytes);
  return value;
}

static void store(uint8_t *tile, int i, int bytes, uint32_t value) {
  memcpy(tile + (size_t)face_index(i) * (size_t)bytes, &value, (size_t)bytes);
}

/* fp16 to float bits, as the chip reads it: no denormals, no infinity, no NaN; the largest
 * exponent is one as any other. */
static uint32_t half_to_float(uint32_t h) {
  uint32_t sign = (h & 0x8000u) << 16, exp = h >> 10 & 31, frac = h & 1023;
  if (exp == 0) return sign;
  return sign | (exp + 112) << 23 | frac << 13;
}

/* Float bits to fp16: truncated, too large saturates, too small is zero. */
static uint32_t float_to_half(uint32_t f) {
  uint32_t sign = f >> 16 & 0x8000u;
  int exp = (int)(f >> 23 & 255) - 112;
  if (exp > 31) return sign | 0x7fffu;
  return exp <= 0 ? sign : sign | (uint32_t)exp << 10 | (f >> 13 & 1023);
}

uint32_t emu_half_in_dst(uint32_t bits, bool rounds) {
  bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  if (rounds && finite) bits = (bits + 0x7fffu + (bits >> 16 & 1)) & 0xffff0000u;
  return half_to_float(float_to_half(bits));
}

/* Block formats: sixteen elements of a face's row share an exponent; the exponents of all
 * rows come first. An element has a sign and 1.6 bits, or 1.2 in a half of a byte, of
 * which the lower one comes first. */
static uint32_t block_to_float(const uint8_t *tile, int i, int bits) {
  int at = face_index(i), exp = tile[at / 16];
  uint32_t byte = bits == 8 ? tile[64 + at] : tile[64 + at / 2] >> (at % 2 * 4) & 15;
  uint32_t top = 1u << (bits - 2), m = byte & (2 * top - 1), sign = byte >> (bits - 1) << 31;
  if (m == 0 || exp == 0) return 0;
  while (!(m & top)) m <<= 1, --exp;
  return exp <= 0 ? 0 : sign | (uint32_t)exp << 23 | (m & (top - 1)) << (25 - bits);
}

bool emu_is_integer(ttemu_format format) {
  const TtFormat *row = tt_format_of_code((int)format);
  return row && !row->is_float;
}

/* Integers stand in DST as they are; those of 8 bits with a sign lie in L1 as sign and magnitude.
 */
static uint32_t load_integer(const uint8_t *tile, ttemu_format format, int i) {
  int bytes = (int)emu_tile_bytes(format) / TILE;
  uint32_t value = load(tile, i, bytes);
  if (format != TTEMU_INT8 || !(value & 0x80)) return value;
  return 0u - (value & 0x7f);
}

/* The element as float bits, as the unpacker delivers it. */
static uint32_t unpack_bits(const uint8_t *tile, ttemu_format format, DstMode mode, int i) {
  switch (format) {
  case TTEMU_FLOAT16_B: return load(tile, i, 2) << 16;
  case TTEMU_FLOAT16: return half_to_float(load(tile, i, 2));
  case TTEMU_BFP8_B: return block_to_float(tile, i, 8);
  case TTEMU_BFP4_B: return block_to_float(tile, i, 4);
  case TTEMU_FLOAT32: {
    uint32_t f = load(tile, i, 4);
    if (mode.f32_as_half) return half_to_float(float_to_half(f));
    if (mode.wide) return f & 0xffffe000u;               /* TF32 */
    return (f & 0x7f800000u) == 0 ? 0 : f & 0xffff0000u; /* bf16, no denormals */
  }
  default: return 0;
  }
}

/* The format that most tiles have, sixteen elements of a face's row at a time. */
EMU_VECTORIZED static void unpack_bf16(const uint8_t *tile, Source *out) {
  for (int row = 0; row < TILE / 16; ++row) {
    int face = row / 16, at = (face / 2 * 16 + row % 16) * 32 + face % 2 * 16;
    uint16_t bits[16];
    memcpy(bits, tile + row * 32, sizeof bits);
    for (int i = 0; i < 16; ++i) {
      int exp = bits[i] >> 7 & 255, sig = exp == 0 ? 0 : 1024 | (bits[i] & 127) << 3;
      out->exp[at + i] = (uint8_t)exp;
      out->sig[at + i] = (int16_t)(bits[i] >> 15 ? -sig : sig);
    }
  }
}

static bool is_byte(ttemu_format format) { return format == TTEMU_INT8 || format == TTEMU_UINT8; }

static void unpack_bytes(const uint8_t *tile, ttemu_format format, Source *out) {
  for (int i = 0; i < TILE; ++i) {
    out->sig[i] = (int16_t)load_integer(tile, format, i);
    out->exp[i] = out->sig[i] != 0;
  }
}

void emu_unpack(const uint8_t *tile, ttemu_format format, DstMode mode, Source *out) {
  if (is_byte(format)) {
    unpack_bytes(tile, format, out);
    return;
  }
  if (format == TTEMU_FLOAT16_B) {
    unpack_bf16(tile, out);
    return;
  }
  for (int i = 0; i < TILE; ++i) {
    uint32_t f = unpack_bits(tile, format, mode, i), exp = f >> 23 & 255;
    int16_t sig = (int16_t)(exp == 0 ? 0 : 1024 | (f >> 13 & 1023));
    out->exp[i] = (uint8_t)exp;
    out->sig[i] = f >> 31 ? (int16_t)-sig : sig;
  }
}

void emu_unpack_raw(const uint8_t *tile, ttemu_format format, uint32_t *dst) {
  for (int i = 0; i < TILE; ++i)
    dst[i] = format == TTEMU_FLOAT32  ? load(tile, i, 4)
             : emu_is_integer(format) ? load_integer(tile, format, i)
                                      : unpack_bits(tile, format, (DstMode){.wide = true}, i);
}

/* 16-bit DST takes the bits; fp32 DST adds them to zero, which flushes denormals. */
void emu_copy(const uint8_t *tile, ttemu_format format, DstMode mode, uint32_t *dst) {
  bool integer = emu_is_integer(format);
  for (int i = 0; i < TILE; ++i) {
    uint32_t f = integer ? load_integer(tile, format, i) : unpack_bits(tile, format, mode, i);
    if (!integer && (f & 0x7f800000u) == 0) f = 0;
    dst[i] = f;
  }
}

/* fp32 or bf16 in DST to bf16: half away; NaN becomes Inf, denormals and -0 become 0. */
static uint32_t to_bf16(uint32_t f, bool wide) {
  uint32_t exp = f >> 23 & 255;
  if (exp == 0) return 0;
  if (exp == 255) return (f >> 31 << 15) | 0x7f80u;
  return (wide ? f + 0x8000u : f) >> 16;
}

/* To fp16. DST of fp32 goes through bf16, as the vendor's build has it: 8 bits are left. Where the
 * exponent is the first below those of fp16, Wormhole's packer is set to give zero, and Blackhole's
 * leaves bits that mean another number. */
static uint32_t pack_half(uint32_t f, DstMode mode) {
  if (mode.five && !mode.wide) return (f & 0x7f800000u) == 0 ? 0 : float_to_half(f);
  uint32_t b = to_bf16(f, mode.wide) << 16;
  int exp = (int)(b >> 23 & 255) - 112;
  if (exp > 0 || exp < 0) return exp < 0 && mode.wormhole ? 0 : float_to_half(b);
  return mode.wormhole ? 0 : (b >> 16 & 0x8000u) | (b >> 13 & 1023);
}

/* Exponent and 7 bits of significand, half up. A carry raises the exponent. */
static uint32_t round_significand(uint32_t f, uint32_t *exp) {
  *exp = f >> 23 & 255;
  if (*exp == 0) return 0;
  uint32_t m = ((0x800000u | (f & 0x7fffffu)) + 0x10000u) >> 17;
  if (m < 128) return m;
  ++*exp;
  return 64;
}

/* To a block format of 8 or 4 bits an element: the packer makes 8 bits of either, and cuts. */
static void pack_block(const uint32_t *dst, int width, uint8_t *tile) {
  memset(tile + 64, 0, (size_t)TILE * (size_t)width / 8);
  for (int row = 0; row < 64; ++row) { /* 16 elements of a face row share an exponent */
    uint32_t f[16], m[16], exp[16], shared = 0;
    for (int i = 0; i < 16; ++i) {
      int face = row / 16, r = row % 16 + face / 2 * 16, c = i + face % 2 * 16;
      f[i] = dst[r * 32 + c];
      m[i] = round_significand(f[i], &exp[i]);
      if (exp[i] > shared) shared = exp[i];
    }
    tile[row] = (uint8_t)shared;
    for (int i = 0; i < 16; ++i) {
      uint32_t shift = shared - exp[i];
      if (shift > 0) m[i] = shift > 8 ? 0 : (m[i] + (1u << (shift - 1))) >> shift;
      m[i] >>= 8 - width;
      uint32_t element = m[i] == 0 ? 0 : f[i] >> 31 << (width - 1) | m[i];
      int at = (row * 16 + i) * width;
      tile[64 + at / 8] |= (uint8_t)(element << at % 8);
    }
  }
}

/* Sign and magnitude, of which the largest stands for what is larger. */
static uint32_t to_int8(int32_t value) {
  uint32_t m = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
  return (value < 0 ? 0x80 : 0) | (m > 127 ? 127 : m);
}

void emu_pack(const uint32_t *dst, DstMode mode, ttemu_format format, uint8_t *tile) {
  if (format == TTEMU_BFP8_B || format == TTEMU_BFP4_B) {
    pack_block(dst, format == TTEMU_BFP8_B ? 8 : 4, tile);
    return;
  }
  for (int i = 0; i < TILE; ++i) {
    uint32_t f = dst[i];
    switch (format) {
    case TTEMU_FLOAT32:
    case TTEMU_INT32:
    case TTEMU_UINT32: store(tile, i, 4, f); break;
    case TTEMU_FLOAT16_B: store(tile, i, 2, to_bf16(f, mode.wide)); break;
    case TTEMU_FLOAT16: store(tile, i, 2, pack_half(f, mode)); break;
    case TTEMU_UINT16: store(tile, i, 2, f); break;
    case TTEMU_UINT8: store(tile, i, 1, f); break;
    case TTEMU_INT8: store(tile, i, 1, to_int8((int32_t)f)); break;
    default: break;
    }
  }
}

/* The sum in the format of the buffer, to nearest even; denormals are zero. */
static uint32_t add_packed(uint32_t old, uint32_t new, int bytes) {
  float x, y;
  uint32_t bits;
  old <<= bytes == 2 ? 16 : 0, new <<= bytes == 2 ? 16 : 0;
  memcpy(&x, &old, 4), memcpy(&y, &new, 4);
  x += y;
  memcpy(&bits, &x, 4);
  if ((bits & 0x7f800000u) == 0) return 0;
  if (bytes == 4) return bits;
  bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  return (bits + (finite ? 0x7fffu + (bits >> 16 & 1) : 0)) >> 16;
}

bool emu_pack_onto(const uint32_t *dst, DstMode mode, ttemu_format format, uint8_t *tile) {
  static _Thread_local uint8_t packed[TILE * 4];
  int bytes = format == TTEMU_FLOAT32 ? 4 : 2;
  if (format != TTEMU_FLOAT32 && format != TTEMU_FLOAT16_B) return false;
  emu_pack(dst, mode, format, packed);
  for (int i = 0; i < TILE; ++i)
    store(tile, i, bytes, add_packed(load(tile, i, bytes), load(packed, i, bytes), bytes));
  return true;
}

double ttemu_element(uint32_t l1, uint32_t format, uint32_t row, uint32_t col, bool tiled) {
  Risc *risc = emu.running;
  ttemu_format f = (ttemu_format)format;
  uint32_t values[TILE], place = row * 32 + col;
  uint32_t offset = emu_l1_offset(risc, l1, emu_tile_bytes(f));
  emu_flush(risc->core);
  emu_unpack_raw(risc->core->l1 + offset, f, values);
  if (!tiled) /* what lies there if the memory is taken for faces */
    place = (place / 512 * 16 + place % 256 / 16) * 32 + place / 256 % 2 * 16 + place % 16;
  if (!emu_is_integer(f)) {
    float value;
    memcpy(&value, &values[place % TILE], sizeof value);
    return (double)value;
  }
  bool is_signed = f == TTEMU_INT32 || f == TTEMU_INT8;
  return is_signed ? (double)(int32_t)values[place % TILE] : (double)values[place % TILE];
}
