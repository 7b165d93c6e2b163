// RUN: tt-opt --tt-stage-a --tt-stage-b --tt-stage-c="optimize=split-rows" %s --split-input-file --remarks-filter=tt-split-rows 2> %t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

// Seven blocks on 4 x 4 cores fill no rectangle in rows: two cores of a block stand one below the other, and
// the last row of such pairs has three.
// RUN: sed 's/128x256/224x1024/g; s/32x256/32x1024/g; s/\[32, 256\]/[32, 1024]/; s/\[256, 1\]/[1024, 1]/g; s/in (4)/in (7)/' %examples/softmax.mlir > %t.seven.mlir
// RUN: tt-opt --tt-stage-a=grid=4x4 --tt-stage-b --tt-stage-c="optimize=split-rows" %t.seven.mlir | FileCheck %s --check-prefix=DOWN
// DOWN: tt.core_ranges = [#tt.core_range<start = [0, 0], end = [3, 1]>, #tt.core_range<start = [0, 2], end = [2, 3]>]
// DOWN: tt.work_partition = [#tt.work<core = [0, 0], start_id = 0, count = 1>, #tt.work<core = [0, 1], start_id = 1, count = 1>, #tt.work<core = [1, 0], start_id = 2, count = 1>
// DOWN: %[[PART:.*]] = arith.remui %{{.*}}, %c2 {tt.var = "part"}
// DOWN: tt.gather_parts %{{.*}} apart = 1 down
// Their places are a formula, and the protocol holds.
// RUN: tt-opt --tt-pipeline="grid=4x4 optimize=split-rows,read-in-turns" %t.seven.mlir | FileCheck %s --check-prefix=PLACES
// PLACES: tt.core_args (%[[X:.*]], %[[Y:.*]]) -> ["start_id", "count", "parts1_y0", "parts1_y1", "parts1_x"
// PLACES: arith.divui %[[Y]], %c2
// PLACES: arith.remui %[[Y]], %c2
// PLACES-NOT: arith.cmpi eq
// PLACES: tt.yield
// A weight, which no rectangle of cores would share, keeps them from that where whole tiles of it are read.
// RUN: sed 's/64x128/224x1024/g; s/32x128/32x1024/g; s/\[32, 128\]/[32, 1024]/; s/\[128, 1\]/[1024, 1]/g; s/<128xbf16>/<1024xbf16>/g; s/in (2)/in (7)/; s/{tt.name = "weight"/{tt.name = "weight", tt.layout = {dtype = "bfp8_b"}/' %examples/rms_norm.mlir > %t.weight.mlir
// RUN: tt-opt --tt-stage-a=grid=4x4 --tt-stage-b --tt-stage-c="optimize=split-rows" %t.weight.mlir --remarks-filter=tt-split-rows 2>&1 | FileCheck %s --check-prefix=WEIGHT
// WEIGHT: "a block of rows stays on one core: waiting for each other takes longer than it saves"
// Otherwise each reads the first rows of it. A section after the branch of the first core goes to the FPU as it would without.
// RUN: sed -f %S/../../execution/Inputs/seven-blocks.sed %examples/layer_norm.mlir > %t.layer.mlir
// RUN: tt-opt --tt-stage-a=grid=4x4 --tt-stage-b --tt-stage-c="optimize=split-rows,use-fpu,read-first-rows" %t.layer.mlir | FileCheck %s --check-prefix=LAYER
// LAYER: tt.gather_parts %{{.*}} apart = 1 down
// LAYER: scf.if
// LAYER-NEXT: tt.copy_to_dst %{{.*}} transpose
// LAYER-NEXT: tt.write_from_cb %{{.*}} memref<224xf32>
// LAYER-NEXT: }
// LAYER: tt.read_to_cb %{{.*}} first_rows : memref<2048xbf16>
// LAYER: tt.fpu.mul_add %{{.*}} bcast rows

// A tile that the reduction itself fills is put together from all cores, and belongs to no branch.
// RUN: sed -n '/^func.func @largest/,/^}/p' %s | tt-opt --tt-stage-a --tt-stage-b --tt-lower-shared-to-cb --tt-lower-tile-intrinsics | \
// RUN:   sed -E 's/(dst = 0 -> )%[0-9]+( : !tt.cb<1x128x.*)/\1%OUT\2/; /tt.copy_to_dst/d; s/%[0-9]+ = (tt.alloc_cb "cb_out0")/%OUT = \1/; s/(tt.write_from_cb )%[0-9]+/\1%OUT/' | \
// RUN:   tt-opt --tt-split-rows --remarks-filter=tt-split-rows -o /dev/null 2>&1 | FileCheck %s --check-prefix=ITSELF
// ITSELF: "a block of rows stays on one core: what it writes is a reduction of a row itself"

