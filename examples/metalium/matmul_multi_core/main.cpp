// C = A B over all cores: each computes some tiles of C, one after the other.
//   tt-run examples/metalium/matmul_multi_core/main.cpp [M N K], in elements
#include "../common.hpp"

int main(int argc, char** argv) {
    const uint32_t m = argc > 1 ? std::atoi(argv[1]) : 320, n = argc > 2 ? std::atoi(argv[2]) : 288,
                   k = argc > 3 ? std::atoi(argv[3]) : 96;
    TT_FATAL(m >= 32 && n >= 32 && k >= 32 && m % 32 == 0 && n % 32 == 0 && k % 32 == 0,
             "M, N and K are multiples of 32");
    const uint32_t mt = m / 32, nt = n / 32, kt = k / 32;
    const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
    const Tensor a = make_tensor(device, mt * kt), b = make_tensor(device, kt * nt),
                 c = make_tensor(device, mt * nt);

    Program program = CreateProgram();
    const auto [num_cores, cores, more, less, more_tiles, less_tiles] =
        split_work_to_cores(device->compute_with_storage_grid_size(), mt * nt);
    make_cb(program, cores, CBIndex::c_0, 2);
    make_cb(program, cores, CBIndex::c_1, 2);
    make_cb(program, cores, CBIndex::c_16, 2);
    const auto reader = make_reader(program, cores, OVERRIDE_KERNEL_PREFIX "reader.cpp",
                                    with_accessors({nt, kt}, {a, b}));
    const auto writer =
        make_writer(program, cores, OVERRIDE_KERNEL_PREFIX "writer.cpp", with_accessors({}, {c}));
    const auto compute = CreateKernel(program, OVERRIDE_KERNEL_PREFIX "compute.cpp", cores,
                                      ComputeConfig{.compile_args = {kt}});
    uint32_t first = 0;
    for (const CoreCoord& core : corerange_to_cores(cores)) {
        const uint32_t count = more.contains(core) ? more_tiles : less_tiles;
        SetRuntimeArgs(program, reader, core,
                       {uint32_t(a->address()), uint32_t(b->address()), first, count});
        SetRuntimeArgs(program, writer, core, {uint32_t(c->address()), first, count});
        SetRuntimeArgs(program, compute, core, {count});
        first += count;
    }

    const Values x = random_values(m * k, 1), y = random_values(k * n, 2);
    write(device, a, x, m, k);
    write(device, b, y, k, n);
    run(device, std::move(program));
    std::printf("%u cores\n", num_cores);
    return report(device, "matmul on many cores", read(device, c, m, n), 0.02, [&](std::size_t i) {
        double sum = 0;
        for (uint32_t l = 0; l < k; ++l) {
            sum += double(float(x[i / n * k + l])) * double(float(y[l * n + i % n]));
        }
        return sum;
    });
}
