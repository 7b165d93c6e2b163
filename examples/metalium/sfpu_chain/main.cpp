// softplus: log(1 + exp(x)), in 32-bit DST.
//   tt-run examples/metalium/sfpu_chain/main.cpp [TILES]
#include "../common.hpp"

int main(int argc, char** argv) {
    const uint32_t tiles = argc > 1 ? std::atoi(argv[1]) : 6, rows = 32, cols = 32 * tiles;
    const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
    const Tensor a = make_tensor(device, tiles), c = make_tensor(device, tiles);

    Program program = CreateProgram();
    const CoreRange core(CoreCoord(0, 0));
    make_cb(program, core, CBIndex::c_0, 2);
    make_cb(program, core, CBIndex::c_16, 2);
    const auto reader =
        make_reader(program, core, OVERRIDE_KERNEL_PREFIX "reader.cpp", with_accessors({}, {a}));
    const auto writer =
        make_writer(program, core, OVERRIDE_KERNEL_PREFIX "writer.cpp", with_accessors({}, {c}));
    const auto compute = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "compute.cpp", core,
                                      ComputeConfig{.fp32_dest_acc_en = true});
    SetRuntimeArgs(program, reader, core, {uint32_t(a->address()), 0, tiles});
    SetRuntimeArgs(program, writer, core, {uint32_t(c->address()), 0, tiles});
    SetRuntimeArgs(program, compute, core, {tiles});

    const Values x = random_values(rows * cols, 1, -4, 4);
    write(device, a, x, rows, cols);
    run(device, std::move(program));
    return report(device, "softplus", read(device, c, rows, cols), 0.004,
                  [&](std::size_t i) { return std::log1p(std::exp(double(float(x[i])))); });
}
