// The vector unit's instructions by their names, for kernels that write them: registers, lanes and
// conditions are the unit's. What stands here works; an instruction that is not here does not
// compile, and a mode that is not ends the run.
#pragma once

#include "ttemu/sfpi/functions.h"
#include "ttemu/sfpi/registers.h"

namespace ckernel {
struct p_sfpu {
  static constexpr uint32_t LREG0 = 0, LREG1 = 1, LREG2 = 2, LREG3 = 3, LREG4 = 4, LREG5 = 5,
                            LREG6 = 6, LREG7 = 7, LCONST_0_8373 = 8, LCONST_0 = 9, LCONST_1 = 10,
                            LCONST_neg1 = 11;
};
struct p_sfpswap {
  static constexpr uint32_t UNCONDITIONALLY = 0, ALL_ROWS_MAX = 1, ROWS_01_MAX = 2, ROWS_02_MAX = 3,
                            ROWS_03_MAX = 4;
};
// How a register and DST see each other's numbers.
enum InstrModLoadStore : uint8_t { DEFAULT, FP16A, FP16B, FP32, INT32, INT8, LO16, HI16 };
inline constexpr uint8_t ADDR_MOD_0 = 0, ADDR_MOD_1 = 1, ADDR_MOD_2 = 2, ADDR_MOD_3 = 3,
                         ADDR_MOD_4 = 4, ADDR_MOD_5 = 5, ADDR_MOD_6 = 6, ADDR_MOD_7 = 7;
} // namespace ckernel
namespace sfpi {
inline constexpr uint32_t SFPSTOCHRND_MOD1_FP32_TO_FP16A = 0, SFPSTOCHRND_MOD1_FP32_TO_FP16B = 1,
                          SFPSTOCHRND_MOD1_FP32_TO_UINT8 = 2, SFPSTOCHRND_MOD1_FP32_TO_INT8 = 3,
                          SFPSTOCHRND_MOD1_FP32_TO_UINT16 = 6, SFPSTOCHRND_MOD1_FP32_TO_INT16 = 7;
inline constexpr uint32_t SFPIADD_MOD1_ARG_LREG_DST = 0, SFPIADD_MOD1_ARG_IMM = 1,
                          SFPIADD_MOD1_ARG_2SCOMP_LREG_DST = 2, SFPIADD_MOD1_CC_LT0 = 0,
                          SFPIADD_MOD1_CC_NONE = 4, SFPIADD_MOD1_CC_GTE0 = 8;
} // namespace sfpi

