// Runs an op on two tiles of ROWSxCOLS and two of another shape, and compares it with the same in
// integers: main OP ROWS COLS [ROWS COLS [ROWS COLS of what is made]].
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tile.hpp>
#include <tt-metalium/tilize_utils.hpp>

using namespace tt;
using namespace tt::tt_metal;
using Numbers = std::vector<bfloat16>;

// Two tiles, in rows one after the other.
struct Tiles {
  Tile tile;
  Numbers numbers;
  int at(int t, int row, int col) const {
    return int(float(numbers[(t * tile.get_height() + row) * tile.get_width() + col]));
  }
  Numbers swapped(TensorLayoutType from, TensorLayoutType to) const {
    return convert_layout(
        tt::stl::Span<const bfloat16>(numbers),
        PhysicalSize{uint32_t(numbers.size()) / tile.get_width(), tile.get_width()}, from, to,
        tile.get_tile_shape(), tile.get_face_shape());
  }
};

static int expected(int op, const Tiles &a, const Tiles &b, int t, int row, int col, int dim) {
  int sum = 0;
  if (op == 0 || op == 10) return a.at(t, row, col);
  if (op == 1) return a.at(t, row, col) - b.at(t, row, col);
  if (op == 2) return a.at(t, row, col) + b.at(t, 0, col);
  if (op == 3) return a.at(t, row, col) + b.at(t, row, 0);
  if (op == 4) return a.at(t, row, col) + b.at(t, 0, 0);
  if (op == 7) return a.at(t, col, row);
  if (op == 6 || op == 11)
    for (int k = 0; k < 64; ++k) sum += a.at(k / 32, row, k % 32) * b.at(k / 32, k % 32, col);
  const int rows = int(a.tile.get_height()), cols = int(a.tile.get_width());
  if (op == 5 && dim == 0 && col == 0)
    for (int k = 0; k < cols; ++k) sum += a.at(t, row, k);
  if (op == 5 && dim == 1 && row == 0)
    for (int k = 0; k < rows; ++k) sum += a.at(t, k, col);
  if (op == 5 && dim == 2 && row + col == 0)
    for (int k = 0; k < rows * cols; ++k) sum += a.at(t, k / cols, k % cols);
  return sum;
}

int main(int argc, char **argv) {
  const auto number = [&](int i, uint32_t otherwise) {
    return argc > i ? uint32_t(std::atoi(argv[i])) : otherwise;
  };
  int op = std::atoi(argv[1]), dim = 0;
  if (op >= 50) dim = op - 50, op = 5;
  Tiles a{Tile({number(2, 32), number(3, 32)}), {}},
      b{Tile({number(4, number(2, 32)), number(5, number(3, 32))}), {}};
  Tiles c{Tile({number(6, a.tile.get_height()), number(7, a.tile.get_width())}), {}};
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  auto &cq = device->mesh_command_queue();
  Program program = CreateProgram();
  const CoreCoord core(0, 0);
  const uint32_t tiles = op == 6 || op == 11 ? 1 : 2;
  const auto make = [&](const Tile &tile, uint32_t n) {
    const uint32_t bytes = tile.get_tile_size(DataFormat::Float16_b);
    return distributed::MeshBuffer::create(distributed::ReplicatedBufferConfig{.size = n * bytes},
                                           distributed::DeviceLocalBufferConfig{.page_size = bytes},
                                           device.get());
  };
  const auto circular = [&](uint8_t cb, const Tile &tile, DataFormat format) {
    const uint32_t bytes = tile.get_tile_size(format);
    CreateCircularBuffer(program, core,
                         CircularBufferConfig(2 * bytes, {{cb, format}})
                             .set_page_size(cb, bytes)
                             .set_tile_dims(cb, tile));
  };
  auto in = make(a.tile, 2), other = make(b.tile, 2), out = make(c.tile, tiles);
  circular(0, a.tile, DataFormat::Float16_b), circular(1, b.tile, DataFormat::Float16_b);
  circular(16, c.tile, DataFormat::Float16_b), circular(24, a.tile, DataFormat::Bfp8_b);

  std::vector<uint32_t> read_args, write_args;
  TensorAccessorArgs(*in).append_to(read_args);
  TensorAccessorArgs(*other).append_to(read_args);
  TensorAccessorArgs(*out).append_to(write_args);
  std::map<std::string, std::string> defines{{"OP", std::to_string(op)},
                                             {"TILES", std::to_string(tiles)},
                                             {"FACES", std::to_string(a.tile.get_num_faces())},
                                             {"REDUCE_OP", "PoolType::SUM"},
                                             {"REDUCE_DIM", dim == 0 ? "ReduceDim::REDUCE_ROW"
                                                            : dim == 1
                                                                ? "ReduceDim::REDUCE_COL"
                                                                : "ReduceDim::REDUCE_SCALAR"}};
  const auto reader =
      CreateKernel(program, "move.cpp", core, ReaderDataMovementConfig(read_args, defines));
  defines["WRITE"] = "1";
  const auto writer =
      CreateKernel(program, "move.cpp", core, WriterDataMovementConfig(write_args, defines));
  CreateKernel(program, "compute.cpp", core, ComputeConfig{.defines = defines});
  SetRuntimeArgs(program, reader, core, {uint32_t(in->address()), uint32_t(other->address())});
  SetRuntimeArgs(program, writer, core, {uint32_t(out->address())});

  const auto fill = [](Tiles &m, int step) {
    m.numbers.resize(2 * m.tile.get_tile_hw());
    for (std::size_t i = 0; i < m.numbers.size(); ++i)
      m.numbers[i] = bfloat16(float(int(i) * step % 11 % 5 - 2));
  };
  fill(a, 7), fill(b, 5);
  if (op == 5) b.numbers.assign(b.numbers.size(), bfloat16(1.0f));
  const auto rows = TensorLayoutType::LIN_ROW_MAJOR, faces = TensorLayoutType::TILED_NFACES;
  distributed::EnqueueWriteMeshBuffer(cq, in, a.swapped(rows, faces));
  distributed::EnqueueWriteMeshBuffer(cq, other, b.swapped(rows, faces));
  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(device->shape()), std::move(program));
  distributed::EnqueueMeshWorkload(cq, workload, false);
  distributed::EnqueueReadMeshBuffer(cq, c.numbers, out, true);
  c.numbers.resize(tiles * c.tile.get_tile_hw());
  c.numbers = c.swapped(faces, rows);
  int wrong = 0;
  for (uint32_t t = 0; t < tiles; ++t)
    for (uint32_t r = 0; r < c.tile.get_height(); ++r)
      for (uint32_t k = 0; k < c.tile.get_width(); ++k)
        wrong += c.at(t, r, k) != expected(op, a, b, t, r, k, dim);
  std::printf("op %s, %ux%u by %ux%u: %d wrong\n", argv[1], a.tile.get_height(), a.tile.get_width(),
              b.tile.get_height(), b.tile.get_width(), wrong);
  device->close();
  return wrong != 0;
}
