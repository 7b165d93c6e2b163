// What keeps units as they are, on level 2 as stage C leaves it, for one core of three units each.
// RUN: tt-opt --split-input-file --tt-stage-a="grid=2x1" --tt-fit-units --remarks-filter=tt-fit-units %s -o /dev/null 2>&1 | FileCheck %s

// Rows that are added up are not those of a result.
// CHECK: :[[@LINE+1]]:{{.*}}along x: a block is summed over along it, or an op takes the whole of it
func.func @column_sums(%X: memref<384x32xbf16> {tt.name = "X"}, %Y: memref<32x32xbf16> {tt.name = "Y"}) attributes {tt.kernel,
    tt.grid = array<i64: 3, 1, 1>, tt.partition_mode = "global"} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c32 = arith.constant 32 : index  %c128 = arith.constant 128 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<4x1xbf16>
  %one = tt.alloc_cb "one" : !tt.cb<1x1xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<1x1xbf16>
  tt.sfpu.unary fill, dst = 0 scalar = 1.0 -> %one : !tt.cb<1x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %unit = arith.addi %start, %i : index
    %m = arith.muli %unit, %c128 : index
    tt.read_to_cb %X[%m, %c0], %x : memref<384x32xbf16>, !tt.cb<4x1xbf16>
    tt.fpu.reduce sum_col, %x, %one, dst = 0 -> %y : !tt.cb<4x1xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %y, %Y[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  }
  return
}

// -----

// Blocks that start in the middle of another unit's.
// CHECK: :[[@LINE+1]]:{{.*}}along x: a unit's place is used for more than where its blocks start
func.func @shifted(%X: memref<416x32xbf16> {tt.name = "X"}, %Y: memref<384x32xbf16> {tt.name = "Y"}) attributes {tt.kernel,
    tt.grid = array<i64: 3, 1, 1>, tt.partition_mode = "global"} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c32 = arith.constant 32 : index  %c128 = arith.constant 128 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<4x1xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<4x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %unit = arith.addi %start, %i : index
    %m = arith.muli %unit, %c128 : index
    %next = arith.addi %m, %c32 : index
    tt.read_to_cb %X[%next, %c0], %x : memref<416x32xbf16>, !tt.cb<4x1xbf16>
    tt.copy_to_dst %x, dst = 0 -> %y : !tt.cb<4x1xbf16>, !tt.cb<4x1xbf16>
    tt.write_from_cb %y, %Y[%m, %c0] : !tt.cb<4x1xbf16>, memref<384x32xbf16>
  }
  return
}

// -----

// A block that is the same for all units has a length of its own.
// CHECK: :[[@LINE+1]]:{{.*}}along x: a block of its length is moved from elsewhere
func.func @same_for_all(%X: memref<384x32xbf16> {tt.name = "X"}, %Z: memref<128x32xbf16> {tt.name = "Z"}, %Y: memref<384x32xbf16> {tt.name = "Y"})
    attributes {tt.kernel, tt.grid = array<i64: 3, 1, 1>, tt.partition_mode = "global"} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c128 = arith.constant 128 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<4x1xbf16>
  %z = tt.alloc_cb "z" : !tt.cb<4x1xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<4x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %unit = arith.addi %start, %i : index
    %m = arith.muli %unit, %c128 : index
    tt.read_to_cb %X[%m, %c0], %x : memref<384x32xbf16>, !tt.cb<4x1xbf16>
    tt.read_to_cb %Z[%c0, %c0], %z : memref<128x32xbf16>, !tt.cb<4x1xbf16>
    tt.fpu.add %x, %z, dst = 0 -> %y : !tt.cb<4x1xbf16>, !tt.cb<4x1xbf16>, !tt.cb<4x1xbf16>
    tt.write_from_cb %y, %Y[%m, %c0] : !tt.cb<4x1xbf16>, memref<384x32xbf16>
  }
  return
}

// -----

// A block that ends behind its tensor.
// CHECK: :[[@LINE+1]]:{{.*}}along x: a block may end behind its tensor
func.func @partial(%X: memref<352x32xbf16> {tt.name = "X"}, %Y: memref<352x32xbf16> {tt.name = "Y"}) attributes {tt.kernel,
    tt.grid = array<i64: 3, 1, 1>, tt.partition_mode = "global"} {
  %c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c128 = arith.constant 128 : index
  %start = tt.runtime_arg "start_id" : index
  %count = tt.runtime_arg "count" : index
  %x = tt.alloc_cb "x" : !tt.cb<4x1xbf16>
  %y = tt.alloc_cb "y" : !tt.cb<4x1xbf16>
  scf.for %i = %c0 to %count step %c1 {
    %unit = arith.addi %start, %i : index
    %m = arith.muli %unit, %c128 : index
    tt.read_to_cb %X[%m, %c0], %x partial : memref<352x32xbf16>, !tt.cb<4x1xbf16>
    tt.copy_to_dst %x, dst = 0 -> %y : !tt.cb<4x1xbf16>, !tt.cb<4x1xbf16>
    tt.write_from_cb %y, %Y[%m, %c0] partial : !tt.cb<4x1xbf16>, memref<352x32xbf16>
  }
  return
}
