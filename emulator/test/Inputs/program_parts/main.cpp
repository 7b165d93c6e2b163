// What a program is made of, as its host asks for it; sub-devices; and circular buffers that grow
// after they are created: those behind them move.
#include <cstdio>

#include <impl/kernels/kernel.hpp>
#include <impl/program/program_impl.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>
#include <tt_stl/enum.hpp>

using namespace tt;
using namespace tt::tt_metal;

static int wrong = 0;
static void expect(const char *what, bool holds) {
  if (!holds) std::printf("%s: wrong\n", what), ++wrong;
}

static const CoreRangeSet cores = CoreRangeSet(CoreRange({0, 0}, {1, 0}));

static CBHandle make(Program &program, uint8_t index, const CoreRangeSet &where) {
  return CreateCircularBuffer(
      program, where,
      CircularBufferConfig(2 * 2048, {{index, DataFormat::Float16_b}}).set_page_size(index, 2048));
}

static void check_parts(Program &program, KernelHandle mover, KernelHandle text, CBHandle cb) {
  const auto &impl = program.impl();
  const auto kernel = impl.get_kernel(mover), other = impl.get_kernel(text);
  expect("kernels", impl.num_kernels() == 2 && kernel->name() == "places");
  expect("cores", kernel->is_on_logical_core({1, 0}) && !kernel->is_on_logical_core({2, 0}));
  expect("classes", kernel->get_kernel_processor_class() == HalProcessorClassType::DM &&
                        other->get_kernel_processor_class() == HalProcessorClassType::COMPUTE);
  expect("arguments", kernel->runtime_args({0, 0}).size() == 1 &&
                          kernel->cores_with_runtime_args().size() == 2 &&
                          other->cores_with_runtime_args().empty() &&
                          other->compile_time_args() == std::vector<uint32_t>{5});
  expect("source", other->meta(nullptr).source == "Inline source");
  expect("hashes", kernel->compute_hash() != other->compute_hash());
  expect("circular buffers", program.circular_buffers().size() == 4 &&
                                 impl.circular_buffers_on_core({1, 0}).size() == 3 &&
                                 impl.circular_buffers_on_core({5, 0}).empty());
  const auto buffer = impl.get_circular_buffer(cb);
  expect("pages", buffer->num_pages(0) == 2 && buffer->page_size(0) == 2048 &&
                      buffer->data_format(0) == DataFormat::Float16_b &&
                      !buffer->globally_allocated());
  expect("semaphores", impl.semaphores().size() == 1 && impl.semaphores()[0].initial_value() == 7);
}

static void check_sub_devices(IDevice *device) {
  constexpr auto kind = HalProgrammableCoreType::TENSIX;
  const CoreRangeSet left(CoreRange({0, 0}, {1, 1})), right(CoreRange({2, 0}, {2, 3}));
  const uint32_t all = device->num_worker_cores(kind, SubDeviceId{0});
  const auto both = device->create_sub_device_manager(
      {SubDevice(std::array{left}), SubDevice(std::array{right})}, 0);
  expect("none is loaded",
         device->num_sub_devices() == 1 && device->get_active_sub_device_manager_id() ==
                                               device->get_default_sub_device_manager_id());
  device->load_sub_device_manager(both);
  expect("sub-devices", device->num_sub_devices() == 2 &&
                            device->worker_cores(kind, SubDeviceId{0}) == left &&
                            device->num_worker_cores(kind, SubDeviceId{1}) == 4);
  bool refused = false;
  try {
    device->remove_sub_device_manager(both);
  } catch (const std::exception &) {
    refused = true;
  }
  device->clear_loaded_sub_device_manager();
  device->remove_sub_device_manager(both);
  expect("managers", refused && device->num_worker_cores(kind, SubDeviceId{0}) == all);
}

int main() {
  IDevice *device = CreateDevice(0);
  auto told = CreateBuffer(InterleavedBufferConfig{
      .device = device, .size = 64, .page_size = 64, .buffer_type = BufferType::L1});
  Program program = CreateProgram();
  const CBHandle first = make(program, 0, cores);
  make(program, 3, CoreRangeSet(CoreRange({0, 0})));
  make(program, 1, cores);
  make(program, 2, cores);
  CreateSemaphore(program, cores, 7);
  const KernelHandle mover = CreateKernel(program, "places.cpp", cores, DataMovementConfig{});
  const KernelHandle text =
      CreateKernelFromString(program, "#include \"api/compute/common.h\"\nvoid kernel_main() {}\n",
                             CoreRange({0, 0}, {0, 0}), ComputeConfig{.compile_args = {5}});
  SetRuntimeArgs(program, mover, cores, {told->address()});
  check_parts(program, mover, text, first);

  check_sub_devices(device);
  expect("banks", device->dram_channel_from_virtual_core(device->virtual_core_from_logical_core(
                      CoreCoord(3, 0), CoreType::DRAM)) == 3);
  expect("numbers", ttsl::as_underlying_type(HalProcessorClassType::COMPUTE) == 1);

  std::vector<uint32_t> before, after;
  detail::LaunchProgram(device, program);
  detail::ReadFromDeviceL1(device, {0, 0}, told->address(), 12, before);
  UpdateCircularBufferTotalSize(program, first, 5 * 2048);
  expect("grown", GetCircularBufferConfig(program, first).total_size() == 5 * 2048);
  detail::LaunchProgram(device, program);
  detail::ReadFromDeviceL1(device, {0, 0}, told->address(), 12, after);
  expect("places", after[0] == before[0] && after[1] == before[1] + 3 * 2048 &&
                       after[2] == before[2] + 3 * 2048 && before[2] == before[1] + 2 * 2048);
  std::printf("parts of a program: %d wrong\n", wrong);
  CloseDevice(device);
  return wrong != 0;
}
