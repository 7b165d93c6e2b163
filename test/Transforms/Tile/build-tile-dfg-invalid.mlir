// RUN: tt-opt %s --tt-build-tile-dfg --split-input-file --verify-diagnostics

func.func @f(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{nothing fills circular buffer 'cb_a'}}
  %a = tt.alloc_cb "cb_a" : !tt.cb<1x1xbf16>
  tt.write_from_cb %a, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
func.func @f(%A: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{nothing reads circular buffer 'cb_a'}}
  %a = tt.alloc_cb "cb_a" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  return
}
// -----
func.func @f(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "cb_a" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  // expected-error @below {{[rule 4] circular buffer 'cb_a' is filled at a second place}}
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %a, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
func.func @f(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{[rule 4] circular buffer 'cb_a' is read by compute and written to a tensor; copy it to a second one}}
  %a = tt.alloc_cb "cb_a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "cb_b" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %a, dst = 0 -> %b : !tt.cb<1x1xbf16>, !tt.cb<1x1xbf16>
  tt.write_from_cb %a, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  tt.write_from_cb %b, %C[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
// -----
func.func @f(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>, %C: memref<32x32xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %a = tt.alloc_cb "cb_a" : !tt.cb<1x1xbf16>
  %b = tt.alloc_cb "cb_b" : !tt.cb<1x1xbf16>
  %c = tt.alloc_cb "cb_c" : !tt.cb<1x1xbf16>
  tt.read_to_cb %A[%c0, %c0], %a : memref<32x32xbf16>, !tt.cb<1x1xbf16>
  tt.copy_to_dst %a, dst = 0 : !tt.cb<1x1xbf16>
  tt.write_from_cb %b, %B[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  // expected-error @below {{several circular buffers are written to tensors, but no op fills them; name the target of each result with '-> %cb'}}
  tt.write_from_cb %c, %C[%c0, %c0] : !tt.cb<1x1xbf16>, memref<32x32xbf16>
  return
}
