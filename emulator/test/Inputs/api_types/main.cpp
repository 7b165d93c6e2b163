// Types of the host API that need no device: sets of cores, shapes, and what a mesh's view gives.
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/maybe_remote.hpp>
#include <tt-metalium/shape.hpp>

#include <cstdio>
#include <sstream>
#include <unordered_set>

using namespace tt::tt_metal;
using namespace tt::tt_metal::distributed;

static int wrong;
static void expect(bool right, const char *what) {
  if (!right) std::printf("wrong: %s\n", what), ++wrong;
}

template <typename Call> static bool throws(Call call) {
  try {
    call();
  } catch (const std::exception &) {
    return true;
  }
  return false;
}

static void shapes() {
  const Shape shape({4, 6});
  expect(shape[-4] == 1 && shape[-1] == 6 && throws([&] { shape[2]; }), "a size before the first");
  expect(shape.to_rank(4) == Shape({1, 1, 4, 6}) && throws([&] { shape.to_rank(1); }), "to_rank");
  std::ostringstream text;
  text << shape;
  expect(text.str() == "Shape([4, 6])", "a shape's text");
}

static void sets() {
  const CoreRange a({0, 0}, {1, 1}), b({1, 1}, {2, 2}), c({2, 0}, {3, 0});
  expect(throws([&] { CoreRangeSet(std::vector{a, b}); }), "ranges that overlap");
  expect(CoreRangeSet(std::vector{a, c}).num_cores() == 6, "ranges that do not");
  std::size_t sum = 0;
  for (const CoreCoord &core : b) sum += 10 * core.x + core.y;
  expect(sum == 66, "the cores of a range");
#if TTEMU_API < 202603
  CoreRange grown = b;
  grown.end = CoreCoord(3, b.end.y + 1), grown.start.x = 0;
  expect(grown == CoreRange({0, 1}, {3, 3}) && CoreRange(b.start, b.end) == b, "older corners");
#endif
}

static void views() {
  auto mesh = MeshDevice::create(MeshDeviceConfig(MeshShape(2, 2)));
  const MeshDeviceView view = mesh->get_view();
#if TTEMU_API >= 202603
  std::unordered_set<tt::tt_fabric::FabricNodeId> nodes;
  for (const auto &node : view.get_fabric_node_ids()) nodes.insert(node);
  expect(nodes.size() == 4 && view.mesh_id() == tt::tt_fabric::MeshId(0), "a node for each device");
  expect(view.get_fabric_node_ids_on_row(1)[0] == view.get_fabric_node_id(MeshCoordinate(1, 0)),
         "nodes on a row");
#endif
  for (auto device : view) expect(device.is_local() && (*device)->id() >= 0, "a device of a view");
  auto buffer = MeshBuffer::create(
      ReplicatedBufferConfig{.size = 128},
      DeviceLocalBufferConfig{.page_size = 128, .buffer_type = BufferType::DRAM}, mesh.get());
  std::vector<uint32_t> zeros(32), sevens(32, 7), first(32), last(32);
  MeshCommandQueue &queue = mesh->mesh_command_queue();
  queue.enqueue_write_mesh_buffer(buffer, zeros.data(), true);
  queue.enqueue_write_shard_to_sub_grid(
      *buffer, sevens.data(), MeshCoordinateRange(MeshCoordinate(0, 0), MeshCoordinate(0, 1)),
      true);
  queue.enqueue_read_shards(
      std::vector<MeshCommandQueue::ShardDataTransfer>{
          {.shard_coord = MeshCoordinate(0, 1), .host_data = first.data(), .region = {}},
          {.shard_coord = MeshCoordinate(1, 1), .host_data = last.data(), .region = {}}},
      buffer, true);
  expect(first == sevens && last == zeros, "data for some devices of a mesh");
  const auto away = MaybeRemoteDeviceId::remote();
  expect(throws([&] { away.value(); }) && away.when([](int) { return 1; }, [] { return 2; }) == 2,
         "what another process has");
  mesh->close();
}

int main() {
  shapes();
  sets();
  views();
  std::printf("types of the host API: %d wrong\n", wrong);
}
