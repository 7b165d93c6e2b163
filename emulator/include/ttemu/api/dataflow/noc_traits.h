// What names a place in each kind of endpoint of a transfer, and the address that it makes.
#pragma once

#include <cstddef>

#include "ttemu/api/core_local_mem.h"
#include "ttemu/api/dataflow/circular_buffer.h"
#include "ttemu/api/dataflow/dataflow_api.h"
#include "ttemu/api/dataflow/endpoints.h"

TTEMU_OBJECTS
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
  // As the local end: the address alone.
  static uint32_t local_src(const UnicastEndpoint &, const src_args_type &a, uint32_t) {
    return a.addr;
  }
  static uint32_t local_dst(const UnicastEndpoint &, const src_args_type &a, uint32_t) {
    return a.addr;
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
template <typename DSpec> struct noc_traits_t<TensorAccessor<DSpec>> {
  struct src_args_type {
    uint32_t page_id{}, offset_bytes = 0;
  };
  using dst_args_type = src_args_type;
  static uint64_t remote(const TensorAccessor<DSpec> &tensor, const src_args_type &a,
                         uint32_t bytes, uint32_t line) {
    return ttemu_noc_address(tensor.page(a.page_id), a.offset_bytes, bytes, line);
  }
  static uint32_t local_src(const TensorAccessor<DSpec> &tensor, const src_args_type &a,
                            uint32_t line) {
    return static_cast<uint32_t>(remote(tensor, a, 0, line));
  }
  static uint32_t local_dst(const TensorAccessor<DSpec> &tensor, const src_args_type &a,
                            uint32_t line) {
    return static_cast<uint32_t>(remote(tensor, a, 0, line));
  }
};
template <> struct noc_traits_t<tensor_accessor::Page> {
  struct src_args_type {
    uint32_t offset_bytes = 0;
  };
  using dst_args_type = src_args_type;
  static uint64_t remote(const tensor_accessor::Page &page, const src_args_type &a, uint32_t,
                         uint32_t) {
    return page.noc_addr() + a.offset_bytes;
  }
};
// Its pages, its shards, and a tensor of any kind.
template <typename Accessor> struct noc_traits_t<PageView<Accessor>> {
  using src_args_type = typename noc_traits_t<Accessor>::src_args_type;
  using dst_args_type = src_args_type;
  static uint64_t remote(const PageView<Accessor> &view, const src_args_type &a, uint32_t bytes,
                         uint32_t line) {
    return noc_traits_t<Accessor>::remote(view.accessor, a, bytes, line);
  }
};
template <> struct noc_traits_t<AbstractTensorAccessorWrapper> {
  struct src_args_type {
    uint32_t page_id{}, offset_bytes = 0;
  };
  using dst_args_type = src_args_type;
  static uint64_t remote(const AbstractTensorAccessorWrapper &tensor, const src_args_type &a,
                         uint32_t bytes, uint32_t line) {
    return ttemu_noc_address(tensor.page(a.page_id), a.offset_bytes, bytes, line);
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
  // As the local end, it must be here.
  static uint32_t local_src(const ShardView<Accessor> &view, const src_args_type &a,
                            uint32_t line) {
    const uint64_t address = remote(view, a, 0, line);
    if (!ttemu_is_local(address)) ttemu_kernel_failure("the shard is on this core", line);
    return static_cast<uint32_t>(address);
  }
  static uint32_t local_dst(const ShardView<Accessor> &view, const src_args_type &a,
                            uint32_t line) {
    return local_src(view, a, line);
  }
};

template <typename T> using src_args_t = typename noc_traits_t<T>::src_args_type;
template <typename T> using dst_args_t = typename noc_traits_t<T>::dst_args_type;
template <typename T> using dst_args_mcast_t = typename noc_traits_t<T>::dst_args_mcast_type;
TTEMU_OBJECTS_END
