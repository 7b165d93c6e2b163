// What the verifiers refuse, by the numbers of the constraints in dialects/.
// RUN: tt-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{a circular buffer's block has two sides, in tiles: !tt.cb<4x1xbf16>}}
func.func private @f(!tt.cb<4xbf16>)

// -----
// expected-error @below {{a circular buffer's block has at least one tile}}
func.func private @f(!tt.cb<0x1xbf16>)

// -----
// expected-error @below {{a circular buffer holds bf16, f16, f32, i32, i16 or i8 elements}}
func.func private @f(!tt.cb<1x1xf64>)

// -----
// expected-error @below {{unknown attribute 'tt.core_range'; did you mean 'tt.core_ranges'?}}
func.func @f() attributes {tt.core_range = 1} { return }

// -----
// expected-error @below {{attribute 'tt.kernel' must be a unit attribute}}
func.func @f() attributes {tt.kernel = 1} { return }

// -----
// expected-error @below {{attribute 'tt.math_fidelity' must be "LoFi", "HiFi2", "HiFi3" or "HiFi4"}}
func.func @f() attributes {tt.math_fidelity = "HiFi5"} { return }

// -----
// expected-error @below {{unknown attribute 'tt.nam'; did you mean 'tt.name'?}}
func.func @f(%a: memref<32x32xf32> {tt.nam = "A"}) { return }

// -----
// expected-error @below {{attribute 'tt.target' must be a #tt.target whose grid the chip has}}
module attributes {tt.target = #tt.target<arch = wormhole_b0, grid = 9x8>} {}

// -----
func.func @f(%A: memref<64x64xbf16>, %a: !tt.cb<2x1xbf16>) {
  %c16 = arith.constant 16 : index
  // expected-error @below {{(C3) offset 16 of dimension 0 is no multiple of a tile (32)}}
  tt.read_to_cb %A[%c16, %c16], %a : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  return
}

// -----
func.func @f(%A: memref<64x64xbf16>, %a: !tt.cb<2x1xbf16>) {
  %c32 = arith.constant 32 : index
  // expected-error @below {{(C3) the block covers elements 32 to 95 of dimension 0, which has 64}}
  tt.write_from_cb %a, %A[%c32, %c32] : !tt.cb<2x1xbf16>, memref<64x64xbf16>
  return
}

// -----
func.func @f(%A: memref<64x64xf32>, %a: !tt.cb<2x1xbf16>, %i: index) {
  // expected-error @below {{(C2) tensor and circular buffer differ in element type}}
  tt.read_to_cb %A[%i, %i], %a : memref<64x64xf32>, !tt.cb<2x1xbf16>
  return
}

// -----
func.func @f(%A: memref<64x64xbf16>, %a: !tt.cb<2x1xbf16>, %i: index) {
  // expected-error @below {{(C1) needs an offset for each of 2 dimension(s), but has 1}}
  tt.read_to_cb %A[%i], %a : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x1xbf16>, %b: !tt.cb<2x2xbf16>, %t: i1) {
  // expected-error @below {{(C1) a has 1 columns of tiles, but b has 2 rows}}
  tt.mm.mma %a, %b, dst = 0, accumulate = %t : !tt.cb<2x1xbf16>, !tt.cb<2x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x1xbf16>, %b: !tt.cb<1x2xbf16>, %t: i1) {
  // expected-error @below {{(C2) the result is 2x2 tiles, but the circular buffer's block is 2x1}}
  tt.mm.mma %a, %b, dst = 0, accumulate = %t -> %a : !tt.cb<2x1xbf16>, !tt.cb<1x2xbf16>, !tt.cb<2x1xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x1xbf16>, %b: !tt.cb<1x2xbf16>, %t: i1) {
  // expected-error @below {{(C1) a has 1 columns of tiles, but b has 2 columns}}
  tt.mm.mma %a, %b transpose_b, dst = 0, accumulate = %t : !tt.cb<2x1xbf16>, !tt.cb<1x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x1xbf16>, %b: !tt.cb<3x1xbf16>, %c: !tt.cb<2x1xbf16>, %t: i1) {
  // expected-error @below {{(C2) the result is 2x3 tiles, but the circular buffer's block is 2x1}}
  tt.mm.mma %a, %b transpose_b, dst = 0, accumulate = %t -> %c : !tt.cb<2x1xbf16>, !tt.cb<3x1xbf16>, !tt.cb<2x1xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x2xbf16>) {
  // expected-error @below {{(C2) products are summed by sum_row or sum_col, but this is 'max_row'}}
  tt.fpu.mul_sum max_row, %a, %a, dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x2xbf16>) {
  // expected-error @below {{(C2) tiles are summed by sum_row or sum_col, but this is 'max_col'}}
  tt.fpu.add_sum max_col, %a, dst = 0 : !tt.cb<2x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x2xbf16>, %b: !tt.cb<1x2xbf16>) {
  // expected-error @below {{(C1)}}
  tt.fpu.add_sum sum_row, %a, dst = 0 -> %b : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x2xbf16>, %b: !tt.cb<2x1xbf16>) {
  // expected-error @below {{(C1) the blocks differ in shape}}
  tt.fpu.mul_sum sum_row, %a, %b, dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<2x1xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x1xbf16>, %b: !tt.cb<1x2xbf16>) {
  // expected-error @below {{(C1) the blocks differ in shape}}
  tt.fpu.add %a, %b, dst = 0 : !tt.cb<2x1xbf16>, !tt.cb<1x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x1xbf16>) {
  // expected-error @below {{(C3) dst is not negative, but this is -1}}
  tt.copy_to_dst %a, dst = -1 : !tt.cb<2x1xbf16>
  return
}

// -----
func.func @f() {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'op' [exp, exp_fast, }}
  tt.sfpu.unary expp, dst = 0
  return
}

