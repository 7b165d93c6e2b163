// The host reads pages that nobody has written, of 4 bytes and of 2048, and then such as it wrote.
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

#include <cstdio>

using namespace tt::tt_metal;

static std::vector<uint32_t> read(distributed::MeshDevice &device, uint32_t page_bytes,
                                  uint32_t bytes, uint32_t written) {
  auto buffer =
      distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = bytes},
                                      distributed::DeviceLocalBufferConfig{
                                          .page_size = page_bytes, .buffer_type = BufferType::DRAM},
                                      &device);
  auto &queue = device.mesh_command_queue();
  std::vector<uint32_t> data(bytes / 4, 7);
  if (written) queue.enqueue_write_mesh_buffer(buffer, data.data(), true);
  distributed::EnqueueReadMeshBuffer(queue, data, buffer, true);
  return data;
}

int main() {
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  read(*device, 4, 4, 0);
  read(*device, 2048, 4096, 0);
  std::printf("%u\n", read(*device, 2048, 4096, 4096)[1000]);
}
