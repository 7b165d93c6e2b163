// Buffers that loops carry from step to step: those that change places, rotate, are made anew in each step, and rows of a
// table, two at a time.
// RUN: split-file %s %t && cd %t
// RUN: tt-run swap.mlir --check --arch=wormhole_b0 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run swap.mlir --check --arch=blackhole 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run private.mlir --check --arch=wormhole_b0 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run private.mlir --check --arch=blackhole 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run carried.mlir --check --arch=wormhole_b0 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run carried.mlir --check --arch=blackhole 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run rotated.mlir --check --arch=wormhole_b0 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run rotated.mlir --check --arch=blackhole 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run fresh.mlir --check --arch=wormhole_b0 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run fresh.mlir --check --arch=blackhole 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run rows.mlir --check --arch=wormhole_b0 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run rows.mlir --check --arch=blackhole 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run nested.mlir --check --arch=wormhole_b0 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run nested.mlir --check --arch=blackhole 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: tt-run freed.mlir --check --arch=wormhole_b0 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE
// RUN: %if all %{ tt-run freed.mlir --check --arch=blackhole 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run twice.mlir --check --arch=wormhole_b0 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// RUN: %if all %{ tt-run twice.mlir --check --arch=blackhole 2>&1 | FileCheck %s --implicit-check-not=TOLERANCE %}
// CHECK: ok

//--- swap.mlir
// double buffering: buffers as iter_args
func.func @swap(%X: memref<128x32xf32> {tt.name="X"}, %Y: memref<32x32xf32> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %p = memref.alloc() : memref<32x32xf32>
    %q = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%z : f32) outs(%p : memref<32x32xf32>)
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %q) -> (memref<32x32xf32>, memref<32x32xf32>) {
      %o = affine.apply affine_map<(k) -> (k * 32)>(%k)
      %x = memref.subview %X[%o, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      linalg.add ins(%a, %x : memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%d : memref<32x32xf32>)
      scf.yield %d, %a : memref<32x32xf32>, memref<32x32xf32>
    }
    memref.copy %r#0, %Y : memref<32x32xf32> to memref<32x32xf32>
  }
  return
}

//--- private.mlir
// double buffering: buffers as iter_args
func.func @private(%X: memref<128x32xbf16> {tt.name="X"}, %Y: memref<32x32xbf16> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : bf16
  scf.forall (%b) in (1) {
    %p = memref.alloc() : memref<32x32xbf16, #gpu.address_space<private>>
    %q = memref.alloc() : memref<32x32xbf16, #gpu.address_space<private>>
    linalg.fill ins(%z : bf16) outs(%p : memref<32x32xbf16, #gpu.address_space<private>>)
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %q) -> (memref<32x32xbf16, #gpu.address_space<private>>, memref<32x32xbf16, #gpu.address_space<private>>) {
      %o = affine.apply affine_map<(k) -> (k * 32)>(%k)
      %x = memref.subview %X[%o, 0] [32, 32] [1, 1] : memref<128x32xbf16> to memref<32x32xbf16, strided<[32, 1], offset: ?>>
      linalg.add ins(%a, %x : memref<32x32xbf16, #gpu.address_space<private>>, memref<32x32xbf16, strided<[32, 1], offset: ?>>) outs(%d : memref<32x32xbf16, #gpu.address_space<private>>)
      scf.yield %d, %a : memref<32x32xbf16, #gpu.address_space<private>>, memref<32x32xbf16, #gpu.address_space<private>>
    }
    memref.copy %r#0, %Y : memref<32x32xbf16, #gpu.address_space<private>> to memref<32x32xbf16>
  }
  return
}

//--- carried.mlir
// one buffer carried, yielded as it is (what one-shot bufferization leaves before canonicalization)
func.func @carry(%X: memref<128x32xf32> {tt.name="X"}, %Y: memref<32x32xf32> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %p = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%z : f32) outs(%p : memref<32x32xf32>)
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p) -> (memref<32x32xf32>) {
      %o = affine.apply affine_map<(k) -> (k * 32)>(%k)
      %x = memref.subview %X[%o, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      linalg.add ins(%a, %x : memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%a : memref<32x32xf32>)
      scf.yield %a : memref<32x32xf32>
    }
    memref.copy %r, %Y : memref<32x32xf32> to memref<32x32xf32>
  }
  return
}