// -----
func.func @f() {
  // expected-error @below {{(C2) 'div' is a function of 2 tiles; use tt.sfpu.combine}}
  tt.sfpu.unary div, dst = 0
  return
}

// -----
func.func @f() {
  // expected-error @below {{(C4) 'mul_scalar' takes a scalar}}
  tt.sfpu.unary mul_scalar, dst = 0
  return
}

// -----
func.func @f() {
  // expected-error @below {{(C4) 'exp' takes no scalar}}
  tt.sfpu.unary exp, dst = 0 scalar = 2.0
  return
}

// -----
func.func @f() {
  // expected-error @below {{(C2) 'where' is a function of 3 tile(s), but this names 2}}
  tt.sfpu.combine where, [0, 1], dst = 0
  return
}

// -----
func.func @f() {
  // expected-error @below {{(C2) 'exp' is a function of 1 tile(s) in place; use tt.sfpu.unary, but this names 1}}
  tt.sfpu.combine exp, [0], dst = 0
  return
}

// -----
func.func @f() {
  // expected-error @below {{(C3) DST tile -2 is negative}}
  tt.sfpu.combine add, [0, -2], dst = 0
  return
}

// -----
func.func @f(%a: !tt.cb<2x2xbf16>) {
  // expected-error @below {{(C1) 5 tiles, of a block of 4}}
  tt.pack_to_cb dst = 0 tiles = 5 -> %a : !tt.cb<2x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x2xbf16>) {
  // expected-error @below {{(C1) the memref has not the elements of the block}}
  %v = tt.cb_view %a : !tt.cb<2x2xbf16> -> memref<64x32xbf16>
  return
}

// -----

func.func @more_tiles_than_numbers(%a: !tt.cb<2x2xbf16>) {
  // expected-error @below {{(C1) the memref has not the elements of the block}}
  %v = tt.cb_view %a : !tt.cb<2x2xbf16> -> memref<9223372036854775807x32xbf16>
  return
}

// -----
func.func @f() {
  // expected-error @below {{(C1) a circular buffer's depth is at least 1, but this is 0}}
  %a = tt.alloc_cb "a" depth = 0 : !tt.cb<1x1xbf16>
  return
}

// -----
func.func @f() {
  // expected-error @below {{(C1) there is no runtime argument 'startid'; did you mean 'start_id'?}}
  %a = tt.runtime_arg "startid" : index
  return
}

