// One core sends blocks to two others through a circular buffer that outlives the program; blocks
// of another size in the second program start where the first has left off. The receivers take them
// from a circular buffer of their own on the same memory.
#include <cstdio>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/global_circular_buffer.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

using namespace tt::tt_metal;

static constexpr uint32_t REMOTE = 31, LOCAL = 0, SOURCE = 1;

// Runs a program that sends `blocks` blocks, of `rows` rows of 64 bytes for each receiver.
static uint32_t run(distributed::MeshDevice *mesh, const experimental::GlobalCircularBuffer &global,
                    uint32_t blocks, uint32_t rows, uint32_t first) {
  const CoreCoord sender(0, 0);
  const CoreRangeSet receivers(CoreRange({1, 1}, {2, 1}));
  const uint32_t block = rows * 64, total = blocks * block;
  Program program = CreateProgram();
  distributed::DeviceLocalBufferConfig pages{.page_size = block, .buffer_type = BufferType::DRAM};
  auto in = distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{2 * total},
                                            {.page_size = 2 * block}, mesh);
  auto out =
      distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{2 * total}, pages, mesh);
  CircularBufferConfig send_config(block);
  send_config.remote_index(REMOTE).set_page_size(block);
  experimental::CreateCircularBuffer(program, sender, send_config, global);
  CircularBufferConfig receive_config(block);
  receive_config.remote_index(REMOTE).set_page_size(block);
  receive_config.index(LOCAL).set_page_size(block).set_data_format(tt::DataFormat::UInt32);
  experimental::CreateCircularBuffer(program, receivers, receive_config, global);
  CreateCircularBuffer(program, sender,
                       CircularBufferConfig(2 * block, {{SOURCE, tt::DataFormat::UInt32}})
                           .set_page_size(SOURCE, 2 * block));

  std::vector<uint32_t> args = {blocks, rows};
  TensorAccessorArgs(*in).append_to(args);
  const KernelHandle sends =
      CreateKernel(program, "send.cpp", sender, WriterDataMovementConfig(args));
  SetRuntimeArgs(program, sends, sender, {uint32_t(in->address())});
  args = {blocks};
  TensorAccessorArgs(*out).append_to(args);
  const KernelHandle receives =
      CreateKernel(program, "receive.cpp", receivers, ReaderDataMovementConfig(args));
  for (uint32_t i = 0; i < 2; ++i)
    SetRuntimeArgs(program, receives, CoreCoord(1 + i, 1), {uint32_t(out->address()), i * blocks});

  // Row r of a block is that of receiver 0, then that of receiver 1.
  std::vector<uint32_t> data(2 * total / 4), got;
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = first + uint32_t(i);
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(mesh->shape()), std::move(program));
  auto &queue = mesh->mesh_command_queue();
  distributed::EnqueueWriteMeshBuffer(queue, in, data, true);
  distributed::EnqueueMeshWorkload(queue, workload, true);
  distributed::EnqueueReadMeshBuffer(queue, got, out, true);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < 2; ++i)
    for (uint32_t b = 0; b < blocks; ++b)
      for (uint32_t r = 0; r < rows; ++r)
        for (uint32_t w = 0; w < 16; ++w)
          wrong += got[((i * blocks + b) * rows + r) * 16 + w] !=
                   data[((b * rows + r) * 2 + i) * 16 + w];
  return wrong;
}

int main() {
  auto mesh = distributed::MeshDevice::create_unit_mesh(0);
  const CoreRangeSet receivers(CoreRange({1, 1}, {2, 1}));
  const auto global =
      experimental::CreateGlobalCircularBuffer(mesh.get(), {{CoreCoord(0, 0), receivers}}, 1024);
  // 192 bytes are not a divisor of 1024, and neither are 320.
  const uint32_t wrong =
      run(mesh.get(), global, 13, 3, 1000) + run(mesh.get(), global, 11, 5, 9000);
  uint32_t thrown = 0;
  const auto throws = [&](auto f) {
    try {
      f();
    } catch (const std::exception &) {
      ++thrown;
    }
  };
  throws([&] {
    experimental::CreateGlobalCircularBuffer(mesh.get(), {{CoreCoord(1, 1), receivers}}, 1024);
  });
  throws([&] {
    CircularBufferConfig config(64);
    config.remote_index(31), config.remote_index(30);
  });
  throws([&] {
    Program program = CreateProgram();
    CircularBufferConfig config(64);
    config.remote_index(REMOTE).set_page_size(64);
    experimental::CreateCircularBuffer(program, CoreRangeSet(CoreRange({3, 3})), config, global);
  });
  std::printf("global circular buffers: %u wrong, %u thrown\n", wrong, thrown);
  return wrong != 0;
}
