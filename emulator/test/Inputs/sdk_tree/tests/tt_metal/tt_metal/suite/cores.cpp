// A test of the SDK's own, compiled without a word about where its headers are: a source beside a
// header, headers of other folders of the tree, the runtime's inside, and sets of cores.
#include "suite_common.hpp"

#include "counted.hpp"
#include "impl/buffers/semaphore.hpp"
#include "impl/program/program_impl.hpp"
#include "tt_metal/impl/context/metal_context.hpp"

#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>
#include <tt-metalium/work_split.hpp>

using namespace tt::tt_metal;

int main() {
  Counted c;
  c.expect(sevens(6) == 42, "sevens");
  const CoreRange a({0, 0}, {1, 1}), b({2, 0}, {3, 1}), far({5, 5}, {6, 6});
  c.expect(a.adjacent(b) && !a.adjacent(far), "adjacent");
  c.expect(a.merge(b) == CoreRange({0, 0}, {3, 1}) && !a.merge(far), "merge");
  const CoreRangeSet set(std::vector<CoreRange>{a, far, b});
  c.expect(set.merge_ranges().size() == 2 && set.merge_ranges() == set, "merge_ranges");
  c.expect(set.intersects(CoreCoord(6, 5)) && !set.intersects(CoreCoord(4, 4)), "intersects");
  c.expect(CoreRange({0, 0}, {7, 7}).contains(set) && !a.contains(set), "contains");
  c.expect(select_from_corerangeset(set, 1, 2).num_cores() == 2, "select");
  c.expect(select_contiguous_range_from_corerangeset(set, 2, 1) == CoreRange({0, 0}, {1, 0}),
           "select_contiguous");
  c.expect(grid_to_cores_with_noop(a, CoreRange({0, 0}, {2, 1})).back() == CoreCoord(2, 1), "noop");
  c.expect(find_max_divisor(10, 6) == 2 && find_max_block_size(10) == 5, "divisors");

  const Hal &hal = MetalContext::instance().hal();
  c.expect(hal.get_num_risc_processors(HalProgrammableCoreType::TENSIX) == 5, "processors");
  c.expect(hal.get_arch() == hal::get_arch() && NUM_SEMAPHORES == 16, "limits");
  IDevice *device = CreateDevice(0);
  c.expect(device->get_active_ethernet_cores().empty(), "ethernet");
  Program program = CreateProgram();
  // The address of an argument is a number of 32 bits, that of a kernel on both NoCs as well.
  const uint32_t result = uint32_t(device->allocator()->get_base_allocator_addr(HalMemType::L1));
  const KernelHandle kernel = CreateKernelFromString(
      program,
      "void kernel_main() {\n"
      "  const uint32_t at = get_arg_addr(1);\n"
      "  *reinterpret_cast<volatile uint32_t *>(get_arg_val<uint32_t>(0)) =\n"
      "      noc_mode + *reinterpret_cast<volatile tt_l1_ptr uint32_t *>(at);\n"
      "}\n",
      a, DataMovementConfig{.noc_mode = NOC_MODE::DM_DYNAMIC_NOC});
  SetRuntimeArgs(program, kernel, a, {result, 8});
  const auto &all = GetRuntimeArgs(program, kernel);
  c.expect(all[1][1].size() == 2 && all[1][1][1] == 8 && all[2][0].size() == 0, "arguments");
  c.expect(program.impl().num_kernels() == 1, "kernels");
  c.expect(program.impl().logical_cores()[0].size() == 4, "logical cores");
  detail::LaunchProgram(device, program);
  std::vector<uint32_t> words;
  detail::ReadFromDeviceL1(device, {1, 1}, result, 4, words);
  c.expect(words.at(0) == 9, "address of an argument");
  CloseDevice(device);
  std::cout << "tree of the SDK: " << c.wrong << " wrong\n";
  return c.wrong != 0;
}