// -----
func.func @f() {
  // expected-error @below {{(C1) tt.get_cb stands inside a tt.program only}}
  %a = tt.get_cb @x : !tt.cb<1x1xbf16>
  return
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {
    // expected-error @below {{(C1) the program has no tt.circular_buffer @x}}
    %a = tt.get_cb @x : !tt.cb<1x1xbf16>
    tt.return
  }
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {}
  tt.core_set @some = [#tt.core_range<start = [1, 1], end = [2, 2]>]
  // expected-error @below {{(C2) core (1, 1) has two kernels for processor compute, this and @compute; let them run on different processors or cores}}
  tt.kernel @again() on @some processor = compute attributes {tt.kernel_role = "compute"} {}
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.kernel @reader() on @all processor = dm1 noc = 0 attributes {tt.kernel_role = "reader"} {}
  // expected-error @below {{(C2) [rule 19] on core (0, 0) this and @reader both use NoC 0; give one of them the other}}
  tt.kernel @writer() on @all processor = dm0 noc = 0 attributes {tt.kernel_role = "writer"} {}
}

// -----
tt.program @p : () -> () {
  // expected-error @below {{(C4) the program has no tt.core_set @most}}
  tt.kernel @reader() on @most processor = dm1 noc = 0 attributes {tt.kernel_role = "reader"} {}
}

// -----
tt.program @p : () -> () {
  // expected-error @below {{(C1) a tt.program holds sets of cores, circular buffers, semaphores, kernels and the arguments of cores only}}
  func.func @reader() { return }
}

// -----
tt.program @p : () -> () {
  // expected-error @below {{(C1) a set of cores has one rectangle at least}}
  tt.core_set @all = []
}

// -----
tt.program @p : () -> () {
  // expected-error @below {{(C1) the rectangle from (2, 0) to (1, 3) is empty}}
  tt.core_set @all = [#tt.core_range<start = [2, 0], end = [1, 3]>]
}

// -----
tt.program @p : () -> () {
  // expected-error @below {{(C1) a rectangle of cores goes from [x, y] to [x, y]}}
  tt.core_set @all = [#tt.core_range<start = [2], end = [1, 3]>]
}

// -----
tt.program @p : () -> () {
  // expected-error @below {{(C2) the rectangle from (0, 0) to (8, 7) leaves the worker grid of 8 x 8 cores}}
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [8, 7]>]
}

// -----
tt.program @p : () -> () {
  // expected-error @below {{(C3) rectangles 1 and 2 have cores in common}}
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [3, 3]>, #tt.core_range<start = [3, 3], end = [4, 4]>]
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C1) a kernel of a tt.program needs tt.kernel_role}}
  tt.kernel @compute() on @all processor = compute {}
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C2) a reader kernel does not run on processor compute, but on dm0 or dm1}}
  tt.kernel @reader() on @all processor = compute attributes {tt.kernel_role = "reader"} {}
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C2) a compute kernel uses no NoC}}
  tt.kernel @compute() on @all processor = compute noc = 0 attributes {tt.kernel_role = "compute"} {}
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C2) a reader kernel computes nothing, and has no config}}
  tt.kernel @reader() on @all processor = dm1 noc = 0 config = <math_fidelity = LoFi, fp32_dest_acc = false, math_approx = false> attributes {tt.kernel_role = "reader"} {}
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C4) unpack_to_dest: the program has no tt.circular_buffer @cb_in0}}
  tt.kernel @compute() on @all processor = compute config = <math_fidelity = LoFi, fp32_dest_acc = true, math_approx = false, unpack_to_dest = [@cb_in0]> attributes {tt.kernel_role = "compute"} {}
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C4) unpack_to_dest names circular buffers: [@cb_in0]}}
  tt.kernel @compute() on @all processor = compute config = <math_fidelity = LoFi, fp32_dest_acc = true, math_approx = false, unpack_to_dest = [0]> attributes {tt.kernel_role = "compute"} {}
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C2) a writer kernel says which NoC it uses: noc = 0 or noc = 1}}
  tt.kernel @writer() on @all processor = dm0 attributes {tt.kernel_role = "writer"} {}
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C3) a kernel returns nothing}}
  tt.kernel @writer() -> index on @all processor = dm0 noc = 1 attributes {tt.kernel_role = "writer"} {}
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.circular_buffer @a on @all input !tt.cb<1x1xbf16> id = 0 pages = 1 page_bytes = 2048 format = bfloat16
  // expected-error @below {{(C3) CB id 0 is already taken}}
  tt.circular_buffer @b on @all input !tt.cb<1x1xbf16> id = 0 pages = 1 page_bytes = 2048 format = bfloat16
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C1) has 3 pages, which is no multiple of its block of 2 tiles}}
  tt.circular_buffer @a on @all input !tt.cb<2x1xbf16> id = 0 pages = 3 page_bytes = 2048 format = bfloat16
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C2) page_bytes is 2048, but a float32 tile has 4096 bytes}}
  tt.circular_buffer @a on @all input !tt.cb<1x1xf32> id = 0 pages = 1 page_bytes = 2048 format = float32
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C3) lies on the shard of no tensor: `on_shard` comes with `buffer`}}
  tt.circular_buffer @a on @all input !tt.cb<1x1xbf16> id = 0 pages = 1 page_bytes = 2048 format = bfloat16 on_shard = read
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{one of the following enum values for attribute 'role' [input, output, intermediate]}}
  tt.circular_buffer @a on @all in !tt.cb<1x1xbf16> id = 0 pages = 1 page_bytes = 2048 format = bfloat16
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.circular_buffer @a on @all input !tt.cb<1x1xbf16> id = 0 pages = 2 page_bytes = 2048 format = bfloat16
  tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {
    %c3 = arith.constant 3 : index
    %a = tt.get_cb @a : !tt.cb<1x1xbf16>
    // expected-error @below {{(C1) [rule 1] 3 pages of @a, which has 2: this waits forever}}
    metalium.cb_wait_front %a, %c3 : !tt.cb<1x1xbf16>
    tt.return
  }
}

