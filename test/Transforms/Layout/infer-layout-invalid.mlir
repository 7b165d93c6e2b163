// RUN: tt-opt %s --tt-infer-layout --split-input-file --verify-diagnostics

// expected-error @below {{tensor 'A': tt.layout has no field 'memry'; did you mean 'memory'?}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {memry = "L1"}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': unknown memory 'SRAM'; there are DRAM and L1}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {memory = "SRAM"}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': unknown layout 'blocked'; there are interleaved and sharded}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {layout = "blocked"}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': unknown dtype 'fp8'}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {dtype = "fp8"}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': tiles are 32x32 elements; remove 'tile_shape' or make it [32, 32]}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {tile_shape = [16, 16]}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': halo exchange is not supported}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {halo = [1, 1]}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': a sharded layout needs 'nd_shard'}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded"}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': 'nd_shard' goes with layout = "sharded" only}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {nd_shard = {axes = ["M", "N"], grid = [1, 1], shard_shape_elems = [64, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': nd_shard needs the field 'grid'}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {layout = "sharded", nd_shard = {axes = ["M", "N"], shard_shape_elems = [64, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': 'axes' must be a list of names that has "M" and "N"}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {layout = "sharded", nd_shard = {axes = ["M", "K"], grid = [1, 1], shard_shape_elems = [64, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': an L1 shard is made of whole tiles, but this is 48x64 elements}}
func.func @f(%A: memref<96x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [2, 1], shard_shape_elems = [48, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': a shard has 2097152 bytes, but a core's L1 has 1395424}}
func.func @f(%A: memref<1024x1024xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [1, 1], shard_shape_elems = [1024, 1024]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': 'axes', 'grid' and 'shard_shape_elems' differ in length}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [1], shard_shape_elems = [64, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': unknown shard order 'zigzag'}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [1, 1], shard_shape_elems = [64, 64], order = "zigzag"}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{two arguments have the name 'A'; give each its own tt.name}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A"}, %B: memref<64x64xbf16> {tt.name = "A"}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': there is no storage format for its element type}}
func.func @f(%A: memref<64x64xf64> {tt.name = "A"}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A' has a strided layout; arguments are whole tensors}}
func.func @f(%A: memref<64x64xbf16, strided<[128, 1]>> {tt.name = "A"}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{argument 's' is a scalar and has no layout}}
func.func @f(%s: f32 {tt.name = "s", tt.layout = {}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': shards of 64 elements along M cut 256 into 4, but the grid has 2}}
func.func @f(%A: memref<256x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [2, 1], shard_shape_elems = [64, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': 'axes' names the dimensions in their order, and tiles lie in the last two; end it with "M", "N"}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["N", "M"], grid = [1, 1], shard_shape_elems = [64, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': 'axes' has 2 names, but the tensor 3 dimensions; name each}}
func.func @f(%A: memref<2x64x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [1, 1], shard_shape_elems = [64, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': dimension 0 of a sharded tensor is dynamic; only the last two may be}}
func.func @f(%A: memref<?x64x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["B", "M", "N"], grid = [1, 1, 1], shard_shape_elems = [1, 64, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': 9 x 2 shards (down, across) have no place on 8 x 8 cores (x, y); take larger shards}}
func.func @f(%A: memref<288x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [9, 2], shard_shape_elems = [32, 32]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': 16 shards in DRAM, which has 12 banks, one for each; take larger shards}}
func.func @f(%A: memref<512x32xbf16> {tt.name = "A", tt.layout = {memory = "DRAM", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [16, 1], shard_shape_elems = [32, 32]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': shards are whole tiles, but one has 48 elements along M; make it a multiple of 32 or set align_tiles}}
func.func @f(%A: memref<96x64xbf16> {tt.name = "A", tt.layout = {memory = "DRAM", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [2, 1], shard_shape_elems = [48, 64], align_tiles = false}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': shards of 64 along M do not divide 96, so that the matrices of the outer dimensions would share one; take a divisor}}
func.func @f(%A: memref<2x96x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["B", "M", "N"], grid = [2, 2, 1], shard_shape_elems = [1, 64, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': a shard takes part of an inner dimension and 2 steps of B; take one step of it}}
func.func @f(%A: memref<2x64x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["B", "M", "N"], grid = [1, 2, 1], shard_shape_elems = [2, 32, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': 'block' goes with order = "block_linear" only}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [1, 1], shard_shape_elems = [64, 64], block = 2}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': 'block' must be a positive integer}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {memory = "L1", layout = "sharded", nd_shard = {axes = ["M", "N"], grid = [1, 1], shard_shape_elems = [64, 64], order = "block_linear", block = 0}}}) attributes {tt.kernel} { return }
// -----
func.func @k(%A: memref<64x64xbf16> {tt.layout = {memory = "L1"}}) attributes {tt.kernel} { return }
func.func @main(%A: memref<64x64xbf16> {tt.layout = {memory = "DRAM"}}) attributes {tt.host} {
  // expected-error @below {{operand 0 of 'k' has a layout of its own, which differs from the parameter's; keep one tt.layout, or call a copy of the kernel}}
  call @k(%A) : (memref<64x64xbf16>) -> ()
  return
}
// -----
// expected-error @below {{tensor 'A': unknown storage 'rows'; there are tiled and row_major}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {storage = "rows"}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': a tensor that is stored row by row is not cut into shards}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {storage = "row_major", layout = "sharded",
  nd_shard = {axes = ["M", "N"], grid = [2, 1], shard_shape_elems = [32, 64]}}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': elements of a tensor that is stored row by row have 16 or 32 bits, but those of uint8 have 8}}
func.func @f(%A: memref<64x64xi8> {tt.name = "A", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': elements of a tensor that is stored row by row have 16 or 32 bits, but those of bfp8_b have}}
func.func @f(%A: memref<64x64xbf16> {tt.name = "A", tt.layout = {storage = "row_major", dtype = "bfp8_b"}}) attributes {tt.kernel} { return }
// -----
// expected-error @below {{tensor 'A': rows of dynamic length cannot be stored row by row}}
func.func @f(%A: memref<64x?xbf16> {tt.name = "A", tt.layout = {storage = "row_major"}}) attributes {tt.kernel} { return }