namespace ttemu::unit {
using sfpi::lanes, sfpi::vFloat;
inline vFloat registers[12];
inline uint32_t flags = ~uint32_t{0}; // of lanes, as conditions leave them
inline uint32_t advances[8];          // of DST after a load or store, by address modifier
inline uint32_t counter = 0;          // of rows of DST, on top of dst_reg
inline bool uses_flags = true;

inline void fail(const char *why, uint32_t line) { ttemu_kernel_failure(why, line); }
inline const vFloat &reg(uint32_t i) {
  if (i == ckernel::p_sfpu::LCONST_0_8373) return sfpi::vConst0p8373;
  if (i == ckernel::p_sfpu::LCONST_0) return sfpi::vConst0;
  if (i == ckernel::p_sfpu::LCONST_1) return sfpi::vConst1;
  if (i == ckernel::p_sfpu::LCONST_neg1) return sfpi::vConstNeg1;
  return registers[i & 7];
}
// Lanes that instructions change.
inline bool on(int lane) {
  return (!uses_flags || (flags >> lane & 1)) && (sfpi::impl::enabled >> lane & 1);
}
template <typename Function> inline void set(uint32_t to, Function &&bits) {
  ++sfpi::impl::clks;
  uint32_t values[lanes];
  for (int i = 0; i < lanes; ++i) values[i] = static_cast<uint32_t>(bits(i));
  for (int i = 0; i < lanes; ++i)
    if (on(i)) registers[to & 7].bits[i] = values[i];
}
inline uint32_t vector_at(uint32_t row) { return (counter + row) / 2; }
inline void advance(uint32_t mod) { counter += advances[(mod & 3) | 4]; }

inline bool is_float(uint32_t mode, uint32_t line) {
  if (mode <= ckernel::InstrModLoadStore::FP32) return true;
  if (mode != ckernel::InstrModLoadStore::INT32 && mode != ckernel::InstrModLoadStore::LO16)
    fail("a vector is loaded or stored in a mode that is emulated", line);
  return false;
}
inline void load(uint32_t to, uint32_t mode, uint32_t mod, uint32_t row, TTEMU_LINE) {
  uint32_t bits[lanes];
  const uint32_t mask = mode == ckernel::InstrModLoadStore::LO16 ? 0xffff : ~uint32_t{0};
  is_float(mode, line);
  sfpi::impl::load(vector_at(row), bits);
  set(to, [&](int i) { return bits[i] & mask; });
  advance(mod);
}
inline void store(uint32_t from, uint32_t mode, uint32_t mod, uint32_t row, TTEMU_LINE) {
  const uint32_t outer = sfpi::impl::enabled;
  if (uses_flags) sfpi::impl::enabled &= flags;
  sfpi::impl::store(vector_at(row), reg(from).bits, is_float(mode, line));
  sfpi::impl::enabled = outer;
  advance(mod);
}
inline void load_immediate(uint32_t to, uint32_t mode, uint32_t imm, TTEMU_LINE) {
  imm &= 0xffff;
  if (mode == 1) // fp16, its exponent biased anew
    imm = imm >> 15 << 31 | ((imm >> 10 & 31) + 112) << 23 | (imm & 0x3ff) << 13;
  else if (mode == 0 || mode == 8) imm <<= 16;
  else if (mode == 4) imm = static_cast<uint32_t>(static_cast<int16_t>(imm));
  else if (mode != 2 && mode != 10) fail("a number is loaded in a mode that there is", line);
  const uint32_t kept = mode == 8 ? 0xffff : mode == 10 ? 0xffff0000u : 0;
  set(to, [&](int i) { return (reg(to).bits[i] & kept) | imm; });
}
// a * b + c; the mode negates a (1) or c (2).
inline void multiply_add(uint32_t a, uint32_t b, uint32_t c, uint32_t to, uint32_t mode,
                         TTEMU_LINE) {
  if (mode > 3) fail("a product is added in a mode that is emulated", line);
  const vFloat x = mode & 1 ? -reg(a) : reg(a), z = mode & 2 ? -reg(c) : reg(c);
  const vFloat sum = x * reg(b) + z;
  set(to, [&](int i) { return sum.bits[i]; });
}
inline void add_immediate(uint32_t imm, uint32_t to) {
  const vFloat sum = vFloat(sfpi::impl::value_of(imm << 16)) + reg(to);
  set(to, [&](int i) { return sum.bits[i]; });
}
// Integers have a sign and a magnitude; halves are rounded away from zero.
inline void round(uint32_t stochastic, uint32_t from, uint32_t to, uint32_t mode, TTEMU_LINE) {
  const bool keeps_sign = mode & 1;
  const int64_t largest = mode == 2 ? 255 : mode == 3 ? 127 : mode == 6 ? 65535 : 32767;
  if (mode == 1 || mode == 0) {
    const auto how = stochastic ? sfpi::RoundMode::NearestStochastic : sfpi::RoundMode::NearestEven;
    const vFloat r =
        mode ? sfpi::float_to_fp16b(reg(from), how) : sfpi::float_to_fp16a(reg(from), how);
    set(to, [&](int i) { return r.bits[i]; });
    return;
  }
  if (stochastic || mode == 4 || mode == 5)
    fail("numbers are rounded to integers in a mode that is emulated", line);
  set(to, [&](int i) -> uint32_t {
    const uint32_t bits = reg(from).bits[i], exp = bits >> 23 & 255;
    const double x = exp == 255 ? 65536.0 : __builtin_fabs(double(sfpi::impl::value_of(bits)));
    int64_t magnitude = static_cast<int64_t>(x < 65536 ? __builtin_floor(x + 0.5) : 65536);
    if (magnitude > largest) magnitude = largest;
    return (keeps_sign && magnitude ? bits & 0x80000000u : 0) | static_cast<uint32_t>(magnitude);
  });
}
inline void cast(uint32_t from, uint32_t to) {
  set(to, [&](int i) {
    const uint32_t bits = reg(from).bits[i];
    const float x = static_cast<float>(bits & 0x7fffffffu);
    return __builtin_bit_cast(uint32_t, x) | (bits & 0x80000000u);
  });
}
inline void set_exponent(uint32_t imm, uint32_t from, uint32_t to, uint32_t mode) {
  set(to, [&](int i) {
    const uint32_t b = reg(to).bits[i], exp = mode & 1 ? imm : mode & 2 ? b >> 23 : b;
    return (reg(from).bits[i] & 0x807fffffu) | (exp & 255) << 23;
  });
}
inline void take_flags(uint32_t imm, uint32_t from, uint32_t mode) {
  uint32_t now = flags;
  for (int i = 0; i < lanes; ++i) {
    if (!on(i)) continue;
    const int32_t c = static_cast<int32_t>(reg(from).bits[i]);
    const bool holds = mode & 8    ? false
                       : mode & 1  ? imm != 0
                       : mode == 0 ? c < 0
                       : mode == 2 ? c != 0
                       : mode == 4 ? c >= 0
                                   : c == 0;
    now = (now & ~(uint32_t{1} << i)) | uint32_t{uses_flags && holds} << i;
  }
  flags = now;
}
inline void set_flags(uint32_t imm, uint32_t from, uint32_t mode) {
  ++sfpi::impl::clks;
  take_flags(imm, from, mode);
}
// An immediate of 12 bits or the other register is added, or that one taken away; the result's sign
// goes to the flags, unless the mode leaves them.
inline void add_integers(uint32_t imm, uint32_t from, uint32_t to, uint32_t mode) {
  const uint32_t constant = static_cast<uint32_t>(static_cast<int32_t>(imm << 20) >> 20);
  set(to, [&](int i) {
    const uint32_t c = reg(from).bits[i], d = reg(to).bits[i];
    return mode & sfpi::SFPIADD_MOD1_ARG_IMM               ? c + constant
           : mode & sfpi::SFPIADD_MOD1_ARG_2SCOMP_LREG_DST ? c - d
                                                           : c + d;
  });
  if (mode & sfpi::SFPIADD_MOD1_CC_NONE) return;
  take_flags(0, to, mode & sfpi::SFPIADD_MOD1_CC_GTE0 ? 4 : 0);
}
inline void enable(uint32_t imm, uint32_t mode) {
  if (mode & 2) uses_flags = imm & 1;
  else if (mode & 1) uses_flags = !uses_flags;
  flags = mode & 8 && !(imm & 2) ? 0 : ~uint32_t{0};
}
template <typename Function> inline void combine(uint32_t from, uint32_t to, Function &&function) {
  set(to, [&](int i) { return function(reg(from).bits[i], reg(to).bits[i]); });
}
inline void move(uint32_t from, uint32_t to, uint32_t mode) {
  set(to, [&](int i) { return reg(from).bits[i] ^ (mode == 1 ? 0x80000000u : 0); });
}
// The smaller to `to`, the larger to `other`, by rows of eight lanes; or both exchanged.
inline void swap(uint32_t other, uint32_t to, uint32_t mode, TTEMU_LINE) {
  static constexpr uint32_t min_rows[] = {0, 15, 3, 5, 9, 1, 2, 4, 8};
  if (mode > 8) fail("vectors are swapped in a mode that there is", line);
  const auto key = [](uint32_t bits) {
    return bits >> 31 ? static_cast<int32_t>(~(bits & 0x7fffffffu)) : static_cast<int32_t>(bits);
  };
  const vFloat c = reg(other), d = reg(to);
  const auto swaps = [&](int i) {
    const bool smaller = key(c.bits[i]) < key(d.bits[i]);
    return mode == 0 || smaller == (min_rows[mode] >> i / 8 & 1);
  };
  set(other, [&](int i) { return swaps(i) ? d.bits[i] : c.bits[i]; });
  set(to, [&](int i) { return swaps(i) ? c.bits[i] : d.bits[i]; });
}
inline void transpose() {
  for (uint32_t first : {0u, 4u})
    sfpi::subvec_transp(registers[first], registers[first + 1], registers[first + 2],
                        registers[first + 3]);
}
} // namespace ttemu::unit

