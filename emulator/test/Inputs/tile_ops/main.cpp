// Runs the op given on the command line, and compares it with the same in doubles.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>

using namespace tt;
using namespace tt::tt_metal;
using Matrix = std::vector<bfloat16>;

static double at(const Matrix &m, int row, int col) { return float(m[row * 64 + col]); }

static double expected(int op, const Matrix &a, const Matrix &b, int row, int col) {
  const bool first = row < 32 && col < 32; // of four tiles, 2x2
  double sum = 0;
  if (op != 1 && !first) return 0;
  for (int k = 0; op == 0 && k < 32; ++k) sum += at(a, row, k) * at(b, col, k);
  for (int k = 0; op == 1 && k < 64; ++k) sum += at(a, row, k) * at(b, k, col);
  if (op == 2) return at(a, col, row);
  if (op == 8) // 40 rows of the faces, one below the other
    return row / 16 * 32 + col / 16 * 16 + row % 16 < 40 ? at(a, row, col) : 0;
  if (op == 3) return at(a, row, col) - at(b, 0, col);
  if (op == 5) return -at(a, row, col);
  if (op == 7) return std::fmax(std::floor(2.5 * std::fabs(at(a, row, col))), at(b, row, col));
  if (op == 6)
    return at(a, row, col) + at(a, row, col + 32) + at(a, row + 32, col) +
           at(a, row + 32, col + 32);
  if (op == 4) {
    sum = row == 0 ? at(a, 0, col) : 0;
    for (int k = 0; row == 0 && k < 32; ++k) sum = at(a, k, col) > sum ? at(a, k, col) : sum;
  }
  return sum;
}

int main(int argc, char **argv) {
  const int op = argc > 1 ? std::atoi(argv[1]) : 0;
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto &cq = device->mesh_command_queue();
  Program program = CreateProgram();
  const CoreCoord core(0, 0);
  const auto make = [&] {
    return distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = 8192},
                                           distributed::DeviceLocalBufferConfig{.page_size = 2048},
                                           device.get());
  };
  auto a = make(), b = make(), c = make();
  for (uint8_t cb : {0, 1, 16})
    CreateCircularBuffer(
        program, core,
        CircularBufferConfig(8192, {{cb, DataFormat::Float16_b}}).set_page_size(cb, 2048));
  std::vector<uint32_t> args;
  TensorAccessorArgs(*c).append_to(args);
  const auto reader = CreateKernel(
      program, "move.cpp", core,
      DataMovementConfig{.processor = DataMovementProcessor::RISCV_1, .noc = NOC::NOC_1});
  const auto writer =
      CreateKernel(program, "move.cpp", core,
                   DataMovementConfig{.compile_args = args, .defines = {{"WRITE", "1"}}});
  CreateKernel(program, "compute.cpp", core,
               ComputeConfig{.defines = {{"OP", std::to_string(op)}}});
  SetRuntimeArgs(program, reader, core, {uint32_t(a->address()), uint32_t(b->address())});
  SetRuntimeArgs(program, writer, core, {uint32_t(c->address())});

  Matrix x(4096), y(4096), z;
  for (int i = 0; i < 4096; ++i) {
    x[i] = bfloat16(float(op == 4 ? -1 - i * 7 % 61 : i * 7 % 3 - 1));
    y[i] = bfloat16(float(op == 4 ? 1 : i * 5 % 11 % 3 - 1));
  }
  distributed::EnqueueWriteMeshBuffer(cq, a, tilize_nfaces(x, 64, 64));
  distributed::EnqueueWriteMeshBuffer(cq, b, tilize_nfaces(y, 64, 64));
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(cq, workload, false);
  distributed::EnqueueReadMeshBuffer(cq, z, c, true);
  z = untilize_nfaces(z, 64, 64);
  int wrong = 0;
  for (int row = 0; row < 64; ++row)
    for (int col = 0; col < 64; ++col)
      if (at(z, row, col) != expected(op, x, y, row, col) && ++wrong < 4)
        std::printf("(%d, %d) is %g, expected %g\n", row, col, at(z, row, col),
                    expected(op, x, y, row, col));
  std::printf("op %d: %d wrong\n", op, wrong);
  return wrong != 0;
}
