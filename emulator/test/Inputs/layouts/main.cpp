// What host tests use beside programs: layouts of matrices, and questions to the runtime's inside,
// before a device is opened.
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include <distributed/mesh_device_impl.hpp>
#include <enchantum/enchantum.hpp>
#include <impl/context/metal_context.hpp>
#include <impl/data_format/bfloat16_utils.hpp>
#include <tt-metalium/bfloat4.hpp>
#include <tt-metalium/bfloat8.hpp>
#include <tt-metalium/host_buffer.hpp>
#include <tt-metalium/shape.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <tt-metalium/tt_metal.hpp>
#include <tt-metalium/vector_aligned.hpp>
#include <tt_stl/indestructible.hpp>
#include <tt_stl/reflection.hpp>

#include "system_mesh.hpp"

using namespace tt;

static int wrong = 0;
static void expect(const char *what, bool holds) {
  if (!holds) std::printf("%s: wrong\n", what), ++wrong;
}

static void check_memory() {
  int count = 0;
  const tt_metal::MemoryPin pin([&] { ++count; }, [&] { --count; });
  std::vector<uint16_t> there = {1, 2, 3};
  {
    const tt_metal::HostBuffer borrowed{std::span(there), pin};
    there[1] = 7;
    expect("borrowed", borrowed.view_as<uint16_t>()[1] == 7 && count == 2);
    tt_metal::HostBuffer own(there), copy = own;
    own.view_as<uint16_t>()[0] = 9;
    expect("shared", copy.view_as<uint16_t>()[0] == 9 && there[0] == 1 && copy == own);
    expect("bytes", own.view_bytes().size() == 6 && !(own == borrowed));
    bool refused = false;
    try {
      own.view_as<float>();
    } catch (const std::exception &) {
      refused = true;
    }
    expect("types", refused);
  }
  expect("pins", count == 1 && !(pin == nullptr) && tt_metal::MemoryPin() == nullptr);
  tt_metal::vector_aligned<uint32_t> aligned(5, 3);
  expect("aligned", reinterpret_cast<uintptr_t>(aligned.data()) % 16 == 0 && aligned[4] == 3);
  const tt_metal::ShapeBase base({3, 4});
  expect("shapes", base[-1] == 4 && base[-4] == 1 && base.view().size() == 2 &&
                       base == std::array<uint32_t, 2>{3, 4} &&
                       tt_metal::Shape({3, 4}).volume() == 12);
  static ttsl::Indestructible<std::string> kept("kept");
  expect("kept", kept.get() == "kept");
}

