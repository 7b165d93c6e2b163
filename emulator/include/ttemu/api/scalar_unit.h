// The scalar unit of the engine: each processor has 64 registers of 32 bits, whose halves
// instructions set, and which they load from L1 and store there.
#pragma once
#include "ttemu/kernel.hpp"

namespace ckernel {
// Sizes of what is moved, and by how much the offset grows with it.
struct p_ind {
  static constexpr uint32_t HIER_REGFILE = 0, HIER_L1 = 1, LD_16B = 0, LD_32bit = 1, LD_16bit = 2,
                            LD_8bit = 3, INC_NONE = 0, INC_2B = 1, INC_4B = 2, INC_16B = 3;
};
} // namespace ckernel

namespace ttemu {
inline uint32_t scalar_registers[64];

inline uint32_t &scalar_register(uint32_t index, uint32_t line) {
  if (index >= 64) ttemu_kernel_failure("a register of the scalar unit is one of 64", line);
  return scalar_registers[index % 64];
}
inline void set_scalar_half(uint32_t value, uint32_t signals, uint32_t half, uint32_t line) {
  if (signals) ttemu_kernel_failure("SETDMAREG: signals are not emulated", line);
  uint32_t &reg = scalar_register(half / 2, line);
  reg = half % 2 ? (reg & 0xffff) | value << 16 : (reg & 0xffff0000) | (value & 0xffff);
}
// Where an instruction goes in L1: 16 bytes times a register, and half of one, which grows.
inline uint32_t scalar_address(uint32_t size, uint32_t half, uint32_t step, uint32_t base,
                               uint32_t line) {
  static constexpr uint32_t steps[] = {0, 2, 4, 16}, sizes[] = {16, 4, 2, 1};
  const uint32_t offset = scalar_register(half / 2, line) >> half % 2 * 16 & 0xffff;
  set_scalar_half(offset + steps[step % 4] & 0xffff, 0, half, line);
  return ttemu_scalar_address(scalar_register(base, line) * 16 + offset, sizes[size % 4], line);
}
template <typename Word> inline volatile Word &scalar_word(uint32_t at) {
  return *reinterpret_cast<volatile Word *>(static_cast<uintptr_t>(at));
}
// 16 bytes are four registers, from a multiple of four on.
inline void load_scalar(uint32_t size, uint32_t half, uint32_t step, uint32_t data, uint32_t base,
                        uint32_t line) {
  const uint32_t at = scalar_address(size, half, step, base, line);
  uint32_t &reg = scalar_register(data, line);
  if (size == ckernel::p_ind::LD_32bit) reg = scalar_word<uint32_t>(at);
  else if (size == ckernel::p_ind::LD_16bit) reg = (reg & 0xffff0000) | scalar_word<uint16_t>(at);
  else if (size == ckernel::p_ind::LD_8bit) reg = (reg & 0xffffff00) | scalar_word<uint8_t>(at);
  else
    for (uint32_t i = 0; i < 4; ++i)
      scalar_registers[(data & 60) + i] = scalar_word<uint32_t>(at + 4 * i);
}
inline void store_scalar(uint32_t hierarchy, uint32_t select, uint32_t size, uint32_t half,
                         uint32_t step, uint32_t data, uint32_t base, uint32_t line) {
  if (hierarchy != ckernel::p_ind::HIER_L1 || select)
    ttemu_kernel_failure("STOREIND: stores to source registers are not emulated", line);
  const uint32_t at = scalar_address(size, half, step, base, line);
  const uint32_t reg = scalar_register(data, line);
  if (size == ckernel::p_ind::LD_32bit) scalar_word<uint32_t>(at) = reg;
  else if (size == ckernel::p_ind::LD_16bit) scalar_word<uint16_t>(at) = uint16_t(reg);
  else if (size == ckernel::p_ind::LD_8bit) scalar_word<uint8_t>(at) = uint8_t(reg);
  else
    for (uint32_t i = 0; i < 4; ++i)
      scalar_word<uint32_t>(at + 4 * i) = scalar_registers[(data & 60) + i];
}
} // namespace ttemu

#define LO_16(reg) (2 * (reg))
#define HI_16(reg) (2 * (reg) + 1)
#define LOWER_HALFWORD(x) ((x) & 0xffff)
#define UPPER_HALFWORD(x) ((x) >> 16)
#define TT_SETDMAREG(size, value, signals, half)                                                   \
  ttemu::set_scalar_half(((size) << 14 | (value)) & 0xffff, signals, half, __LINE__)
#define TTI_SETDMAREG TT_SETDMAREG
#define TT_LOADIND(size, half, step, data, base)                                                   \
  ttemu::load_scalar(size, half, step, data, base, __LINE__)
#define TTI_LOADIND TT_LOADIND
#define TT_STOREIND(hierarchy, select, size, half, step, data, base)                               \
  ttemu::store_scalar(hierarchy, select, size, half, step, data, base, __LINE__)
#define TTI_STOREIND TT_STOREIND
