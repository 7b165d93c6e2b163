// A core has two units: the writer's processor sends what the second one needs before it writes the results of the first.
// RUN: tt-opt --tt-pipeline=optimize=relay-operands,share-operands,write-behind --canonicalize --cse %s --remarks-filter=tt-write-behind 2> %t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck --check-prefix=DMORE %s < %t.remarks
// DMORE: written when the next unit has what it needs

// CHECK: tt.kernel @writer
// CHECK: %[[COUNT:.*]] = tt.runtime_arg "count"
// CHECK: %[[END:.*]] = arith.addi %[[COUNT]], %c1
// CHECK: scf.for %[[U:.*]] = %c0 to %[[END]]
// CHECK: %[[NEXT:.*]] = arith.cmpi ult, %[[U]], %[[COUNT]]
// CHECK-NOT: metalium.cb_wait_front %{{.*}} : !tt.cb<1x2xbf16>
// CHECK: scf.if %[[NEXT]]
// CHECK: metalium.noc_async_write_multicast
// CHECK: metalium.cb_push_back
// CHECK: scf.if
// CHECK: arith.subi %[[U]], %c1
// CHECK: metalium.cb_wait_front %{{.*}} : !tt.cb<1x2xbf16>
// CHECK: metalium.noc_async_write_tile
// CHECK: metalium.cb_pop_front
// CHECK-NEXT: }
// CHECK-NEXT: }

// So with operands that each processor brings; not where something is read after results are written.
// RUN: tt-opt --tt-pipeline=optimize=use-both-movers,share-operands,write-behind %s --remarks-filter='tt-(write-behind|use-both-movers)' 2>&1 >/dev/null | FileCheck %s --check-prefix=BOTH
// BOTH: the writer's processor brings A
// BOTH: written when the next unit has what it needs
// RUN: sed 's|// more:||; s/{tt.name = "C"}/{tt.name = "C"}, %D: memref<256x1024xbf16> {tt.name = "D"}, %E: memref<256x1024xbf16> {tt.name = "E"}/' %s > %t.more.mlir
// RUN: tt-opt --tt-pipeline=optimize=relay-operands,use-both-movers,share-operands,write-behind %t.more.mlir --remarks-filter='tt-(write-behind|use-both-movers)' 2>&1 >/dev/null | FileCheck %s --check-prefix=MORE
// MORE: the reader brings A as well: a core has several units, and what the next one needs would wait for results
// MORE-NOT: written when

// RUN: tt-run %s --optimize=relay-operands,share-operands,write-behind --check --strict --input A=~0.1 --input B=~0.1 --output C=%t.npy
// RUN: %if all %{ tt-run %s --optimize=use-both-movers,share-operands,write-behind --check --strict --input A=~0.1 --input B=~0.1 --output C=%t.both.npy %}
// RUN: %if all %{ tt-run %s --optimize=none --input A=~0.1 --input B=~0.1 --output C=%t.none.npy && cmp %t.npy %t.none.npy && cmp %t.npy %t.both.npy %}
// RUN: %if all %{ tt-run %s --arch=blackhole --grid=8x8 --metalium-api=2025 --check --strict --input A=~0.1 --input B=~0.1 %}
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @product(%A: memref<256x512xbf16> {tt.name = "A"}, %B: memref<1024x512xbf16> {tt.name = "B"}, %C: memref<256x1024xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in (8, 16) {
    %m = arith.muli %by, %c32 : index
    %n = arith.muli %bx, %c64 : index
    %acc = memref.alloc() : memref<32x64xf32>
    linalg.fill ins(%zero : f32) outs(%acc : memref<32x64xf32>)
    scf.for %k = %c0 to %c512 step %c256 {
      %a = memref.subview %A[%m, %k] [32, 256] [1, 1] : memref<256x512xbf16> to memref<32x256xbf16, strided<[512, 1], offset: ?>>
      %b = memref.subview %B[%n, %k] [64, 256] [1, 1] : memref<1024x512xbf16> to memref<64x256xbf16, strided<[512, 1], offset: ?>>
      linalg.contract indexing_maps = [#mk, #nk, #mn] ins(%a, %b : memref<32x256xbf16, strided<[512, 1], offset: ?>>, memref<64x256xbf16, strided<[512, 1], offset: ?>>) outs(%acc : memref<32x64xf32>)
    }
    %c = memref.subview %C[%m, %n] [32, 64] [1, 1] : memref<256x1024xbf16> to memref<32x64xbf16, strided<[1024, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%acc : memref<32x64xf32>) outs(%c : memref<32x64xbf16, strided<[1024, 1], offset: ?>>) {
      ^bb0(%u: f32, %old: bf16):
        %e = math.exp %u : f32
        %v = arith.truncf %e : f32 to bf16
        linalg.yield %v : bf16
    }
    // more: %d = memref.subview %D[%m, %n] [32, 64] [1, 1] : memref<256x1024xbf16> to memref<32x64xbf16, strided<[1024, 1], offset: ?>>
    // more: %e = memref.subview %E[%m, %n] [32, 64] [1, 1] : memref<256x1024xbf16> to memref<32x64xbf16, strided<[1024, 1], offset: ?>>
    // more: linalg.exp ins(%d : memref<32x64xbf16, strided<[1024, 1], offset: ?>>) outs(%e : memref<32x64xbf16, strided<[1024, 1], offset: ?>>)
  }
  return
}
