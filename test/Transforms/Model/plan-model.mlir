// RUN: tt-opt --tt-plan-model %s | FileCheck %s
// RUN: tt-opt --tt-plan-model %s | tt-opt --tt-schedule-model | FileCheck %s --check-prefix=APPLIED
// RUN: tt-opt --tt-plan-model=fuse=none %s | FileCheck %s --check-prefix=APART
// RUN: tt-opt --tt-plan-model %s | FileCheck %s --check-prefix=JOIN
// RUN: not tt-opt --tt-plan-model=fuse=some %s 2>&1 | FileCheck %s --check-prefix=FUSE
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// A product takes what follows it. Sums over its columns would need all of them on one core, and
// are another kernel, with what follows them: more cores, each of which sums all of its rows, pay.
// CHECK: linalg.contract {{.*}}tt.label = "product1"
// CHECK: transform.named_sequence @tt_schedule
// CHECK: match attributes {tt.label = "map2"}
// CHECK: tile_using_forall %{{.*}} tile_sizes [32, 32]
// CHECK: match attributes {tt.label = "product1"}
// CHECK: fuse_into_containing_op
// CHECK: tile_using_for %{{.*}} tile_sizes [0, 0, 128]
// CHECK: match attributes {tt.label = "map5"}
// CHECK: tile_using_forall %{{.*}} tile_sizes [32, 32]
// CHECK: match attributes {tt.label = "reduction4"}
// CHECK: fuse_into_containing_op

// RUN: tt-opt --tt-plan-model --remarks-filter=tt-plan-model %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// WHY-DAG: linalg.contract is in the kernel of linalg.generic
// WHY-DAG: linalg.generic is not in the kernel of the linalg.generic that takes it: sums over the columns of a product need all of them on one core
// APART-COUNT-4: tile_using_forall
// FUSE: error: fuse=some: expected all (what pays is one kernel), none, or the clk that one more kernel is taken to cost

// APPLIED-NOT: tt.label
// APPLIED-NOT: transform
// APPLIED: scf.forall (%{{.*}}, %{{.*}}) in (8, 4)
// APPLIED: scf.for %{{.*}} step %c128
// APPLIED: linalg.contract {{.*}} tensor<32x128xbf16>
// APPLIED: scf.forall (%{{.*}}, %{{.*}}) in (8, 4)
func.func @f(%x: tensor<256x256xbf16>, %w: tensor<256x128xbf16>) -> tensor<256x128xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %y = tensor.empty() : tensor<256x128xf32>
  %e = tensor.empty() : tensor<256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<256x128xf32>) -> tensor<256x128xf32>
  %p = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %w : tensor<256x256xbf16>, tensor<256x128xbf16>) outs(%f : tensor<256x128xf32>) -> tensor<256x128xf32>
  %q = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<256x128xf32>) outs(%y : tensor<256x128xf32>) {
    ^bb0(%u: f32, %out: f32):
      %0 = math.tanh %u : f32
      linalg.yield %0 : f32
  } -> tensor<256x128xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %s = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%q : tensor<256x128xf32>) outs(%g : tensor<256xf32>) {
    ^bb0(%u: f32, %out: f32):
      %0 = arith.addf %u, %out : f32
      linalg.yield %0 : f32
  } -> tensor<256xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%q, %s : tensor<256x128xf32>, tensor<256xf32>) outs(%y : tensor<256x128xf32>) {
    ^bb0(%u: f32, %v: f32, %out: f32):
      %0 = arith.divf %u, %v : f32
      linalg.yield %0 : f32
  } -> tensor<256x128xf32>
  return %r : tensor<256x128xf32>
}

// What others see collapsed, tokens x [heads, features], has its rows and columns there: tokens, and
// the features of one head.
// APART: match attributes {tt.label = "map6"}
// APART-NEXT: tile_using_forall %{{.*}} tile_sizes [32, 1, {{32|64}}]
func.func @heads(%x: tensor<4x64x64xf32>) -> tensor<64x256xbf16> attributes {tt.model} {
  %e = tensor.empty() : tensor<64x4x64xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(t, h, d) -> (h, t, d)>, affine_map<(t, h, d) -> (t, h, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x64x64xf32>) outs(%e : tensor<64x4x64xbf16>) {
    ^bb0(%u: f32, %out: bf16):
      %0 = arith.truncf %u : f32 to bf16
      linalg.yield %0 : bf16
  } -> tensor<64x4x64xbf16>
  %c = tensor.collapse_shape %t [[0], [1, 2]] : tensor<64x4x64xbf16> into tensor<64x256xbf16>
  return %c : tensor<64x256xbf16>
}

