// RUN: split-file %s %t
// RUN: tt-opt %t/uneven.mlir --tt-stage-a --tt-stage-d | FileCheck %s --check-prefix=UNEVEN
// RUN: tt-opt %t/uneven.mlir --tt-stage-a --tt-stage-d | tt-translate --emit-metalium | FileCheck %s --check-prefix=HOST
// RUN: tt-opt %t/any.mlir --tt-stage-a --tt-stage-d | tt-translate --emit-metalium | FileCheck %s --check-prefix=ANY
// RUN: tt-opt %examples/block_shards.mlir --tt-pipeline=optimize=none | FileCheck %s --check-prefix=LOCAL
// RUN: tt-opt %examples/dynamic_gemm.mlir --tt-pipeline=optimize=none | FileCheck %s --check-prefix=DYNAMIC
// RUN: not tt-opt %t/shard.mlir --tt-stage-a --tt-stage-d 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/"Sm"/"Sn"/' %t/shard.mlir | not tt-opt --tt-stage-a --tt-stage-d 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/"Sm"/"Gy"/' %t/shard.mlir | not tt-opt --tt-stage-a --tt-stage-d 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/"Sm"/"Gx"/' %t/shard.mlir | not tt-opt --tt-stage-a --tt-stage-d 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/"Sm"/"sm"/' %t/shard.mlir | not tt-opt --tt-stage-a --tt-stage-d 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: sed 's/"Sm"/"A_d0"/' %t/shard.mlir | not tt-opt --tt-stage-a --tt-stage-d 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: sed 's/tt.core_ranges = .#tt.core_range<start = .3, 1., end = .3, 1.>, /tt.core_ranges = [/' %t/any.mlir | not tt-opt --tt-stage-a --tt-stage-d --tt-stage-e 2>&1 | FileCheck %s --check-prefix=SMALL

// D1 says what each core gets as a formula of where it is; the host program prints it, the plan has
// what it gives. The first cores have one unit more.
// UNEVEN: tt.core_args (%[[X:.*]], %{{.*}}) -> ["start_id", "count", "Mt"] {
// UNEVEN: %[[FIRST:.*]] = arith.cmpi ult, %[[X]], %c1
// UNEVEN: arith.select %[[FIRST]], %c2{{.*}}, %c1{{.*}} : index
// HOST: for (const CoreCoord& core : corerange_to_cores(cores)) {
// HOST-NEXT: const uint32_t x = core.x;
// HOST-NEXT: const bool condition = x < 1;
// HOST-NEXT: const uint32_t count = condition ? 2 : 1;
// HOST-NEXT: const uint32_t start_id = condition ? x * 2 : x + 1;
// HOST: {"core": {"x": 1, "y": 0}, "start_id": 2, "count": 1}

// Work that someone has placed by hand.
// ANY: const bool condition_1 = x == 3 && y == 1;
// ANY-NEXT: const uint32_t start_id = condition_1 ? 0 : condition ? 2 : 0;
// ANY-NEXT: const uint32_t count = condition_1 ? 2 : condition ? 1 : 0;
// ANY: {"core": {"x": 3, "y": 1}, "start_id": 0, "count": 2},
// ANY: {"core": {"x": 0, "y": 0}, "start_id": 2, "count": 1}

// LOCAL: tt.core_args (%[[X:.*]], %[[Y:.*]]) -> ["start_id", "count", "sy", "sx"] {
// LOCAL: tt.yield %c0{{.*}}, %c2{{.*}}, %[[Y]], %[[X]] : index, index, index, index

// Sizes of tensors follow x and y.
// DYNAMIC: tt.core_args (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) -> ["start_id", "count", "gx"] {

// NONE: error: a core gets no '{{S[mn]|G[yx]}}': it has one in mode local_shard only
// SMALL: error: tt.work_partition gives core (3, 1) work, but no kernel runs there; the sets of cores are smaller than the work
// UNKNOWN: error: (C1) there is no runtime argument 'sm'; did you mean
// STATIC: error: (C5) no core gets 'A_d0': it is no dynamic size of an argument of the program

//--- uneven.mlir
func.func @copy(%A: memref<32x96xbf16> {tt.name = "A"}, %B: memref<32x96xbf16> {tt.name = "B"}) attributes {tt.kernel,
    tt.partition_mode = "global", tt.grid = array<i64: 3, 1, 1>, tt.grid_tiles = array<i64: 1, 3>, tt.core_grid = array<i64: 2, 1>,
    tt.core_ranges = [#tt.core_range<start = [0, 0], end = [1, 0]>], tt.runtime_args = ["start_id", "count", "Mt"],
    tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 2>, #tt.work<core = [1, 0], start_id = 2, count = 1>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %rows = tt.runtime_arg "Mt" : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %count step %rows {
    %tile = arith.addi %start, %i : index
    %at = arith.muli %tile, %c32 : index
    tt.read_to_cb %A[%c0, %at], %x : memref<32x96xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%c0, %at] : !tt.cb<1x1xbf16>, memref<32x96xbf16>
  }
  return
}

//--- any.mlir
func.func @copy(%A: memref<32x96xbf16> {tt.name = "A"}, %B: memref<32x96xbf16> {tt.name = "B"}) attributes {tt.kernel,
    tt.partition_mode = "global", tt.grid = array<i64: 3, 1, 1>, tt.grid_tiles = array<i64: 1, 3>, tt.core_grid = array<i64: 4, 2>,
    tt.core_ranges = [#tt.core_range<start = [3, 1], end = [3, 1]>, #tt.core_range<start = [0, 0], end = [0, 0]>],
    tt.runtime_args = ["start_id", "count"],
    tt.work_partition = [#tt.work<core = [3, 1], start_id = 0, count = 2>, #tt.work<core = [0, 0], start_id = 2, count = 1>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %tile = arith.addi %start, %i : index
    %at = arith.muli %tile, %c32 : index
    tt.read_to_cb %A[%c0, %at], %x : memref<32x96xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%c0, %at] : !tt.cb<1x1xbf16>, memref<32x96xbf16>
  }
  return
}

//--- shard.mlir
func.func @copy(%A: memref<32x96xbf16> {tt.name = "A"}, %B: memref<32x96xbf16> {tt.name = "B"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tt.runtime_arg "Sm" : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %rows step %c1 {
    tt.read_to_cb %A[%c0, %c0], %x : memref<32x96xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x96xbf16>
  }
  return
}
