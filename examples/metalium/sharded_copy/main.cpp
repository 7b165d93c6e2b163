// Copies a tensor that is sharded over the L1 of several cores; nothing crosses the NoC.
//   tt-run examples/metalium/sharded_copy/main.cpp [height|width|block]
#include "../common.hpp"

int main(int argc, char** argv) {
    const std::string kind = argc > 1 ? argv[1] : "height";
    const auto layout = kind == "width"   ? TensorMemoryLayout::WIDTH_SHARDED
                        : kind == "block" ? TensorMemoryLayout::BLOCK_SHARDED
                                          : TensorMemoryLayout::HEIGHT_SHARDED;
    const uint32_t mt = 8, nt = 8, m = 32 * mt, n = 32 * nt, shard_tiles = 16;
    const uint32_t height = kind == "height"  ? 2
                            : kind == "width" ? 8
                                              : 4,
                   width = shard_tiles / height;  // of a shard
    const CoreRange cores({0, 0}, kind == "block" ? CoreCoord(1, 1) : CoreCoord(3, 0));
    const Mesh device = distributed::MeshDevice::create_unit_mesh(0);
    const ShardSpecBuffer spec(cores, {32 * height, 32 * width}, ShardOrientation::ROW_MAJOR,
                               {32, 32}, {mt, nt});
    const distributed::DeviceLocalBufferConfig local{
        .page_size = tile_bytes,
        .buffer_type = BufferType::L1,
        .sharding_args = BufferShardingArgs(spec, layout)};
    const distributed::ReplicatedBufferConfig replicated{.size = uint64_t{mt} * nt * tile_bytes};
    const Tensor a = distributed::MeshBuffer::create(replicated, local, device.get());
    const Tensor c = distributed::MeshBuffer::create(replicated, local, device.get());

    Program program = CreateProgram();
    const auto bind = [&](CBIndex index, const Tensor& tensor) {
        CircularBufferConfig config(shard_tiles * tile_bytes, {{index, DataFormat::Float16_b}});
        config.set_page_size(index, tile_bytes)
            .set_globally_allocated_address(*tensor->get_backing_buffer());
        CreateCircularBuffer(program, cores, config);
    };
    bind(CBIndex::c_0, a);
    bind(CBIndex::c_16, c);
    make_reader(program, cores, OVERRIDE_KERNEL_PREFIX "reader.cpp", {shard_tiles});
    make_writer(program, cores, OVERRIDE_KERNEL_PREFIX "writer.cpp", {shard_tiles});
    CreateKernel(program, OVERRIDE_KERNEL_PREFIX "compute.cpp", cores,
                 ComputeConfig{.compile_args = {shard_tiles}});

    const Values x = random_values(m * n, 1);
    write(device, a, x, m, n);
    run(device, std::move(program));
    return report(device, "sharded copy", read(device, c, m, n), 0,
                  [&](std::size_t i) { return float(x[i]); });
}
