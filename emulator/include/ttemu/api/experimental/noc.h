// The NoC as an object, as it was before August 2026: what it does is in template arguments.
#pragma once

#include "ttemu/api/dataflow/noc_traits.h"
#include "ttemu/api/experimental/lock.h"

#if TTEMU_API <= 202603
namespace experimental {
class Noc {
public:
  enum class AddressType { NOC, LOCAL_L1 };
  enum class TxnIdMode { ENABLED, DISABLED };
  enum class ResponseMode { NON_POSTED, POSTED };
  enum class BarrierMode { TXN_ID, FULL };
  enum class McastMode { INCLUDE_SRC, EXCLUDE_SRC };
  enum class VcSelection { DEFAULT, CUSTOM };
  static constexpr uint32_t INVALID_TXN_ID = 0xffffffff;

  Noc() = default;
  explicit Noc(uint8_t id) : id_(id) {}
  uint8_t get_noc_id() const { return id_; }
  bool is_local_bank(uint32_t x, uint32_t y) const {
    return ttemu_is_local(ttemu::corner(x, y) << 32);
  }
  bool is_local_addr(uint64_t address) const { return ttemu_is_local(address); }

  template <TxnIdMode tTxn = TxnIdMode::DISABLED, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            bool tTrace = true, typename Src, typename Dst>
  void async_read(const Src &src, const Dst &dst, uint32_t bytes, const src_args_t<Src> &from,
                  const dst_args_t<Dst> &to, uint32_t = NOC_UNICAST_WRITE_VC,
                  uint32_t trid = INVALID_TXN_ID, TTEMU_LINE) const {
    set_trid<tTxn>(false, trid, line);
    ttemu_noc_choose(id_);
    ttemu_noc_read(noc_traits_t<Src>::remote(src, from, bytes, line),
                   noc_traits_t<Dst>::local_dst(dst, to, line), bytes, line);
  }
  template <VcSelection tVc = VcSelection::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            typename Src>
  void set_async_read_state(const Src &src, uint32_t bytes, const src_args_t<Src> &from,
                            uint8_t = 0, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    ttemu_noc_set_state(read_cmd_buf, noc_traits_t<Src>::remote(src, from, bytes, line), bytes, 0,
                        line);
  }
  template <VcSelection tVc = VcSelection::DEFAULT, uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1,
            typename Src, typename Dst>
  void async_read_with_state(const Src &src, const Dst &dst, uint32_t bytes,
                             const src_args_t<Src> &from, const dst_args_t<Dst> &to, uint8_t = 0,
                             TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    const uint64_t at = with_state<tMaxPage>(
        read_cmd_buf, noc_traits_t<Src>::remote(src, from, bytes, line), bytes, line);
    ttemu_noc_read(at, noc_traits_t<Dst>::local_dst(dst, to, line), bytes, line);
  }
  template <TxnIdMode tTxn = TxnIdMode::DISABLED, ResponseMode tResponse = ResponseMode::NON_POSTED,
            uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1, bool tTrace = true, typename Src,
            typename Dst>
  void async_write(const Src &src, const Dst &dst, uint32_t bytes, const src_args_t<Src> &from,
                   const dst_args_t<Dst> &to, uint32_t = NOC_UNICAST_WRITE_VC,
                   uint32_t trid = INVALID_TXN_ID, TTEMU_LINE) const {
    set_trid<tTxn>(true, trid, line);
    ttemu_noc_choose(id_);
    ttemu_noc_write(noc_traits_t<Src>::local_src(src, from, line),
                    noc_traits_t<Dst>::remote(dst, to, bytes, line), bytes, 1, false, line);
  }
  template <McastMode tMode = McastMode::EXCLUDE_SRC, TxnIdMode tTxn = TxnIdMode::DISABLED,
            ResponseMode tResponse = ResponseMode::NON_POSTED,
            uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1, bool tTrace = true, typename Src,
            typename Dst>
  void async_write_multicast(const Src &src, const Dst &dst, uint32_t bytes, uint32_t num_dsts,
                             const src_args_t<Src> &from, const dst_args_mcast_t<Dst> &to,
                             bool linked = false, uint32_t = INVALID_TXN_ID, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    ttemu_noc_link(linked);
    ttemu_noc_write(noc_traits_t<Src>::local_src(src, from, line),
                    noc_traits_t<Dst>::multicast(dst, to, line), bytes, num_dsts,
                    tMode == McastMode::INCLUDE_SRC, line);
  }
  template <ResponseMode tResponse = ResponseMode::NON_POSTED,
            uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1, typename Dst>
  void set_async_write_state(const Dst &dst, uint32_t bytes, const dst_args_t<Dst> &to,
                             uint8_t = NOC_UNICAST_WRITE_VC, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    ttemu_noc_set_state(write_cmd_buf, noc_traits_t<Dst>::remote(dst, to, bytes, line), bytes, 0,
                        line);
  }
  template <ResponseMode tResponse = ResponseMode::NON_POSTED,
            uint32_t tMaxPage = NOC_MAX_BURST_SIZE + 1, typename Src, typename Dst>
  void async_write_with_state(const Src &src, const Dst &dst, uint32_t bytes,
                              const src_args_t<Src> &from, const dst_args_t<Dst> &to,
                              uint8_t = NOC_UNICAST_WRITE_VC, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    const uint64_t at = with_state<tMaxPage>(
        write_cmd_buf, noc_traits_t<Dst>::remote(dst, to, bytes, line), bytes, line);
    ttemu_noc_write(noc_traits_t<Src>::local_src(src, from, line), at, bytes, 1, false, line);
  }
  template <TxnIdMode tTxn = TxnIdMode::DISABLED, InlineWriteDst tKind = InlineWriteDst::DEFAULT,
            ResponseMode tResponse = ResponseMode::NON_POSTED, typename Dst>
  void inline_dw_write(const Dst &dst, uint32_t value, const dst_args_t<Dst> &to, uint8_t = 0xF,
                       uint32_t = NOC_UNICAST_WRITE_VC, uint32_t = INVALID_TXN_ID,
                       TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    ttemu_noc_write_word(noc_traits_t<Dst>::remote(dst, to, 4, line), value, line);
  }

