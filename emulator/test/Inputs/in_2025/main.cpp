// What programs of 2025 say: calls that meshes and queues do themselves since, the inside of a
// program as its own, memory of cores by their place on the NoC, options and servers of the
// runtime, and functions of Boost, which need not be installed.
#include <boost/algorithm/string.hpp>
#include <boost/move/utility_core.hpp>

#include "dprint_server.hpp"
#include "llrt.hpp"
#include "test_helpers.hpp"
#include "watcher_server.hpp"
#include <tt-metalium/allocator.hpp>
#include <tt-metalium/bfloat4.hpp>
#include <tt-metalium/bfloat8.hpp>
#include <tt-metalium/circular_buffer_constants.h>
#include <tt-metalium/device_impl.hpp>
#include <tt-metalium/device_pool.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/dprint_server.hpp>
#include <tt-metalium/hal.hpp>
#include <tt-metalium/test_common.hpp>
#include <umd/device/tt_soc_descriptor.h>

using namespace tt::tt_metal;
namespace mesh = tt::tt_metal::distributed;

static const char kernel[] = R"(
#include "circular_buffer_constants.h"
#include "dataflow_api.h"
#include "defines_generated.h"
#include "dprint.h"
static_assert(NUM_CIRCULAR_BUFFERS >= 32);
void kernel_main() {
  DPRINT << WAIT{1} << "one more" << RAISE{2} << ENDL();
  volatile tt_l1_ptr uint32_t *word = (volatile tt_l1_ptr uint32_t *)get_arg_val<uint32_t>(0);
  *word += get_arg_val<uint32_t>(1);
}
)";

