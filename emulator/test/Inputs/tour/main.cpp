// A tour of the API, one stop a run: each kernel leaves its results in tensor C.
#include <cstring>
#include <functional>
#include <map>

#include "../../../examples/metalium/common.hpp"

static const CoreRange pair({0, 0}, {1, 0});

struct Stop {
  const char *kernel; // on data movement 0 of the cores
  CoreRangeSet cores;
  std::function<uint32_t(uint32_t)> expected; // of word i of C, from A, which counts from 0
};

int main(int argc, char **argv) {
  const std::string name = argc > 1 ? argv[1] : "with_state";
  const CoreRange one(CoreCoord(0, 0));
  const auto same = [](uint32_t i) { return i; };
  const std::map<std::string, Stop> stops = {
      {"with_state", {"with_state.cpp", one, same}},
      {"trids", {"trids.cpp", one, same}},
      {"words", {"words.cpp", one, [](uint32_t i) { return i < 4     ? 100 + i
                                                           : i < 512 ? 7u
                                                                     : i; }}},
      {"objects", {"objects.cpp", pair, [](uint32_t i) { return i; }}},
      {"transfer", {"transfer.cpp", pair, [](uint32_t i) { return i + 1; }}},
      {"variables",
       {"variables.cpp", pair, [](uint32_t i) { return i < 2 ? 10 * (i + 1) + 5 : i; }}},
      {"streams", {"streams.cpp", pair, [](uint32_t i) { return i < 512 ? 9u : i; }}},
      {"print", {"print.cpp", one, same}},
  };
  if (!stops.count(name)) return std::printf("no such stop\n"), 2;
  const Stop &stop = stops.at(name);
  const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
  auto &cq = device->mesh_command_queue();
  const Tensor a = make_tensor(device, 4), c = make_tensor(device, 4);
  Program program = CreateProgram();
  make_cb(program, stop.cores, CBIndex::c_0, 4);
  const std::vector<uint32_t> sems = {CreateSemaphore(program, stop.cores, 0),
                                      CreateSemaphore(program, stop.cores, 0)};
  const CoreCoord first = device->worker_core_from_logical_core({0, 0}),
                  second = device->worker_core_from_logical_core({1, 0});
  DataMovementConfig config{.compile_args = with_accessors({}, {a, c})};
  config.named_compile_args = {{"tiles", 4}, {"page", tile_bytes}};
  const auto kernel = CreateKernel(program, stop.kernel, stop.cores, config);
  SetRuntimeArgs(program, kernel, stop.cores,
                 {a->address(), c->address(), uint32_t(first.x), uint32_t(first.y),
                  uint32_t(second.x), uint32_t(second.y), sems[0], sems[1]});
  GetRuntimeArgs(program, kernel, CoreCoord(0, 0))[0] = a->address();

  std::vector<uint32_t> in(2048), zero(2048), out;
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = i;
  distributed::EnqueueWriteMeshBuffer(cq, a, in);
  distributed::EnqueueWriteMeshBuffer(cq, c, in);
  run(device, std::move(program));
  distributed::EnqueueReadMeshBuffer(cq, out, c);
  int wrong = 0;
  for (uint32_t i = 0; i < out.size(); ++i)
    if (out[i] != stop.expected(i) && ++wrong < 4)
      std::printf("word %u is %u, expected %u\n", i, out[i], stop.expected(i));
  std::printf("%s: %d wrong\n", name.c_str(), wrong);
  return wrong != 0;
}