  template <BarrierMode tKind = BarrierMode::FULL>
  void async_read_barrier(uint32_t trid = INVALID_TXN_ID, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    if constexpr (tKind == BarrierMode::TXN_ID) ttemu_noc_barrier_of(TTEMU_READS, trid, line);
    else ttemu_noc_read_barrier(line);
  }
  template <BarrierMode tKind = BarrierMode::FULL>
  void async_write_barrier(uint32_t trid = INVALID_TXN_ID, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    if constexpr (tKind == BarrierMode::TXN_ID) ttemu_noc_barrier_of(TTEMU_WRITES, trid, line);
    else ttemu_noc_write_barrier(line);
  }
  template <ResponseMode tResponse = ResponseMode::NON_POSTED,
            BarrierMode tKind = BarrierMode::FULL>
  void async_writes_flushed(uint32_t trid = INVALID_TXN_ID, TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    if constexpr (tKind == BarrierMode::TXN_ID) ttemu_noc_barrier_of(TTEMU_WRITES_SENT, trid, line);
    else ttemu_noc_writes_flushed(line);
  }
  void async_atomic_barrier(TTEMU_LINE) const {
    ttemu_noc_choose(id_);
    ttemu_noc_atomic_barrier(line);
  }
  void async_full_barrier(TTEMU_LINE) const { noc_async_full_barrier(id_, line); }

private:
  // Of transfers of one packet the size stays as well.
  template <uint32_t tMaxPage>
  static uint64_t with_state(uint32_t buffer, uint64_t at, uint32_t bytes, uint32_t line) {
    if constexpr (tMaxPage <= NOC_MAX_BURST_SIZE) ttemu_noc_state_bytes(buffer, bytes, line);
    return ttemu_noc_from_state(buffer, at, line);
  }
  template <TxnIdMode tTxn> static void set_trid(bool writes, uint32_t trid, uint32_t line) {
    ttemu_noc_set_trid(writes, tTxn == TxnIdMode::ENABLED ? trid : 0, line);
  }
  uint8_t id_ = noc_index;
};
} // namespace experimental
#endif