// -----
tt.program @p : (memref<?x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.core_args (%x, %y, %d) -> ["count"] {
    // expected-error @below {{(C1) gives 2 values for 1 names}}
    tt.yield %x, %y : index, index
  }
}

// -----
tt.program @p : (memref<?x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C1) gives 'count' twice}}
  tt.core_args (%x, %y, %d) -> ["count", "count"] {
    tt.yield %x, %y : index, index
  }
}

// -----
tt.program @p : (memref<?x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C1) 'start_id' stands too late; canonical names come first, in their order}}
  tt.core_args (%x, %y, %d) -> ["mine", "start_id"] {
    tt.yield %x, %y : index, index
  }
}

// -----
tt.program @p : (memref<?x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.core_args (%x, %y, %d) -> ["count"] {
    // expected-error @below {{(C2) tt.core_args holds arithmetic on indices and truth values and tt.worker_core, but not this}}
    %id = tt.runtime_arg "start_id" : index
    tt.yield %id : index
  }
}

// -----
tt.program @p : (memref<?x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  // expected-error @below {{(C3) takes 2 indices, but x, y and the dynamic sizes of the program's arguments are 3}}
  tt.core_args (%x, %y) -> ["count"] {
    tt.yield %x : index
  }
}

// -----
tt.program @p : (memref<?x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.core_args (%x, %y, %d) -> [] {
    tt.yield
  }
  // expected-error @below {{(C1) a tt.program has one tt.core_args}}
  tt.core_args (%x, %y, %d) -> [] {
    tt.yield
  }
}

// -----
tt.program @p : (memref<?x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.core_args (%x, %y, %d) -> ["count"] {
    tt.yield %x : index
  }
  tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {
    // expected-error @below {{(C5) tt.core_args of the program gives no 'Sm'}}
    %sm = tt.runtime_arg "Sm" : index
  }
}

// -----
tt.program @p : (memref<64x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {
    // expected-error @below {{(C5) tt.core_args of the program gives no 'Sn'}}
    %sn = tt.runtime_arg "Sn" : index
  }
}

// -----
tt.program @p : (memref<64x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {
    // expected-error @below {{(C5) tt.core_args of the program gives no 'Gy'}}
    %gy = tt.runtime_arg "Gy" : index
  }
}

// -----
tt.program @p : (memref<64x64xbf16>) -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {
    // expected-error @below {{(C5) tt.core_args of the program gives no 'Gx'}}
    %gx = tt.runtime_arg "Gx" : index
  }
}

// -----
tt.program @p : (memref<?x64xbf16>) -> () attributes {tt.args = ["A"]} {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {
    %rows = tt.runtime_arg "A_d0" : index
    // expected-error @below {{(C5) no core gets 'A_d1': it is no dynamic size of an argument of the program, and no address of a tensor that the kernel takes}}
    %cols = tt.runtime_arg "A_d1" : index
  }
}

