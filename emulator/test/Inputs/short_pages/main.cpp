// a + b in pages of 64 elements, while a tile has 1024: floats on the vector unit, or, with
// `bytes`, integers of 8 bits on the matrix engine. With `first`, the sums come to lie before what
// is added.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

using namespace tt;
using namespace tt::tt_metal;

static constexpr uint32_t n = 256, part = 64;

int main(int argc, char **argv) {
  bool bytes = false, first = false;
  for (int i = 1; i < argc; ++i) {
    bytes = bytes || std::string(argv[i]) == "bytes";
    first = first || std::string(argv[i]) == "first";
  }
  const uint32_t size = bytes ? 1 : 4;
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto &cq = device->mesh_command_queue();
  Program program = CreateProgram();
  const CoreCoord core(0, 0);
  const auto make = [&](uint32_t bytes_each) {
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = n * bytes_each},
        distributed::DeviceLocalBufferConfig{.page_size = part * bytes_each}, device.get());
  };
  auto a = make(size), b = make(size), c = make(4);
  const auto add_cb = [&](uint8_t cb, uint32_t bytes_each, DataFormat format) {
    CreateCircularBuffer(program, core,
                         CircularBufferConfig(part * bytes_each, {{cb, format}})
                             .set_page_size(cb, part * bytes_each));
  };
  const DataFormat in = bytes ? DataFormat::Int8 : DataFormat::Float32;
  const DataFormat out = bytes ? DataFormat::Int32 : DataFormat::Float32;
  if (first) add_cb(16, 4, out);
  add_cb(0, size, in), add_cb(1, size, in);
  if (!first) add_cb(16, 4, out);
  const std::vector<uint32_t> args = {n / part};
  const auto reader = CreateKernel(program, "reader.cpp", core, ReaderDataMovementConfig(args));
  const auto writer = CreateKernel(program, "writer.cpp", core, WriterDataMovementConfig(args));
  CreateKernel(program, "compute.cpp", core,
               ComputeConfig{.fp32_dest_acc_en = !bytes,
                             .compile_args = args,
                             .defines = {{bytes ? "BYTES" : "FLOATS", "1"}}});
  SetRuntimeArgs(program, reader, core,
                 {uint32_t(a->address()), uint32_t(b->address()), part * size});
  SetRuntimeArgs(program, writer, core, {uint32_t(c->address()), part * 4});

  std::vector<uint8_t> xs(n * size), ys(n * size);
  std::vector<uint32_t> expected(n), sums;
  for (uint32_t i = 0; i < n; ++i) {
    const int x = int(i) - 100, y = int(3 * i) % 100;
    if (bytes) { // sign and magnitude, in L1 and in what comes back
      const int sum = x % 100 + y;
      xs[i] = uint8_t(x < 0 ? 0x80 | -x % 100 : x % 100), ys[i] = uint8_t(y);
      expected[i] = sum < 0 ? 0x80000000u | uint32_t(-sum) : uint32_t(sum);
    } else {
      const float f = float(x) * 0.5f, g = float(y), sum = f + g;
      std::memcpy(&xs[4 * i], &f, 4), std::memcpy(&ys[4 * i], &g, 4);
      std::memcpy(&expected[i], &sum, 4);
    }
  }
  distributed::EnqueueWriteMeshBuffer(cq, a, xs);
  distributed::EnqueueWriteMeshBuffer(cq, b, ys);
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(cq, workload, false);
  distributed::EnqueueReadMeshBuffer(cq, sums, c, true);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < n; ++i) wrong += sums[i] != expected[i];
  std::printf("%u of %u sums are wrong\n", wrong, n);
  return wrong != 0;
}
