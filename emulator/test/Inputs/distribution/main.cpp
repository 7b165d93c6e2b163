// 12 pages in shards of two, which four cores hold in turn; a kernel copies them through an
// accessor to a buffer that is interleaved.
#include "../../../../examples/metalium/common.hpp"

int main() {
  const CoreRange four({0, 0}, {1, 1});
  const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
  const BufferDistributionSpec distribution(Shape({2, 6}), Shape({1, 2}), four,
                                            ShardOrientation::ROW_MAJOR);
  const ShardSpecBuffer spec(CoreRange({0, 0}, {1, 2}), {32, 64}, ShardOrientation::ROW_MAJOR,
                             {32, 32}, {2, 6});
  const distributed::DeviceLocalBufferConfig local{.page_size = tile_bytes,
                                                   .buffer_type = BufferType::L1,
                                                   .sharding_args =
                                                       BufferShardingArgs(distribution)};
  const Tensor shards = distributed::MeshBuffer::create(
      distributed::ReplicatedBufferConfig{.size = 12 * tile_bytes}, local, device.get());
  const Tensor result = make_tensor(device, 12);
  std::vector<uint32_t> words(12 * tile_bytes / 4), back;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = uint32_t(i * 7);
  distributed::EnqueueWriteMeshBuffer(device->mesh_command_queue(), shards, words);

  Program program = CreateProgram();
  const CoreCoord core(0, 0);
  make_cb(program, CoreRange(core), CBIndex::c_0, 1);
  const KernelHandle kernel =
      CreateKernel(program, OVERRIDE_KERNEL_PREFIX "copy.cpp", core,
                   DataMovementConfig{.compile_args = with_accessors({}, {shards, result})});
  SetRuntimeArgs(program, kernel, core,
                 {uint32_t(shards->address()), uint32_t(result->address()), 12});
  run(device, std::move(program));
  distributed::EnqueueReadMeshBuffer(device->mesh_command_queue(), back, result, true);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < words.size(); ++i) wrong += back[i] != words[i];
  std::printf("12 pages in %zu shards on %zu cores: %zu wrong\n", distribution.num_shards(),
              distribution.num_cores(), wrong);
  return wrong != 0;
}
