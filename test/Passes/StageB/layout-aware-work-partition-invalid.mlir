// RUN: tt-opt %s --tt-stage-a --tt-layout-aware-work-partition --split-input-file --verify-diagnostics

// expected-error @below {{the kernel writes no tensor, so it has no effect}}
func.func @f(%A: memref<64x64xbf16>) attributes {tt.kernel} { return }
// -----
// expected-error @below {{partition mode local_shard is not supported}}
func.func @f(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel, tt.partition_mode = "local_shard"} {
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  return
}
// -----
func.func @f(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>, %n: index) attributes {tt.kernel} {
  // expected-error @below {{the extent of grid dimension 0 is not constant}}
  scf.forall (%i) in (%n) {
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}
// -----
func.func @f(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  // expected-error @below {{a grid has at most 3 dimensions, but this has 4}}
  scf.forall (%i, %j, %k, %l) in (2, 2, 2, 2) {
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}
// -----
func.func @f(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  scf.forall (%i) in (2) {
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  // expected-error @below {{a kernel has one grid, but this is its second scf.forall}}
  scf.forall (%i) in (2) {
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}
// -----
func.func @f(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) attributes {tt.kernel} {
  // expected-error @below {{this runs outside the grid, on no particular core; move it into the scf.forall}}
  memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  scf.forall (%i) in (2) {
    memref.copy %A, %B : memref<64x64xbf16> to memref<64x64xbf16>
  }
  return
}
