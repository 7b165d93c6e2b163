// Units that are given to cores by hand: boxes of cores in an order that no formula has, and a core of tt.core_ranges that
// tt.work_partition does not name, which has none. What is copied is what one core alone copies.
// RUN: rm -rf %t && split-file %s %t
// RUN: tt-run %t/boxes.mlir --optimize=none --strict --output B=%t/b.npy
// RUN: tt-run %t/boxes-alone.mlir --optimize=none --strict --output B=%t/alone.npy
// RUN: cmp %t/b.npy %t/alone.npy
// RUN: tt-run %t/unnamed.mlir --optimize=none --strict --output B=%t/b.npy
// RUN: tt-run %t/unnamed-alone.mlir --optimize=none --strict --output B=%t/alone.npy
// RUN: cmp %t/b.npy %t/alone.npy

// Cores that no chip has are refused where they stand, and so are grids whose units are not those that cores have.
// RUN: not tt-opt --tt-place-units %t/negative.mlir 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: attribute 'tt.work_partition' must be an array of #tt.work with (x, y) cores from 0 on, and counts
// RUN: tt-opt --tt-place-units %t/grid.mlir -o /dev/null
// RUN: not tt-opt --tt-pipeline %t/grid.mlir 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: error: tt.work_partition gives 4 units of work to cores, but tt.grid has -4
// RUN: tt-opt --tt-place-units %t/huge.mlir -o /dev/null
// RUN: not tt-opt --tt-pipeline %t/huge.mlir 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: tt.work_partition gives 4 units of work to cores, but tt.grid has

//--- boxes.mlir
func.func @copy(%A: memref<32x512xbf16> {tt.name = "A"}, %B: memref<32x512xbf16> {tt.name = "B"}) attributes {tt.kernel,
    tt.partition_mode = "global", tt.grid = array<i64: 16, 1, 1>, tt.grid_tiles = array<i64: 1, 16>, tt.core_grid = array<i64: 8, 5>,
    tt.core_ranges = [#tt.core_range<start = [0, 1], end = [0, 1]>,
      #tt.core_range<start = [1, 1], end = [1, 1]>,
      #tt.core_range<start = [0, 2], end = [0, 2]>,
      #tt.core_range<start = [1, 2], end = [1, 2]>,
      #tt.core_range<start = [2, 1], end = [2, 1]>,
      #tt.core_range<start = [3, 1], end = [3, 1]>,
      #tt.core_range<start = [2, 2], end = [2, 2]>,
      #tt.core_range<start = [3, 2], end = [3, 2]>,
      #tt.core_range<start = [0, 3], end = [0, 3]>,
      #tt.core_range<start = [1, 3], end = [1, 3]>,
      #tt.core_range<start = [0, 4], end = [0, 4]>,
      #tt.core_range<start = [1, 4], end = [1, 4]>,
      #tt.core_range<start = [6, 1], end = [6, 1]>,
      #tt.core_range<start = [7, 1], end = [7, 1]>,
      #tt.core_range<start = [6, 2], end = [6, 2]>, #tt.core_range<start = [7, 2], end = [7, 2]>],
    tt.runtime_args = ["start_id", "count"],
    tt.work_partition = [#tt.work<core = [0, 1], start_id = 0, count = 1>,
      #tt.work<core = [1, 1], start_id = 1, count = 1>,
      #tt.work<core = [0, 2], start_id = 2, count = 1>,
      #tt.work<core = [1, 2], start_id = 3, count = 1>,
      #tt.work<core = [2, 1], start_id = 4, count = 1>,
      #tt.work<core = [3, 1], start_id = 5, count = 1>,
      #tt.work<core = [2, 2], start_id = 6, count = 1>,
      #tt.work<core = [3, 2], start_id = 7, count = 1>,
      #tt.work<core = [0, 3], start_id = 8, count = 1>,
      #tt.work<core = [1, 3], start_id = 9, count = 1>,
      #tt.work<core = [0, 4], start_id = 10, count = 1>,
      #tt.work<core = [1, 4], start_id = 11, count = 1>,
      #tt.work<core = [6, 1], start_id = 12, count = 1>,
      #tt.work<core = [7, 1], start_id = 13, count = 1>,
      #tt.work<core = [6, 2], start_id = 14, count = 1>,
      #tt.work<core = [7, 2], start_id = 15, count = 1>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %tile = arith.addi %start, %i : index
    %at = arith.muli %tile, %c32 : index
    tt.read_to_cb %A[%c0, %at], %x : memref<32x512xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%c0, %at] : !tt.cb<1x1xbf16>, memref<32x512xbf16>
  }
  return
}

