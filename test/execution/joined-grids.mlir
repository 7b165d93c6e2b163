// A grid of one dimension over the product of two sizes that only a run knows (--tt-part-joined):
// of elements, in maps, by the other size, and of blocks.
// RUN: split-file %s %t
// RUN: for f in elements maps turned blocks; do for c in %if all %{ wormhole_b0 %} blackhole; do \
// RUN:   tt-run %t/$f.mlir --arch $c --check --shape X=40x50 --shape Y=40x50 || exit 1; \
// RUN: done; done

//--- elements.mlir
func.func @exponentials(%X: memref<?x?xf32> {tt.name = "X"},
                        %Y: memref<?x?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %X, %c0 : memref<?x?xf32>
  %d1 = memref.dim %X, %c1 : memref<?x?xf32>
  %n = arith.muli %d0, %d1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %r = arith.divui %i, %d1 : index
    %c = arith.remui %i, %d1 : index
    %x = memref.load %X[%r, %c] : memref<?x?xf32>
    %e = math.exp %x : f32
    memref.store %e, %Y[%r, %c] : memref<?x?xf32>
  }
  return
}

//--- maps.mlir
func.func @exponentials(%X: memref<?x?xf32> {tt.name = "X"},
                        %Y: memref<?x?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %X, %c0 : memref<?x?xf32>
  %d1 = memref.dim %X, %c1 : memref<?x?xf32>
  %n = arith.muli %d0, %d1 : index
  scf.forall (%i) in (%n) {
    %r = affine.apply affine_map<(d)[s] -> (d floordiv s)>(%i)[%d1]
    %c = affine.apply affine_map<(d)[s] -> (d mod s)>(%i)[%d1]
    %x = memref.load %X[%r, %c] : memref<?x?xf32>
    %e = math.exp %x : f32
    memref.store %e, %Y[%r, %c] : memref<?x?xf32>
  }
  return
}

//--- turned.mlir
func.func @exponentials(%X: memref<?x?xf32> {tt.name = "X"},
                        %Y: memref<?x?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %X, %c0 : memref<?x?xf32>
  %d1 = memref.dim %X, %c1 : memref<?x?xf32>
  %n = arith.muli %d0, %d1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %r = arith.divui %i, %d0 : index
    %c = arith.remui %i, %d0 : index
    %x = memref.load %X[%c, %r] : memref<?x?xf32>
    %e = math.exp %x : f32
    memref.store %e, %Y[%c, %r] : memref<?x?xf32>
  }
  return
}

//--- blocks.mlir
func.func @exponentials(%X: memref<?x?xf32> {tt.name = "X"},
                        %Y: memref<?x?xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %d0 = memref.dim %X, %c0 : memref<?x?xf32>
  %d1 = memref.dim %X, %c1 : memref<?x?xf32>
  %g0 = arith.ceildivui %d0, %c32 : index
  %g1 = arith.ceildivui %d1, %c32 : index
  %n = arith.muli %g0, %g1 : index
  scf.forall (%i) in (%n) {
    %p = arith.divui %i, %g1 : index
    %q = arith.remui %i, %g1 : index
    %r = arith.muli %p, %c32 : index
    %c = arith.muli %q, %c32 : index
    %h = affine.min affine_map<(r)[n] -> (32, n - r)>(%r)[%d0]
    %w = affine.min affine_map<(r)[n] -> (32, n - r)>(%c)[%d1]
    %x = memref.subview %X[%r, %c] [%h, %w] [1, 1] 
        : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %y = memref.subview %Y[%r, %c] [%h, %w] [1, 1] 
        : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    linalg.exp ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
        outs(%y : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  }
  return
}
