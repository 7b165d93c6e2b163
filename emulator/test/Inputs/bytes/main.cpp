// Products of tiles of int8, which lie in memory as sign and magnitude, by fidelity (1 to 4), as
// the low and high parts of both operands that its phases multiply. `bytes` of DST: 2 or 4.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tilize_utils.hpp>

using namespace tt;
using namespace tt::tt_metal;

static uint8_t stored(int value) {
  return uint8_t((value < 0 ? 0x80 : 0) | std::min(std::abs(value), 127));
}
static int part(int value, bool low, int mask) {
  const int m = std::abs(value) & (low ? mask : ~mask);
  return value < 0 ? -m : m;
}

int main(int argc, char **argv) {
  const int fidelity = argc > 1 ? std::atoi(argv[1]) : 4, dst = argc > 2 ? std::atoi(argv[2]) : 4;
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto &cq = device->mesh_command_queue();
  Program program = CreateProgram();
  const CoreCoord core(0, 0);
  const auto make = [&] {
    return distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = 1024},
                                           distributed::DeviceLocalBufferConfig{.page_size = 1024},
                                           device.get());
  };
  auto a = make(), b = make(), c = make();
  for (uint8_t cb : {0, 1, 16})
    CreateCircularBuffer(
        program, core,
        CircularBufferConfig(1024, {{cb, DataFormat::Int8}}).set_page_size(cb, 1024));
  const auto reader = CreateKernel(program, "move.cpp", core, ReaderDataMovementConfig{});
  const auto writer =
      CreateKernel(program, "move.cpp", core, WriterDataMovementConfig({}, {{"WRITE", "1"}}));
  CreateKernel(program, "compute.cpp", core,
               ComputeConfig{.math_fidelity = fidelity == 1 ? MathFidelity::LoFi
                                                            : static_cast<MathFidelity>(fidelity),
                             .fp32_dest_acc_en = dst == 4});
  SetRuntimeArgs(program, reader, core, {uint32_t(a->address()), uint32_t(b->address())});
  SetRuntimeArgs(program, writer, core, {uint32_t(c->address())});

  std::vector<int> x(1024), y(1024);
  std::vector<uint8_t> xs(1024), ys(1024), zs;
  for (int i = 0; i < 1024; ++i) {
    x[i] = i * 37 % 255 - 127, y[i] = i / 32 < 3 ? i * 11 % 41 - 20 : i % 32 == i / 32 ? -1 : 0;
    xs[i] = stored(x[i]), ys[i] = stored(y[i]);
  }
  const auto faces = [](const std::vector<uint8_t> &m, bool there) { // and back
    std::vector<uint8_t> out(1024);
    for (int row = 0; row < 32; ++row)
      for (int col = 0; col < 32; ++col) {
        const int face = row / 16 * 512 + col / 16 * 256 + row % 16 * 16 + col % 16;
        (there ? out[face] : out[row * 32 + col]) = there ? m[row * 32 + col] : m[face];
      }
    return out;
  };
  distributed::EnqueueWriteMeshBuffer(cq, a, xs = faces(xs, true));
  distributed::EnqueueWriteMeshBuffer(cq, b, ys = faces(ys, true));
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(cq, workload, false);
  distributed::EnqueueReadMeshBuffer(cq, zs, c, true);
  zs = faces(zs, false);

  int wrong = 0, clamped = 0;
  for (int row = 0; row < 32; ++row)
    for (int col = 0; col < 32; ++col) {
      int sum = 0;
      for (int k = 0; k < 32; ++k)
        for (int p = 0; p < fidelity; ++p)
          sum += part(x[row * 32 + k], p & 2, 0xf) * part(y[k * 32 + col], p & 1, 0x1f);
      clamped += std::abs(sum) > 127;
      wrong += zs[row * 32 + col] != stored(sum);
    }
  std::printf("fidelity %d: %d wrong, %s are larger than 127\n", fidelity, wrong,
              clamped > 99 ? "many" : "few");
  return wrong != 0;
}