//--- boxes-alone.mlir
func.func @copy(%A: memref<32x512xbf16> {tt.name = "A"}, %B: memref<32x512xbf16> {tt.name = "B"}) attributes {tt.kernel,
    tt.partition_mode = "global", tt.grid = array<i64: 16, 1, 1>, tt.grid_tiles = array<i64: 1, 16>, tt.core_grid = array<i64: 1, 1>,
    tt.core_ranges = [#tt.core_range<start = [0, 0], end = [0, 0]>],
    tt.runtime_args = ["start_id", "count"],
    tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 16>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %tile = arith.addi %start, %i : index
    %at = arith.muli %tile, %c32 : index
    tt.read_to_cb %A[%c0, %at], %x : memref<32x512xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%c0, %at] : !tt.cb<1x1xbf16>, memref<32x512xbf16>
  }
  return
}

//--- unnamed.mlir
func.func @copy(%A: memref<32x256xbf16> {tt.name = "A"}, %B: memref<32x256xbf16> {tt.name = "B"}) attributes {tt.kernel,
    tt.partition_mode = "global", tt.grid = array<i64: 8, 1, 1>, tt.grid_tiles = array<i64: 1, 8>, tt.core_grid = array<i64: 4, 3>,
    tt.core_ranges = [#tt.core_range<start = [0, 1], end = [3, 2]>,
      #tt.core_range<start = [5, 5], end = [5, 5]>],
    tt.runtime_args = ["start_id", "count"],
    tt.work_partition = [#tt.work<core = [0, 1], start_id = 0, count = 1>,
      #tt.work<core = [1, 1], start_id = 1, count = 1>,
      #tt.work<core = [0, 2], start_id = 2, count = 1>,
      #tt.work<core = [1, 2], start_id = 3, count = 1>,
      #tt.work<core = [2, 1], start_id = 4, count = 1>,
      #tt.work<core = [3, 1], start_id = 5, count = 1>,
      #tt.work<core = [2, 2], start_id = 6, count = 1>,
      #tt.work<core = [3, 2], start_id = 7, count = 1>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %tile = arith.addi %start, %i : index
    %at = arith.muli %tile, %c32 : index
    tt.read_to_cb %A[%c0, %at], %x : memref<32x256xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%c0, %at] : !tt.cb<1x1xbf16>, memref<32x256xbf16>
  }
  return
}

//--- unnamed-alone.mlir
func.func @copy(%A: memref<32x256xbf16> {tt.name = "A"}, %B: memref<32x256xbf16> {tt.name = "B"}) attributes {tt.kernel,
    tt.partition_mode = "global", tt.grid = array<i64: 8, 1, 1>, tt.grid_tiles = array<i64: 1, 8>, tt.core_grid = array<i64: 1, 1>,
    tt.core_ranges = [#tt.core_range<start = [0, 0], end = [0, 0]>],
    tt.runtime_args = ["start_id", "count"],
    tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 8>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %tile = arith.addi %start, %i : index
    %at = arith.muli %tile, %c32 : index
    tt.read_to_cb %A[%c0, %at], %x : memref<32x256xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%c0, %at] : !tt.cb<1x1xbf16>, memref<32x256xbf16>
  }
  return
}