// -----
tt.program @p : (memref<?x64xbf16>) -> () attributes {tt.args = ["A"]} {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.kernel @compute() on @all processor = compute attributes {tt.kernel_role = "compute"} {
    // expected-error @below {{(C5) no core gets 'A_addr': it is no dynamic size}}
    %address = tt.runtime_arg "A_addr" : index
  }
}

// -----
tt.program @p : () -> () {
  tt.core_set @all = [#tt.core_range<start = [0, 0], end = [1, 1]>]
  tt.kernel @reader() on @all processor = dm0 noc = 0 attributes {tt.kernel_role = "reader"} {}
  // expected-error @below {{(C2) core (0, 0) has two kernels of role "reader", this and @reader; let them run on different cores, or give one another role}}
  tt.kernel @again() on @all processor = dm1 noc = 1 attributes {tt.kernel_role = "reader"} {}
}

// -----
func.func @f(%a: !tt.cb<1x1xbf16>) {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'kind' [matmul, binary, copy]}}
  tt.engine.init_common mm, %a, %a -> %a : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16> -> !tt.cb<1x1xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<1x1xbf16>) {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'op' [add, sub, mul, add_bcast_rows}}
  tt.fpu.binary_init div, %a, %a, %a : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  return
}

// -----
func.func @f(%A: memref<32x32xbf16>) {
  // expected-error @below {{(C1) the function has no tt.tensor_accessor.A}}
  %a = metalium.tensor_accessor "A", %A : memref<32x32xbf16>
  return
}

// -----
func.func @f(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {
    tt.tensor_accessor.arg0 = #tt.tensor_accessor<type = abstract, buffer_name = "arg0", layout_ref = "tt.buffer.arg0", stride_mode = tiled>} {
  // expected-error @below {{(C2) the tensor is not the argument of the function with tt.name = "arg0"}}
  %a = metalium.tensor_accessor "arg0", %B : memref<32x32xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x2xbf16>, %b: !tt.cb<2x2xbf16>) {
  // expected-error @below {{(C1) operand 1 has 2x2 tiles, but it is a row, so that it has one row of tiles}}
  tt.fpu.add %a, %b bcast rows, dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x2xbf16>, %b: !tt.cb<1x3xbf16>) {
  // expected-error @below {{(C1) the blocks differ in shape}}
  tt.fpu.mul %a, %b bcast rows, dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<1x3xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x2xbf16>, %b: !tt.cb<1x2xbf16>) {
  // expected-error @below {{invalid bcast attribute specification: "row"}}
  tt.fpu.add %a, %b bcast "row", dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x2xbf16>, %b: !tt.cb<1x2xbf16>) {
  // expected-error @below {{(C2) no era of the API but the last subtracts a broadcast row; copy it with tt.bcast_to_dst and use tt.sfpu.combine sub}}
  tt.fpu.sub %a, %b bcast rows, dst = 0 : !tt.cb<2x2xbf16>, !tt.cb<1x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<1x2xbf16>, %z: !tt.cb<2x2xbf16>) {
  // expected-error @below {{(C1) operand 1 has 2x2 tiles, but it is one tile}}
  tt.bcast_to_dst %a bcast rows onto %z, dst = 0 : !tt.cb<1x2xbf16> onto !tt.cb<2x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x3xbf16>, %b: !tt.cb<2x2xbf16>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  // expected-error @below {{(C1) a part of 2x2 tiles at (0, 2) is not inside of 2x3}}
  tt.part_to_dst %a[%c0, %c2], dst = 0 -> %b : !tt.cb<2x3xbf16>, !tt.cb<2x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x3xbf16>, %b: !tt.cb<2x2xbf16>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{(C1) a part of 2x2 tiles at (1, 1) is not inside of 2x3}}
  tt.inset_to_dst %a, %b at[%c1, %c1], dst = 0 : !tt.cb<2x3xbf16>, !tt.cb<2x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x3xbf16>, %b: !tt.cb<2x3xbf16>) {
  // expected-error @below {{(C1) the blocks differ in shape}}
  tt.copy_to_dst %a transpose, dst = 0 -> %b : !tt.cb<2x3xbf16>, !tt.cb<2x3xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x3xbf16>) {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'op' [add, sub, mul, rsub]}}
  tt.fpu.reuse div, %a, dst = 0 : !tt.cb<2x3xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x3xbf16>, %b: !tt.cb<3x2xbf16>) {
  // expected-error @below {{(C1) the blocks differ in shape}}
  tt.fpu.reuse add, %a, dst = 0 -> %b : !tt.cb<2x3xbf16>, !tt.cb<3x2xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x3xbf16>) {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'op' [add, sub, mul, rsub]}}
  metalium.binary_dest_reuse_tiles_init div, %a : !tt.cb<2x3xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x3xbf16>, %one: !tt.cb<1x1xbf16>) {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'op' [sum_row, sum_col, max_row, max_col]}}
  tt.fpu.reduce min_row, %a, %one, dst = 0 : !tt.cb<2x3xbf16>, !tt.cb<1x1xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x3xbf16>, %one: !tt.cb<1x1xbf16>, %b: !tt.cb<1x3xbf16>) {
  // expected-error @below {{(C1) the blocks differ in shape}}
  tt.fpu.reduce sum_row, %a, %one, dst = 0 -> %b : !tt.cb<2x3xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x3xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<1x1xbf16>) {
  // expected-error @below {{(C1) a reduction of the engine is max_row or max_col, but this is 'sum_row'}}
  tt.fpu.reduce_init sum_row, %a, %a, %a : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<1x1xbf16>) {
  // expected-error @below {{(C1) ct is positive and less than 128, but this is 128}}
  metalium.reduce_block_max_row_init %a, %a, %a ct = 128 : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<1x1xf32>, %ones: !tt.cb<1x1xbf16>, %i: index) {
  // expected-error @below {{(C2) rows of blocks are reduced in bf16 alone; take metalium.reduce_tile for other formats}}
  metalium.reduce_block_max_row %a, %ones, %i, %i ct = 2 : !tt.cb<1x1xf32>, !tt.cb<1x1xbf16>
  return
}

