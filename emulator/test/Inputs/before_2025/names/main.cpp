// What a program of 2024 says: headers and names that later trees have elsewhere, or no more.
#include "third_party/magic_enum/magic_enum.hpp"
#include "third_party/umd/device/tt_xy_pair.h"
#include "tt_metal/common/bfloat16.hpp"
#include "tt_metal/common/core_coord.h"
#include "tt_metal/common/env_lib.hpp"
#include "tt_metal/common/metal_soc_descriptor.h"
#include "tt_metal/common/scoped_timer.hpp"
#include "tt_metal/common/test_tiles.hpp"
#include "tt_metal/detail/reports/memory_reporter.hpp"
#include "tt_metal/detail/util.hpp"
#include "tt_metal/host_api.hpp"
#include "tt_metal/hw/inc/circular_buffer_constants.h"
#include "tt_metal/impl/allocator/allocator.hpp"
#include "tt_metal/impl/buffers/global_circular_buffer.hpp"
#include "tt_metal/impl/buffers/global_semaphore.hpp"
#include "tt_metal/impl/sub_device/sub_device.hpp"
#include "ttnn/cpp/ttnn/deprecated/tt_dnn/op_library/work_split.hpp"
#include "umd/device/device_api_metal.h"

#include <magic_enum.hpp>

using namespace tt::tt_metal;

// Bytes of a tile of bfloat16; CB 0 holds two of them, A and B.
constexpr uint32_t tile_bytes = 2048;

static CBHandle circular_buffer(Program &program, CoreCoord core, uint32_t id, uint32_t pages) {
  CircularBufferConfig config(pages * tile_bytes, {{id, tt::DataFormat::Float16_b}});
  return CreateCircularBuffer(program, core, config.set_page_size(id, tile_bytes));
}

int main(int argc, char **argv) {
  vector<string> args(argv, argv + argc);
  uint32_t replays;
  std::tie(replays, args) =
      test_args::get_command_option_uint32_and_remaining_args(args, "--replays", 2);
  test_args::validate_remaining_args(args);
  ScopedTimer<std::chrono::seconds> timer("run");

  Device *device = CreateDevice(0);
  if (device->arch() == tt::ARCH::JAWBRIDGE || device->sfpu_eps() > 1e-6f) return 1;
  CommandQueue &cq = device->command_queue();
  Program program = CreateProgram();
  const CoreCoord core = {0, 0};
  std::set<CoreRange> cores = num_cores_to_corerange_set({0, 0}, 3, {2, 2}, true);
  cores = CoreRangeSet(cores).ranges();
  CoreRangeSet braced({{{0, 0}, {1, 0}}});
  braced = braced.merge({{{0, 1}, {0, 1}}});
  assert(braced.num_cores() == 3);
  const bool in_ranges = CoreRangeSet(cores).core_coord_in_core_ranges({0, 1});

  // A and B lie in one bank, so that the reader goes by the bank; C and a count are interleaved.
  auto buffer = [&](uint32_t bytes, uint32_t page) {
    return CreateBuffer(InterleavedBufferConfig{device, bytes, page, BufferType::DRAM});
  };
  auto ab = buffer(2 * tile_bytes, 2 * tile_bytes), c = buffer(tile_bytes, tile_bytes);
  auto count = buffer(32, 32);
  vector<uint32_t> a = create_random_vector_of_bfloat16_1_1(tile_bytes, 3);
  vector<uint32_t> b = create_random_vector_of_bfloat16_0_2(tile_bytes, 4), both = a;
  both.insert(both.end(), b.begin(), b.end());

  circular_buffer(program, core, tt::CB::c_in0, 2);
  circular_buffer(program, core, tt::CB::c_intermed0, 1);
  circular_buffer(program, core, tt::CB::c_out0, 1);
  const uint32_t semaphore = CreateSemaphore(program, CoreRange(core), 0);
  KernelHandle reader = CreateKernel(
      program, "names/reader.cpp", core,
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_1, .noc = NOC::RISCV_1_default});
  KernelHandle writer = CreateKernel(
      program, "names/writer.cpp", core,
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_0, .noc = NOC::RISCV_0_default});
  CreateKernel(program, "names/compute.cpp", core, ComputeConfig{});
  const CoreCoord physical = device->physical_core_from_logical_core(core, CoreType::WORKER);
  SetRuntimeArgs(program, reader, core,
                 {ab->address(), semaphore, uint32_t(physical.x), uint32_t(physical.y)});
  SetRuntimeArgs(program, writer, core, {c->address(), count->address(), semaphore});

  vector<uint32_t> zeros(8, 0), counted, result;
  EnqueueWriteBuffer(cq, ab, both, false);
  EnqueueWriteBuffer(cq, count, zeros, false);
  const uint32_t trace = BeginTraceCapture(device, cq.id());
  EnqueueProgram(cq, program, false);
  EndTraceCapture(device, cq.id(), trace);
  EnqueueReadBuffer(cq, count, counted, true);
  const uint32_t before = counted[0];
  for (uint32_t i = 0; i < replays; ++i) ReplayTrace(device, cq.id(), trace, false);
  ReleaseTrace(device, trace);
  EnqueueReadBuffer(cq, count, counted, true);
  EnqueueReadBuffer(cq, c, result, true);

  int wrong = !in_ranges + (device->num_banks(BufferType::DRAM) != device->num_dram_channels());
  const vector<uint16_t> x = u16_from_u32_vector(a), y = u16_from_u32_vector(b);
  const vector<uint16_t> z = u16_from_u32_vector(result);
  for (size_t i = 0; i < x.size(); ++i) {
    const float larger =
        std::max(bfloat16(uint32_t{x[i]}).to_float(), bfloat16(uint32_t{y[i]}).to_float());
    wrong += !equal_within_absolute_tolerance(bfloat16(uint32_t{z[i]}).to_float(), larger, 1e-6f);
  }
  wrong += bfloat16(x[0]).to_float() != bfloat16(uint32_t{x[0]}).to_float();

  // More elements than the tensor has, to rows and back; a buffer without a config; the first
  // address.
  using tests::utils::TensorLayoutType;
  const vector<uint32_t> tile = {1, 1, 32, 32};
  vector<uint16_t> more = x;
  more.resize(2 * x.size());
  const auto rows = convert_layout<uint16_t>(more, tile, TensorLayoutType::TILED_NFACES,
                                             TensorLayoutType::LIN_ROW_MAJOR);
  wrong += convert_layout<uint16_t>(rows, tile, TensorLayoutType::LIN_ROW_MAJOR,
                                    TensorLayoutType::TILED_NFACES) != x;
  const v1::DeviceHandle handle = device;
  const Buffer plain(handle, 2 * tile_bytes, tile_bytes, BufferType::DRAM);
  wrong += align(5, device->get_allocator_alignment()) != device->get_allocator_alignment();
  wrong += bfloat16::SIZEOF != sizeof(bfloat16);
  wrong += plain.address() <= device->get_base_allocator_addr(HalMemType::DRAM);
  wrong += ab->address() != device->get_base_allocator_addr(HalMemType::DRAM);
  program.set_runtime_id(7);
  wrong += program.get_id() != 7;
  wrong += detect_arch(tt::umd::Cluster::detect_available_device_ids().at(0)) != device->arch();
  printf("%u runs before a replay, %u after; %d wrong\n", before, counted[0], wrong);
  v0::DumpDeviceProfileResults(device, program);
  CloseDevice(device);
  return wrong != 0;
}
