/*===- conversions.c - the vector unit from one data format to another ------------------------===
 *
 * In the steps of the library (ckernel_sfpu_typecast.h), which are the same on both chips. What
 * they make of values that the target does not have is what they happen to leave:
 *
 *   Float32 3e9 to Int32    -2147483648
 *   Float32 0 to UInt8      2, since the significand's leading one is there and a shift by 150 is
 *                           one by 22
 *
 *===----------------------------------------------------------------------===*/

#include "sfpu_steps.h"

#include "emu.h"

#include <math.h>

/* The significand, with the leading one even of 0, moved to where its units are; the vector unit
 * shifts by five bits of the distance. */
static uint32_t shifted(uint32_t x) {
  uint32_t significand = (x & 0x7fffffu) | 0x800000u;
  int by = (int)(x >> 23 & 255) - 127 - 23;
  return by >= 0 ? significand << (by & 31) : significand >> (-by & 31);
}

static uint32_t float_to_integer(uint32_t x, uint32_t format) {
  int exponent = (int)(x >> 23 & 255) - 127;
  bool negative = x >> 31;
  if (format == TTEMU_UINT8) { /* nothing asks whether it is less than 1 */
    uint32_t s = shifted(x);
    return (negative ? 256u - s : s) & 255;
  }
  if (format == TTEMU_UINT16) { /* to the nearest, away from zero where two are as near */
    float value = bits_float(x);
    if (negative || exponent < -1) return 0;
    return exponent >= 16 ? 65535 : (uint32_t)fminf(floorf(value + 0.5f), 65535.0f);
  }
  if (exponent < 0) return 0;
  if (format == TTEMU_UINT32) return negative ? 0 : exponent >= 32 ? UINT32_MAX : shifted(x);
  uint32_t s = exponent >= 31 ? 0x80000000u : shifted(x);
  return negative ? 0u - s : s;
}

static uint32_t integer_to_integer(uint32_t x, uint32_t from, uint32_t to) {
  if (to == TTEMU_UINT8) return x & 255;
  if (to != TTEMU_UINT16) return x;
  if (from == TTEMU_INT32 && x >> 31) return 0;
  return x > 65535 ? 65535 : x;
}

uint32_t emu_convert(uint32_t x, uint32_t from, uint32_t to) {
  bool of_integers = emu_is_integer((ttemu_format)from);
  if (emu_is_integer((ttemu_format)to))
    return of_integers ? integer_to_integer(x, from, to) : float_to_integer(x, to);
  if (!of_integers) /* to the nearest, to even where two are as near; of what is no number, too */
    return to == TTEMU_FLOAT32 ? x : (x + 0x7fffu + (x >> 16 & 1)) & 0xffff0000u;
  bool is_signed = from == TTEMU_INT32 || from == TTEMU_INT8;
  float low = (float)(x & 0x7fffffffu), value = is_signed ? (float)(int32_t)x
                                                : x >> 31 ? low + 2147483648.0f
                                                          : low;
  uint32_t bits = float_bits(value);
  return to == TTEMU_FLOAT32 ? bits : (bits + 0x8000u) & 0xffff0000u;
}
