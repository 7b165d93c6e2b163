// DRAM by address alone: the host writes to one place and reads from another, with no buffer. Two
// cores copy the same.
#include <cstdio>

#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tt_metal.hpp>

using namespace tt::tt_metal;

int main() {
  IDevice *device = CreateDevice(0);
  std::vector<uint32_t> sent(64), got;
  for (uint32_t i = 0; i < 64; ++i) sent[i] = 3 * i;
  detail::WriteToDeviceDRAMChannel(device, 2, 4096, sent);
  Program program = CreateProgram();
  CreateKernel(program, "copy.cpp", CoreRange({0, 0}, {1, 0}), DataMovementConfig{});
  detail::LaunchProgram(device, program);
  detail::ReadFromDeviceDRAMChannel(device, 2, 8192, 256, got);
  std::printf("raw DRAM: %s\n", got == sent ? "copied" : "wrong");
  CloseDevice(device);
  return got != sent;
}