int main() {
  int wrong = 0;
  auto device =
      mesh::MeshDevice::create(mesh::MeshDeviceConfig{.mesh_shape = mesh::MeshShape(1, 1)});
  const mesh::MeshDeviceConfig pair(mesh::MeshShape(1, 2));
  wrong += pair.mesh_shape()->mesh_size() != 2 || pair.offset().has_value();
  for (const CoreCoord &core : device->get_active_ethernet_cores()) // there are none
    wrong += device->ethernet_core_from_logical_core(core).x != 0;
  wrong += tt::parse_env("NOT_SET_BY_ANYBODY", 3) != 3;
  mesh::MeshCommandQueue &queue = device->mesh_command_queue();
  const CoreCoord core(0, 0), node = device->worker_core_from_logical_core(core);
  const CoreRange cores(core, core);
  const uint32_t address = 512 * 1024;

  // Functions, an object and a reference of one name.
  wrong += hal.get_alignment(HalMemType::L1) != tt::tt_metal::hal::get_l1_alignment();
  wrong += hal_ref.noc_xy_encoding(3, 2) != 0x203;
  mesh::DeviceLocalBufferConfig local{
      .page_size = 1024,
      .buffer_type = BufferType::L1,
      .buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED,
      .shard_parameters = ShardSpecBuffer(CoreRangeSet(cores), {32, 32},
                                          ShardOrientation::ROW_MAJOR, {32, 32}, {1, 1})};
  auto shard =
      mesh::MeshBuffer::create(mesh::ReplicatedBufferConfig{.size = 1024}, local, device.get());
  wrong += shard->get_device_buffer({0, 0})->buffer_layout() != TensorMemoryLayout::HEIGHT_SHARDED;

  Program program = CreateProgram();
  CircularBufferConfig config(4096,
                              {{2, tt::DataFormat::Float16_b}, {5, tt::DataFormat::Float16_b}});
  config.set_page_size(2, 2048).set_page_size(5, 2048);
  CircularBufferConfig other = config;
  wrong += !(config == other);
  wrong += config == other.set_total_size(8192);
  CreateCircularBuffer(program, cores, config);
  CreateSemaphore(program, cores, 0);
  CreateSemaphore(program, cores, 0);
  auto adds = CreateKernelFromString(program, kernel, core, DataMovementConfig{});
  SetRuntimeArgs(program, adds, core, {address, 5});

  // One more than the last circular buffer has a place in the configuration.
  const uint32_t words = 6 * UINT32_WORDS_PER_LOCAL_CIRCULAR_BUFFER_CONFIG;
  wrong += program.get_cb_size(device.get(), core, CoreType::WORKER) != words * sizeof(uint32_t);
  wrong += program.get_cb_size(device.get(), core, CoreType::ETH) != 0;
  wrong += program.num_semaphores() != 2 || program.num_semaphores() > NUM_SEMAPHORES;
  wrong += program.semaphores_on_core(core, CoreType::WORKER).size() != 2;
  wrong += !program.semaphores_on_core({1, 0}, CoreType::WORKER).empty();
  wrong += program.circular_buffers_unique_coreranges() != std::vector<CoreRange>{cores};
  wrong += program.num_kernels() != 1 || program.get_kernels(0).size() != 1;
  program.finalize_offsets(device.get());

  tt::llrt::write_hex_vec_to_core(0, node, std::vector<uint32_t>{7}, address);
  mesh::MeshWorkload workload = mesh::CreateMeshWorkload();
  mesh::AddProgramToMeshWorkload(workload, std::move(program),
                                 mesh::MeshCoordinateRange(device->shape()));
  wrong += workload.get_cb_size(device, core, CoreType::WORKER) != words * sizeof(uint32_t);
  wrong += workload.get_sem_size(device, core, CoreType::WORKER) == 0;
  wrong += workload.get_cb_base_addr(device, core, CoreType::WORKER) == 0;
  mesh::EnqueueMeshWorkload(queue, workload, false);
  auto event = std::make_shared<mesh::MeshEvent>();
  mesh::EnqueueRecordEvent(queue, event);
  mesh::EnqueueWaitForEvent(queue, event);
  mesh::EventSynchronize(mesh::EnqueueRecordEventToHost(queue));
  mesh::EventSynchronize(event);
  wrong += tt::llrt::read_hex_vec_from_core(0, node, address, 4).at(0) != 12;

  const mesh::MeshTraceId trace = mesh::BeginTraceCapture(device.get(), 0);
  mesh::EnqueueMeshWorkload(queue, workload, false);
  mesh::EndTraceCapture(device.get(), 0, trace);
  mesh::ReplayTrace(device.get(), 0, trace, true);
  mesh::ReplayTrace(device.get(), 0, trace, true);
  mesh::ReleaseTrace(device.get(), trace);
  mesh::Finish(queue);
  wrong += tt::llrt::read_hex_vec_from_core(0, node, address, 4).at(0) != 22;

  // The program's own functions of these names come first.
  wrong += test_args::get_command_option({"main", "--n", "3"}, "--n") != "own 3";
  std::vector<std::string> parts;
  boost::split(parts, "a,b;c", boost::is_any_of(",;"));
  wrong += boost::algorithm::join(parts, "-") != "a-b-c" || boost::trim_copy(" x ") != "x";
  wrong += create_constant_vector_of_bfp8(1088, 1.0f, false).size() != 272;
  wrong += create_random_vector_of_bfp4(576, false, 1, 2).size() != 144;

  const tt::RISCV processor = tt::RISCV::NCRISC;
  std::cout << processor << " of " << tt::RISCV::COMPUTE << std::endl;
  auto &options = MetalContext::instance().rtoptions();
  wrong += &options != &tt::llrt::RunTimeOptions::get_instance();
  DPrintServerClearSignals();
  wrong += DPrintServerHangDetected();

  tt::DevicePool::initialize({0}, 1, 4096, 0, options.get_dispatch_core_type(), {}, 1 << 20);
  IDevice *single = tt::DevicePool::instance().get_active_device(0);
  wrong += single->allocator()->get_config().l1_small_size != 4096;
  CloseDevice(single);
  std::cout << "names of 2025: " << wrong << " wrong" << std::endl;
  tt::watcher_clear_log(); // which is not emulated
  return wrong;
}
