// How a tensor is cut into shards, and loops over pages; tensors of two kinds in an array.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr auto args = make_tensor_accessor_args_tuple<2, 0>();
  const auto tensor = TensorAccessor(std::get<0>(args), get_arg_val<uint32_t>(0));
  const auto spec = tensor.dspec();
  static_assert(decltype(tensor)::DSpec::tensor_shape_static);
  static_assert(tensor.dspec().rank() == 2 && tensor.dspec().tensor_shape()[1] == 3);
  ASSERT(spec.tensor_shape()[0] == 5 && spec.shard_shape()[0] == 2 && spec.shard_shape()[1] == 2);
  ASSERT(spec.shard_grid()[0] == 3 && spec.shard_grid()[1] == 2 && spec.num_banks() == 6);
  ASSERT(spec.tensor_volume() == 15 && spec.shard_volume() == 4);

  // Each page is in one shard, where the tensor says that it is.
  uint32_t seen = 0, pages = 0;
  for (uint32_t shard = 0; shard < 6; ++shard)
    for (const auto &page : tensor.shard_pages(shard)) {
      ASSERT(page.noc_addr() == tensor.get_noc_addr(page.page_id()));
      seen |= 1u << page.page_id(), ++pages;
    }
  ASSERT(seen == 0x7fff && pages == 15);
  // The last shard has one page; steps skip what sticks out.
  auto last = tensor.shard_pages(5);
  auto at = last.begin();
  ASSERT(at->page_id() == 14);
  at += 2;
  ASSERT(at == last.end());
  ASSERT(tensor.shard_pages(3, 2).begin()->page_id() == 11);
  uint32_t next = 4;
  for (const auto &page : tensor.pages(4, 9)) {
    ASSERT(page.page_id() == next);
    ++next;
  }
  ASSERT(next == 9 && tensor.pages().begin()[7].page_id() == 7);
  const uint32_t coordinates[] = {2, 1};
  ASSERT(tensor.get_noc_addr(coordinates) == tensor.get_noc_addr(7));

  // Page 7 comes from an interleaved tensor in DRAM and goes to a shard, and back.
  constexpr uint32_t page_sizes = std::get<1>(args).next_compile_time_args_offset();
  const auto tensors = make_tensor_accessor_tuple(args, 0, page_sizes);
  const auto any = make_abstract_tensor_accessor_wrappers(tensors);
  const uint32_t l1 = get_write_ptr(0);
  const auto *words = reinterpret_cast<volatile uint32_t *>(l1);
  noc_async_read(any[1].get_noc_addr(7), l1, 2048);
  noc_async_read_barrier();
  noc_async_write(l1, any[0].get_noc_addr(7), 2048);
  noc_async_write_barrier();
  // A pointer into L1 is a number of 32 bits.
  noc_async_read(any[0].get_noc_addr(7), (uint32_t)words + 2048, 2048);
  noc_async_read_barrier();
  for (uint32_t i = 0; i < 512; ++i) ASSERT(words[512 + i] == 7 * 512 + i);
}
