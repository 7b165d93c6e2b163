// A loop that goes on with a block that L1 cannot hold, or whose size is open, goes on with one part of it after the other: products
// onto a tensor that a fill begins, or what it holds, sums of steps, and ops that read what others have just written.
// DEFINE: %{shapes} = --shape A=150x70 --shape B=70x137 --shape P=150x137 --shape V=150x70 --shape W=70x137 --shape R=3x400x331
// RUN: tt-run %s --check %{shapes} | FileCheck %s
// RUN: %if all %{ tt-run %s --check %{shapes} --arch=blackhole --optimize=none --metalium-api=2025 | FileCheck %s %}
// RUN: %if all %{ tt-run %s --check %{shapes} --strict --metalium-api=2026-03 | FileCheck %s %}
// CHECK: P: {{.*}}: ok
// CHECK: Q: {{.*}}: ok
// CHECK: S: {{.*}}: ok
// CHECK: T: {{.*}}: ok

// All sizes are open; behind the product, its result is scaled where it lies.
func.func @open(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %P: memref<?x?xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%P : memref<?x?xf32>)
  linalg.matmul ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%P : memref<?x?xf32>)
  linalg.tanh ins(%P : memref<?x?xf32>) outs(%P : memref<?x?xf32>)
  return
}

// The size of the sums is known, and L1 cannot hold them; nothing fills them.
func.func @onto(%A: memref<150x?xf32>, %B: memref<?x137xf32>, %Q: memref<150x137xf32>) attributes {tt.kernel} {
  linalg.matmul ins(%A, %B : memref<150x?xf32>, memref<?x137xf32>) outs(%Q : memref<150x137xf32>)
  return
}

func.func @steps(%R: memref<?x400x331xf32>, %S: memref<400x331xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %R, %c0 : memref<?x400x331xf32>
  linalg.fill ins(%zero : f32) outs(%S : memref<400x331xf32>)
  scf.for %k = %c0 to %n step %c1 {
    %r = memref.subview %R[%k, 0, 0] [1, 400, 331] [1, 1, 1] : memref<?x400x331xf32> to memref<400x331xf32, strided<[331, 1], offset: ?>>
    linalg.add ins(%r, %S : memref<400x331xf32, strided<[331, 1], offset: ?>>, memref<400x331xf32>) outs(%S : memref<400x331xf32>)
  }
  return
}

// A loop over what is summed, of a grid of one unit.
func.func @unit(%C: memref<500x300xbf16>, %D: memref<300x420xbf16>, %T: memref<500x420xf32>) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c300 = arith.constant 300 : index
  scf.forall (%u) in (1) {
    linalg.fill ins(%zero : f32) outs(%T : memref<500x420xf32>)
    scf.for %k = %c0 to %c300 step %c128 {
      %n = affine.min affine_map<(k) -> (-k + 300, 128)>(%k)
      %c = memref.subview %C[0, %k] [500, %n] [1, 1] : memref<500x300xbf16> to memref<500x?xbf16, strided<[300, 1], offset: ?>>
      %d = memref.subview %D[%k, 0] [%n, 420] [1, 1] : memref<300x420xbf16> to memref<?x420xbf16, strided<[420, 1], offset: ?>>
      linalg.matmul ins(%c, %d : memref<500x?xbf16, strided<[300, 1], offset: ?>>, memref<?x420xbf16, strided<[420, 1], offset: ?>>)
        outs(%T : memref<500x420xf32>)
    }
  }
  return
}

func.func @all(%A: memref<?x?xf32> {tt.name = "A"}, %B: memref<?x?xf32> {tt.name = "B"}, %P: memref<?x?xf32> {tt.name = "P"},
               %V: memref<150x?xf32> {tt.name = "V"}, %W: memref<?x137xf32> {tt.name = "W"}, %Q: memref<150x137xf32> {tt.name = "Q"},
               %R: memref<?x400x331xf32> {tt.name = "R"}, %S: memref<400x331xf32> {tt.name = "S"},
               %C: memref<500x300xbf16> {tt.name = "C"}, %D: memref<300x420xbf16> {tt.name = "D"}, %T: memref<500x420xf32> {tt.name = "T"})
    attributes {tt.host} {
  func.call @open(%A, %B, %P) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  func.call @onto(%V, %W, %Q) : (memref<150x?xf32>, memref<?x137xf32>, memref<150x137xf32>) -> ()
  func.call @steps(%R, %S) : (memref<?x400x331xf32>, memref<400x331xf32>) -> ()
  func.call @unit(%C, %D, %T) : (memref<500x300xbf16>, memref<300x420xbf16>, memref<500x420xf32>) -> ()
  return
}
