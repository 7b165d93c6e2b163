// Semaphores between the processors of the engine, and waits for its units.
#pragma once
#include "ttemu/kernel.hpp"

namespace ckernel {
// Which is for what, by convention of the layer below the API.
struct semaphore {
  static constexpr uint32_t FPU_SFPU = 0, MATH_PACK = 1, UNPACK_TO_DEST = 2,
                            UNPACK_OPERAND_SYNC = 3, PACK_DONE = 4, UNPACK_SYNC = 5,
                            UNPACK_MATH_DONE = 6, MATH_DONE = 7;
  static constexpr uint8_t NUM_SEMAPHORES = 8, SEMAPHORE_MAX_VALUE = 15;
  static constexpr uint16_t t6_sem(uint8_t index) { return static_cast<uint16_t>(1 << index); }
};
// Units and conditions that an instruction waits for, and what is held meanwhile.
struct p_stall {
  static constexpr uint32_t NONE = 0, THCON = 0x1, UNPACK0 = 0x2, UNPACK1 = 0x4, UNPACK = 0x6,
                            PACK0 = 0x8, PACK1 = 0x10, PACK2 = 0x20, PACK3 = 0x40, PACK = 0x78,
                            MATH = 0x80, SRCA_CLR = 0x100, SRCB_CLR = 0x200, SRCA_VLD = 0x400,
                            SRCB_VLD = 0x800, XMOV = 0x1000, TRISC_CFG = 0x2000, SFPU1 = 0x4000,
                            WAIT_SFPU = 0x4000, STALL_TDMA = 0x1, STALL_SYNC = 0x2,
                            STALL_PACK = 0x4, STALL_UNPACK = 0x8, STALL_XMOV = 0x10,
                            STALL_THCON = 0x20, STALL_MATH = 0x40, STALL_CFG = 0x80,
                            STALL_SFPU = 0x100, STALL_THREAD = 0x1ff, STALL_ON_ZERO = 1,
                            STALL_ON_MAX = 2, SEMAPHORE_0 = 1, SEMAPHORE_1 = 2, SEMAPHORE_2 = 4,
                            SEMAPHORE_3 = 8, SEMAPHORE_4 = 16, SEMAPHORE_5 = 32, SEMAPHORE_6 = 64,
                            SEMAPHORE_7 = 128;
};
inline uint8_t semaphore_read(uint8_t index, TTEMU_LINE) {
  return static_cast<uint8_t>(ttemu_token_read(index, line));
}
inline void semaphore_post(uint8_t index, TTEMU_LINE) { ttemu_token_post(index, line); }
inline void semaphore_get(uint8_t index, TTEMU_LINE) { ttemu_token_get(index, line); }
template <uint32_t tWaits = p_stall::NONE>
inline void t6_semaphore_post(uint8_t index, TTEMU_LINE) {
  ttemu_token_post(index, line);
}
template <uint32_t tWaits = p_stall::NONE> inline void t6_semaphore_get(uint8_t index, TTEMU_LINE) {
  ttemu_token_get(index, line);
}
template <uint32_t tHeld> inline void t6_semaphore_wait_on_max(uint8_t index, TTEMU_LINE) {
  ttemu_token_wait(index, true, line);
}
template <uint32_t tHeld> inline void t6_semaphore_wait_on_zero(uint8_t index, TTEMU_LINE) {
  ttemu_token_wait(index, false, line);
}
inline void t6_semaphore_init(uint8_t index, uint8_t value, uint8_t most, TTEMU_LINE) {
  ttemu_token_init(index, value, most, line);
}
} // namespace ckernel
namespace ttemu {
// Of instructions that name semaphores by bits: each of them.
template <typename Function> inline void each_token(uint32_t bits, Function &&function) {
  for (uint32_t i = 0; i < 8; ++i)
    if (bits >> i & 1) function(i);
}
// Units of one processor work in order here; what source registers hold is unpack's and math's.
inline void stall(uint32_t held, uint32_t condition, uint32_t line) {
  if (held & ckernel::p_stall::STALL_PACK && condition & ckernel::p_stall::WAIT_SFPU)
    ttemu_vector_wait(line);
  constexpr uint32_t sources = ckernel::p_stall::SRCA_CLR | ckernel::p_stall::SRCB_CLR |
                               ckernel::p_stall::SRCA_VLD | ckernel::p_stall::SRCB_VLD;
  if (condition & sources)
    ttemu_kernel_failure("TTI_STALLWAIT: waits for source registers are not emulated", line);
}
inline void token_wait(uint32_t bits, uint32_t condition, uint32_t line) {
  each_token(bits, [&](uint32_t i) {
    if (condition & ckernel::p_stall::STALL_ON_ZERO) ttemu_token_wait(i, false, line);
    if (condition & ckernel::p_stall::STALL_ON_MAX) ttemu_token_wait(i, true, line);
  });
}
} // namespace ttemu

#define TTI_STALLWAIT(held, condition) ttemu::stall(held, condition, __LINE__)
#define TTI_SEMINIT(most, value, bits)                                                             \
  ttemu::each_token(bits, [&](uint32_t i) { ttemu_token_init(i, value, most, __LINE__); })
#define TTI_SEMPOST(bits)                                                                          \
  ttemu::each_token(bits, [&](uint32_t i) { ttemu_token_post(i, __LINE__); })
#define TTI_SEMGET(bits) ttemu::each_token(bits, [&](uint32_t i) { ttemu_token_get(i, __LINE__); })
#define TTI_SEMWAIT(held, bits, condition) ttemu::token_wait(bits, condition, __LINE__)
