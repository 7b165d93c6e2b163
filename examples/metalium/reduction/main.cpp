// The sum of every row of a matrix.
//   tt-run examples/metalium/reduction/main.cpp [ROWS COLS], in tiles
#include "../common.hpp"

int main(int argc, char** argv) {
    const uint32_t mt = argc > 1 ? std::atoi(argv[1]) : 3, nt = argc > 2 ? std::atoi(argv[2]) : 5,
                   m = 32 * mt, n = 32 * nt;
    const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
    const Tensor a = make_tensor(device, mt * nt), sums = make_tensor(device, mt);

    Program program = CreateProgram();
    const CoreRange core(CoreCoord(0, 0));
    make_cb(program, core, CBIndex::c_0, 2);
    make_cb(program, core, CBIndex::c_1, 1);
    make_cb(program, core, CBIndex::c_16, 2);
    const auto reader =
        make_reader(program, core, OVERRIDE_KERNEL_PREFIX "reader.cpp", with_accessors({}, {a}));
    const auto writer =
        make_writer(program, core, OVERRIDE_KERNEL_PREFIX "writer.cpp", with_accessors({}, {sums}));
    const auto compute = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "compute.cpp", core,
                                      ComputeConfig{.fp32_dest_acc_en = true});
    SetRuntimeArgs(program, reader, core, {uint32_t(a->address()), mt, nt});
    SetRuntimeArgs(program, writer, core, {uint32_t(sums->address()), 0, mt});
    SetRuntimeArgs(program, compute, core, {mt, nt});

    const Values x = random_values(m * n, 1);
    write(device, a, x, m, n);
    run(device, std::move(program));
    const Values tiles = read(device, sums, m, 32);
    Values column;
    for (uint32_t i = 0; i < m; ++i) {
        column.push_back(tiles[i * 32]);
    }
    return report(device, "row sums", column, 0.02, [&](std::size_t i) {
        double sum = 0;
        for (uint32_t j = 0; j < n; ++j) {
            sum += float(x[i * n + j]);
        }
        return sum;
    });
}
