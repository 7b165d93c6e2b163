// RUN: tt-opt --tt-stream-softmax %s | FileCheck %s
// RUN: tt-opt --tt-stream-softmax --remarks-filter=tt-stream-softmax %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A query sees the keys up to its own, counted from the end: blocks of keys say where they begin, and the cast of the result is
// in the grid.
// CHECK-LABEL: func.func @causal
// CHECK-DAG: %[[LOWEST:.*]] = arith.constant -3.40282347E+38 : f32
// CHECK-DAG: %[[NQ:.*]] = tensor.dim %arg0, %{{.*}} : tensor<2x?x32xbf16>
// CHECK-DAG: %[[NK:.*]] = tensor.dim %arg1, %{{.*}} : tensor<2x?x32xbf16>
// CHECK: scf.forall (%[[H:.*]], %[[B:.*]]) in (%{{.*}}, %{{.*}}) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<2x?x32xbf16>) {
// CHECK: %[[ROW:.*]] = affine.apply
// CHECK: %[[ROWS:.*]] = affine.min
// CHECK: tensor.extract_slice %arg0[%[[H]], %[[ROW]], 0] [1, %[[ROWS]], 32]
// CHECK: %[[M0:.*]] = linalg.fill ins(%[[LOWEST]] :
// CHECK: %[[R:.*]]:3 = scf.for %[[KEY:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[M:.*]] = %[[M0]], %[[L:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}) -> (tensor<?xf32>, tensor<?xf32>, tensor<?x32xf32>)
// CHECK: %[[KEYS:.*]] = affine.min
// CHECK: tensor.extract_slice %arg1[%[[H]], %[[KEY]], 0] [1, %[[KEYS]], 32]
// CHECK: tensor.extract_slice %arg2[%[[H]], %[[KEY]], 0] [1, %[[KEYS]], 32]
// CHECK: %[[S:.*]] = linalg.contract
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[S]] :
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[QUERY:.*]] = arith.addi %[[I]], %[[ROW]]
// CHECK: %[[THIS:.*]] = arith.addi %[[J]], %[[KEY]]
// CHECK: arith.addi %[[QUERY]],
// CHECK: arith.cmpi sge, %{{.*}}, %[[THIS]]
// CHECK: %[[MB:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[T]] :
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[M]], %[[MB]] :
// CHECK: %[[M2:.*]] = linalg.generic {{.*}} ins(%[[MB]] : {{.*}}) outs(%[[M]] :
// CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%[[T]], %[[M2]] :
// CHECK: %[[LF:.*]] = linalg.generic {{.*}} ins(%[[F]] : {{.*}}) outs(%[[L]] :
// CHECK: %[[L2:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[E]] : {{.*}}) outs(%[[LF]] :
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[E]] : tensor<?x?xf32>) outs(%{{.*}} : tensor<?x?xbf16>)
// CHECK: %[[AF:.*]] = linalg.generic {{.*}} ins(%[[F]] : {{.*}}) outs(%[[A]] :
// CHECK: %[[A2:.*]] = linalg.contract {{.*}} ins(%[[P]], %{{.*}}) outs(%[[AF]] :
// CHECK: scf.yield %[[M2]], %[[L2]], %[[A2]]
// CHECK: linalg.generic {{.*}} ins(%[[R]]#2, %[[R]]#1 :
// CHECK: arith.divf
// CHECK: arith.truncf
// CHECK: tensor.parallel_insert_slice
// CHECK: {mapping = [#gpu.block<linear_dim_0>, #gpu.block<linear_dim_1>]}
// CHECK-NOT: linalg.
// CHECK: return
func.func @causal(%q: tensor<2x?x32xbf16>, %k: tensor<2x?x32xbf16>, %v: tensor<2x?x32xbf16>) -> tensor<2x?x32xbf16> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %neg = arith.constant -1.0e9 : f32
  %scale = arith.constant 0.17 : f32
  %cq = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<2x?x32xbf16>
  %nk = tensor.dim %k, %ck : tensor<2x?x32xbf16>
  %se = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<2x?x32xbf16>, tensor<2x?x32xbf16>) outs(%sf : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x?x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %off = arith.subi %nk, %nq : index
    %io = arith.addi %i, %off : index
    %c = arith.cmpi sge, %io, %j : index
    %y2 = arith.select %c, %y0, %neg : f32
    linalg.yield %y2 : f32
  } -> tensor<2x?x?xf32>
  %re = tensor.empty(%nq) : tensor<2x?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x?x?xf32>) outs(%rl : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<2x?x?xf32>) outs(%rz : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %we = tensor.empty(%nq, %nk) : tensor<2x?x?xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%we : tensor<2x?x?xbf16>) {
  ^bb0(%x: f32, %lx: f32, %o: bf16):
    %y = arith.divf %x, %lx : f32
    %z = arith.truncf %y : f32 to bf16
    linalg.yield %z : bf16
  } -> tensor<2x?x?xbf16>
  %oe = tensor.empty(%nq) : tensor<2x?x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<2x?x?xbf16>, tensor<2x?x32xbf16>) outs(%of : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  %ce = tensor.empty(%nq) : tensor<2x?x32xbf16>
  %cc = linalg.generic {indexing_maps = [affine_map<(b0, i, x) -> (b0, i, x)> , affine_map<(b0, i, x) -> (b0, i, x)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x?x32xf32>) outs(%ce : tensor<2x?x32xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<2x?x32xbf16>
  return %cc : tensor<2x?x32xbf16>
}

// Three dimensions beside queries and keys: the outer two are one dimension of the grid. All heads of a group see the same keys.
// CHECK-LABEL: func.func @grouped
// CHECK: scf.forall (%[[C:.*]], %[[G:.*]], %{{.*}}) in
// CHECK: %[[HEAD:.*]] = arith.remui %[[C]],
// CHECK: %[[REST:.*]] = arith.divui %[[C]],
// CHECK: %[[BATCH:.*]] = affine.apply #{{.*}}(%[[REST]])
// CHECK: tensor.extract_slice %arg0[%[[BATCH]], %[[HEAD]], %[[G]], %{{.*}}, 0]
// CHECK: scf.for
// CHECK: tensor.extract_slice %arg1[%[[BATCH]], %[[HEAD]], %{{.*}}, 0]
// CHECK: tensor.extract_slice %arg3[%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}]
// CHECK: return
func.func @grouped(%q: tensor<2x3x2x?x32xf32>, %k: tensor<2x3x?x32xf32>, %v: tensor<2x3x?x32xf32>, %mask: tensor<?x?xf32>) -> tensor<2x3x2x?x32xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.17 : f32
  %cq = arith.constant 3 : index
  %ck = arith.constant 2 : index
  %nq = tensor.dim %q, %cq : tensor<2x3x2x?x32xf32>
  %nk = tensor.dim %k, %ck : tensor<2x3x?x32xf32>
  %se = tensor.empty(%nq, %nk) : tensor<2x3x2x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x3x2x?x?xf32>) -> tensor<2x3x2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, b1, g0, i, j, x) -> (b0, b1, g0, i, x)>, affine_map<(b0, b1, g0, i, j, x) -> (b0, b1, j, x)>, affine_map<(b0, b1, g0, i, j, x) -> (b0, b1, g0, i, j)>] ins(%q, %k : tensor<2x3x2x?x32xf32>, tensor<2x3x?x32xf32>) outs(%sf : tensor<2x3x2x?x?xf32>) -> tensor<2x3x2x?x?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i, j)>, affine_map<(b0, b1, g0, i, j) -> (i, j)>, affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x3x2x?x?xf32>, tensor<?x?xf32>) outs(%se : tensor<2x3x2x?x?xf32>) {
  ^bb0(%x: f32, %mk: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    %y1 = arith.addf %y0, %mk : f32
    linalg.yield %y1 : f32
  } -> tensor<2x3x2x?x?xf32>
  %re = tensor.empty(%nq) : tensor<2x3x2x?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x3x2x?xf32>) -> tensor<2x3x2x?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x3x2x?xf32>) -> tensor<2x3x2x?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i, j)>, affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%t : tensor<2x3x2x?x?xf32>) outs(%rl : tensor<2x3x2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x3x2x?xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i, j)>, affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i)>, affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x3x2x?x?xf32>, tensor<2x3x2x?xf32>) outs(%se : tensor<2x3x2x?x?xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x3x2x?x?xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i, j)>, affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%e : tensor<2x3x2x?x?xf32>) outs(%rz : tensor<2x3x2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x3x2x?xf32>
  %we = tensor.empty(%nq, %nk) : tensor<2x3x2x?x?xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i, j)>, affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i)>, affine_map<(b0, b1, g0, i, j) -> (b0, b1, g0, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x3x2x?x?xf32>, tensor<2x3x2x?xf32>) outs(%we : tensor<2x3x2x?x?xf32>) {
  ^bb0(%x: f32, %lx: f32, %o: f32):
    %i = arith.divf %one, %lx : f32
    %y = arith.mulf %x, %i : f32
    linalg.yield %y : f32
  } -> tensor<2x3x2x?x?xf32>
  %oe = tensor.empty(%nq) : tensor<2x3x2x?x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x3x2x?x32xf32>) -> tensor<2x3x2x?x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, b1, g0, i, x, j) -> (b0, b1, g0, i, j)>, affine_map<(b0, b1, g0, i, x, j) -> (b0, b1, j, x)>, affine_map<(b0, b1, g0, i, x, j) -> (b0, b1, g0, i, x)>] ins(%w, %v : tensor<2x3x2x?x?xf32>, tensor<2x3x?x32xf32>) outs(%of : tensor<2x3x2x?x32xf32>) -> tensor<2x3x2x?x32xf32>
  return %r : tensor<2x3x2x?x32xf32>
}

