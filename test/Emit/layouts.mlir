// RUN: tt-opt --tt-pipeline=optimize=none %examples/block_shards.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=BLOCK
// RUN: tt-opt --tt-pipeline=optimize=none %examples/dram_shards.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=DRAM
// RUN: tt-opt --tt-pipeline=optimize=none %examples/match_shard.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=MATCH
// RUN: tt-opt --tt-pipeline=optimize=none %examples/dynamic_gemm.mlir | tt-translate --emit-metalium | FileCheck %s --check-prefix=DYNAMIC

// A core's own shards: circular buffers lie on them, and each core gets its place in the shard grid.
// BLOCK: //--- block_shards/reader.cpp
// BLOCK-NOT: noc_async
// BLOCK: //--- block_shards/main.cpp
// BLOCK: auto X = make_sharded_buffer({8, 8}, {2, 4}, 2048, BufferType::L1,
// BLOCK-NEXT: TensorMemoryLayout::BLOCK_SHARDED, {CoreRange(CoreCoord(0, 0), CoreCoord(1, 3))});
// BLOCK: make_cb_on(X, CBIndex::c_0, 8, 2048, DataFormat::Float16_b);  // cb_in0
// BLOCK: // What each core gets.
// BLOCK-NEXT: const uint32_t count = 2;
// BLOCK-NEXT: for (const CoreCoord& core : corerange_to_cores(cores)) {
// BLOCK-NEXT: SetRuntimeArgs(program, reader, core, {count});

// DRAM: auto X = make_sharded_buffer({8, 8}, {4, 4}, 2048, BufferType::DRAM,
// DRAM-NEXT: TensorMemoryLayout::BLOCK_SHARDED, {CoreRange(CoreCoord(0, 0), CoreCoord(3, 0))});
// DRAM: auto Y = make_buffer(64, 2048, BufferType::DRAM);

// MATCH: auto X = make_buffer(32, 2048, BufferType::L1);
// MATCH: auto Y = make_sharded_buffer({8, 4}, {2, 4}, 2048, BufferType::L1,
// MATCH-NEXT: TensorMemoryLayout::HEIGHT_SHARDED,

// One compiled kernel for all sizes.
// DYNAMIC: //   main A.bin B.bin C.bin A_d0 A_d1 B_d1
// DYNAMIC: const uint32_t A_d0 = read_size(argv[4]);
// DYNAMIC: const uint32_t B_d0 = A_d1;
// DYNAMIC: auto A = make_buffer(tiles_of(A_d0) * tiles_of(A_d1), 2048, BufferType::DRAM);
// DYNAMIC: const uint32_t gx = (B_d1 + 63) / 64;
// DYNAMIC-NEXT: const uint32_t gy = (A_d0 + 63) / 64;
// DYNAMIC-NEXT: const uint32_t units = gx * gy;
// DYNAMIC-NEXT: const uint32_t each = units / 64;
// DYNAMIC-NEXT: const uint32_t more = units % 64;
// DYNAMIC-NEXT: for (const CoreCoord& core : corerange_to_cores(cores)) {
// DYNAMIC-NEXT: const uint32_t x = core.x, y = core.y;
// DYNAMIC-NEXT: const uint32_t core_id = y * 8 + x;
// DYNAMIC-NEXT: const uint32_t count = each + (core_id < more ? 1 : 0);
// DYNAMIC-NEXT: const uint32_t start_id = core_id * each + std::min<uint32_t>(core_id, more);
// DYNAMIC-NEXT: SetRuntimeArgs(program, reader, core, {{.*}}, A_d0, A_d1, B_d0, B_d1, start_id, count, gx});
