// Adds 1 to each word of the pages of a tensor, in place. Kernels that move data know the API
// without including it.
void kernel_main() {
  const uint32_t address = get_arg_val<uint32_t>(0), pages = get_arg_val<uint32_t>(1);
  const InterleavedAddrGen<true> tensor = {.bank_base_address = address, .page_size = 64};
  cb_reserve_back(0, 1);
  const uint32_t l1 = get_write_ptr(0);
  volatile tt_l1_ptr uint32_t *words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1);
  for (uint32_t i = 0; i < pages; ++i) {
    noc_async_read(tensor.get_noc_addr(i), l1, 64);
    noc_async_read_barrier();
    for (uint32_t w = 0; w < 16; ++w) words[w] += 1;
    noc_async_write(l1, tensor.get_noc_addr(i), 64);
    noc_async_write_barrier();
  }
}
