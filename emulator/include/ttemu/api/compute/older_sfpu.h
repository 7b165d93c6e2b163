// SFPU functions by the names of 2024 and 2025: their format in the name rather than a template
// argument, and two tiles of DST whose result takes the place of the first one.
#pragma once
#include "ttemu/api/compute/sfpu.h"
#if TTEMU_API >= 202603
#error "this header was there to the end of 2025"
#endif

namespace ckernel {
#define TTEMU_SFPU_IN_PLACE(name, op)                                                              \
  inline void name(uint32_t a, uint32_t b, ttemu::call_line at = ttemu::here()) {                  \
    ttemu_sfpu_run({op, 2, {a, b}, a, {}, TTEMU_VECTOR_RC}, at.line);                              \
  }
#define TTEMU_SFPU_OLDER_TWO(name, op)                                                             \
  TTEMU_SFPU_TWO(name, op)                                                                         \
  TTEMU_SFPU_IN_PLACE(name, op)

// Floats.
TTEMU_SFPU_IN_PLACE(add_binary_tile, TTEMU_ADD_DST)
TTEMU_SFPU_IN_PLACE(sub_binary_tile, TTEMU_SUB_DST)
TTEMU_SFPU_IN_PLACE(mul_binary_tile, TTEMU_MUL_DST)
TTEMU_SFPU_IN_PLACE(div_binary_tile, TTEMU_DIV_DST)
TTEMU_SFPU_IN_PLACE(rsub_binary_tile, TTEMU_RSUB_DST)
TTEMU_SFPU_IN_PLACE(power_binary_tile, TTEMU_POWER_DST)
TTEMU_SFPU_IN_PLACE(binary_max_tile, TTEMU_MAX_DST)
TTEMU_SFPU_IN_PLACE(binary_min_tile, TTEMU_MIN_DST)
TTEMU_SFPU_INIT(max_tile_init, TTEMU_MAX_DST)
inline void max_tile(uint32_t a, uint32_t b, int mode = TTEMU_VECTOR_RC, TTEMU_LINE) {
  ttemu_sfpu_run({TTEMU_MAX_DST, 2, {a, b}, a, {}, mode}, line);
}
TTEMU_SFPU_INIT(ceil_tile_init, TTEMU_CEIL)
TTEMU_SFPU_ONE(ceil_tile_float32, TTEMU_CEIL)
TTEMU_SFPU_INIT(floor_tile_init, TTEMU_FLOOR)
TTEMU_SFPU_ONE(floor_tile_float32, TTEMU_FLOOR)
TTEMU_SFPU_INIT(logical_not_unary_tile_init, TTEMU_LOGICAL_NOT)
TTEMU_SFPU_ONE(logical_not_unary_tile, TTEMU_LOGICAL_NOT)
TTEMU_SFPU_ONE(logical_not_unary_tile_int32, TTEMU_LOGICAL_NOT_INT)
TTEMU_SFPU_ONE(logical_not_unary_tile_uint32, TTEMU_LOGICAL_NOT_INT)
TTEMU_SFPU_ONE(logical_not_unary_tile_uint16, TTEMU_LOGICAL_NOT_INT)

// Integers.
TTEMU_SFPU_INIT(add_int32_tile_init, TTEMU_ADD_INT)
TTEMU_SFPU_OLDER_TWO(add_int32_tile, TTEMU_ADD_INT)
TTEMU_SFPU_INIT(add_uint32_tile_init, TTEMU_ADD_INT)
TTEMU_SFPU_OLDER_TWO(add_uint32_tile, TTEMU_ADD_INT)
TTEMU_SFPU_INIT(add_uint16_tile_init, TTEMU_ADD_INT)
TTEMU_SFPU_OLDER_TWO(add_uint16_tile, TTEMU_ADD_INT)
TTEMU_SFPU_INIT(sub_int32_tile_init, TTEMU_SUB_INT)
TTEMU_SFPU_OLDER_TWO(sub_int32_tile, TTEMU_SUB_INT)
TTEMU_SFPU_OLDER_TWO(sub_uint32_tile, TTEMU_SUB_INT)
TTEMU_SFPU_INIT(sub_uint16_tile_init, TTEMU_SUB_INT)
TTEMU_SFPU_OLDER_TWO(sub_uint16_tile, TTEMU_SUB_INT)
TTEMU_SFPU_INIT(rsub_int32_tile_init, TTEMU_RSUB_INT)
TTEMU_SFPU_TWO(rsub_int32_tile, TTEMU_RSUB_INT)
TTEMU_SFPU_INIT(mul_int32_tile_init, TTEMU_MUL_INT)
TTEMU_SFPU_OLDER_TWO(mul_int32_tile, TTEMU_MUL_INT)
TTEMU_SFPU_OLDER_TWO(mul_uint32_tile, TTEMU_MUL_INT)
TTEMU_SFPU_INIT(mul_int_tile_init, TTEMU_MUL_INT)
TTEMU_SFPU_INIT(mul_uint16_tile_init, TTEMU_MUL_INT)
TTEMU_SFPU_OLDER_TWO(mul_uint16_tile, TTEMU_MUL_INT)

// Their bits.
TTEMU_SFPU_IN_PLACE(and_binary_tile, TTEMU_AND_INT)
TTEMU_SFPU_IN_PLACE(or_binary_tile, TTEMU_OR_INT)
TTEMU_SFPU_IN_PLACE(xor_binary_tile, TTEMU_XOR_INT)
TTEMU_SFPU_OLDER_TWO(bitwise_and_binary_tile, TTEMU_AND_INT)
TTEMU_SFPU_OLDER_TWO(bitwise_and_uint32_binary_tile, TTEMU_AND_INT)
TTEMU_SFPU_OLDER_TWO(bitwise_and_uint16_binary_tile, TTEMU_AND_INT)
TTEMU_SFPU_OLDER_TWO(bitwise_or_binary_tile, TTEMU_OR_INT)
TTEMU_SFPU_OLDER_TWO(bitwise_or_uint32_binary_tile, TTEMU_OR_INT)
TTEMU_SFPU_OLDER_TWO(bitwise_or_uint16_binary_tile, TTEMU_OR_INT)
TTEMU_SFPU_OLDER_TWO(bitwise_xor_binary_tile, TTEMU_XOR_INT)
TTEMU_SFPU_OLDER_TWO(bitwise_xor_uint32_binary_tile, TTEMU_XOR_INT)
TTEMU_SFPU_OLDER_TWO(bitwise_xor_uint16_binary_tile, TTEMU_XOR_INT)
TTEMU_SFPU_OLDER_TWO(binary_left_shift_tile, TTEMU_SHIFT_INT)
TTEMU_SFPU_OLDER_TWO(binary_left_shift_int32_tile, TTEMU_SHIFT_INT)
TTEMU_SFPU_OLDER_TWO(binary_left_shift_uint32_tile, TTEMU_SHIFT_INT)
TTEMU_SFPU_OLDER_TWO(binary_right_shift_tile, TTEMU_SHIFT_RIGHT_INT)
TTEMU_SFPU_OLDER_TWO(binary_right_shift_int32_tile, TTEMU_SHIFT_RIGHT_INT)
TTEMU_SFPU_OLDER_TWO(binary_right_shift_uint32_tile, TTEMU_SHIFT_RIGHT_LOGICAL)
TTEMU_SFPU_OLDER_TWO(binary_logical_right_shift_tile, TTEMU_SHIFT_RIGHT_LOGICAL)
TTEMU_SFPU_OLDER_TWO(binary_logical_right_shift_int32_tile, TTEMU_SHIFT_RIGHT_LOGICAL)
TTEMU_SFPU_OLDER_TWO(binary_logical_right_shift_uint32_tile, TTEMU_SHIFT_RIGHT_LOGICAL)

// b where a is not zero, else c.
#define TTEMU_SFPU_WHERE(name, op)                                                                 \
  inline void name(uint32_t a, uint32_t b, uint32_t c, uint32_t out,                               \
                   ttemu::call_line at = ttemu::here()) {                                          \
    ttemu_sfpu_run({op, 3, {a, b, c}, out, {}, TTEMU_VECTOR_RC}, at.line);                         \
  }                                                                                                \
  inline void name(uint32_t a, uint32_t b, uint32_t c, ttemu::call_line at = ttemu::here()) {      \
    ttemu_sfpu_run({op, 3, {a, b, c}, a, {}, TTEMU_VECTOR_RC}, at.line);                           \
  }
TTEMU_SFPU_WHERE(where_tile, TTEMU_WHERE)
TTEMU_SFPU_WHERE(where_fp32_tile, TTEMU_WHERE)
TTEMU_SFPU_WHERE(where_int32_tile, TTEMU_WHERE_INT)
TTEMU_SFPU_WHERE(where_uint32_tile, TTEMU_WHERE_INT)
#undef TTEMU_SFPU_WHERE
#undef TTEMU_SFPU_OLDER_TWO
#undef TTEMU_SFPU_IN_PLACE
} // namespace ckernel
using namespace ckernel;
