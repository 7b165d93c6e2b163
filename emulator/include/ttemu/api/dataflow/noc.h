// The NoC as an object: transfers between endpoints, each of which says with its traits what names
// a place in it.
#pragma once

#include <cstddef>

#include "ttemu/api/core_local_mem.h"
#include "ttemu/api/dataflow/circular_buffer.h"
#include "ttemu/api/dataflow/dataflow_api.h"
#include "ttemu/api/dataflow/endpoints.h"

#if TTEMU_API >= 202608
enum class NocOptions : uint32_t {
  DEFAULT = 0,
  TXN_ID = 1,
  POSTED = 2,
  CUSTOM_VC = 4,
  MCAST_INCL_SRC = 8,
  INLINE_L1 = 16,
  INLINE_REG = 32
};
constexpr NocOptions operator|(NocOptions a, NocOptions b) {
  return static_cast<NocOptions>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
struct NocOptVals {
  uint32_t vc = NOC_UNICAST_WRITE_VC;
  uint32_t trid = 0;
};

namespace ttemu {
constexpr bool has(NocOptions options, NocOptions one) {
  return (static_cast<uint32_t>(options) & static_cast<uint32_t>(one)) != 0;
}
struct rectangle_args {
  uint32_t noc_x_start{}, noc_y_start{}, noc_x_end{}, noc_y_end{};
};
} // namespace ttemu

// Of each kind of endpoint: the fields that name a place, and the address that they make. Local
// ends give an address in L1, others one of the NoC.
template <typename T> struct noc_traits_t;

template <> struct noc_traits_t<CircularBuffer> {
  struct src_args_type {
    uint32_t offset_bytes{};
  };
  using dst_args_type = src_args_type;
  struct dst_args_mcast_type {
    uint32_t noc_x_start{}, noc_y_start{}, noc_x_end{}, noc_y_end{}, offset_bytes{};
  };
  static uint32_t local_src(const CircularBuffer &cb, const src_args_type &a, uint32_t line) {
    return cb.get_read_ptr(line) + a.offset_bytes;
  }
  static uint32_t local_dst(const CircularBuffer &cb, const dst_args_type &a, uint32_t line) {
    return cb.get_write_ptr(line) + a.offset_bytes;
  }
  static uint64_t multicast(const CircularBuffer &cb, const dst_args_mcast_type &a, uint32_t line) {
    return get_noc_multicast_addr(a.noc_x_start, a.noc_y_start, a.noc_x_end, a.noc_y_end,
                                  cb.get_write_ptr(line) + a.offset_bytes);
  }
};
template <CircularBuffer::AddrSelector tSelector>
struct noc_traits_t<CircularBufferView<tSelector>> {
  using src_args_type = noc_traits_t<CircularBuffer>::src_args_type;
  using dst_args_type = src_args_type;
  using dst_args_mcast_type = noc_traits_t<CircularBuffer>::dst_args_mcast_type;
  static uint32_t pointer(const CircularBufferView<tSelector> &view, uint32_t line) {
    return tSelector == CircularBuffer::AddrSelector::READ_PTR ? view.cb.get_read_ptr(line)
                                                               : view.cb.get_write_ptr(line);
  }
  static uint32_t local_src(const CircularBufferView<tSelector> &view, const src_args_type &a,
                            uint32_t line) {
    return pointer(view, line) + a.offset_bytes;
  }
  static uint32_t local_dst(const CircularBufferView<tSelector> &view, const dst_args_type &a,
                            uint32_t line) {
    return pointer(view, line) + a.offset_bytes;
  }
  static uint64_t multicast(const CircularBufferView<tSelector> &view, const dst_args_mcast_type &a,
                            uint32_t line) {
    return get_noc_multicast_addr(a.noc_x_start, a.noc_y_start, a.noc_x_end, a.noc_y_end,
                                  pointer(view, line) + a.offset_bytes);
  }
};
template <typename T, typename Address> struct noc_traits_t<CoreLocalMem<T, Address>> {
  struct src_args_type {
    Address offset_bytes = 0;
  };
  using dst_args_type = src_args_type;
  static uint32_t local_src(const CoreLocalMem<T, Address> &m, const src_args_type &a, uint32_t) {
    return static_cast<uint32_t>(m.get_address() + a.offset_bytes);
  }
  static uint32_t local_dst(const CoreLocalMem<T, Address> &m, const dst_args_type &a, uint32_t) {
    return static_cast<uint32_t>(m.get_address() + a.offset_bytes);
  }
};
template <> struct noc_traits_t<UnicastEndpoint> {
  struct src_args_type {
    uint32_t noc_x{}, noc_y{}, addr{};
  };
  using dst_args_type = src_args_type;
  static uint64_t remote(const UnicastEndpoint &, const src_args_type &a, uint32_t, uint32_t) {
    return get_noc_addr(a.noc_x, a.noc_y, a.addr);
  }
};
template <> struct noc_traits_t<MulticastEndpoint> {
  struct dst_args_mcast_type {
    uint32_t noc_x_start{}, noc_y_start{}, noc_x_end{}, noc_y_end{}, addr{};
  };
  static uint64_t multicast(const MulticastEndpoint &, const dst_args_mcast_type &a, uint32_t) {
    return get_noc_multicast_addr(a.noc_x_start, a.noc_y_start, a.noc_x_end, a.noc_y_end, a.addr);
  }
};
template <AllocatorBankType tType> struct noc_traits_t<AllocatorBank<tType>> {
  struct src_args_type {
    uint32_t bank_id{}, addr{};
  };
  using dst_args_type = src_args_type;
  static uint64_t remote(const AllocatorBank<tType> &bank, const src_args_type &a, uint32_t,
                         uint32_t line) {
    return bank.get_noc_addr_from_bank_id(a.bank_id, a.addr, noc_index, line);
  }
};
template <typename Args> struct noc_traits_t<TensorAccessor<Args>> {
  struct src_args_type {
    uint32_t page_id{}, offset_bytes = 0;
  };
  using dst_args_type = src_args_type;
  static uint64_t remote(const TensorAccessor<Args> &tensor, const src_args_type &a, uint32_t bytes,
                         uint32_t line) {
    return ttemu_noc_address(tensor.page(a.page_id), a.offset_bytes, bytes, line);
  }
};
template <> struct noc_traits_t<ttemu::page_of> {
  struct src_args_type {
    uint32_t offset_bytes = 0;
  };
  using dst_args_type = src_args_type;
  static uint64_t remote(const ttemu::page_of &page, const src_args_type &a, uint32_t, uint32_t) {
    return page.address + a.offset_bytes;
  }
};
// The pages of a tensor, and its shards, by number.
template <typename Accessor> struct PageView {
  explicit PageView(const Accessor &a) : accessor(a) {}
  const Accessor &accessor;
};
template <typename Accessor> struct ShardView {
  explicit ShardView(const Accessor &a) : accessor(a) {}
  const Accessor &accessor;
};
template <typename Accessor> struct noc_traits_t<PageView<Accessor>> {
  using src_args_type = typename noc_traits_t<Accessor>::src_args_type;
  using dst_args_type = src_args_type;
  static uint64_t remote(const PageView<Accessor> &view, const src_args_type &a, uint32_t bytes,
                         uint32_t line) {
    return noc_traits_t<Accessor>::remote(view.accessor, a, bytes, line);
  }
};
template <typename Accessor> struct noc_traits_t<ShardView<Accessor>> {
  struct src_args_type {
    uint32_t shard_id{}, offset_bytes = 0;
  };
  using dst_args_type = src_args_type;
  static uint64_t remote(const ShardView<Accessor> &view, const src_args_type &a, uint32_t,
                         uint32_t line) {
    return view.accessor.get_shard_noc_addr(a.shard_id, a.offset_bytes, noc_index, line);
  }
};

template <typename T> using src_args_t = typename noc_traits_t<T>::src_args_type;
template <typename T> using dst_args_t = typename noc_traits_t<T>::dst_args_type;
template <typename T> using dst_args_mcast_t = typename noc_traits_t<T>::dst_args_mcast_type;

class Noc {
public:
  enum class AddressType { NOC, LOCAL_L1 };
  Noc() = default;
  explicit Noc(uint8_t id) : id_(id) {}
  uint8_t get_noc_id() const { return id_; }
  bool is_local_bank(uint32_t x, uint32_t y) const {
    return ttemu_is_local(ttemu::corner(x, y) << 32);
  }
  bool is_local_addr(uint64_t address) const { return ttemu_is_local(address); }

  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            bool tTrace = true, typename Src, typename Dst>
  void async_read(const Src &src, const Dst &dst, uint32_t bytes, const src_args_t<Src> &from,
                  const dst_args_t<Dst> &to, const NocOptVals &values = {}, TTEMU_LINE) const {
    set_trid<tOptions>(values, line);
    ttemu_noc_read(noc_traits_t<Src>::remote(src, from, bytes, line),
                   noc_traits_t<Dst>::local_dst(dst, to, line), bytes, line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            typename Src>
  void set_async_read_state(const Src &, uint32_t, const src_args_t<Src> &,
                            const NocOptVals & = {}) const {}
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            typename Src, typename Dst>
  void async_read_with_state(const Src &src, const Dst &dst, uint32_t bytes,
                             const src_args_t<Src> &from, const dst_args_t<Dst> &to,
                             const NocOptVals &values = {}, TTEMU_LINE) const {
    async_read<tOptions>(src, dst, bytes, from, to, values, line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            bool tTrace = true, typename Src, typename Dst>
  void async_write(const Src &src, const Dst &dst, uint32_t bytes, const src_args_t<Src> &from,
                   const dst_args_t<Dst> &to, const NocOptVals &values = {}, TTEMU_LINE) const {
    set_trid<tOptions>(values, line);
    ttemu_noc_write(noc_traits_t<Src>::local_src(src, from, line),
                    noc_traits_t<Dst>::remote(dst, to, bytes, line), bytes, 1, false, line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            bool tTrace = true, typename Src, typename Dst>
  void async_write_multicast(const Src &src, const Dst &dst, uint32_t bytes, uint32_t num_dsts,
                             const src_args_t<Src> &from, const dst_args_mcast_t<Dst> &to,
                             bool = false, const NocOptVals &values = {}, TTEMU_LINE) const {
    set_trid<tOptions>(values, line);
    ttemu_noc_write(noc_traits_t<Src>::local_src(src, from, line),
                    noc_traits_t<Dst>::multicast(dst, to, line), bytes, num_dsts,
                    ttemu::has(tOptions, NocOptions::MCAST_INCL_SRC), line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            typename Dst>
  void set_async_write_state(const Dst &, uint32_t, const dst_args_t<Dst> &,
                             const NocOptVals & = {}) const {}
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            typename Src, typename Dst>
  void async_write_with_state(const Src &src, const Dst &dst, uint32_t bytes,
                              const src_args_t<Src> &from, const dst_args_t<Dst> &to,
                              const NocOptVals &values = {}, TTEMU_LINE) const {
    async_write<tOptions>(src, dst, bytes, from, to, values, line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, typename Dst>
  void inline_dw_write(const Dst &dst, uint32_t value, const dst_args_t<Dst> &to, uint8_t = 0xF,
                       const NocOptVals & = {}, TTEMU_LINE) const {
    ttemu_noc_write_word(noc_traits_t<Dst>::remote(dst, to, 4, line), value, line);
  }

  bool is_read_trid_flushed(uint32_t trid, TTEMU_LINE) const {
    return ttemu_noc_reads_done(trid, line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT>
  void async_read_barrier(const NocOptVals &values = {}, TTEMU_LINE) const {
    if constexpr (ttemu::has(tOptions, NocOptions::TXN_ID))
      ttemu_noc_barrier_of(TTEMU_READS, values.trid, line);
    else ttemu_noc_read_barrier(line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT>
  void async_write_barrier(const NocOptVals &values = {}, TTEMU_LINE) const {
    if constexpr (ttemu::has(tOptions, NocOptions::TXN_ID))
      ttemu_noc_barrier_of(TTEMU_WRITES, values.trid, line);
    else ttemu_noc_write_barrier(line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT>
  void async_writes_flushed(const NocOptVals &values = {}, TTEMU_LINE) const {
    if constexpr (ttemu::has(tOptions, NocOptions::TXN_ID))
      ttemu_noc_barrier_of(TTEMU_WRITES_SENT, values.trid, line);
    else ttemu_noc_writes_flushed(line);
  }
  void async_atomic_barrier(TTEMU_LINE) const { ttemu_noc_atomic_barrier(line); }
  void async_full_barrier(TTEMU_LINE) const { noc_async_full_barrier(noc_index, line); }
  // Zeros in L1 are there at once.
  template <typename Dst>
  void async_write_zeros(const Dst &dst, uint32_t bytes, const dst_args_t<Dst> &to = {},
                         TTEMU_LINE) const {
    auto *words = reinterpret_cast<volatile uint8_t *>(
        uintptr_t{noc_traits_t<Dst>::local_dst(dst, to, line)});
    for (uint32_t i = 0; i < bytes; ++i) words[i] = 0;
  }
  void write_zeros_l1_barrier() const {}
  void write_zeros_dram_barrier(TTEMU_LINE) const { ttemu_noc_write_barrier(line); }

private:
  template <NocOptions tOptions> static void set_trid(const NocOptVals &values, uint32_t line) {
    ttemu_noc_set_trid(ttemu::has(tOptions, NocOptions::TXN_ID) ? values.trid : 0, line);
  }
  uint8_t id_ = noc_index;
};
#endif