namespace ckernel {
// What a load or store adds to where the next one is.
struct addr_mod_t {
  struct field {
    uint32_t incr = 0, clr = 0, cr = 0, c_to_cr = 0;
  };
  field srca = {}, srcb = {}, dest = {};
  void set(uint32_t mod) const { ttemu::unit::advances[mod & 7] = dest.incr; }
};
} // namespace ckernel

#define TTI_SFPLOAD(to, mode, mod, row) ttemu::unit::load(to, mode, mod, row)
#define TTI_SFPSTORE(from, mode, mod, row) ttemu::unit::store(from, mode, mod, row)
#define TTI_SFPLOADI(to, mode, imm) ttemu::unit::load_immediate(to, mode, imm)
#define TTI_SFPMAD(a, b, c, to, mode) ttemu::unit::multiply_add(a, b, c, to, mode)
#define TTI_SFPADD(a, b, c, to, mode) ttemu::unit::multiply_add(a, b, c, to, mode)
#define TTI_SFPMUL(a, b, c, to, mode) ttemu::unit::multiply_add(a, b, c, to, mode)
#define TTI_SFPADDI(imm, to, mode) ttemu::unit::add_immediate(imm, to)
#define TTI_SFP_STOCH_RND(rnd, imm, b, from, to, mode) ttemu::unit::round(rnd, from, to, mode)
#define TTI_SFPCAST(from, to, mode) ttemu::unit::cast(from, to)
#define TTI_SFPSETEXP(imm, from, to, mode) ttemu::unit::set_exponent(imm, from, to, mode)
#define TTI_SFPIADD(imm, from, to, mode) ttemu::unit::add_integers(imm, from, to, mode)
#define TTI_SFPSETCC(imm, from, to, mode) ttemu::unit::set_flags(imm, from, mode)
#define TTI_SFPENCC(imm, from, to, mode) ttemu::unit::enable(imm, mode)
#define TTI_SFPMOV(imm, from, to, mode) ttemu::unit::move(from, to, mode)
#define TTI_SFPAND(imm, from, to, mode)                                                            \
  ttemu::unit::combine(from, to, [](uint32_t a, uint32_t b) { return a & b; })
#define TTI_SFPOR(imm, from, to, mode)                                                             \
  ttemu::unit::combine(from, to, [](uint32_t a, uint32_t b) { return a | b; })
#define TTI_SFPXOR(imm, from, to, mode)                                                            \
  ttemu::unit::combine(from, to, [](uint32_t a, uint32_t b) { return a ^ b; })
#define TTI_SFPSWAP(imm, other, to, mode) ttemu::unit::swap(other, to, mode)
#define TTI_SFPTRANSP(a, b, c, d) ttemu::unit::transpose()
#define TTI_SFPNOP (void)++sfpi::impl::clks
#define TTI_INCRWC(cr, d, b, a) (void)(sfpi::impl::vector += (d) / 2)
#define TT_SFPLOAD(...) TTI_SFPLOAD(__VA_ARGS__)
#define TT_SFPSTORE(...) TTI_SFPSTORE(__VA_ARGS__)
#define TT_SFPLOADI(...) TTI_SFPLOADI(__VA_ARGS__)
#define TT_SFPADDI(...) TTI_SFPADDI(__VA_ARGS__)
#define TT_SFPIADD(...) TTI_SFPIADD(__VA_ARGS__)