// No softmax: sums of scores.
// CHECK-LABEL: func.func @other_sum
// CHECK-NOT: scf.forall
// CHECK: return
func.func @other_sum(%q: tensor<2x?x32xf32>, %k: tensor<2x?x32xf32>, %v: tensor<2x?x32xf32>) -> tensor<2x?x32xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.17 : f32
  %cq = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<2x?x32xf32>
  %nk = tensor.dim %k, %ck : tensor<2x?x32xf32>
  %se = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<2x?x32xf32>, tensor<2x?x32xf32>) outs(%sf : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x?x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<2x?x?xf32>
  %re = tensor.empty(%nq) : tensor<2x?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x?x?xf32>) outs(%rl : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x?x?xf32>) outs(%rz : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %we = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%we : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %lx: f32, %o: f32):
    %y = arith.divf %x, %lx : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %oe = tensor.empty(%nq) : tensor<2x?x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<2x?x?xf32>, tensor<2x?x32xf32>) outs(%of : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  return %r : tensor<2x?x32xf32>
}

// No softmax: the largest of what is not scaled.
// CHECK-LABEL: func.func @other_max
// CHECK-NOT: scf.forall
// CHECK: return
func.func @other_max(%q: tensor<2x?x32xf32>, %k: tensor<2x?x32xf32>, %v: tensor<2x?x32xf32>) -> tensor<2x?x32xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.17 : f32
  %cq = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<2x?x32xf32>
  %nk = tensor.dim %k, %ck : tensor<2x?x32xf32>
  %se = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<2x?x32xf32>, tensor<2x?x32xf32>) outs(%sf : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x?x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<2x?x?xf32>
  %re = tensor.empty(%nq) : tensor<2x?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s : tensor<2x?x?xf32>) outs(%rl : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<2x?x?xf32>) outs(%rz : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %we = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%we : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %lx: f32, %o: f32):
    %y = arith.divf %x, %lx : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %oe = tensor.empty(%nq) : tensor<2x?x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<2x?x?xf32>, tensor<2x?x32xf32>) outs(%of : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  return %r : tensor<2x?x32xf32>
}