// Two blocks of rows on 64 cores: each on eight, which put their largest elements and their sums
// together in three steps.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME: tt.core_ranges = [#tt.core_range<start = [0, 0], end = [{{[0-9]+}}, {{[0-9]+}}]>]
// CHECK: tt.alloc_cb "cb_in0" depth = 2 : !tt.cb<1x2xbf16>
// CHECK: tt.read_to_cb %arg0[%{{.*}}, %{{.*}}], %{{.*}} : memref<64x512xbf16>, !tt.cb<1x2xbf16>
// CHECK: tt.fpu.reduce max_row, %{{.*}}, %{{.*}}, dst = 0 -> %[[OWN:.*]] : !tt.cb<1x2xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
// CHECK: tt.gather_parts %[[OWN]] -> %[[BOTH:.*]] apart = 1 : !tt.cb<1x1xbf16>, !tt.cb<1x2xbf16>
// CHECK: tt.part_to_dst %[[BOTH]][%{{.*}}, %{{.*}}], dst = 0
// CHECK: tt.part_to_dst %[[BOTH]][%{{.*}}, %{{.*}}], dst = 1
// CHECK: tt.sfpu.combine max, [0, 1], dst = 0 -> %[[OWN2:.*]] : !tt.cb<1x1xbf16>
// CHECK: tt.gather_parts %[[OWN2]] -> %{{.*}} apart = 2
// CHECK: tt.gather_parts %{{.*}} -> %{{.*}} apart = 4
// CHECK: tt.fpu.reduce sum_row, {{.*}}, !tt.cb<1x1xf32>
// CHECK-COUNT-3: tt.gather_parts %{{.*}} : !tt.cb<1x1xf32>, !tt.cb<1x2xf32>
// CHECK: tt.write_from_cb %{{.*}}, %arg1[%{{.*}}, %{{.*}}] : !tt.cb<1x2xbf16>
// REMARK: "a block of rows is on 8 cores, which have 2 of its 16 columns of tiles each: about {{[0-9]+}} clk, not {{[0-9]+}}"

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @softmax(%X: memref<64x512xbf16> {tt.name = "X"}, %Y: memref<64x512xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %lowest = arith.constant 0xFF80 : bf16  // -inf
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (2) {
    %row = arith.muli %block, %c32 : index
    %from = memref.subview %X[%row, 0] [32, 512] [1, 1]
        : memref<64x512xbf16> to memref<32x512xbf16, strided<[512, 1], offset: ?>>
    %to = memref.subview %Y[%row, 0] [32, 512] [1, 1]
        : memref<64x512xbf16> to memref<32x512xbf16, strided<[512, 1], offset: ?>>
    %x = memref.alloc() : memref<32x512xbf16, #gpu.address_space<workgroup>>
    %e = memref.alloc() : memref<32x512xbf16, #gpu.address_space<private>>
    %max = memref.alloc() : memref<32xbf16, #gpu.address_space<private>>
    %sum = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    memref.copy %from, %x
        : memref<32x512xbf16, strided<[512, 1], offset: ?>> to memref<32x512xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%lowest : bf16) outs(%max : memref<32xbf16, #gpu.address_space<private>>)
    linalg.reduce { arith.maximumf }
        ins(%x : memref<32x512xbf16, #gpu.address_space<workgroup>>)
        outs(%max : memref<32xbf16, #gpu.address_space<private>>) dimensions = [1]
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : memref<32x512xbf16, #gpu.address_space<workgroup>>, memref<32xbf16, #gpu.address_space<private>>)
        outs(%e : memref<32x512xbf16, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %m: bf16, %old: bf16):
        %d = arith.subf %a, %m : bf16
        %r = math.exp %d : bf16
        linalg.yield %r : bf16
    }
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%e : memref<32x512xbf16, #gpu.address_space<private>>)
        outs(%sum : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %r = arith.addf %old, %w : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%e, %sum : memref<32x512xbf16, #gpu.address_space<private>>, memref<32xf32, #gpu.address_space<private>>)
        outs(%to : memref<32x512xbf16, strided<[512, 1], offset: ?>>) {
      ^bb0(%a: bf16, %s: f32, %old: bf16):
        %w = arith.extf %a : bf16 to f32
        %q = arith.divf %w, %s : f32
        %r = arith.truncf %q : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}

// -----

// What is known of a row is written by the first of its cores: the section that computes it, too.
// CHECK-LABEL: func.func @largest
// CHECK: tt.runtime_arg
// CHECK: tt.gather_parts
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %{{.*}}, %c1
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: tt.copy_to_dst %{{.*}} transpose, dst = 0 -> %[[OUT:.*]] : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
// CHECK-NEXT: tt.write_from_cb %[[OUT]], %arg1
// CHECK-NEXT: }
// REMARK: "a block of rows is on 4 cores, which have 32 of its 128 columns of tiles each: about {{[0-9]+}} clk, not {{[0-9]+}}"
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @largest(%X: memref<64x4096xbf16> {tt.name = "X"}, %Y: memref<64xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %lowest = arith.constant 0xFF80 : bf16
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (2) {
    %row = arith.muli %block, %c32 : index
    %x = memref.subview %X[%row, 0] [32, 4096] [1, 1] : memref<64x4096xbf16> to memref<32x4096xbf16, strided<[4096, 1], offset: ?>>
    %y = memref.subview %Y[%row] [32] [1] : memref<64xbf16> to memref<32xbf16, strided<[1], offset: ?>>
    %max = memref.alloc() : memref<32xbf16, #gpu.address_space<private>>
    linalg.fill ins(%lowest : bf16) outs(%max : memref<32xbf16, #gpu.address_space<private>>)
    linalg.reduce { arith.maximumf } ins(%x : memref<32x4096xbf16, strided<[4096, 1], offset: ?>>)
        outs(%max : memref<32xbf16, #gpu.address_space<private>>) dimensions = [1]
    memref.copy %max, %y : memref<32xbf16, #gpu.address_space<private>> to memref<32xbf16, strided<[1], offset: ?>>
  }
  return
}

// -----

// Two tiles a row are soon computed.
// REMARK: "a block of rows stays on one core: waiting for each other takes longer than it saves"
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @short(%X: memref<64x64xbf16> {tt.name = "X"}, %Y: memref<64x64xbf16> {tt.name = "Y"})
    attributes {tt.kernel} {
  %lowest = arith.constant 0xFF80 : bf16  // -inf
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (2) {
    %row = arith.muli %block, %c32 : index
    %from = memref.subview %X[%row, 0] [32, 64] [1, 1]
        : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %to = memref.subview %Y[%row, 0] [32, 64] [1, 1]
        : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: ?>>
    %x = memref.alloc() : memref<32x64xbf16, #gpu.address_space<workgroup>>
    %e = memref.alloc() : memref<32x64xbf16, #gpu.address_space<private>>
    %max = memref.alloc() : memref<32xbf16, #gpu.address_space<private>>
    %sum = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    memref.copy %from, %x
        : memref<32x64xbf16, strided<[64, 1], offset: ?>> to memref<32x64xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%lowest : bf16) outs(%max : memref<32xbf16, #gpu.address_space<private>>)
    linalg.reduce { arith.maximumf }
        ins(%x : memref<32x64xbf16, #gpu.address_space<workgroup>>)
        outs(%max : memref<32xbf16, #gpu.address_space<private>>) dimensions = [1]
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : memref<32x64xbf16, #gpu.address_space<workgroup>>, memref<32xbf16, #gpu.address_space<private>>)
        outs(%e : memref<32x64xbf16, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %m: bf16, %old: bf16):
        %d = arith.subf %a, %m : bf16
        %r = math.exp %d : bf16
        linalg.yield %r : bf16
    }
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%e : memref<32x64xbf16, #gpu.address_space<private>>)
        outs(%sum : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %r = arith.addf %old, %w : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%e, %sum : memref<32x64xbf16, #gpu.address_space<private>>, memref<32xf32, #gpu.address_space<private>>)
        outs(%to : memref<32x64xbf16, strided<[64, 1], offset: ?>>) {
      ^bb0(%a: bf16, %s: f32, %old: bf16):
        %w = arith.extf %a : bf16 to f32
        %q = arith.divf %w, %s : f32
        %r = arith.truncf %q : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}

// -----

// A norm's products leave the vector unit: half of the columns take no longer than waiting.
// REMARK: "a block of rows stays on one core: waiting for each other takes longer than it saves"
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @norm(%X: memref<1024x1024xbf16> {tt.name = "X"}, %Y: memref<1024x1024xbf16> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 0.0009765625 : f32
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (32) {
    %row = arith.muli %block, %c32 : index
    %from = memref.subview %X[%row, 0] [32, 1024] [1, 1] : memref<1024x1024xbf16> to memref<32x1024xbf16, strided<[1024, 1], offset: ?>>
    %to = memref.subview %Y[%row, 0] [32, 1024] [1, 1] : memref<1024x1024xbf16> to memref<32x1024xbf16, strided<[1024, 1], offset: ?>>
    %x = memref.alloc() : memref<32x1024xbf16, #gpu.address_space<workgroup>>
    %sum = memref.alloc() : memref<32xf32, #gpu.address_space<private>>
    memref.copy %from, %x : memref<32x1024xbf16, strided<[1024, 1], offset: ?>> to memref<32x1024xbf16, #gpu.address_space<workgroup>>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32, #gpu.address_space<private>>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<32x1024xbf16, #gpu.address_space<workgroup>>) outs(%sum : memref<32xf32, #gpu.address_space<private>>) {
      ^bb0(%a: bf16, %old: f32):
        %w = arith.extf %a : bf16 to f32
        %s = arith.mulf %w, %w : f32
        %m = arith.mulf %s, %n : f32
        %r = arith.addf %old, %m : f32
        linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
        ins(%x, %sum : memref<32x1024xbf16, #gpu.address_space<workgroup>>, memref<32xf32, #gpu.address_space<private>>)
        outs(%to : memref<32x1024xbf16, strided<[1024, 1], offset: ?>>) {
      ^bb0(%a: bf16, %s: f32, %old: bf16):
        %w = arith.extf %a : bf16 to f32
        %q = math.rsqrt %s : f32
        %p = arith.mulf %w, %q : f32
        %r = arith.truncf %p : f32 to bf16
        linalg.yield %r : bf16
    }
  }
  return
}

// -----

// Eight blocks of rows on four cores each: 8 x 4 cores rather than 4 x 8, since more columns of links bring the rows.
// CHECK-LABEL: func.func @wide
// CHECK-SAME: end = [7, 3]
// What is computed of the sum goes on with it in DST.
// CHECK: tt.gather_parts %{{.*}} apart = 4
// CHECK: tt.sfpu.combine add, [0, 1], dst = 0{{$}}
// CHECK-NOT: tt.copy_to_dst
// CHECK: tt.sfpu.unary rsqrt, dst = 0 ->
// REMARK: "a block of rows is on 4 cores, which have 8 of its 32 columns of tiles each
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
!rows = memref<32x1024xf32, strided<[1024, 1], offset: ?>>
func.func @wide(%X: memref<256x1024xf32> {tt.name = "X"}, %Y: memref<256x1024xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (8) {
    %row = arith.muli %block, %c32 : index
    %x = memref.subview %X[%row, 0] [32, 1024] [1, 1] : memref<256x1024xf32> to !rows
    %y = memref.subview %Y[%row, 0] [32, 1024] [1, 1] : memref<256x1024xf32> to !rows
    %sum = memref.alloc() : memref<32xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : !rows) outs(%sum : memref<32xf32>) {
    ^bb0(%a: f32, %old: f32):
      %m = arith.mulf %a, %a : f32
      %r = arith.addf %old, %m : f32
      linalg.yield %r : f32
    }
    %root = memref.alloc() : memref<32xf32>
    linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%sum : memref<32xf32>) outs(%root : memref<32xf32>) {
    ^bb0(%s: f32, %old: f32):
      %q = math.rsqrt %s : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %root : !rows, memref<32xf32>) outs(%y : !rows) {
    ^bb0(%a: f32, %q: f32, %old: f32):
      %r = arith.mulf %a, %q : f32
      %t = arith.addf %r, %a : f32
      linalg.yield %t : f32
    }
  }
  return
}

// -----

// Seven blocks fill no rectangle with more than one core of each beside each other; one below the other they have seven columns of links.
// CHECK-LABEL: func.func @seven
// CHECK-SAME: end = [6, 2]
// CHECK: tt.gather_parts %{{.*}} apart = 1 down
// REMARK: "a block of rows is on 3 cores, which have 8 of its 24 columns of tiles each
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
!rows = memref<32x768xf32, strided<[768, 1], offset: ?>>
func.func @seven(%X: memref<224x768xf32> {tt.name = "X"}, %Y: memref<224x768xf32> {tt.name = "Y"}) attributes {tt.kernel} {
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32 : index
  scf.forall (%block) in (7) {
    %row = arith.muli %block, %c32 : index
    %x = memref.subview %X[%row, 0] [32, 768] [1, 1] : memref<224x768xf32> to !rows
    %y = memref.subview %Y[%row, 0] [32, 768] [1, 1] : memref<224x768xf32> to !rows
    %sum = memref.alloc() : memref<32xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32>)
    linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : !rows) outs(%sum : memref<32xf32>) {
    ^bb0(%a: f32, %old: f32):
      %m = arith.mulf %a, %a : f32
      %r = arith.addf %old, %m : f32
      linalg.yield %r : f32
    }
    %root = memref.alloc() : memref<32xf32>
    linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%sum : memref<32xf32>) outs(%root : memref<32xf32>) {
    ^bb0(%s: f32, %old: f32):
      %q = math.rsqrt %s : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %root : !rows, memref<32xf32>) outs(%y : !rows) {
    ^bb0(%a: f32, %q: f32, %old: f32):
      %r = arith.mulf %a, %q : f32
      %t = arith.addf %r, %a : f32
      linalg.yield %t : f32
    }
  }
  return
}
