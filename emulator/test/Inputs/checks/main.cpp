// Runs kernels that check themselves: one on data movement 0 of a core, another on its engine.
#include "../../../../examples/metalium/common.hpp"

int main(int argc, char **argv) {
  const CoreCoord core(0, 0);
  const CoreRange six({0, 0}, {1, 2});
  const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
  // 5 x 3 pages in shards of 2 x 2, some of which stick out of the tensor.
  const ShardSpecBuffer spec(six, {64, 64}, ShardOrientation::ROW_MAJOR, {32, 32}, {5, 3});
  const BufferDistributionSpec distribution(Shape({5, 3}), Shape({2, 2}), six,
                                            ShardOrientation::ROW_MAJOR);
  const distributed::DeviceLocalBufferConfig local{
      .page_size = tile_bytes,
      .buffer_type = BufferType::L1,
      .sharding_args = BufferShardingArgs(distribution, spec, TensorMemoryLayout::BLOCK_SHARDED)};
  const Tensor sharded = distributed::MeshBuffer::create(
      distributed::ReplicatedBufferConfig{.size = 15 * tile_bytes}, local, device.get());
  const Tensor interleaved = make_tensor(device, 15);
  std::vector<uint32_t> words(15 * tile_bytes / 4);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = uint32_t(i);
  distributed::EnqueueWriteMeshBuffer(device->mesh_command_queue(), interleaved, words);

  Program program = CreateProgram();
  for (uint8_t cb : {0, 1, 16, 24}) make_cb(program, CoreRange(core), CBIndex(cb), 4);
  std::vector<uint32_t> compile_args = with_accessors({}, {sharded, interleaved});
  compile_args.insert(compile_args.end(), {tile_bytes, tile_bytes}); // of their pages
  const auto mover =
      CreateKernel(program, argv[1], core, DataMovementConfig{.compile_args = compile_args});
  SetRuntimeArgs(program, mover, core,
                 {uint32_t(sharded->address()), uint32_t(interleaved->address()), 3, 5});
  if (argc > 2) CreateKernel(program, argv[2], core, ComputeConfig{});
  run(device, std::move(program));
  std::printf("%s: as it should be\n", argv[argc - 1]);
}