// Two products of one tensor, neither of which needs the other: their grids are joined, and each is
// one step.
// APART-NOT: tt.join
// WHY-DAG: its kernel is joined with another that reads the same, unit by unit
// JOIN: transform.annotate %{{.*}} "tt.join" = %{{.*}} : !transform.any_op, !transform.param<i64>
// JOIN: transform.annotate %{{.*}} "tt.join" = %{{.*}} : !transform.any_op, !transform.param<i64>
func.func @shared(%x: tensor<64x128xbf16>, %w: tensor<128x64xbf16>, %v: tensor<128x64xbf16>) -> (tensor<64x64xf32>, tensor<64x64xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %w : tensor<64x128xbf16>, tensor<128x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %v : tensor<64x128xbf16>, tensor<128x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// 197 rows are 7 blocks, by 24 of columns: each of 7 x 8 cores has three next to each other in a line of it, so that
// lines share rows and columns both. Functions after the product leave time to read for the next block, but not for
// the first, which is therefore no wider.
// CHECK: tile_sizes [32, 128](mapping
func.func @lines(%x: tensor<197x768xbf16>, %w: tensor<768x3072xbf16>) -> tensor<197x3072xbf16> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<197x3072xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<197x3072xf32>) -> tensor<197x3072xf32>
  %p = linalg.contract indexing_maps = [#mk, #kn, #mn] ins(%x, %w : tensor<197x768xbf16>, tensor<768x3072xbf16>) outs(%f : tensor<197x3072xf32>) -> tensor<197x3072xf32>
  %b = tensor.empty() : tensor<197x3072xbf16>
  %g = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<197x3072xf32>) outs(%b : tensor<197x3072xbf16>) {
    ^bb0(%u: f32, %out: bf16):
      %0 = math.erf %u : f32
      %1 = arith.addf %0, %one : f32
      %2 = arith.mulf %u, %1 : f32
      %3 = arith.truncf %2 : f32 to bf16
      linalg.yield %3 : bf16
  } -> tensor<197x3072xbf16>
  return %g : tensor<197x3072xbf16>
}

// Rows that go to a place inside of tiles go there in parts of rows: more cores than DRAM asks for take them.
// CHECK: tile_sizes [32, 96](mapping
func.func @shifted(%x: tensor<196x768xf32>, %y: tensor<197x768xf32>) -> tensor<197x768xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<196x768xf32>
  %c = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<196x768xf32>) outs(%e : tensor<196x768xf32>) {
    ^bb0(%u: f32, %out: f32):
      linalg.yield %u : f32
  } -> tensor<196x768xf32>
  %r = tensor.insert_slice %c into %y[1, 0] [196, 768] [1, 1] : tensor<196x768xf32> into tensor<197x768xf32>
  return %r : tensor<197x768xf32>
}

// Two products in one kernel: the long sum has its own steps, and the short one is a single step.
// CHECK: tile_using_forall %{{.*}} tile_sizes {{\[0, 32\]|\[32, 0\]}}
// CHECK: tile_using_for %{{.*}} tile_sizes [0, 0, 256]
// CHECK: tile_using_for %{{.*}} tile_sizes [0, 0, 256]
func.func @long_and_short(%x: tensor<32x1024xbf16>, %w: tensor<1024x64xbf16>, %y: tensor<32x64xbf16>, %v: tensor<64x64xbf16>) -> tensor<32x64xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %a = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%x, %w : tensor<32x1024xbf16>, tensor<1024x64xbf16>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  %b = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%y, %v : tensor<32x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<32x64xf32>, tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<32x64xf32>
  return %c : tensor<32x64xf32>
}

// A single number that a body takes at index 0 is the only one of its loop: a norm of one row is one kernel.
// CHECK: match attributes {tt.label = "map22"}
// CHECK-NEXT: tile_using_forall
// CHECK: match attributes {tt.label = "reduction21"}
// CHECK-NEXT: fuse_into_containing_op
func.func @single(%x: tensor<64xf32>) -> tensor<64xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(k, i) -> (k)>, affine_map<(k, i) -> (i)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64xf32>) outs(%f : tensor<1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<1xf32>
  %y = tensor.empty() : tensor<64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %s : tensor<64xf32>, tensor<1xf32>) outs(%y : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  return %d : tensor<64xf32>
}

// A cast between a sum and a product ends the kernel of the sum: in that of the product it would leave no steps, and
// nothing would hide what is read first.
// CHECK: match attributes {tt.label = "map24"}
// CHECK-NEXT: tile_using_forall
// CHECK: match attributes {tt.label = "map23"}
// CHECK-NEXT: fuse_into_containing_op
// CHECK: match attributes {tt.label = "map27"}
// CHECK-NEXT: tile_using_forall
// CHECK: match attributes {tt.label = "product26"}
// CHECK: tile_using_for %{{.*}} tile_sizes [0, 0, 256]
func.func @cast_before(%x: tensor<256x512xf32>, %y: tensor<256x512xf32>, %w: tensor<512x1024xbf16>) -> (tensor<256x1024xf32>, tensor<256x512xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<256x512xf32>, tensor<256x512xf32>) outs(%e : tensor<256x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<256x512xf32>
  %h = tensor.empty() : tensor<256x512xbf16>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<256x512xf32>) outs(%h : tensor<256x512xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<256x512xbf16>
  %g = tensor.empty() : tensor<256x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%g : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %p = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%c, %w : tensor<256x512xbf16>, tensor<512x1024xbf16>) outs(%f : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<256x1024xf32>) outs(%g : tensor<256x1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.erf %a : f32
    linalg.yield %r : f32
  } -> tensor<256x1024xf32>
  return %q, %s : tensor<256x1024xf32>, tensor<256x512xf32>
}

// Rows that indices name: as many as a page has indices, however few elements a row has.
// CHECK: match attributes {tt.label = "gather28"}
// CHECK-NEXT: tile_using_forall %{{.*}} tile_sizes [32, 0]
func.func @few_columns(%ids: tensor<2304xi32> {tt.range = [0, 31]}, %table: tensor<32x4xf32>) -> tensor<2304x4xf32> attributes {tt.model} {
  %e = tensor.empty() : tensor<2304x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<2304xi32>) outs(%e : tensor<2304x4xf32>) {
  ^bb0(%id: i32, %o: f32):
    %i = arith.index_cast %id : i32 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%i, %j] : tensor<32x4xf32>
    linalg.yield %x : f32
  } -> tensor<2304x4xf32>
  return %r : tensor<2304x4xf32>
}
