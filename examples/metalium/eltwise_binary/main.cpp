// C = A + B on one core.
//   tt-run examples/metalium/eltwise_binary/main.cpp [TILES]
#include "../common.hpp"

int main(int argc, char** argv) {
    const uint32_t tiles = argc > 1 ? std::atoi(argv[1]) : 12, rows = 32, cols = 32 * tiles;
    const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
    const Tensor a = make_tensor(device, tiles), b = make_tensor(device, tiles),
                 c = make_tensor(device, tiles);

    Program program = CreateProgram();
    const CoreRange core(CoreCoord(0, 0));
    make_cb(program, core, CBIndex::c_0, 2);
    make_cb(program, core, CBIndex::c_1, 2);
    make_cb(program, core, CBIndex::c_16, 2);
    const auto reader =
        make_reader(program, core, OVERRIDE_KERNEL_PREFIX "reader.cpp", with_accessors({}, {a, b}));
    const auto writer =
        make_writer(program, core, OVERRIDE_KERNEL_PREFIX "writer.cpp", with_accessors({}, {c}));
    const auto compute =
        CreateKernel(program, OVERRIDE_KERNEL_PREFIX "compute.cpp", core, ComputeConfig{});
    SetRuntimeArgs(program, reader, core,
                   {uint32_t(a->address()), uint32_t(b->address()), 0, tiles});
    SetRuntimeArgs(program, writer, core, {uint32_t(c->address()), 0, tiles});
    SetRuntimeArgs(program, compute, core, {tiles});

    const Values x = random_values(rows * cols, 1), y = random_values(rows * cols, 2);
    write(device, a, x, rows, cols);
    write(device, b, y, rows, cols);
    run(device, std::move(program));
    return report(device, "sums", read(device, c, rows, cols), 0.004,
                  [&](std::size_t i) { return float(x[i]) + float(y[i]); });
}
