// NoC addresses: of cores, of banks, and of the pages of tensors.
#pragma once

#include "ttemu/api/circular_buffer_interface.h"
#include "ttemu/api/hardware.h"
#include "ttemu/api/hostdevcommon/common_values.hpp"

using NocIndex = std::uint8_t;
inline constexpr NocIndex noc_index = TTEMU_NOC;

// NoC coordinates of this core, by NoC.
namespace ttemu {
template <uint32_t (*tLogical)()> struct coordinate {
  uint8_t operator[](int) const { return static_cast<uint8_t>(tLogical() + TTEMU_NOC_ORIGIN); }
};
constexpr uint64_t corner(uint32_t x, uint32_t y) { return uint64_t(y) << 8 | x; }
} // namespace ttemu
inline constexpr ttemu::coordinate<ttemu_core_x> my_x;
inline constexpr ttemu::coordinate<ttemu_core_y> my_y;

// The older ways to name the pages of an interleaved tensor.
template <bool tDram> struct InterleavedAddrGen {
  uint32_t bank_base_address;
  uint32_t page_size;
  ttemu_page page(uint32_t id) const { return {bank_base_address, id, page_size, tDram, nullptr}; }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_noc_address(page(id), offset, 0, line);
  }
};
template <bool tDram, uint32_t tile_hw = 1024> struct InterleavedAddrGenFast {
  uint32_t bank_base_address;
  uint32_t page_size;
  DataFormat data_format;
  ttemu_page page(uint32_t id) const { return {bank_base_address, id, page_size, tDram, nullptr}; }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_noc_address(page(id), offset, 0, line);
  }
};
template <bool tDram> struct InterleavedPow2AddrGen {
  uint32_t bank_base_address;
  uint32_t log_base_2_of_page_size;
  ttemu_page page(uint32_t id) const {
    return {bank_base_address, id, 1u << log_base_2_of_page_size, tDram, nullptr};
  }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_noc_address(page(id), offset, 0, line);
  }
};
template <bool tDram> struct InterleavedPow2AddrGenFast {
  uint32_t bank_base_address;
  uint32_t log_base_2_of_page_size;
  ttemu_page page(uint32_t id) const {
    return {bank_base_address, id, 1u << log_base_2_of_page_size, tDram, nullptr};
  }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_noc_address(page(id), offset, 0, line);
  }
};

// Of a core, of this core, of a page, of a bank, of a rectangle of cores.
inline uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t = noc_index) {
  return ttemu::corner(x, y) << 32 | address;
}
inline uint64_t get_noc_addr(uint32_t address, uint8_t noc = noc_index) {
  return get_noc_addr(my_x[noc], my_y[noc], address, noc);
}
template <typename Tensor>
  requires requires(const Tensor &t) { t.page(0u); }
inline uint64_t get_noc_addr(uint32_t id, const Tensor &tensor, uint32_t offset = 0,
                             uint8_t = noc_index, TTEMU_LINE) {
  return ttemu_noc_address(tensor.page(id), offset, 0, line);
}
template <bool tDram>
inline uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t address, uint8_t = noc_index,
                                          TTEMU_LINE) {
  return ttemu_bank_address(tDram, bank, address, line);
}
inline uint64_t get_noc_multicast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                                       uint32_t address, uint8_t = noc_index) {
  return uint64_t{1} << 62 | ttemu::corner(x1, y1) << 48 | ttemu::corner(x0, y0) << 32 | address;
}
inline uint64_t get_noc_addr_helper(uint32_t node, uint32_t address) {
  return uint64_t{node} << 32 | address;
}
inline uint64_t get_dram_noc_addr(uint32_t id, uint32_t page_bytes, uint32_t base,
                                  uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) {
  return ttemu_noc_address({base, id, page_bytes, true, nullptr}, offset, 0, line);
}
inline uint64_t get_l1_noc_addr(uint32_t id, uint32_t page_bytes, uint32_t base,
                                uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) {
  return ttemu_noc_address({base, id, page_bytes, false, nullptr}, offset, 0, line);
}

// What an accessor of pages has.
template <typename T>
inline constexpr bool has_get_noc_addr_v =
    requires(const T &t) { t.get_noc_addr(0u, 0u, noc_index); };
template <typename T> inline constexpr bool has_page_size_v = requires(const T &t) { t.page_size; };
template <typename T>
inline constexpr bool has_get_aligned_page_size_v =
    requires(const T &t) { t.get_aligned_page_size(); };
template <typename T>
inline constexpr bool has_log_base_2_of_page_size_v =
    requires(const T &t) { t.log_base_2_of_page_size; };
template <typename T>
inline constexpr bool has_required_addrgen_traits_v =
    has_get_noc_addr_v<T> &&
    (has_get_aligned_page_size_v<T> || has_page_size_v<T> || has_log_base_2_of_page_size_v<T>);

#include "ttemu/api/dataflow/tensor_accessor.h"
