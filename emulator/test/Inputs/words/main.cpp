// Moves or computes on four tiles, a mode a run, and compares each element.
#include <functional>
#include <map>

#include "../../../examples/metalium/common.hpp"

using Words = std::vector<int32_t>;
enum Mode {
  TILIZE,
  UNTILIZE,
  PACK_UNTILIZE,
  FROM_DST,
  INTEGERS,
  CHOICE,
  CASTS,
  COLUMNS,
  SUMS,
  TURNED,
  COPY,
  BYTES
};

// What element i of a row-major matrix of 32 x 128 becomes.
static int32_t expected(int mode, const Words &x, int i) {
  const int row = i / 128, col = i % 128, v = x[i];
  const auto floor_div = [](int a, int b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); };
  switch (mode) {
  case INTEGERS: return floor_div((v * v + 3) ^ 5, 7) * 2;
  case CHOICE: return v > 10 ? -v : v > -5 ? v : -5;
  case CASTS: return int32_t(v * 0.25f);
  case BYTES: return v == 0 ? 2 : v / 64 & 255; // the library's steps make 2 of 0
  case COLUMNS: return x[row * 128 + col / 32 * 32];
  case TURNED: return x[col % 32 * 128 + col / 32 * 32 + row];
  case SUMS: {
    int32_t sum = 0;
    for (int t = 0; t <= col / 32; ++t)
      for (int r = 0; r < (t < col / 32 ? 32 : row + 1); ++r) sum += x[r * 128 + t * 32 + col % 32];
    return sum;
  }
  default: return v;
  }
}

int main(int argc, char **argv) {
  const int mode = argc > 1 ? std::atoi(argv[1]) : 0;
  const std::map<std::string, DataFormat> formats = {{"float32", DataFormat::Float32},
                                                     {"int32", DataFormat::Int32},
                                                     {"uint32", DataFormat::UInt32}};
  const DataFormat format = formats.at(argc > 2 ? argv[2] : "float32");
  const uint32_t bytes = tile_size(format);
  const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
  auto &cq = device->mesh_command_queue();
  const distributed::DeviceLocalBufferConfig local{.page_size = bytes};
  const distributed::ReplicatedBufferConfig replicated{.size = 4 * uint64_t{bytes}};
  const Tensor a = distributed::MeshBuffer::create(replicated, local, device.get());
  const Tensor c = distributed::MeshBuffer::create(replicated, local, device.get());
  Program program = CreateProgram();
  const CoreRange core(CoreCoord(0, 0));
  for (uint8_t cb : {0, 16})
    CreateCircularBuffer(program, core,
                         CircularBufferConfig(4 * bytes, {{cb, format}}).set_page_size(cb, bytes));
  const auto reader = make_reader(program, core, "move.cpp", with_accessors({}, {a}));
  const auto writer =
      CreateKernel(program, "move.cpp", core,
                   WriterDataMovementConfig(with_accessors({}, {c}), {{"WRITE", "1"}}));
  CreateKernel(program, "compute.cpp", core,
               ComputeConfig{.fp32_dest_acc_en = true,
                             .unpack_to_dest_mode = std::vector<UnpackToDestMode>(
                                 32, UnpackToDestMode::UnpackToDestFp32),
                             .defines = {{"MODE", std::to_string(mode)}}});
  SetRuntimeArgs(program, reader, core, {a->address()});
  SetRuntimeArgs(program, writer, core, {c->address()});

  Words x(32 * 128);
  for (int i = 0; i < int(x.size()); ++i) x[i] = i * 37 % 401 - 200;
  const bool floats = format == DataFormat::Float32;
  const auto stored = [&](int32_t v) {
    return floats ? __builtin_bit_cast(uint32_t, float(v)) : uint32_t(v);
  };
  std::vector<uint32_t> words, out;
  for (int32_t v : x) words.push_back(stored(v));
  distributed::EnqueueWriteMeshBuffer(cq, a,
                                      mode == TILIZE ? words : tilize_nfaces(words, 32, 128));
  run(device, std::move(program));
  distributed::EnqueueReadMeshBuffer(cq, out, c);
  if (mode != UNTILIZE && mode != PACK_UNTILIZE && mode != FROM_DST)
    out = untilize_nfaces(out, 32, 128);
  int wrong = 0;
  for (int i = 0; i < int(out.size()); ++i)
    if (out[i] != stored(expected(mode, x, i)) && ++wrong < 4)
      std::printf("element %d is %x, expected %x\n", i, out[i], stored(expected(mode, x, i)));
  std::printf("mode %d: %d wrong\n", mode, wrong);
  return device->close() && wrong == 0 ? 0 : 1;
}
