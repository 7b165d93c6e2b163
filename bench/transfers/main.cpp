// So many transfers over the NoC, by 64 cores.
#include <cstdlib>

#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tt_metal.hpp>

using namespace tt::tt_metal;

int main(int argc, char **argv) {
  const uint32_t transfers = argc > 1 ? uint32_t(std::atoi(argv[1])) : 1000000;
  IDevice *device = CreateDevice(0);
  {
    Program program = CreateProgram();
    const CoreRange cores({0, 0}, {7, 7});
    auto tensor = CreateBuffer(InterleavedBufferConfig{device, 64 * 1024, 64, BufferType::DRAM});
    detail::WriteToBuffer(tensor, std::vector<uint32_t>(16 * 1024, 1));
    CircularBufferConfig config(2048, {{0, tt::DataFormat::Float16_b}});
    CreateCircularBuffer(program, cores, config.set_page_size(0, 1024));
    std::vector<uint32_t> args;
    TensorAccessorArgs(*tensor).append_to(args);
    const auto kernel = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "mover.cpp", cores,
                                     ReaderDataMovementConfig(args));
    for (uint32_t y = 0; y < 8; ++y)
      for (uint32_t x = 0; x < 8; ++x) {
        const CoreCoord right = device->worker_core_from_logical_core({(x + 1) % 8, y});
        SetRuntimeArgs(program, kernel, CoreCoord(x, y),
                       {transfers / 64, uint32_t(tensor->address()), 16 * (8 * y + x),
                        uint32_t(right.x), uint32_t(right.y)});
      }
    detail::LaunchProgram(device, program);
  }
  CloseDevice(device);
}