// -----
func.func @f(%s: f32) {
  // expected-error @below {{(C2) 'exp' takes no scalar}}
  tt.sfpu.scalar exp, %s, dst = 0 : f32
  return
}

// -----
func.func @f(%s: f32) {
  // expected-error @below {{(C4) steps and limit go with an index}}
  tt.sfpu.scalar add_scalar, %s limit 5, dst = 0 : f32
  return
}

// -----
func.func @f(%s: index) {
  // expected-error @below {{(C4) there is a step for rows and one for columns of tiles}}
  tt.sfpu.scalar add_scalar, %s steps [1], dst = 0 : index
  return
}

// -----
func.func @f(%s: index) {
  // expected-error @below {{(C4) the limit is positive, but this is 0}}
  tt.sfpu.scalar add_scalar, %s limit 0, dst = 0 : index
  return
}

// -----
func.func @f(%A: memref<64x64xf32>, %i: index) {
  // expected-error @below {{(C1) the tensor has integers of 8, 16, 32 or 64 bits}}
  %v = tt.load_index %A[%i, %i] : memref<64x64xf32>
  return
}

// -----
func.func @f(%A: memref<64x64xi32>, %i: index) {
  // expected-error @below {{(C2) 1 indices for a tensor of 2 dimensions}}
  %v = tt.load_index %A[%i] : memref<64x64xi32>
  return
}

// -----
func.func @f(%a: !tt.cb<1x1xf32>) {
  // expected-error @below {{(C1) indices fill one tile of bf16}}
  tt.index_to_cb rows = 1 cols = 0 -> %a : !tt.cb<1x1xf32>
  return
}

// -----
func.func @f(%a: !tt.cb<1x1xbf16>) {
  // expected-error @below {{(C2) rows = 6 and cols = -3 give values beyond 256, up to which bf16 holds integers}}
  tt.index_to_cb rows = 6 cols = -3 -> %a : !tt.cb<1x1xbf16>
  return
}

// -----
func.func @f(%a: !tt.cb<2x1xf32>, %b: !tt.cb<1x2xf32>) {
  // expected-error @below {{(C1) a block goes on to a circular buffer of its own type}}
  tt.relay %a -> %b : !tt.cb<2x1xf32>, !tt.cb<1x2xf32>
  return
}

// -----
func.func @f(%a: !tt.cb<2x1xf32>, %b: !tt.cb<1x4xf32>) {
  // expected-error @below {{(C1) a block of each core goes to two or more of its type, one below the other, or to a row of tiles where it is one}}
  tt.gather_parts %a -> %b apart = 1 : !tt.cb<2x1xf32>, !tt.cb<1x4xf32>
  return
}