//--- rotated.mlir
func.func @rotate(%X: memref<160x32xf32> {tt.name="X"}, %Y: memref<32x32xf32> {tt.name="Y"}, %Z: memref<32x32xf32> {tt.name="Z"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  %o = arith.constant 0.5 : f32
  scf.forall (%b) in (1) {
    %p = memref.alloc() : memref<32x32xf32>
    %q = memref.alloc() : memref<32x32xf32>
    %w = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%z : f32) outs(%p : memref<32x32xf32>)
    linalg.fill ins(%o : f32) outs(%q : memref<32x32xf32>)
    linalg.fill ins(%o : f32) outs(%w : memref<32x32xf32>)
    %r:3 = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %p, %d = %q, %e = %w) -> (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) {
      %f = affine.apply affine_map<(k) -> (k * 32)>(%k)
      %x = memref.subview %X[%f, 0] [32, 32] [1, 1] : memref<160x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      linalg.add ins(%d, %x : memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%a : memref<32x32xf32>)
      linalg.sub ins(%e, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%e : memref<32x32xf32>)
      scf.yield %e, %a, %d : memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>
    }
    memref.copy %r#0, %Y : memref<32x32xf32> to memref<32x32xf32>
    memref.copy %r#2, %Z : memref<32x32xf32> to memref<32x32xf32>
  }
  return
}

//--- fresh.mlir
func.func @fresh(%X: memref<160x32xf32> {tt.name="X"}, %Y: memref<32x32xf32> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %p = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%z : f32) outs(%p : memref<32x32xf32>)
    %r = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %p) -> (memref<32x32xf32>) {
      %f = affine.apply affine_map<(k) -> (k * 32)>(%k)
      %x = memref.subview %X[%f, 0] [32, 32] [1, 1] : memref<160x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %n = memref.alloc() : memref<32x32xf32>
      linalg.max ins(%a, %x : memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%n : memref<32x32xf32>)
      scf.yield %n : memref<32x32xf32>
    }
    memref.copy %r, %Y : memref<32x32xf32> to memref<32x32xf32>
  }
  return
}

//--- rows.mlir
// rows of a table of costs, two at a time, as threads of a GPU have it
func.func @rows(%X: memref<12x40xf32> {tt.name="X"}, %Y: memref<40xf32> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c40 = arith.constant 40 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %p = memref.alloc() : memref<40xf32>
    %q = memref.alloc() : memref<40xf32>
    scf.for %j = %c0 to %c40 step %c1 {
      memref.store %z, %p[%j] : memref<40xf32>
    }
    %r:2 = scf.for %k = %c0 to %c12 step %c1 iter_args(%a = %p, %d = %q) -> (memref<40xf32>, memref<40xf32>) {
      scf.for %j = %c0 to %c40 step %c1 {
        %x = memref.load %X[%k, %j] : memref<12x40xf32>
        %o = memref.load %a[%j] : memref<40xf32>
        %s = arith.addf %x, %o : f32
        memref.store %s, %d[%j] : memref<40xf32>
      }
      scf.yield %d, %a : memref<40xf32>, memref<40xf32>
    }
    scf.for %j = %c0 to %c40 step %c1 {
      %v = memref.load %r#0[%j] : memref<40xf32>
      memref.store %v, %Y[%j] : memref<40xf32>
    }
  }
  return
}

