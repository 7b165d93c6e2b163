// NoC addresses: of cores, of banks, and of the pages of tensors.
#pragma once

#include <array>
#include <tuple>
#include <utility>

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

// Compile-time arguments of a tensor: its kind (1: sharded, 2: in DRAM), the size of its pages and,
// of a sharded one, how they lie (ttemu/device.h).
template <uint32_t tOffset, uint32_t tCommonOffset = 0> struct TensorAccessorArgs {
  static constexpr uint32_t kind = ttemu::compile_arg(tOffset);
  static constexpr bool is_sharded = (kind & 1) != 0, is_dram = (kind & 2) != 0;
  static constexpr uint32_t AlignedPageSize = ttemu::compile_arg(tOffset + 1);
  static constexpr uint32_t get_aligned_page_size() { return AlignedPageSize; }
  static constexpr uint32_t get_rank() { return is_sharded ? ttemu::compile_arg(tOffset + 2) : 0; }
  static constexpr uint32_t get_num_banks() {
    return is_sharded ? ttemu::compile_arg(tOffset + 3) : 0;
  }
  static constexpr uint32_t num_compile_time_args() {
    return is_sharded ? 4 + 2 * get_rank() + get_num_banks() : 2;
  }
  static constexpr uint32_t next_compile_time_args_offset() {
    return tOffset + num_compile_time_args();
  }
  static constexpr uint32_t num_common_runtime_args() { return 0; }
  static constexpr uint32_t next_common_runtime_args_offset() { return tCommonOffset; }
  static constexpr uint32_t crta_offset() { return tCommonOffset; }
  static constexpr const uint32_t *shards() {
    return is_sharded ? ttemu::compile_args + 1 + tOffset + 2 : nullptr;
  }
  constexpr TensorAccessorArgs() = default;
  constexpr explicit TensorAccessorArgs(uint32_t) {}
};

namespace ttemu {
// A page of a tensor, as loops over its pages give it.
struct page_of {
  uint64_t address;
  uint32_t id;
  uint64_t noc_addr() const { return address; }
  uint32_t page_id() const { return id; }
};
template <typename Tensor> struct pages_of {
  const Tensor &tensor;
  uint32_t first, last, step;
  struct iterator {
    const Tensor &tensor;
    uint32_t id, step;
    page_of operator*() const { return {tensor.get_noc_addr(id), id}; }
    iterator &operator++() {
      id += step;
      return *this;
    }
    bool operator!=(const iterator &other) const { return id < other.id; }
  };
  iterator begin() const { return {tensor, first, step}; }
  iterator end() const { return {tensor, last, step}; }
};
} // namespace ttemu

template <typename Args> class TensorAccessor {
public:
  constexpr TensorAccessor(const Args &, uint32_t address,
                           uint32_t page_bytes = Args::get_aligned_page_size())
      : page_bytes(page_bytes), address(address) {}
  ttemu_page page(uint32_t id) const {
    return {address, id, page_bytes, Args::is_dram, Args::shards()};
  }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_noc_address(page(id), offset, 0, line);
  }
  template <typename Coordinates>
    requires requires(const Coordinates &c) { c[0]; }
  uint64_t get_noc_addr(const Coordinates &at, uint32_t offset = 0, uint8_t = noc_index,
                        TTEMU_LINE) const {
    return ttemu_noc_address(page(flat(at, 2)), offset, 0, line);
  }
  uint64_t get_shard_noc_addr(uint32_t shard, uint32_t offset = 0, uint8_t = noc_index,
                              TTEMU_LINE) const {
    static_assert(Args::is_sharded, "only a sharded tensor has shards");
    return ttemu_shard_address(page(0), shard, line) + offset;
  }
  constexpr uint32_t get_aligned_page_size() const { return page_bytes; }
  constexpr uint32_t get_bank_base_address() const { return address; }
  bool is_local_addr(uint64_t noc, uint8_t = noc_index) const { return ttemu_is_local(noc); }
  bool is_local_bank(uint32_t x, uint32_t y, uint8_t = noc_index) const {
    return ttemu_is_local(ttemu::corner(x, y) << 32);
  }
  bool is_local_page(uint32_t id, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_is_local(get_noc_addr(id, 0, noc_index, line));
  }
  bool is_local_shard(uint32_t shard, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_is_local(get_shard_noc_addr(shard, 0, noc_index, line));
  }
  static constexpr uint32_t num_pages() {
    uint32_t n = 1;
    for (uint32_t d = 0; d < Args::get_rank(); ++d) n *= Args::shards()[2 + d];
    return n;
  }
  static constexpr uint32_t pages_of_shard() {
    uint32_t n = 1;
    for (uint32_t d = 0; d < Args::get_rank(); ++d) n *= Args::shards()[2 + Args::get_rank() + d];
    return n;
  }
  uint32_t shard_bytes() const { return pages_of_shard() * page_bytes; }
  ttemu::pages_of<TensorAccessor> pages(uint32_t first, uint32_t last) const {
    return {*this, first, last, 1};
  }
  ttemu::pages_of<TensorAccessor> pages() const { return {*this, 0, num_pages(), 1}; }
  const uint32_t page_bytes;

private:
  template <typename Coordinates> static uint32_t flat(const Coordinates &at, uint32_t shape) {
    uint32_t id = 0;
    for (uint32_t d = 0; d < Args::get_rank(); ++d) id = id * Args::shards()[shape + d] + at[d];
    return id;
  }
  const uint32_t address;
};
template <uint32_t tOffset, uint32_t tCommon>
TensorAccessor(const TensorAccessorArgs<tOffset, tCommon> &, uint32_t)
    -> TensorAccessor<TensorAccessorArgs<tOffset, tCommon>>;

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

// The arguments of several tensors, one after the other.
namespace ttemu {
template <uint32_t tIndex, uint32_t tOffset> constexpr uint32_t offset_of_tensor() {
  if constexpr (tIndex == 0) return tOffset;
  else
    return TensorAccessorArgs<
        offset_of_tensor<tIndex - 1, tOffset>()>::next_compile_time_args_offset();
}
template <uint32_t tOffset, uint32_t... tIndex>
constexpr auto tensors_of(std::integer_sequence<uint32_t, tIndex...>) {
  return std::make_tuple(TensorAccessorArgs<offset_of_tensor<tIndex, tOffset>()>()...);
}
} // namespace ttemu
template <uint32_t tTensors, uint32_t tOffset> constexpr auto make_tensor_accessor_args_tuple() {
  return ttemu::tensors_of<tOffset>(std::make_integer_sequence<uint32_t, tTensors>());
}
namespace ttemu {
template <typename... Args, std::size_t... tIndex>
auto accessors_of(const std::tuple<Args...> &args, uint32_t first, uint32_t page_bytes_first,
                  std::index_sequence<tIndex...>) {
  return std::make_tuple(TensorAccessor(
      std::get<tIndex>(args), get_arg_val<uint32_t>(static_cast<int>(first + tIndex)))...);
}
} // namespace ttemu
template <typename... Args>
auto make_tensor_accessor_tuple(const std::tuple<Args...> &args, uint32_t first,
                                uint32_t page_bytes_first = 0) {
  return ttemu::accessors_of(args, first, page_bytes_first, std::index_sequence_for<Args...>());
}
