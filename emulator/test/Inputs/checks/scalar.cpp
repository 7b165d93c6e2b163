// Each processor copies 32 bytes of L1 by the scalar unit, in all sizes: 16 bytes, then words, a
// half and single bytes, with offsets that grow. Registers are each processor's own.
#include <cstdint>

#include "api/compute/common.h"

template <uint32_t tBase> void place(uint32_t at) {
  TT_SETDMAREG(0, LOWER_HALFWORD(at % 16), 0, LO_16(tBase));
  TTI_SETDMAREG(0, 0xffff, 0, HI_16(tBase));
  TT_SETDMAREG(0, LOWER_HALFWORD(at / 16), 0, LO_16(tBase + 1));
  TT_SETDMAREG(0, UPPER_HALFWORD(at / 16), 0, HI_16(tBase + 1));
}

void copy(uint32_t from, uint32_t to) {
  volatile uint32_t *words = reinterpret_cast<volatile uint32_t *>(from);
  for (uint32_t i = 0; i < 8; ++i) words[i] = 0x1234567 * (i + from);
  place<20>(from);
  place<22>(to);
  TTI_LOADIND(p_ind::LD_16B, LO_16(20), p_ind::INC_16B, 8, 21);
  TTI_STOREIND(1, 0, p_ind::LD_16B, LO_16(22), p_ind::INC_16B, 8, 23);
  TTI_LOADIND(p_ind::LD_32bit, LO_16(20), p_ind::INC_4B, 12, 21);
  TTI_LOADIND(p_ind::LD_32bit, LO_16(20), p_ind::INC_4B, 13, 21);
  TTI_STALLWAIT(p_stall::STALL_THCON, p_stall::THCON);
  TTI_STOREIND(1, 0, p_ind::LD_32bit, LO_16(22), p_ind::INC_4B, 12, 23);
  TTI_STOREIND(1, 0, p_ind::LD_32bit, LO_16(22), p_ind::INC_4B, 13, 23);
  for (uint32_t i = 0; i < 4; ++i) {
    TTI_LOADIND(p_ind::LD_16bit, LO_16(20), p_ind::INC_2B, 14, 21);
    TTI_STOREIND(1, 0, p_ind::LD_16bit, LO_16(22), p_ind::INC_NONE, 14, 23);
    TTI_STOREIND(1, 0, p_ind::LD_8bit, LO_16(22), p_ind::INC_2B, 14, 23);
  }
  volatile uint32_t *copied = reinterpret_cast<volatile uint32_t *>(to);
  for (uint32_t i = 0; i < 8; ++i) ASSERT(copied[i] == words[i]);
  place<24>(to + 2);
  TTI_LOADIND(p_ind::LD_8bit, LO_16(24), p_ind::INC_NONE, 8, 25);
  TTI_STOREIND(1, 0, p_ind::LD_32bit, LO_16(22), p_ind::INC_NONE, 8, 23);
  ASSERT(copied[8] == ((words[0] & 0xffffff00) | (words[0] >> 16 & 0xff)));
}

void kernel_main() {
  UNPACK(copy(700 * 1024 + 0 * 128, 700 * 1024 + 64));
  MATH(copy(700 * 1024 + 1 * 128, 700 * 1024 + 1 * 128 + 64));
  PACK(copy(700 * 1024 + 2 * 128, 700 * 1024 + 2 * 128 + 64));
}
