// D = (A + B) A: two programs, one after the other; what the first one writes, the second one
// reads.
//   tt-run examples/metalium/two_programs/main.cpp [TILES]
#include "../common.hpp"

static Program make_program(const Tensor& a, const Tensor& b, const Tensor& c, uint32_t tiles,
                            bool multiply) {
    Program program = CreateProgram();
    const CoreRange core(multiply ? CoreCoord(1, 0) : CoreCoord(0, 0));
    make_cb(program, core, CBIndex::c_0, 2);
    make_cb(program, core, CBIndex::c_1, 2);
    make_cb(program, core, CBIndex::c_16, 2);
    std::map<std::string, std::string> defines;
    if (multiply) {
        defines["MULTIPLY"] = "1";
    }
    const auto reader =
        make_reader(program, core, OVERRIDE_KERNEL_PREFIX "reader.cpp", with_accessors({}, {a, b}));
    const auto writer =
        make_writer(program, core, OVERRIDE_KERNEL_PREFIX "writer.cpp", with_accessors({}, {c}));
    const auto compute = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "compute.cpp", core,
                                      ComputeConfig{.defines = defines});
    SetRuntimeArgs(program, reader, core,
                   {uint32_t(a->address()), uint32_t(b->address()), 0, tiles});
    SetRuntimeArgs(program, writer, core, {uint32_t(c->address()), 0, tiles});
    SetRuntimeArgs(program, compute, core, {tiles});
    return program;
}

int main(int argc, char** argv) {
    const uint32_t tiles = argc > 1 ? std::atoi(argv[1]) : 5, rows = 32, cols = 32 * tiles;
    const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
    const Tensor a = make_tensor(device, tiles), b = make_tensor(device, tiles),
                 c = make_tensor(device, tiles), d = make_tensor(device, tiles);
    std::vector<Program> programs;
    programs.push_back(make_program(a, b, c, tiles, false));
    programs.push_back(make_program(c, a, d, tiles, true));

    const Values x = random_values(rows * cols, 1), y = random_values(rows * cols, 2);
    write(device, a, x, rows, cols);
    write(device, b, y, rows, cols);
    run(device, std::move(programs));
    return report(device, "(A + B) A", read(device, d, rows, cols), 0.008,
                  [&](std::size_t i) { return (float(x[i]) + float(y[i])) * float(x[i]); });
}
