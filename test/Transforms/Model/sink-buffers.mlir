// RUN: tt-opt --tt-sink-buffers %s | FileCheck %s

// One grid alone works on it.
// CHECK-LABEL: func.func @own(
// CHECK-NEXT: scf.forall
// CHECK-NEXT: memref.alloc()
func.func @own(%x: memref<64xf32>, %y: memref<64xf32>) attributes {tt.model} {
  %t = memref.alloc() : memref<64xf32>
  scf.forall (%i) in (1) {
    linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
    linalg.abs ins(%t : memref<64xf32>) outs(%y : memref<64xf32>)
  }
  return
}

// Another grid reads it; it is read before it is written.
// CHECK-LABEL: func.func @shared(
// CHECK-NEXT: memref.alloc()
// CHECK-NEXT: memref.alloc()
// CHECK-NEXT: scf.forall
func.func @shared(%x: memref<64xf32>, %y: memref<64xf32>) attributes {tt.model} {
  %t = memref.alloc() : memref<64xf32>
  %u = memref.alloc() : memref<64xf32>
  scf.forall (%i) in (1) {
    linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
    linalg.exp ins(%u : memref<64xf32>) outs(%u : memref<64xf32>)
    linalg.exp ins(%x : memref<64xf32>) outs(%u : memref<64xf32>)
  }
  scf.forall (%i) in (1) {
    linalg.abs ins(%t : memref<64xf32>) outs(%y : memref<64xf32>)
  }
  return
}