// No softmax: sums that begin at 1.
// CHECK-LABEL: func.func @from_one
// CHECK-NOT: scf.forall
// CHECK: return
func.func @from_one(%q: tensor<2x?x32xf32>, %k: tensor<2x?x32xf32>, %v: tensor<2x?x32xf32>) -> tensor<2x?x32xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.17 : f32
  %cq = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<2x?x32xf32>
  %nk = tensor.dim %k, %ck : tensor<2x?x32xf32>
  %se = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<2x?x32xf32>, tensor<2x?x32xf32>) outs(%sf : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x?x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<2x?x?xf32>
  %re = tensor.empty(%nq) : tensor<2x?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %rz = linalg.fill ins(%one : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x?x?xf32>) outs(%rl : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<2x?x?xf32>) outs(%rz : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %we = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%we : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %lx: f32, %o: f32):
    %y = arith.divf %x, %lx : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %oe = tensor.empty(%nq) : tensor<2x?x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<2x?x?xf32>, tensor<2x?x32xf32>) outs(%of : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  return %r : tensor<2x?x32xf32>
}

// So few keys that their scores are in one kernel as they are.
// CHECK-LABEL: func.func @few
// CHECK-NOT: scf.forall
// CHECK: return
func.func @few(%q: tensor<2x?x32xf32>, %k: tensor<2x96x32xf32>, %v: tensor<2x96x32xf32>) -> tensor<2x?x32xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.17 : f32
  %cq = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<2x?x32xf32>
  %se = tensor.empty(%nq) : tensor<2x?x96xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x?x96xf32>) -> tensor<2x?x96xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<2x?x32xf32>, tensor<2x96x32xf32>) outs(%sf : tensor<2x?x96xf32>) -> tensor<2x?x96xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x?x96xf32>) outs(%se : tensor<2x?x96xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<2x?x96xf32>
  %re = tensor.empty(%nq) : tensor<2x?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x?x96xf32>) outs(%rl : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x?x96xf32>, tensor<2x?xf32>) outs(%se : tensor<2x?x96xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x?x96xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<2x?x96xf32>) outs(%rz : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %we = tensor.empty(%nq) : tensor<2x?x96xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x?x96xf32>, tensor<2x?xf32>) outs(%we : tensor<2x?x96xf32>) {
  ^bb0(%x: f32, %lx: f32, %o: f32):
    %y = arith.divf %x, %lx : f32
    linalg.yield %y : f32
  } -> tensor<2x?x96xf32>
  %oe = tensor.empty(%nq) : tensor<2x?x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<2x?x96xf32>, tensor<2x96x32xf32>) outs(%of : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  return %r : tensor<2x?x32xf32>
}

