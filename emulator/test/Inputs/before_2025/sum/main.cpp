// A program as trees before 2025 have them: their folders of headers, names of std without it, a
// device with a queue, places of banks on the NoC, tiles made in place, and kernels by the path of
// the machine that it was written on.
#include "expected.hpp"
#include "tt_metal/common/bfloat16.hpp"
#include "tt_metal/common/tilize_untilize.hpp"
#include "tt_metal/detail/tt_metal.hpp"
#include "tt_metal/impl/device/device.hpp"

using namespace tt;
using namespace tt::tt_metal;

int main() {
  constexpr CoreCoord core = {0, 0};
  constexpr uint32_t bytes = 2 * 1024;
  Device *device = CreateDevice(0);
  CommandQueue &cq = device->command_queue();
  Program program = CreateProgram();
  InterleavedBufferConfig config{
      .device = device, .size = bytes, .page_size = bytes, .buffer_type = BufferType::DRAM};
  vector<shared_ptr<Buffer>> buffers = {CreateBuffer(config), CreateBuffer(config),
                                        CreateBuffer(config)};
  vector<bfloat16> a(1024), b(1024), sum;
  for (int i = 0; i < 1024; ++i) a[i] = bfloat16(float(i % 128)), b[i] = bfloat16(float(i / 32));
  vector<bfloat16> a_tile = a, b_tile = b;
  tilize(a_tile, 32, 32);
  tilize(b_tile, 32, 32);

  for (uint32_t cb : {uint32_t(CB::c_in0), uint32_t(CB::c_in1), uint32_t(CB::c_out0)})
    CreateCircularBuffer(
        program, core,
        CircularBufferConfig(bytes, {{cb, DataFormat::Float16_b}}).set_page_size(cb, bytes));
  const string kernels = "/home/somebody/tree/sum/kernels/";
  auto reader = CreateKernel(
      program, kernels + "reader.cpp", core,
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_1, .noc = NOC::RISCV_1_default});
  auto writer = CreateKernel(
      program, kernels + "writer.cpp", core,
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_0, .noc = NOC::RISCV_0_default});
  CreateKernel(program, kernels + "compute.cpp", core, ComputeConfig{});
  auto place = [&](int i) {
    const auto node = buffers[i]->noc_coordinates();
    return vector<uint32_t>{buffers[i]->address(), uint32_t(node.x), uint32_t(node.y)};
  };
  vector<uint32_t> args = place(0), more = place(1);
  args.insert(args.end(), more.begin(), more.end());
  SetRuntimeArgs(program, reader, core, args);
  SetRuntimeArgs(program, writer, core, place(2));

  EnqueueWriteBuffer(cq, buffers[0], a_tile, false);
  EnqueueWriteBuffer(cq, buffers[1], b_tile, false);
  EnqueueProgram(cq, program, false);
  EnqueueReadBuffer(cq, buffers[2], sum, true);
  tt_metal::detail::DumpDeviceProfileResults(device);
  untilize(sum, 32, 32);
  cout << (is_sum(a, b, sum) ? "the sum is right" : "the sum is wrong") << endl;
  CloseDevice(device);
}