//--- nested.mlir
// an inner loop swaps what an outer one carries
func.func @k(%X: memref<128x32xf32> {tt.name="X"}, %Y: memref<32x32xf32> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %p = memref.alloc() : memref<32x32xf32>
    %q = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%z : f32) outs(%p : memref<32x32xf32>)
    linalg.fill ins(%z : f32) outs(%q : memref<32x32xf32>)
    %r:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p, %d = %q) -> (memref<32x32xf32>, memref<32x32xf32>) {
      %o = affine.apply affine_map<(k) -> (k * 32)>(%k)
      %x = memref.subview %X[%o, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %i:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%aa = %a, %dd = %d) -> (memref<32x32xf32>, memref<32x32xf32>) {
        linalg.add ins(%aa, %x : memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%dd : memref<32x32xf32>)
        scf.yield %dd, %aa : memref<32x32xf32>, memref<32x32xf32>
      }
      scf.yield %i#0, %i#1 : memref<32x32xf32>, memref<32x32xf32>
    }
    memref.copy %r#0, %Y : memref<32x32xf32> to memref<32x32xf32>
  }
  return
}

//--- freed.mlir
// what a step does not need any more is freed
func.func @fresh(%X: memref<160x32xf32> {tt.name="X"}, %Y: memref<32x32xf32> {tt.name="Y"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %p = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%z : f32) outs(%p : memref<32x32xf32>)
    %r = scf.for %k = %c0 to %c5 step %c1 iter_args(%a = %p) -> (memref<32x32xf32>) {
      %f = affine.apply affine_map<(k) -> (k * 32)>(%k)
      %x = memref.subview %X[%f, 0] [32, 32] [1, 1] : memref<160x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      %n = memref.alloc() : memref<32x32xf32>
      linalg.max ins(%a, %x : memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%n : memref<32x32xf32>)
      memref.dealloc %a : memref<32x32xf32>
      scf.yield %n : memref<32x32xf32>
    }
    memref.copy %r, %Y : memref<32x32xf32> to memref<32x32xf32>
    memref.dealloc %r : memref<32x32xf32>
  }
  return
}

//--- twice.mlir
// a loop goes on with what one before it gave, of which a view is read in between; one is an outer name of another
func.func @twice(%X: memref<128x32xf32> {tt.name="X"}, %Y: memref<32x32xf32> {tt.name="Y"}, %Z: memref<32x32xf32> {tt.name="Z"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  scf.forall (%b) in (1) {
    %p = memref.alloc() : memref<32x32xf32>
    %q = memref.alloc() : memref<32x32xf32>
    linalg.fill ins(%z : f32) outs(%p : memref<32x32xf32>)
    linalg.fill ins(%z : f32) outs(%q : memref<32x32xf32>)
    %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %p) -> (memref<32x32xf32>) {
      %o = affine.apply affine_map<(k) -> (k * 32)>(%k)
      %x = memref.subview %X[%o, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      linalg.add ins(%a, %x : memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%a : memref<32x32xf32>)
      scf.yield %a : memref<32x32xf32>
    }
    %v = memref.subview %s[0, 0] [32, 32] [1, 1] : memref<32x32xf32> to memref<32x32xf32, strided<[32, 1]>>
    memref.copy %v, %Z : memref<32x32xf32, strided<[32, 1]>> to memref<32x32xf32>
    %r:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %s, %d = %q) -> (memref<32x32xf32>, memref<32x32xf32>) {
      %o = affine.apply affine_map<(k) -> (k * 32)>(%k)
      %x = memref.subview %X[%o, 0] [32, 32] [1, 1] : memref<128x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
      linalg.add ins(%a, %x : memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%d : memref<32x32xf32>)
      scf.yield %d, %a : memref<32x32xf32>, memref<32x32xf32>
    }
    %t:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %r#1, %d = %r#0) -> (memref<32x32xf32>, memref<32x32xf32>) {
      linalg.sub ins(%d, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%a : memref<32x32xf32>)
      scf.yield %d, %a : memref<32x32xf32>, memref<32x32xf32>
    }
    linalg.sub ins(%t#0, %t#1 : memref<32x32xf32>, memref<32x32xf32>) outs(%Y : memref<32x32xf32>)
  }
  return
}