// Weights that are a result.
// CHECK-LABEL: func.func @returned
// CHECK-NOT: scf.forall
// CHECK: return
// REMARK: remark: [Missed] tt-stream-softmax {{.*}} Remark="this attention is not one kernel: its scores, or its weights, are needed elsewhere"
func.func @returned(%q: tensor<2x?x32xf32>, %k: tensor<2x?x32xf32>, %v: tensor<2x?x32xf32>) -> (tensor<2x?x32xf32>, tensor<2x?x?xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.17 : f32
  %cq = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<2x?x32xf32>
  %nk = tensor.dim %k, %ck : tensor<2x?x32xf32>
  %se = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<2x?x32xf32>, tensor<2x?x32xf32>) outs(%sf : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x?x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<2x?x?xf32>
  %re = tensor.empty(%nq) : tensor<2x?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x?x?xf32>) outs(%rl : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<2x?x?xf32>) outs(%rz : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %we = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%we : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %lx: f32, %o: f32):
    %y = arith.divf %x, %lx : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %oe = tensor.empty(%nq) : tensor<2x?x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<2x?x?xf32>, tensor<2x?x32xf32>) outs(%of : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  return %r, %w : tensor<2x?x32xf32>, tensor<2x?x?xf32>
}

// Weights that are a result before they are rounded.
// CHECK-LABEL: func.func @rounded
// CHECK-NOT: scf.forall
// CHECK: return
// REMARK: remark: [Missed] tt-stream-softmax {{.*}} Remark="this attention is not one kernel: its scores, or its weights, are needed elsewhere"
func.func @rounded(%q: tensor<2x?x32xf32>, %k: tensor<2x?x32xf32>, %v: tensor<2x?x32xbf16>) -> (tensor<2x?x32xf32>, tensor<2x?x?xf32>) attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.17 : f32
  %cq = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<2x?x32xf32>
  %nk = tensor.dim %k, %ck : tensor<2x?x32xf32>
  %se = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<2x?x32xf32>, tensor<2x?x32xf32>) outs(%sf : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x?x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<2x?x?xf32>
  %re = tensor.empty(%nq) : tensor<2x?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x?x?xf32>) outs(%rl : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<2x?x?xf32>) outs(%rz : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %we = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%we : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %lx: f32, %o: f32):
    %y = arith.divf %x, %lx : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %he = tensor.empty(%nq, %nk) : tensor<2x?x?xbf16>
  %h = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x?x?xf32>) outs(%he : tensor<2x?x?xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<2x?x?xbf16>
  %oe = tensor.empty(%nq) : tensor<2x?x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%h, %v : tensor<2x?x?xbf16>, tensor<2x?x32xbf16>) outs(%of : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  return %r, %w : tensor<2x?x32xf32>, tensor<2x?x?xf32>
}

