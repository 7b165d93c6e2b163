// What kernels know of the chip by name: sizes, alignments, tables of banks, registers.
#pragma once

#include "ttemu/api/mod_div_lib.h"
#include "ttemu/kernel.hpp"

#ifndef TTEMU_NOC
#define TTEMU_NOC 0
#endif
#define NOC_INDEX TTEMU_NOC
#define NUM_NOCS 2

// How a kernel uses the NoCs: its own one, or both.
inline constexpr uint8_t DM_DEDICATED_NOC = 0, DM_DYNAMIC_NOC = 1;
#ifndef NOC_MODE
#define NOC_MODE DM_DEDICATED_NOC
#endif
inline constexpr uint8_t noc_mode = NOC_MODE;

inline constexpr uint32_t NOC_0 = 0, NOC_1 = 1;
#define NOC_L1_READ_ALIGNMENT_BYTES 16
#define NOC_L1_WRITE_ALIGNMENT_BYTES 16
#define NOC_DRAM_WRITE_ALIGNMENT_BYTES 16
#define NOC_DRAM_READ_ALIGNMENT_BYTES TTEMU_DRAM_ALIGN
#define L1_ALIGNMENT 16
#define DRAM_ALIGNMENT TTEMU_DRAM_ALIGN
#define NOC_MAX_TRANSACTION_ID 0xF
#define NOC_MAX_TRANSACTION_ID_COUNT 255
#define NUM_CIRCULAR_BUFFERS TTEMU_CBS
#define NUM_DRAM_BANKS TTEMU_DRAM_BANKS
#define NUM_L1_BANKS TTEMU_L1_BANKS

// Zeros in the L1 of every core.
#define MEM_ZEROS_BASE TTEMU_ZEROS
#define MEM_ZEROS_SIZE 512
#define MEM_L1_SIZE TTEMU_L1_SIZE
#define MEM_L1_BASE 0
#define MEM_L1_UNCACHED_BASE 0

// NoC coordinates are those that the host gives: all are virtual. Worker cores start here.
#define VIRTUAL_TENSIX_START_X TTEMU_NOC_ORIGIN
#define VIRTUAL_TENSIX_START_Y TTEMU_NOC_ORIGIN
#define NOC_X(x) (x)
#define NOC_Y(y) (y)
#define NOC_0_X(noc, size, x) (x)
#define NOC_0_Y(noc, size, y) (y)
#define NOC_X_PHYS_COORD(x) (x)
#define NOC_Y_PHYS_COORD(y) (y)
#define NOC_0_X_PHYS_COORD(noc, size, x) (x)
#define NOC_0_Y_PHYS_COORD(noc, size, y) (y)
#define DYNAMIC_NOC_X(noc, x) (x)
#define DYNAMIC_NOC_Y(noc, y) (y)
#define NOC_ADDR_COORD_SHIFT 32
#define NOC_XY_ENCODING(x, y) (uint32_t(y) << 8 | uint32_t(x))
#define NOC_MULTICAST_ENCODING(x0, y0, x1, y1)                                                     \
  (uint32_t{1} << 30 | NOC_XY_ENCODING(x1, y1) << 16 | NOC_XY_ENCODING(x0, y0))
#define NOC_XY_ADDR(x, y, address) (uint64_t(NOC_XY_ENCODING(x, y)) << 32 | uint32_t(address))
#define NOC_MULTICAST_ADDR(x0, y0, x1, y1, address)                                                \
  (uint64_t(NOC_MULTICAST_ENCODING(x0, y0, x1, y1)) << 32 | uint32_t(address))
#define NOC_UNICAST_ADDR_X(address) (uint32_t((address) >> 32) & 0xff)
#define NOC_UNICAST_ADDR_Y(address) (uint32_t((address) >> 40) & 0xff)
#define NOC_LOCAL_ADDR_OFFSET(address) uint32_t(address)
#define NOC_LOCAL_ADDR(address) uint32_t(address)
// The node of the host's bus, whose memory is not emulated: who uses it is told.
#ifdef ARCH_BLACKHOLE
#define PCIE_NOC_X 2
#define PCIE_NOC_Y 0
#else
#define PCIE_NOC_X 0
#define PCIE_NOC_Y 3
#endif
#define NOC_XY_PCIE_ENCODING(x, y) (uint64_t(NOC_XY_ENCODING(x, y)) << 32)

