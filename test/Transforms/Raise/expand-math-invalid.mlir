// RUN: tt-opt %s --tt-expand-math --verify-diagnostics

func.func @wide(%A: memref<32x32xi64>, %C: memref<32x32xi64>) attributes {tt.kernel} {
  linalg.map ins(%A : memref<32x32xi64>) outs(%C : memref<32x32xi64>) (%x: i64, %o: i64) {
    // expected-error @below {{counts bits of i64; those of i8, i16 and i32 can be counted, so cast it}}
    %n = math.ctpop %x : i64
    linalg.yield %n : i64
  }
  return
}
