// The NoC as an object: transfers between endpoints, each of which says with its traits what names
// a place in it.
#pragma once

#include "ttemu/api/dataflow/noc_traits.h"

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
} // namespace ttemu

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
    set_trid<tOptions>(false, values, line);
    ttemu_noc_choose(id_);
    ttemu_noc_read(noc_traits_t<Src>::remote(src, from, bytes, line),
                   noc_traits_t<Dst>::local_dst(dst, to, line), bytes, line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            typename Src>
  void set_async_read_state(const Src &src, uint32_t bytes, const src_args_t<Src> &from,
                            const NocOptVals & = {}, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    ttemu_noc_set_state(read_cmd_buf, noc_traits_t<Src>::remote(src, from, bytes, line), bytes, 0,
                        line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            typename Src, typename Dst>
  void async_read_with_state(const Src &src, const Dst &dst, uint32_t bytes,
                             const src_args_t<Src> &from, const dst_args_t<Dst> &to,
                             const NocOptVals &values = {}, TTEMU_LINE) const {
    set_trid<tOptions>(false, values, line);
    ttemu_noc_choose(id_);
    const uint64_t at = with_state<tMaxPage>(
        read_cmd_buf, noc_traits_t<Src>::remote(src, from, bytes, line), bytes, line);
    ttemu_noc_read(at, noc_traits_t<Dst>::local_dst(dst, to, line), bytes, line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            bool tTrace = true, typename Src, typename Dst>
  void async_write(const Src &src, const Dst &dst, uint32_t bytes, const src_args_t<Src> &from,
                   const dst_args_t<Dst> &to, const NocOptVals &values = {}, TTEMU_LINE) const {
    set_trid<tOptions>(true, values, line);
    ttemu_noc_choose(id_);
    ttemu_noc_write(noc_traits_t<Src>::local_src(src, from, line),
                    noc_traits_t<Dst>::remote(dst, to, bytes, line), bytes, 1, false, line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            bool tTrace = true, typename Src, typename Dst>
  void async_write_multicast(const Src &src, const Dst &dst, uint32_t bytes, uint32_t num_dsts,
                             const src_args_t<Src> &from, const dst_args_mcast_t<Dst> &to,
                             bool linked = false, const NocOptVals &values = {}, TTEMU_LINE) const {
    set_trid<tOptions>(true, values, line);
    ttemu_noc_choose(id_);
    ttemu_noc_link(linked);
    ttemu_noc_write(noc_traits_t<Src>::local_src(src, from, line),
                    noc_traits_t<Dst>::multicast(dst, to, line), bytes, num_dsts,
                    ttemu::has(tOptions, NocOptions::MCAST_INCL_SRC), line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            typename Dst>
  void set_async_write_state(const Dst &dst, uint32_t bytes, const dst_args_t<Dst> &to,
                             const NocOptVals & = {}, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    ttemu_noc_set_state(write_cmd_buf, noc_traits_t<Dst>::remote(dst, to, bytes, line), bytes, 0,
                        line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            typename Src, typename Dst>
  void async_write_with_state(const Src &src, const Dst &dst, uint32_t bytes,
                              const src_args_t<Src> &from, const dst_args_t<Dst> &to,
                              const NocOptVals &values = {}, TTEMU_LINE) const {
    set_trid<tOptions>(true, values, line);
    ttemu_noc_choose(id_);
    const uint64_t at = with_state<tMaxPage>(
        write_cmd_buf, noc_traits_t<Dst>::remote(dst, to, bytes, line), bytes, line);
    ttemu_noc_write(noc_traits_t<Src>::local_src(src, from, line), at, bytes, 1, false, line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT, typename Dst>
  void inline_dw_write(const Dst &dst, uint32_t value, const dst_args_t<Dst> &to, uint8_t = 0xF,
                       const NocOptVals & = {}, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    ttemu_noc_write_word(noc_traits_t<Dst>::remote(dst, to, 4, line), value, line);
  }

  bool is_read_trid_flushed(uint32_t trid, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    return ttemu_noc_reads_done(trid, line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT>
  void async_read_barrier(const NocOptVals &values = {}, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    if constexpr (ttemu::has(tOptions, NocOptions::TXN_ID))
      ttemu_noc_barrier_of(TTEMU_READS, values.trid, line);
    else ttemu_noc_read_barrier(line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT>
  void async_write_barrier(const NocOptVals &values = {}, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    if constexpr (ttemu::has(tOptions, NocOptions::TXN_ID))
      ttemu_noc_barrier_of(TTEMU_WRITES, values.trid, line);
    else ttemu_noc_write_barrier(line);
  }
  template <NocOptions tOptions = NocOptions::DEFAULT>
  void async_writes_flushed(const NocOptVals &values = {}, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    if constexpr (ttemu::has(tOptions, NocOptions::TXN_ID))
      ttemu_noc_barrier_of(TTEMU_WRITES_SENT, values.trid, line);
    else ttemu_noc_writes_flushed(line);
  }
  void async_atomic_barrier(TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    ttemu_noc_atomic_barrier(line);
  }
  void async_full_barrier(TTEMU_LINE) const { noc_async_full_barrier(id_, line); }
  // Zeros in L1 are there at once.
  template <typename Dst>
  void async_write_zeros(const Dst &dst, uint32_t bytes, const dst_args_t<Dst> &to = {},
                         TTEMU_LINE) const {
    auto *words = reinterpret_cast<volatile uint8_t *>(
        uintptr_t{noc_traits_t<Dst>::local_dst(dst, to, line)});
    for (uint32_t i = 0; i < bytes; ++i) words[i] = 0;
  }
  void write_zeros_l1_barrier() const {}
  void write_zeros_dram_barrier(TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    ttemu_noc_write_barrier(line);
  }

private:
  // Of transfers of one packet the size stays as well.
  template <uint32_t tMaxPage>
  static uint64_t with_state(uint32_t buffer, uint64_t at, uint32_t bytes, uint32_t line) {
    if constexpr (tMaxPage <= NOC_MAX_BURST_SIZE) ttemu_noc_state_bytes(buffer, bytes, line);
    return ttemu_noc_from_state(buffer, at, line);
  }
  template <NocOptions tOptions>
  static void set_trid(bool writes, const NocOptVals &values, uint32_t line) {
    ttemu_noc_set_trid(writes, ttemu::has(tOptions, NocOptions::TXN_ID) ? values.trid : 0, line);
  }
  uint8_t id_ = noc_index;
};
#endif
