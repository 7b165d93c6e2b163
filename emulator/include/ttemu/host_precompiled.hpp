// What tt-run compiles once for all host programs that include these themselves.
#pragma once

#include <tt-metalium/host_api.hpp>

#include <tt-metalium/distributed.hpp>

#ifdef __clang__ // which takes emitted programs, and keeps what is instantiated here
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>

// What an emitted program does, and nobody calls: the instances that it needs are made for all.
namespace ttemu {
template <typename T>
void move_data(tt::tt_metal::distributed::MeshCommandQueue &cq,
               std::shared_ptr<tt::tt_metal::distributed::MeshBuffer> buffer) {
  using namespace tt::tt_metal;
  std::vector<T> data = tilize_nfaces(std::vector<T>(1), 32, 32);
  distributed::EnqueueWriteMeshBuffer(cq, buffer, data, false);
  distributed::EnqueueReadMeshBuffer(cq, data, buffer, true);
  data = untilize_nfaces(data, 32, 32);
}

inline void emitted_program() {
  using namespace tt;
  using namespace tt::tt_metal;
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  distributed::MeshCommandQueue &cq = device->mesh_command_queue();
  Program program = CreateProgram();
  const distributed::DeviceLocalBufferConfig local{.page_size = 1, .buffer_type = BufferType::DRAM};
  const distributed::ReplicatedBufferConfig replicated{.size = uint64_t{1} * 1};
  auto buffer = distributed::MeshBuffer::create(replicated, local, device.get());
  move_data<float>(cq, buffer), move_data<uint32_t>(cq, buffer), move_data<bfloat16>(cq, buffer);
  const CoreRangeSet cores(std::vector<CoreRange>{CoreRange(CoreCoord(0, 0), CoreCoord(1, 1))});
  const CircularBufferConfig config =
      CircularBufferConfig(1, {{CBIndex::c_0, DataFormat::Float32}}).set_page_size(CBIndex::c_0, 1);
  CreateCircularBuffer(program, cores, config);
  const uint32_t semaphore = CreateSemaphore(program, cores, 0);
  std::vector<uint32_t> args = {semaphore};
  TensorAccessorArgs(*buffer).append_to(args);
  const KernelHandle reader = CreateKernel(
      program, "reader.cpp", cores,
      DataMovementConfig{
          .processor = DataMovementProcessor::RISCV_1, .noc = NOC::NOC_0, .compile_args = args});
  std::vector<UnpackToDestMode> modes(NUM_CIRCULAR_BUFFERS, UnpackToDestMode::Default);
  modes[CBIndex::c_0] = UnpackToDestMode::UnpackToDestFp32;
  CreateKernel(program, "compute.cpp", cores,
               ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
                             .fp32_dest_acc_en = true,
                             .unpack_to_dest_mode = modes,
                             .math_approx_mode = false});
  for (const CoreCoord &core : corerange_to_cores(cores)) {
    const CoreCoord noc_core = device->worker_core_from_logical_core(CoreCoord(core.x, core.y));
    SetRuntimeArgs(program, reader, core,
                   {static_cast<uint32_t>(buffer->address()), static_cast<uint32_t>(noc_core.x)});
  }
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(cq, workload, false);
  distributed::Finish(cq);
  device->close();
}
} // namespace ttemu
#endif
