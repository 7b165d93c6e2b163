// RUN: tt-opt %s --tt-stage-a --tt-stage-b --tt-stage-c --canonicalize | FileCheck %s
// RUN: sed s/bf16/f32/g %s | tt-opt --tt-stage-a --tt-stage-b --tt-stage-c | FileCheck %s --check-prefix=WIDE
// RUN: sed -e s/bf16/f16/g -e 's/{tt.kernel}/{tt.kernel, tt.fp32_dest_acc = false}/' %s | tt-opt --tt-stage-a --tt-stage-b --tt-stage-c | FileCheck %s --check-prefix=WIDE
// RUN: tt-opt %s --tt-pipeline=optimize=none | FileCheck %s --check-prefix=INIT
// RUN: rm -rf %t && mkdir %t
// RUN: tt-run %s --check --optimize=none --metalium-api=2026-03 --keep=%t/old && FileCheck %s --check-prefix=OLD --input-file=%t/old/chain/compute.cpp
// RUN: %if all %{ tt-run %s --check --optimize=none --arch=blackhole --metalium-api=2026-08 --keep=%t/new && FileCheck %s --check-prefix=NEW --input-file=%t/new/chain/compute.cpp %}
// RUN: %if all %{ tt-run %s --check --arch=blackhole --metalium-api=2025 %}

// In DST of 16 bits, which holds bf16, an operand that one op takes from a circular buffer
// is not copied to DST first. In DST of 32 bits it is, since the FPU takes DST as bf16.

// CHECK: tt.copy_to_dst %[[X:[0-9]+]], dst = 0
// CHECK-NEXT: tt.sfpu.unary mul_scalar, dst = 0
// CHECK-NEXT: tt.sfpu.unary exp, dst = 0
// CHECK-NEXT: tt.fpu.reuse add, %[[Y:[0-9]+]], dst = 0 : !tt.cb<4x3xbf16>
// CHECK-NEXT: tt.fpu.reuse mul, %[[Z:[0-9]+]], dst = 0
// CHECK-NEXT: tt.fpu.reuse sub, %[[X]], dst = 0
// CHECK-NEXT: tt.fpu.reuse rsub, %[[Y]], dst = 0

// What is used again stays: the square root is both operand and result here.
// CHECK-NEXT: tt.sfpu.unary abs, dst = 0
// CHECK-NEXT: tt.sfpu.unary sqrt, dst = 0
// CHECK-NEXT: tt.copy_to_dst %[[Z]], dst = 1
// CHECK-NEXT: tt.sfpu.combine sub, [0, 1], dst = 1
// CHECK-NEXT: tt.sfpu.combine mul, [1, 0], dst = {{[01]}} ->
// WIDE-NOT: tt.fpu.reuse
// WIDE: tt.sfpu.combine add

// A difference takes DST as source A, and the tile as source B; any other the other way.
// INIT: metalium.binary_dest_reuse_tiles_init add, %[[Y:[0-9]+]]
// INIT: metalium.binary_dest_reuse_tiles add, %[[Y]]
// INIT: metalium.binary_dest_reuse_tiles_init mul, %[[Z:[0-9]+]]
// INIT: metalium.binary_dest_reuse_tiles mul, %[[Z]]
// OLD: binary_dest_reuse_tiles_init<EltwiseBinaryType::ELWADD, EltwiseBinaryReuseDestType::DEST_TO_SRCB>(cb_in1);
// OLD-NEXT: binary_dest_reuse_tiles<EltwiseBinaryType::ELWADD, EltwiseBinaryReuseDestType::DEST_TO_SRCB>(cb_in1, {{.*}}, 0);
// OLD: ELWSUB, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(cb_in0, {{.*}}, 0);
// OLD: ELWSUB, EltwiseBinaryReuseDestType::DEST_TO_SRCB>(cb_in1, {{.*}}, 0);
// NEW: mul_reuse_dest_init<EltwiseBinaryReuseDestType::DEST_TO_SRCB>(cb_in2);
// NEW-NEXT: mul_reuse_dest_tiles<EltwiseBinaryReuseDestType::DEST_TO_SRCB>(cb_in2, {{.*}}, 0);
func.func @chain(%x: memref<128x96xbf16>, %y: memref<128x96xbf16>, %z: memref<128x96xbf16>, %out: memref<128x96xbf16>)
    attributes {tt.kernel} {
  %c2 = arith.constant 2.0 : bf16
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x, %y, %z : memref<128x96xbf16>, memref<128x96xbf16>, memref<128x96xbf16>) outs(%out : memref<128x96xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %c: bf16, %o: bf16):
    %s = arith.mulf %a, %c2 : bf16
    %e = math.exp %s : bf16
    %t = arith.addf %e, %b : bf16
    %u = arith.mulf %t, %c : bf16
    %v = arith.subf %u, %a : bf16
    %w = arith.subf %b, %v : bf16
    %ab = math.absf %w : bf16
    %p = math.sqrt %ab : bf16
    %d = arith.subf %p, %c : bf16
    %r = arith.mulf %d, %p : bf16
    linalg.yield %r : bf16
  }
  return
}
