// A core reads its own memory to where it lies, several times, and what others have of it. The
// argument says what else happens: nothing, or what races with that.
#include <cstdio>
#include <cstdlib>

#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>

using namespace tt::tt_metal;

int main(int argc, char **argv) {
  constexpr uint32_t at = 512 * 1024;
  const uint32_t mode = argc > 1 ? std::atoi(argv[1]) : 0;
  IDevice *device = CreateDevice(0);
  std::vector<uint32_t> sent(64), got;
  for (uint32_t i = 0; i < 64; ++i) sent[i] = 3 * i;
  for (uint32_t x = 0; x < 2; ++x) detail::WriteToDeviceL1(device, CoreCoord(x, 0), at, sent);
  if (mode == 3) sent[7] = 5;
  if (mode == 3) detail::WriteToDeviceL1(device, CoreCoord(1, 0), at, sent);
  Program program = CreateProgram();
  const auto gather = CreateKernel(program, "gather.cpp", CoreCoord(0, 0),
                                   DataMovementConfig{.compile_args = {mode}});
  const CoreCoord own = device->worker_core_from_logical_core({0, 0});
  const CoreCoord other = device->worker_core_from_logical_core({1, 0});
  SetRuntimeArgs(program, gather, CoreCoord(0, 0),
                 {uint32_t(own.x), uint32_t(own.y), uint32_t(other.x), uint32_t(other.y)});
  if (mode == 4) {
    const auto push = CreateKernel(program, "push.cpp", CoreCoord(1, 0), DataMovementConfig{});
    SetRuntimeArgs(program, push, CoreCoord(1, 0), {uint32_t(own.x), uint32_t(own.y)});
  }
  detail::LaunchProgram(device, program);
  detail::ReadFromDeviceL1(device, CoreCoord(0, 0), at, 256, got);
  std::printf("in place: %s\n", got == sent ? "as it was" : "changed");
  CloseDevice(device);
  return 0;
}