int main() {
  check_memory();
  auto &context = tt_metal::MetalContext::instance();
  expect("devices", context.get_cluster().all_chip_ids().size() == 1);
  expect("chip", context.get_cluster().arch() == ARCH::WORMHOLE_B0);
  expect("buffers", context.hal().get_arch_num_circular_buffers() >= 32);

  expect("a card of one chip",
         context.get_system_mesh().shape().mesh_size() == 1 &&
             context.get_cluster().get_cluster_type() == tt_metal::ClusterType::N150);
  expect("a name", std::strcmp(enchantum::to_string(ARCH::BLACKHOLE).data(), "BLACKHOLE") == 0 &&
                       enchantum::to_string(static_cast<ARCH>(1)).empty());
  expect("names", fmt::format("{}", context.get_cluster().arch()) == "WORMHOLE_B0");
  expect("memory", context.hal().get_dev_size(tt_metal::HalDramMemAddrType::UNRESERVED) > 1u << 20);

  // 64 x 96: element (33, 50) is in tile 4, which starts at 4096, and there in face 1 of row 1.
  std::vector<uint32_t> rows(64 * 96);
  std::iota(rows.begin(), rows.end(), 0);
  const auto in_rows = tilize_swizzled(rows, 64, 96);
  const auto faces = convert_layout_tile_swizzled_to_tile_nfaces(tt::stl::make_const_span(in_rows));
  expect("rows of a tile", in_rows[4096 + 1 * 32 + 18] == 33 * 96 + 50);
  expect("faces", faces[4096 + 256 + 1 * 16 + 2] == 33 * 96 + 50);
  expect("one step", faces == tilize_nfaces(rows, 64, 96));
  expect("back", untilize_swizzled(in_rows, 64, 96) == rows);
  const std::vector<uint32_t> shape = {1, 2, 32, 96};
  expect("a tensor",
         convert_layout(tt::stl::make_const_span(faces), std::span<const uint32_t>(shape),
                        TensorLayoutType::TILED_NFACES, TensorLayoutType::LIN_ROW_MAJOR) == rows);
  TensAddr at({1, 2, 32, 96});
  expect("offsets", at.numel() == rows.size() && at.offs(0, 1, 1, 50) == 33 * 96 + 50);

  int first = -1;
  const auto count = create_arange_vector_of_bfloat16(64), same = count;
  auto other = count;
  other[5] ^= 1u << 16;
  const auto equal = [](float a, float b) { return a == b; };
  expect("alike", packed_uint32_t_vector_comparison(count, same, equal, &first) && first == -1);
  expect("the first that differs",
         !packed_uint32_t_vector_comparison(count, other, equal, &first) && first == 11);

  // Element (17, 20): face 3, row 1, number 4. Halves go to even; the largest of a row rules.
  std::vector<float> matrix(1024, 1.0f);
  matrix[17 * 32 + 20] = -64.0f, matrix[17 * 32 + 21] = 2.5f, matrix[17 * 32 + 22] = 0.4f;
  const auto block = pack_as_bfp8_tiles(tt::stl::make_const_span(matrix), true, false);
  const auto *bytes = reinterpret_cast<const uint8_t *>(block.data());
  expect("exponents", bytes[3 * 16 + 1] == 127 + 6 && bytes[0] == 127);
  expect("numbers", bytes[64 + 3 * 256 + 16 + 4] == (0x80 | 64) && bytes[64] == 64);
  auto rounded = matrix;
  rounded[17 * 32 + 21] = 2.0f, rounded[17 * 32 + 22] = 0.0f;
  expect("block floats", unpack_bfp8_tiles_into_float_vec(block, true, false) == rounded);
  const auto narrow = pack_as_bfp8_tiles(tt::stl::make_const_span(matrix), true, true);
  const auto *of_narrow = reinterpret_cast<const uint8_t *>(narrow.data());
  expect("exponents of 5 bits",
         of_narrow[3 * 16 + 1] == 15 + 6 && of_narrow[0] == 15 &&
             unpack_bfp8_tiles_into_float_vec(narrow, true, true) == rounded);
  const std::vector<float> large(1024, 1e6f), largest(1024, 127 * 1024.0f);
  const auto saturated = pack_as_bfp8_tiles(tt::stl::make_const_span(large), true, true);
  expect("what they cannot hold",
         unpack_bfp8_tiles_into_float_vec(saturated, true, true) == largest);
  std::fill_n(rounded.begin() + 17 * 32 + 16, 16, 0.0f); // in units of 16
  rounded[17 * 32 + 20] = -64.0f;
  const auto four = pack_as_bfp4_tiles(tt::stl::make_const_span(matrix), true, false);
  expect("block floats of 4 bits",
         four.size() == 144 && unpack_bfp4_tiles_into_float_vec(four, true, false) == rounded);
  const auto args = tt_metal::TensorAccessorArgs::create_dram_interleaved();
  expect("accessors", args.get_compile_time_args() == std::vector<uint32_t>{2, 0});
  auto mesh = tt_metal::distributed::MeshDevice::create_unit_mesh(0);
  const tt_metal::IDevice *device = mesh->impl().get_device(0);
  const auto part = tt_metal::HalL1MemAddrType::DEFAULT_UNRESERVED;
  expect("a core's memory",
         device->get_dev_addr({1, 1}, part) + device->get_dev_size({1, 1}, part) ==
             device->get_dev_size({1, 1}, tt_metal::HalL1MemAddrType::BASE));
  log_info(LogTest, "{} wrong", wrong);
  std::printf("layouts: %d wrong\n", wrong);
  return wrong != 0;
}
