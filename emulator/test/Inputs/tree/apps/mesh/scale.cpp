// Multiplies the words of a page with a factor.
#include "apps/common/factor.h"

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto tensor = TensorAccessor(args, get_arg_val<uint32_t>(0), 64);
  cb_reserve_back(0, 1);
  const uint32_t l1 = get_write_ptr(0);
  auto *words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1);
  noc_async_read(tensor.get_noc_addr(0), l1, 64);
  noc_async_read_barrier();
  for (uint32_t w = 0; w < 16; ++w) words[w] = scaled(words[w], get_arg_val<uint32_t>(1));
  noc_async_write(l1, tensor.get_noc_addr(0), 64);
  noc_async_write_barrier();
}
