// Bits of integers, one by one.
#pragma once
#include "ttemu/api/compute/eltwise_unary/bitwise_and.h"
#include "ttemu/api/compute/eltwise_unary/bitwise_not.h"
#include "ttemu/api/compute/eltwise_unary/bitwise_or.h"
#include "ttemu/api/compute/eltwise_unary/bitwise_xor.h"

#if TTEMU_API >= 202608
namespace ckernel {
// By the format of what is in DST, too.
template <DataFormat tFormat>
inline void bitwise_and_tile(uint32_t dst, uint32_t scalar, TTEMU_LINE) {
  bitwise_and_tile(dst, scalar, line);
}
template <DataFormat tFormat>
inline void bitwise_or_tile(uint32_t dst, uint32_t scalar, TTEMU_LINE) {
  bitwise_or_tile(dst, scalar, line);
}
template <DataFormat tFormat>
inline void bitwise_xor_tile(uint32_t dst, uint32_t scalar, TTEMU_LINE) {
  bitwise_xor_tile(dst, scalar, line);
}
template <DataFormat tFormat> inline void bitwise_not_tile(uint32_t dst, TTEMU_LINE) {
  bitwise_not_tile(dst, line);
}
} // namespace ckernel
#endif