// The banks of interleaved buffers, as tables: where they are, and where they start there.
namespace ttemu {
struct bank_nodes {
  bool dram;
  struct of_noc {
    bool dram;
    uint32_t operator[](uint32_t bank) const {
      return static_cast<uint32_t>(ttemu_bank_address(dram, bank, 0, 0) >> 32);
    }
  };
  of_noc operator[](uint32_t) const { return {dram}; }
};
struct bank_starts {
  constexpr int32_t operator[](uint32_t) const { return 0; }
};
} // namespace ttemu
inline constexpr ttemu::bank_nodes dram_bank_to_noc_xy{true}, l1_bank_to_noc_xy{false};
inline constexpr ttemu::bank_starts bank_to_dram_offset, bank_to_l1_offset;

// The clock: two words, as they are when the register is named.
#define RISCV_DEBUG_REG_WALL_CLOCK_L ttemu_clock_register(__LINE__)
#define RISCV_DEBUG_REG_WALL_CLOCK_H (ttemu_clock_register(__LINE__) + 4)
#define WALL_CLOCK_LOW_INDEX 0
#define WALL_CLOCK_HIGH_INDEX 1
inline uint32_t reg_read(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t *>(uintptr_t{address});
}
// Templates, so that a kernel of a time without them may have its own of that name.
template <class = void> inline uint64_t get_timestamp() {
  uint64_t clock;
  __builtin_memcpy(&clock, reinterpret_cast<void *>(uintptr_t{ttemu_clock_register(0)}), 8);
  return clock;
}
template <class = void> inline uint32_t get_timestamp_32b() {
  return static_cast<uint32_t>(get_timestamp());
}
// Waits: the clock goes on by a call of the API each time it is looked at.
inline void riscv_wait(uint32_t clks, TTEMU_LINE) {
  for (uint64_t end = get_timestamp() + clks; get_timestamp() < end;) ttemu_poll(line);
}
template <typename T> inline T div_up(T a, T b) { return (a + b - 1) / b; }

// Marks of the vendor's watcher, which reports here and deadlocks name.
#define WAYPOINT(name) ttemu_waypoint(name)
#define WATCHER_RING_BUFFER_PUSH(value) ttemu_leave_word(static_cast<uint32_t>(value))

// And those of its debugger, which has no counterpart here.
#define DEBUG_SANITIZE_L1_ADDR(...)
#define PAUSE()
#define EARLY_RETURN_FOR_DEBUG
#define EARLY_RETURN_FOR_DEBUG_EXIT
#define RECORD_NOC_EVENT(...)
#define RECORD_NOC_EVENT_WITH_ADDR(...)
#define RECORD_NOC_EVENT_WITH_ID(...)

// Other processors, and transfers, go on.
inline void invalidate_l1_cache(TTEMU_LINE) { ttemu_poll(line); }
struct c_tensix_core {
  static uint64_t read_wall_clock(TTEMU_LINE) {
    ttemu_poll(line);
    return get_timestamp();
  }
};

// Words from processor to processor of a core.
namespace ckernel {
enum ThreadId : uint8_t { UnpackThreadId, MathThreadId, PackThreadId, BriscThreadId };
inline constexpr int32_t TILE_HEIGHT = 32, TILE_WIDTH = 32, FACE_HEIGHT = 16, FACE_WIDTH = 16;
} // namespace ckernel
namespace ttemu {
constexpr int role_of(uint32_t thread) {
  return thread == ckernel::BriscThreadId ? 0 : static_cast<int>(thread) + 2;
}
} // namespace ttemu
namespace ckernel {
inline void mailbox_write(uint32_t to, uint32_t value, TTEMU_LINE) {
  ttemu_mailbox_write(ttemu::role_of(to), value, line);
}
inline uint32_t mailbox_read(uint32_t from, TTEMU_LINE) {
  return ttemu_mailbox_read(ttemu::role_of(from), line);
}
inline void wait(uint32_t clks, TTEMU_LINE) { riscv_wait(clks, line); }
} // namespace ckernel
using ckernel::mailbox_write, ckernel::mailbox_read;

// A pair of 32-bit words, as one number.
union tt_uint64_t {
  uint64_t v;
  struct {
    uint32_t hi, lo;
  };
};
struct coord_t {
  uint32_t x, y;
};
inline coord_t get_virtual_coord_from_worker_logical_coord(uint8_t x, uint8_t y) {
  return {x + uint32_t{TTEMU_NOC_ORIGIN}, y + uint32_t{TTEMU_NOC_ORIGIN}};
}
template <bool tOn = true> inline void set_l1_data_cache() {}
inline void mark_stack_usage() {}
// Blocks of pages go round a ring.
inline uint32_t buf_ptr_inc_wrap(uint32_t at, uint32_t by, uint32_t size) {
  return at + by < size ? at + by : at + by - size;
}
inline uint32_t buf_ptr_dec_wrap(uint32_t at, uint32_t by, uint32_t size) {
  return at >= by ? at - by : at + size - by;
}