// -----
func.func @f(%a: !tt.cb<2x1xf32>, %b: !tt.cb<3x1xf32>) {
  // expected-error @below {{(C1) a block of each core goes to two or more of its type, one below the other, or to a row of tiles where it is one}}
  tt.gather_parts %a -> %b apart = 1 : !tt.cb<2x1xf32>, !tt.cb<3x1xf32>
  return
}

// -----
func.func @f(%a: !tt.cb<1x1xf32>, %b: !tt.cb<1x2xf32>) {
  // expected-error @below {{(C2) cores of a group are at least 1 apart, not 0}}
  tt.gather_parts %a -> %b apart = 0 : !tt.cb<1x1xf32>, !tt.cb<1x2xf32>
  return
}

// -----
func.func @f(%A: memref<64xbf16>, %a: !tt.cb<2x1xbf16>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{(C3) a vector is one row of tiles, and a scalar one tile}}
  tt.read_to_cb %A[%c0], %a : memref<64xbf16>, !tt.cb<2x1xbf16>
  return
}

// -----
func.func @f(%A: memref<2x64x64xbf16>, %a: !tt.cb<2x2xbf16>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // expected-error @below {{(C3) the block covers elements 2 to 2 of dimension 0, which has 2}}
  tt.read_to_cb %A[%c2, %c0, %c0], %a : memref<2x64x64xbf16>, !tt.cb<2x2xbf16>
  return
}
// -----
func.func @box_behind_the_end(%A: memref<64x64xbf16>) {
  %c30 = arith.constant 30 : index
  %a = tt.alloc_cb "a" : !tt.cb<2x1xbf16>
  // expected-error @below {{(C5) the box covers elements 30 to 69 of dimension 0, which has 64}}
  tt.read_to_cb %A[%c30, %c30], %a box = [40, 8] rows = [1, 0] cols = [0, 1] : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  return
}
// -----
func.func @box_outside_of_block(%A: memref<64x64xbf16>, %i: index) {
  %a = tt.alloc_cb "a" : !tt.cb<2x1xbf16>
  // expected-error @below {{(C5) its last element is at row 39 and column 39 of a block of 64 x 32}}
  tt.read_to_cb %A[%i, %i], %a box = [40, 40] rows = [1, 0] cols = [0, 1] : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  return
}
// -----
func.func @box_of_other_rank(%A: memref<64x64xbf16>, %i: index) {
  %a = tt.alloc_cb "a" : !tt.cb<2x1xbf16>
  // expected-error @below {{(C5) needs a number in 'rows' for each of 2 dimension(s)}}
  tt.read_to_cb %A[%i, %i], %a box = [40, 8] rows = [1] cols = [0, 1] : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  return
}
// -----
func.func @strides_of_no_box(%A: memref<64x64xbf16>, %i: index) {
  %a = tt.alloc_cb "a" : !tt.cb<2x1xbf16>
  // expected-error @below {{(C6) strides are positive, one for each of 2 dimension(s), and go with a box}}
  tt.read_to_cb %A[%i, %i], %a box = [40, 8] rows = [1, 0] cols = [0, 1] strides = [0, 1] : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  return
}
// -----
func.func @sizes_of_no_box(%A: memref<64x64xbf16>, %i: index) {
  %a = tt.alloc_cb "a" : !tt.cb<2x1xbf16>
  // expected-error @below {{(C7) sizes stand behind the offsets of a box that is partial}}
  tt.read_to_cb %A[%i, %i, %i, %i], %a box = [40, 8] rows = [1, 0] cols = [0, 1] : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  return
}
// -----
func.func @strided_box(%A: memref<64x64xbf16>) {
  %a = tt.alloc_cb "a" : !tt.cb<2x1xbf16>
  %i = arith.constant 0 : index
  // expected-error @below {{(C5) the box covers elements 0 to 78 of dimension 0, which has 64}}
  tt.read_to_cb %A[%i, %i], %a box = [40, 8] rows = [1, 0] cols = [0, 1] strides = [2, 1] : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  return
}

// -----

func.func @f(%A: memref<64x64xbf16>, %a: !tt.cb<2x1xbf16>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{(C8) first_rows are those of one row of tiles, without a box, of elements of 16 or 32 bits}}
  tt.read_to_cb %A[%c0, %c0], %a first_rows : memref<64x64xbf16>, !tt.cb<2x1xbf16>
  return
}
