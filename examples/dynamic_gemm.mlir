// C = A * B of any size. The kernels are compiled once: they take the sizes as runtime arguments, and the
// host program computes the grid from them, and which core has how many blocks. Sizes that the kernel takes
// to be equal are asked for once:
//   tt-run examples/dynamic_gemm.mlir --check --shape A=100x70 --shape B=70x130
//   main A.bin B.bin C.bin 100 70 130
#ij = affine_map<(i, j) -> (i, j)>
func.func @dynamic_gemm(%A: memref<?x?xbf16> {tt.name = "A"}, %B: memref<?x?xbf16> {tt.name = "B"}, %C: memref<?x?xbf16> {tt.name = "C"}) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %M = memref.dim %A, %c0 : memref<?x?xbf16>
  %K = memref.dim %A, %c1 : memref<?x?xbf16>
  %N = memref.dim %B, %c1 : memref<?x?xbf16>
  %gy = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%M]
  %gx = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%N]
  scf.forall (%by, %bx) in (%gy, %gx) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%by)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%bx)
    %rows = affine.min affine_map<(d0)[s0] -> (d0 * -64 + s0, 64)>(%by)[%M]
    %cols = affine.min affine_map<(d0)[s0] -> (d0 * -64 + s0, 64)>(%bx)[%N]
    %acc = memref.alloc(%rows, %cols) : memref<?x?xf32, #gpu.address_space<private>>
    linalg.fill ins(%zero : f32) outs(%acc : memref<?x?xf32, #gpu.address_space<private>>)
    %sa = memref.alloc() : memref<64x64xbf16, #gpu.address_space<workgroup>>
    scf.for %k = %c0 to %K step %c64 {
      %ks = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 64)>(%k)[%K]
      %a = memref.subview %A[%m, %k] [%rows, %ks] [1, 1] : memref<?x?xbf16> to memref<?x?xbf16, strided<[?, 1], offset: ?>>
      %b = memref.subview %B[%k, %n] [%ks, %cols] [1, 1] : memref<?x?xbf16> to memref<?x?xbf16, strided<[?, 1], offset: ?>>
      %va = memref.subview %sa[0, 0] [%rows, %ks] [1, 1] : memref<64x64xbf16, #gpu.address_space<workgroup>> to memref<?x?xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>
      memref.copy %a, %va : memref<?x?xbf16, strided<[?, 1], offset: ?>> to memref<?x?xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>
      linalg.matmul ins(%va, %b : memref<?x?xbf16, strided<[64, 1]>, #gpu.address_space<workgroup>>, memref<?x?xbf16, strided<[?, 1], offset: ?>>) outs(%acc : memref<?x?xf32, #gpu.address_space<private>>)
    }
    %c = memref.subview %C[%m, %n] [%rows, %cols] [1, 1] : memref<?x?xbf16> to memref<?x?xbf16, strided<[?, 1], offset: ?>>
    linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%acc : memref<?x?xf32, #gpu.address_space<private>>) outs(%c : memref<?x?xbf16, strided<[?, 1], offset: ?>>) {
    ^bb0(%x: f32, %o: bf16):
      %t = arith.truncf %x : f32 to bf16
      linalg.yield %t : bf16
    }
  }
  return
}
