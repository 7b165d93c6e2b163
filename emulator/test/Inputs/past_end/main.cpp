// A kernel writes 128 bytes to one of two buffers of 32 bytes, the number of which is an argument:
// behind the second one there is nothing, behind the first one the second.
#include <cstdio>
#include <cstdlib>

#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>

using namespace tt::tt_metal;

int main(int argc, char **argv) {
  IDevice *device = CreateDevice(0);
  const InterleavedBufferConfig config{
      .device = device, .size = 32, .page_size = 32, .buffer_type = BufferType::DRAM};
  auto first = CreateBuffer(config), second = CreateBuffer(config);
  auto &to = argc > 1 && std::atoi(argv[1]) == 1 ? first : second;
  Program program = CreateProgram();
  const CoreCoord core(0, 0);
  const auto kernel = CreateKernelFromString(
      program,
      "void kernel_main() {\n"
      "  const uint32_t l1 = get_write_ptr(0);\n"
      "  for (uint32_t i = 0; i < 32; ++i) reinterpret_cast<volatile uint32_t *>(l1)[i] = i;\n"
      "  noc_async_write(l1, get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(0)), 128);\n"
      "  noc_async_write_barrier();\n"
      "}\n",
      core, DataMovementConfig{});
  CreateCircularBuffer(
      program, core,
      CircularBufferConfig(128, {{0, tt::DataFormat::UInt32}}).set_page_size(0, 128));
  SetRuntimeArgs(program, kernel, core, {uint32_t(to->address())});
  detail::LaunchProgram(device, program);
  std::vector<uint32_t> words;
  detail::ReadFromBuffer(to, words);
  std::printf("the buffer ends with %u\n", words.at(7));
  CloseDevice(device);
}
