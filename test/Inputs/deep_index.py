"""Prints a level-2 kernel whose offset adds a value to itself again and again: a sum
of 2^40 terms to whoever looks at each use anew."""
print("""func.func @deep(%A: memref<64x96xbf16>, %B: memref<64x96xbf16>) attributes {tt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tt.alloc_cb "a" : !tt.cb<1x1xbf16>
  scf.for %v0 = %c0 to %c1 step %c1 {""")
for i in range(40):
    print(f"    %v{i + 1} = arith.addi %v{i}, %v{i} : index")
print("""    tt.read_to_cb %A[%c0, %v40], %a : memref<64x96xbf16>, !tt.cb<1x1xbf16>
    tt.write_from_cb %a, %B[%c0, %v40] : !tt.cb<1x1xbf16>, memref<64x96xbf16>
  }
  return
}""")
