// A product of two tiles, B in block floats, as trees of the end of 2025 have it: kernels by the
// headers of that year, but with objects and signatures of the next one; and a path with "..".
#include "metal_soc_descriptor.h"
#include "tt-metalium/allocator_types.hpp"
#include "tt-metalium/llrt.hpp"
#include "tt-metalium/metal_soc_descriptor.h"
#include "tt-metalium/tt_memory.h"
#include "umd/device/simulation/simulation_device.hpp"
#include "umd/device/tt_cluster_descriptor_types.h"
#include "umd/device/tt_core_coordinates.h"
#include "umd/device/types/arch.h"
#include "umd/device/types/xy_pair.h"

#include "../helpers/expected.hpp"

#include "common/bfloat8.hpp"
#include "third_party/umd/device/device_api_metal.h"

#include <tt-metalium/device_pool.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <tt-metalium/tt_metal_profiler.hpp>

using namespace tt;
using namespace tt::tt_metal;

constexpr uint32_t tile = 1024;
static_assert(PROFILER_OP_SUPPORT_COUNT == 1000 && ARCH::GRAYSKULL != ARCH::WORMHOLE_B0);

// What fixtures of tests ask of the runtime to the middle of 2025: how many of these are wrong.
static int fixtures() {
  auto &options = llrt::RunTimeOptions::get_instance();
  options.set_fd_fabric(false);
  tt::tt_metal::detail::SetFabricConfig(FabricConfig::DISABLED,
                                        FabricReliabilityMode::STRICT_SYSTEM_HEALTH_SETUP_MODE, 1);
  tt::Cluster::instance().set_internal_routing_info_for_ethernet_cores(false);
  tt::DevicePool::initialize({0}, options.get_num_hw_cqs(), DEFAULT_L1_SMALL_SIZE,
                             DEFAULT_TRACE_REGION_SIZE, options.get_dispatch_core_config());
  auto &pool = tt::DevicePool::instance();
  const std::vector<IDevice *> open = pool.get_all_active_devices();
  int wrong = open.size() != 1 || pool.get_active_device(0) != open[0];
  CloseDevice(open[0]);
  wrong += pool.is_device_active(0) || pool.close_device(0);
  wrong += tt_ClusterDescriptor::create()->get_all_chips().size() != 1;
  wrong += tt_SimulationDeviceInit("nowhere").get_arch_name() != tt::ARCH::Invalid;
  const string tiles = "TILED"; // std's, since headers of the API bring utils.hpp along
  wrong += tiles.empty() ||
           tests::utils::TensorLayoutType::TILED_NFACES == TensorLayoutType::LIN_ROW_MAJOR;
  return wrong + (get_arch_from_string("blackhole") != ARCH::BLACKHOLE);
}

int main() {
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto &cq = device->mesh_command_queue();
  Program program = CreateProgram();
  const CoreCoord core(0, 0);

  // Twos on the diagonal of A; B has numbers that eight bits have.
  std::vector<bfloat16> a(tile, bfloat16(0.0f));
  for (uint32_t i = 0; i < 32; ++i) a[i * 32 + i] = bfloat16(2.0f);
  a = tilize_nfaces(a, 32, 32);
  std::vector<float> b(tile);
  for (uint32_t i = 0; i < tile; ++i) b[i] = float(i % 13) - 6;
  std::vector<uint32_t> packed = pack_fp32_vec_as_bfp8_tiles(b, true, false);
  int wrong = create_constant_vector_of_bfp8(1088, 3, false) !=
              pack_fp32_vec_as_bfp8_tiles(std::vector<float>(tile, 3), true, false);
  wrong += fixtures();
  wrong += create_random_vector_of_bfp8(2176, false, 5, 7).size() != 2176 / 4;

  const auto make = [&](uint32_t bytes) {
    return distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = bytes},
                                           distributed::DeviceLocalBufferConfig{.page_size = bytes},
                                           device.get());
  };
  auto a_buffer = make(2048), b_buffer = make(1088), c_buffer = make(2048);
  const auto cb = [&](uint32_t id, DataFormat format, uint32_t bytes) {
    CreateCircularBuffer(program, core,
                         CircularBufferConfig(bytes, {{id, format}}).set_page_size(id, bytes));
  };
  cb(0, DataFormat::Float16_b, 2048), cb(1, DataFormat::Bfp8_b, 1088);
  cb(16, DataFormat::Float16_b, 2048);
  std::vector<uint32_t> in, out;
  TensorAccessorArgs(*a_buffer).append_to(in);
  TensorAccessorArgs(*b_buffer).append_to(in);
  TensorAccessorArgs(*c_buffer).append_to(out);
  auto reader = CreateKernel(program, "reader.cpp", core,
                             DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                                .noc = NOC::RISCV_1_default,
                                                .compile_args = in});
  auto writer = CreateKernel(program, "writer.cpp", core,
                             DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                                                .noc = NOC::RISCV_0_default,
                                                .compile_args = out});
  CreateKernel(program, "compute.cpp", core, ComputeConfig{});
  SetRuntimeArgs(program, reader, core,
                 {uint32_t(a_buffer->address()), uint32_t(b_buffer->address())});
  SetRuntimeArgs(program, writer, core, {uint32_t(c_buffer->address())});
  distributed::EnqueueWriteMeshBuffer(cq, a_buffer, a, false);
  distributed::EnqueueWriteMeshBuffer(cq, b_buffer, packed, false);
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(cq, workload, false);
  std::vector<bfloat16> c;
  distributed::EnqueueReadMeshBuffer(cq, c, c_buffer, true);
  c = untilize_nfaces(c, 32, 32);
  std::vector<bfloat16> product(tile);
  for (uint32_t i = 0; i < tile; ++i) product[i] = bfloat16(2 * b[i]);
  wrong += !is_sum(product, product, c);
  std::printf("a product of the end of 2025: %d wrong\n", wrong);
  device->close();
  return wrong != 0;
}
