// Runs functions of lanes on a tile, and compares them with the same in floats. Argument: the
// number of one that Blackhole alone has.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>

using namespace tt;
using namespace tt::tt_metal;

static float expected(int op, float x) {
  switch (op) {
  case 0:
    if (x < 0) return std::fmin(-x, 1.5f);
    return x > 2 && x < 4 ? (x * x) * std::fma(-2.0f, x, 3.0f) : x + 0.5f;
  case 1: {
    if (x == 0) return std::copysign(1.0f, x);
    int e = std::ilogb(x);
    float m = std::fabs(x) / std::ldexp(1.0f, e) * (x < 0 ? -1 : 1);
    return std::copysign(e >= 0 ? m + 2 * e : m, x);
  }
  case 2: return 0x1p-23f; // and twice that
  }
  x *= 1.00390625f;
  uint32_t bits = __builtin_bit_cast(uint32_t, x);
  return __builtin_bit_cast(float, (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u);
}

// Straight lines by ranges: 32 numbers, four rows of even or odd columns, of each form.
static float on_lines(int form, float x) {
  const float d = std::fabs(x);
  const int third = d < 1 ? 0 : d < 2 ? 1 : 2;
  if (form == 0)
    return std::copysign(third == 0 ? 0.5f * d + 0.25f : third == 1 ? d - 0.5f : 1.5f, x);
  const float y = third == 0 ? 2 * d + 1 : third == 1 ? 4 - d : 0.5f * d + 1;
  if (form < 3) return form == 1 ? y : std::copysign(y, x);
  const int sixth = d < 2 ? int(2 * d) : d < 4 ? 4 : 5;
  const float start = sixth ? sixth / 2.0f : 0x1p-15f;
  return std::copysign(std::fma(float(sixth + 1), d, start), x);
}

static int wrong_on_lines(const std::vector<float> &x, const std::vector<float> &y) {
  int wrong = 0;
  for (int i = 0; i < 1024; ++i) {
    const int form = i % 256 / 64 % 2 * 2 + i % 2; // a face is eight of these
    const float expected = on_lines(form, x[i]);
    if (y[i] != expected && ++wrong < 4)
      std::printf("line %d of %g is %.9g, expected %.9g\n", form, x[i], y[i], expected);
  }
  return wrong;
}

// Of streams, against doubles; of random numbers, the share of zeros, and the mean.
static int wrong_in_streams(int op, const std::vector<float> &x, const std::vector<float> &y) {
  int wrong = 0;
  double sum = 0, zeros = 0, bias = 0, ups = 0;
  for (int col = 0; col < 32; ++col) {
    const auto at = [&](int row) {
      return (row % 32 / 16 * 2 + col / 16) * 256 + row % 16 * 16 + col % 16 + row / 32 * 1024;
    };
    double mean = 0, average = 0;
    for (int row = 0; row < 64; ++row) mean += double(x[at(row)]) / 64;
    if (op == 4) wrong += std::fabs(y[at(0)] - mean) > 1e-6 * 8;
    for (int row = 0; row < 32; ++row) {
      const double in = x[at(row)], out = y[at(row)];
      average = 0.75 * average + 0.25 * in;
      sum += out / 1024, zeros += (out == 0 && in != 0) / 1024.0;
      if (op == 5) wrong += std::fabs(out - average) > 1e-6 * 8;
      if (op == 6) wrong += !(out >= 2 && out < 2.5);
      if (op == 7) wrong += out != 0 && out != 2 * in;
      if (op == 9) {
        const double exact = std::fabs(in) * 1.00390625;
        const uint32_t down = __builtin_bit_cast(uint32_t, float(exact)) & 0xffff0000u;
        const double low = __builtin_bit_cast(float, down),
                     high = __builtin_bit_cast(float, down + 0x10000u);
        wrong +=
            out * in < 0 || (std::fabs(out) != low && (std::fabs(out) != high || low == exact));
        bias += (std::fabs(out) - exact) / 1024, ups += (std::fabs(out) == high) / 1024.0;
      }
      if (op == 8) wrong += std::fabs(out - std::lgamma(in < 0.5 ? 1 - in : in)) > 1e-6 * 16;
    }
  }
  if (op == 6) wrong += std::fabs(sum - 2.25) > 0.02;
  if (op == 9) wrong += std::fabs(bias) > 0.002 || ups < 0.2 || ups > 0.8;
  if (op == 7) wrong += std::fabs(zeros - 0.25) > 0.05;
  return wrong;
}

// What is no number is wrong.
static int wrong_sum(const std::vector<float> &x, float sum) {
  double squares = 0;
  for (float v : x) squares += 4.0 * v * v; // the factor is 2, along both dimensions
  const bool right = std::fabs(sum - squares) < 0.02 * squares;
  if (!right) std::printf("the sum is %g, expected %g\n", sum, squares);
  return !right;
}

int main(int argc, char **argv) {
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto &cq = device->mesh_command_queue();
  const CoreCoord core(0, 0);
  std::vector<float> x(2048), y;
  for (int i = 0; i < 2048; ++i) x[i] = float(i * 37 % 509 - 254) / 32;
  const int one = argc > 1 ? std::atoi(argv[1]) : -1;
  for (int op = one < 0 ? 0 : one; op < (one < 0 ? 11 : one + 1); ++op) {
    Program program = CreateProgram();
    const auto make = [&](uint32_t bytes) {
      return distributed::MeshBuffer::create(
          distributed::ReplicatedBufferConfig{.size = bytes},
          distributed::DeviceLocalBufferConfig{.page_size = 4096}, device.get());
    };
    auto in = make(8192), out = make(4096);
    CreateCircularBuffer(
        program, core,
        CircularBufferConfig(8192, {{0, DataFormat::Float32}}).set_page_size(0, 4096));
    std::vector<uint32_t> from, to;
    TensorAccessorArgs(*in).append_to(from);
    TensorAccessorArgs(*out).append_to(to);
    const auto reader = CreateKernel(program, "move.cpp", core,
                                     DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                                                        .noc = NOC::NOC_1,
                                                        .compile_args = from});
    const auto writer =
        CreateKernel(program, "move.cpp", core,
                     DataMovementConfig{.compile_args = to, .defines = {{"WRITE", "1"}}});
    CreateKernel(program, "compute.cpp", core,
                 ComputeConfig{.fp32_dest_acc_en = true, .defines = {{"OP", std::to_string(op)}}});
    // Made after the kernels: sizes of tiles are constants all the same.
    CreateCircularBuffer(
        program, core,
        CircularBufferConfig(4096, {{16, DataFormat::Float32}}).set_page_size(16, 4096));
    SetRuntimeArgs(program, reader, core, {uint32_t(in->address())});
    SetRuntimeArgs(program, writer, core, {uint32_t(out->address())});
    distributed::EnqueueWriteMeshBuffer(cq, in, x);
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
    distributed::EnqueueMeshWorkload(cq, workload, false);
    distributed::EnqueueReadMeshBuffer(cq, y, out, true);
    int wrong = 0;
    for (int i = 0; op < 4 && i < 1024; ++i)
      if (y[i] != expected(op, x[i]) && ++wrong < 4)
        std::printf("op %d of %g is %.9g, expected %.9g\n", op, x[i], y[i], expected(op, x[i]));
    if (op == 11) wrong = wrong_sum(x, y[0]);
    else if (op == 10) wrong = wrong_on_lines(x, y);
    else if (op >= 4) wrong = wrong_in_streams(op, x, y);
    std::printf("op %d: %d wrong\n", op, wrong);
  }
}
