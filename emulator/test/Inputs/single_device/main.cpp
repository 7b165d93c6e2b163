// One device without a mesh: buffers, queues, launches, memory by bank and core.
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>

#include <cstdio>
#include <numeric>

using namespace tt::tt_metal;

static int failures;

static void expect(const char *what, const std::vector<uint32_t> &data, uint32_t first) {
  for (std::size_t i = 0; i < data.size(); ++i)
    if (data[i] != first + i) {
      std::printf("%s: word %zu is %u instead of %u\n", what, i, data[i], uint32_t(first + i));
      ++failures;
      return;
    }
}

static Program adding_one(const Buffer &buffer) {
  Program program = CreateProgram();
  constexpr CoreCoord core = {1, 2};
  CreateCircularBuffer(
      program, core, CircularBufferConfig(64, {{0, tt::DataFormat::UInt32}}).set_page_size(0, 64));
  KernelHandle kernel = CreateKernel(program, "add_one.cpp", core, DataMovementConfig{});
  SetRuntimeArgs(program, kernel, core, {buffer.address(), buffer.num_pages()});
  return program;
}

int main() {
  IDevice *device = CreateDevice(0);
  const CoreCoord grid = device->compute_with_storage_grid_size();
  CommandQueue &queue = device->command_queue();
  std::vector<uint32_t> data(16 * 20), result;
  std::iota(data.begin(), data.end(), 100);

  InterleavedBufferConfig config{
      .device = device, .size = data.size() * 4, .page_size = 64, .buffer_type = BufferType::DRAM};
  std::shared_ptr<Buffer> buffer = CreateBuffer(config);
  Program program = adding_one(*buffer);
  EnqueueWriteBuffer(queue, buffer, data, false);
  EnqueueProgram(queue, program, false);
  Finish(queue);
  EnqueueReadBuffer(queue, buffer, result, true);
  expect("queue", result, 101);
  const BufferRegion third(128, 64);
  EnqueueReadSubBuffer(queue, buffer, result, third, true);
  expect("part", result, 101 + 32);
  EnqueueWriteSubBuffer(queue, buffer, result, BufferRegion(0, 64), true);
  EnqueueReadSubBuffer(queue, *buffer, result, BufferRegion(0, 64), true);
  expect("part that was written", result, 101 + 32);

  detail::WriteToBuffer(buffer, data);
  detail::LaunchProgram(device, program);
  detail::LaunchProgram(device, program);
  detail::ReadFromBuffer(buffer, result);
  expect("launch", result, 102);

  // Page 1 of the tensor is in bank 1, and a view sees the same memory.
  detail::ReadFromDeviceDRAMChannel(device, 1, buffer->address(), 64, result);
  expect("bank", result, 102 + 16);
  std::shared_ptr<Buffer> view = CreateBuffer(config, buffer->address());
  detail::ReadFromBuffer(view, result);
  expect("view", result, 102);

  // Memory without a buffer.
  const uint32_t far = 1 << 20;
  detail::WriteToDeviceDRAMChannel(device, 0, far, data);
  detail::ReadFromDeviceDRAMChannel(device, 0, far, uint32_t(data.size() * 4), result);
  expect("address", result, 100);
  const CoreCoord last(grid.x - 1, grid.y - 1);
  detail::WriteToDeviceL1(device, last, 512 * 1024, data);
  detail::ReadFromDeviceL1(device, last, 512 * 1024, uint32_t(data.size() * 4), result);
  expect("L1", result, 100);

  // Height-sharded in L1: 2 pages a core.
  ShardSpecBuffer shards(CoreRangeSet(CoreRange({0, 0}, {4, 1})), {2, 16},
                         ShardOrientation::ROW_MAJOR, {1, 16}, {20, 1});
  std::shared_ptr<Buffer> sharded =
      CreateBuffer(ShardedBufferConfig{.device = device,
                                       .size = data.size() * 4,
                                       .page_size = 64,
                                       .buffer_type = BufferType::L1,
                                       .buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED,
                                       .shard_parameters = shards});
  EnqueueWriteBuffer(queue, *sharded, data.data(), false);
  EnqueueReadBuffer(queue, sharded, result, true);
  expect("sharded", result, 100);
  detail::ReadFromDeviceL1(device, {1, 1}, sharded->address(), 128, result);
  expect("shard", result, 100 + 6 * 32);

  int cores = 0;
  for (CoreCoord core : CoreRange({2, 3}, {4, 5})) cores += core.x >= 2 && core.y <= 5;
  std::printf("single device: %d cores, %d wrong\n", cores, failures);
  return CloseDevice(device) ? failures : 1;
}