// Keys so wide that no core has a block of them.
// CHECK-LABEL: func.func @wide
// CHECK-NOT: scf.forall
// CHECK: return
// REMARK: remark: [Missed] tt-stream-softmax {{.*}} Remark="this attention is not one kernel: keys or values are wide, of open width, or lie otherwise"
func.func @wide(%q: tensor<2x?x512xf32>, %k: tensor<2x?x512xf32>, %v: tensor<2x?x32xf32>) -> tensor<2x?x32xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.17 : f32
  %cq = arith.constant 1 : index
  %ck = arith.constant 1 : index
  %nq = tensor.dim %q, %cq : tensor<2x?x512xf32>
  %nk = tensor.dim %k, %ck : tensor<2x?x512xf32>
  %se = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<2x?x512xf32>, tensor<2x?x512xf32>) outs(%sf : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x?x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<2x?x?xf32>
  %re = tensor.empty(%nq) : tensor<2x?xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x?xf32>) -> tensor<2x?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x?x?xf32>) outs(%rl : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%se : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<2x?x?xf32>) outs(%rz : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  %we = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%we : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %lx: f32, %o: f32):
    %y = arith.divf %x, %lx : f32
    linalg.yield %y : f32
  } -> tensor<2x?x?xf32>
  %oe = tensor.empty(%nq) : tensor<2x?x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<2x?x?xf32>, tensor<2x?x32xf32>) outs(%of : tensor<2x?x32xf32>) -> tensor<2x?x32xf32>
  return %r : tensor<2x?x32xf32>
}

// So few queries that kernels which divide the keys over cores are faster.
// REMARK: this attention is not one kernel: so few queries leave most cores without work, over which kernels of their own divide the keys
// CHECK-LABEL: func.func @decoding
// CHECK-NOT: scf.forall
// CHECK: return
func.func @decoding(%q: tensor<2x4x32xf32>, %k: tensor<2x?x32xf32>, %v: tensor<2x?x32xf32>) -> tensor<2x4x32xf32> attributes {tt.model} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.17 : f32
  %cq = arith.constant 1 : index
  %nk = tensor.dim %k, %cq : tensor<2x?x32xf32>
  %se = tensor.empty(%nk) : tensor<2x4x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b0, i, j, x) -> (b0, i, x)>, affine_map<(b0, i, j, x) -> (b0, j, x)>, affine_map<(b0, i, j, x) -> (b0, i, j)>] ins(%q, %k : tensor<2x4x32xf32>, tensor<2x?x32xf32>) outs(%sf : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x4x?xf32>) outs(%se : tensor<2x4x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<2x4x?xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x4xf32>) -> tensor<2x4xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4xf32>) -> tensor<2x4xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x4x?xf32>) outs(%rl : tensor<2x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %m : tensor<2x4x?xf32>, tensor<2x4xf32>) outs(%se : tensor<2x4x?xf32>) {
  ^bb0(%x: f32, %mx: f32, %o: f32):
    %d = arith.subf %x, %mx : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x4x?xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<2x4x?xf32>) outs(%rz : tensor<2x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x4xf32>
  %we = tensor.empty(%nk) : tensor<2x4x?xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b0, i, j) -> (b0, i, j)>, affine_map<(b0, i, j) -> (b0, i)>, affine_map<(b0, i, j) -> (b0, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %l : tensor<2x4x?xf32>, tensor<2x4xf32>) outs(%we : tensor<2x4x?xf32>) {
  ^bb0(%x: f32, %lx: f32, %o: f32):
    %y = arith.divf %x, %lx : f32
    linalg.yield %y : f32
  } -> tensor<2x4x?xf32>
  %oe = tensor.empty() : tensor<2x4x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b0, i, x, j) -> (b0, i, j)>, affine_map<(b0, i, x, j) -> (b0, j, x)>, affine_map<(b0, i, x, j) -> (b0, i, x)>] ins(%w, %v : tensor<2x4x?xf32>, tensor<2x?x32xf32>) outs(%of : tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
  return %r : tensor<2x4x32xf32>
}
