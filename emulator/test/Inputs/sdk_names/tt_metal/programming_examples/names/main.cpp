// The sum of two tiles by the names that programs and kernels of the SDK's own tree use: headers
// that bring others along, kernels by their places in the tree, helpers for matrices.
#include <hostdevcommon/kernel_structs.h>
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/buffer_types.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/experimental/profiler.hpp>
#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/system_mesh.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tt_align.hpp>
#include <tt-metalium/tt_metal_profiler.hpp>
#include <umd/device/types/xy_pair.hpp>

using namespace tt;
using namespace tt::tt_metal;
using namespace tt::tt_metal::distributed;

// What the profiler tells of one launch on two cores, once it was read; later, that it is old.
static uint32_t wrong_times(MeshDevice &mesh) {
  uint32_t wrong = !experimental::GetAllProgramsPerfData().empty();
  ReadMeshDeviceProfilerResults(mesh);
  const auto latest = experimental::GetLatestProgramsPerfData();
  wrong += latest.size() != 1 || latest.at(0).size() != 1;
  const experimental::ProgramAnalysisData data = *latest.at(0).begin();
  wrong += data.program_execution_uid.runtime_id != 7 || data.core_count != 2;
  const auto time = data.program_analyses_results.at("DEVICE KERNEL DURATION [ns]");
  wrong += time.duration < 500 || time.end_timestamp - time.start_timestamp != time.duration;
  const auto sum = experimental::GetLatestKernelDurationSummary().at(0);
  wrong += sum.count != 1 || sum.max_ns != time.duration || sum.histogram.bucket_counts[0] != 1;
  ReadMeshDeviceProfilerResults(mesh);
  wrong += !experimental::GetLatestProgramsPerfData().empty();
  return wrong + (experimental::GetAllProgramsPerfData().at(0).size() != 1);
}

static_assert(BufferType::DRAM != BufferType::L1);

int main() {
  constexpr uint32_t tile = 2048;
  auto mesh = MeshDevice::create(MeshDeviceConfig(MeshShape(1, 1)));
  MeshCommandQueue &queue = mesh->mesh_command_queue();
  uint32_t wrong = mesh->allocator()->get_alignment(BufferType::L1) != 16;
  wrong += tt::align(33u, 32u) != 64 || tt::umd::xy_pair(2, 3).y != 3;
  wrong += arch_from_str(arch_to_str(mesh->arch())) != ARCH::WORMHOLE_B0;
  wrong += SystemMesh::instance().shape().mesh_size() == 0;

  const DeviceLocalBufferConfig local{.page_size = tile, .buffer_type = BufferType::DRAM};
  const ReplicatedBufferConfig whole{.size = tile};
  auto in = MeshBuffer::create(whole, local, mesh.get());
  auto out = MeshBuffer::create(whole, local, mesh.get());
  std::vector<bfloat16> matrix = create_identity_matrix(32, 32, 20), sum(1024);
  EnqueueWriteMeshBuffer(queue, in, matrix);

  Program program = CreateProgram();
  const std::variant<CoreCoord, CoreRange, CoreRangeSet> cores = CoreRange({0, 0}, {1, 0});
  for (uint32_t cb : {uint32_t(CBIndex::c_0), uint32_t(CB::c_in1), uint32_t(CBIndex::c_16)})
    CreateCircularBuffer(
        program, cores,
        CircularBufferConfig(tile, {{cb, DataFormat::Float16_b}}).set_page_size(cb, tile));
  std::vector<uint32_t> args;
  TensorAccessorArgs(*in).append_to(args);
  TensorAccessorArgs(*out).append_to(args);
  const KernelHandle move =
      CreateKernel(program, "names/move.cpp", cores, DataMovementConfig{.compile_args = args});
  CreateKernel(program, "tt_metal/programming_examples/names/sum.cpp", cores,
               ComputeConfig{.math_fidelity = MathFidelity::HiFi3});
  uint32_t first = 1;
  for (const CoreCoord &core : std::get<CoreRange>(cores)) {
    SetRuntimeArgs(program, move, core, {uint32_t(in->address()), uint32_t(out->address()), first});
    first = 0;
  }
  program.set_runtime_id(7);
  MeshWorkload work;
  work.add_program(MeshCoordinateRange(MeshCoordinate(0, 0)), std::move(program));
  EnqueueMeshWorkload(queue, work, true);
  wrong += wrong_times(*mesh);
  EnqueueReadMeshBuffer(queue, sum, out, true);
  for (uint32_t i = 0; i < 1024; ++i) wrong += float(sum[i]) != 2 * float(matrix[i]);
  if (wrong) log_error(tt::LogTest, "{} of {} differ", wrong, sum.size());
  fmt::print("names of the SDK: {} wrong\n", wrong);
  return mesh->close() ? int(wrong) : 1;
}
