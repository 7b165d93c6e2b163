// A program that is described as a value, of two parts on cores of their own; what buffers take of
// a bank.
#include <cstdio>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/program_descriptors.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tt_metal.hpp>

using namespace tt::tt_metal;

// Two kernels on a core: one reads a page, the other adds a number to its words and stores it.
static const char reads[] = R"(#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  constexpr uint32_t cb = get_named_compile_time_arg_val("cb");
  constexpr auto args = TensorAccessorArgs<0>();
  const auto in = TensorAccessor(args, get_common_arg_val<uint32_t>(0), 64);
  cb_reserve_back(cb, 1);
  noc_async_read_page(get_arg_val<uint32_t>(0), in, get_write_ptr(cb));
  noc_async_read_barrier();
  cb_push_back(cb, 1);
})";
static const char adds[] = R"(#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  constexpr uint32_t cb = get_named_compile_time_arg_val("cb");
  constexpr auto args = TensorAccessorArgs<0>();
  const auto out = TensorAccessor(args, get_common_arg_val<uint32_t>(0), 64);
  const uint32_t by = *reinterpret_cast<volatile uint32_t *>(get_semaphore(SEMAPHORE));
  cb_wait_front(cb, 1);
  volatile uint32_t *words = reinterpret_cast<volatile uint32_t *>(get_read_ptr(cb));
  for (uint32_t i = 0; i < 16; ++i) words[i] += by;
  noc_async_write_page(get_arg_val<uint32_t>(0), out, get_read_ptr(cb));
  noc_async_write_barrier();
  cb_pop_front(cb, 1);
})";

static KernelDescriptor kernel(const char *text, const CoreRange &cores,
                               const distributed::MeshBuffer &buffer,
                               KernelDescriptor::ConfigDescriptor config, uint32_t semaphore) {
  KernelDescriptor k{.kernel_source = text,
                     .source_type = KernelDescriptor::SourceType::SOURCE_CODE};
  k.core_ranges = CoreRangeSet(cores);
  TensorAccessorArgs(buffer).append_to(k.compile_time_args);
  k.named_compile_time_args = {{"cb", 3}};
  k.defines = {{"SEMAPHORE", std::to_string(semaphore)}};
  k.common_runtime_args = {uint32_t(buffer.address())};
  for (const CoreCoord &core : cores) k.runtime_args.push_back({core, {uint32_t(core.x)}});
  k.config = config;
  return k;
}

static ProgramDescriptor part(const CoreRange &cores, const distributed::MeshBuffer &in,
                              const distributed::MeshBuffer &out, uint32_t semaphore) {
  ProgramDescriptor d;
  CBDescriptor cb{.total_size = 64, .core_ranges = CoreRangeSet(cores)};
  cb.format_descriptors.push_back(
      {.buffer_index = 3, .data_format = tt::DataFormat::UInt32, .page_size = 64});
  d.cbs.push_back(cb);
  d.semaphores.push_back(
      {.id = semaphore, .core_ranges = CoreRangeSet(cores), .initial_value = 100 + semaphore});
  d.kernels.push_back(kernel(reads, cores, in, ReaderConfigDescriptor{}, semaphore));
  d.kernels.push_back(kernel(adds, cores, out, WriterConfigDescriptor{}, semaphore));
  return d;
}

int main() {
  auto mesh = distributed::MeshDevice::create_unit_mesh(0);
  const std::size_t before =
      mesh->allocator()->get_statistics(BufferType::DRAM).total_allocated_bytes;
  const distributed::DeviceLocalBufferConfig local{.page_size = 64,
                                                   .buffer_type = BufferType::DRAM};
  auto in = distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{4 * 64}, local,
                                            mesh.get());
  auto out = distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{4 * 64}, local,
                                             mesh.get());
  const Statistics after = mesh->allocator()->get_statistics(BufferType::DRAM);
  std::vector<uint32_t> data(4 * 16), got;
  for (uint32_t i = 0; i < data.size(); ++i) data[i] = i;

  const ProgramDescriptor left = part(CoreRange({0, 0}, {1, 0}), *in, *out, 0),
                          right = part(CoreRange({2, 0}, {3, 0}), *in, *out, 5);
  bool refused = false;
  try {
    merge_program_descriptors({left, left});
  } catch (const std::exception &) {
    refused = true;
  }
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(mesh->shape()),
                       Program(merge_program_descriptors({left, right})));
  auto &queue = mesh->mesh_command_queue();
  distributed::EnqueueWriteMeshBuffer(queue, in, data, true);
  distributed::EnqueueMeshWorkload(queue, workload, true);
  distributed::EnqueueReadMeshBuffer(queue, got, out, true);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < got.size(); ++i) wrong += got[i] != i + (i < 32 ? 100 : 105);
  mesh->close();
  detail::ReleaseOwnership();
  std::printf("descriptors: %u wrong, %zu bytes taken, refused: %d, free semaphore %u\n", wrong,
              after.total_allocated_bytes - before, refused,
              *left.find_available_semaphore_id(CoreCoord(0, 0), CoreType::WORKER));
  return wrong != 0;
}
