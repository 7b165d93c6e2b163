// How work is split over cores, and which cores are near to banks of DRAM.
#include <tt-metalium/host_api.hpp>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/event.hpp>
#include <tt-metalium/hal.hpp>
#include <tt-metalium/mesh_trace_id.hpp>
#include <tt-metalium/work_split.hpp>

#include <cstdio>

using namespace tt::tt_metal;

int main() {
  auto device = distributed::MeshDevice::create_unit_mesh(0);
  IDevice *chip = device->get_devices()[0];
  std::printf("near banks:");
  for (const CoreCoord &c : chip->get_optimal_dram_bank_to_logical_worker_assignment(NOC::NOC_0))
    std::printf(" (%zu,%zu)", c.x, c.y);
  const auto [n, each] = get_max_cores_divisible_by_tiles_per_core_tiles(48, 20);
  const auto [work, cores] = split_work_to_cores_even_multiples(CoreCoord(4, 1), 20, 4, true);
  std::printf("\n%u cores with %u; %u reads; %u %u on %u cores\n", n, each,
              merge_num_sticks_to_read(8, 32, 128), work[0], work[1], cores.num_cores());
  const CoreRangeSet five = num_cores_to_corerangeset(CoreCoord(2, 1), 5, CoreCoord(4, 4), true);
  std::printf("from (2,1): %s\n", five.str().c_str());
  std::printf("%u arguments, tiles of %u and %u bytes, %d\n", max_runtime_args,
              tt::constants::BFLOAT8_B_TILE_HW, tt::constants::BFLOAT4_B_TILE_HW,
              tt::round_down(70, 32));
  device->close();
}