//--- negative.mlir
func.func @copy(%A: memref<32x128xbf16> {tt.name = "A"}, %B: memref<32x128xbf16> {tt.name = "B"}) attributes {tt.kernel,
    tt.partition_mode = "global", tt.grid = array<i64: 4, 1, 1>, tt.grid_tiles = array<i64: 1, 4>, tt.core_grid = array<i64: 4, 1>,
    tt.core_ranges = [#tt.core_range<start = [0, 0], end = [0, 0]>,
      #tt.core_range<start = [1, 0], end = [1, 0]>,
      #tt.core_range<start = [2, 0], end = [2, 0]>, #tt.core_range<start = [3, 0], end = [3, 0]>],
    tt.runtime_args = ["start_id", "count"],
    tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>,
      #tt.work<core = [1, 0], start_id = 1, count = 1>,
      #tt.work<core = [2, 0], start_id = 2, count = 1>,
      #tt.work<core = [-9223372036854775807, 0], start_id = 3, count = 1>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %tile = arith.addi %start, %i : index
    %at = arith.muli %tile, %c32 : index
    tt.read_to_cb %A[%c0, %at], %x : memref<32x128xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%c0, %at] : !tt.cb<1x1xbf16>, memref<32x128xbf16>
  }
  return
}

//--- grid.mlir
func.func @copy(%A: memref<32x128xbf16> {tt.name = "A"}, %B: memref<32x128xbf16> {tt.name = "B"}) attributes {tt.kernel,
    tt.partition_mode = "global", tt.grid = array<i64: -4, 1, 1>, tt.grid_tiles = array<i64: 1, 4>, tt.core_grid = array<i64: 4, 1>,
    tt.core_ranges = [#tt.core_range<start = [0, 0], end = [0, 0]>,
      #tt.core_range<start = [1, 0], end = [1, 0]>,
      #tt.core_range<start = [2, 0], end = [2, 0]>, #tt.core_range<start = [3, 0], end = [3, 0]>],
    tt.runtime_args = ["start_id", "count"],
    tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>,
      #tt.work<core = [1, 0], start_id = 1, count = 1>,
      #tt.work<core = [2, 0], start_id = 2, count = 1>,
      #tt.work<core = [3, 0], start_id = 3, count = 1>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %tile = arith.addi %start, %i : index
    %at = arith.muli %tile, %c32 : index
    tt.read_to_cb %A[%c0, %at], %x : memref<32x128xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%c0, %at] : !tt.cb<1x1xbf16>, memref<32x128xbf16>
  }
  return
}

//--- huge.mlir
func.func @copy(%A: memref<32x128xbf16> {tt.name = "A"}, %B: memref<32x128xbf16> {tt.name = "B"}) attributes {tt.kernel,
    tt.partition_mode = "global", tt.grid = array<i64: 9223372036854775807, 2, 1>, tt.grid_tiles = array<i64: 1, 4>, tt.core_grid = array<i64: 4, 1>,
    tt.core_ranges = [#tt.core_range<start = [0, 0], end = [0, 0]>,
      #tt.core_range<start = [1, 0], end = [1, 0]>,
      #tt.core_range<start = [2, 0], end = [2, 0]>, #tt.core_range<start = [3, 0], end = [3, 0]>],
    tt.runtime_args = ["start_id", "count"],
    tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>,
      #tt.work<core = [1, 0], start_id = 1, count = 1>,
      #tt.work<core = [2, 0], start_id = 2, count = 1>,
      #tt.work<core = [3, 0], start_id = 3, count = 1>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %tile = arith.addi %start, %i : index
    %at = arith.muli %tile, %c32 : index
    tt.read_to_cb %A[%c0, %at], %x : memref<32x128xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %x, %B[%c0, %at] : !tt.cb<1x1xbf16>, memref<32x128xbf16>
  }
  return
}
