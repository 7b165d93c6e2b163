"""A kernel whose body uses its values again and again: Newton's steps for 1/x, y = y (2 - x y).

  reused_values.py blocks STEPS     on blocks, by one linalg op
  reused_values.py elements STEPS   element by element, in loops
  reused_values.py indices STEPS    an index that is added to itself, and compared

As a tree, the expression has more than 2^STEPS parts.
"""
import sys


def body(steps, x, y):
    lines = [f"%y0 = arith.mulf {x}, %half : f32"]
    for i in range(steps):
        lines += [f"%p{i} = arith.mulf {x}, %y{i} : f32",
                  f"%q{i} = arith.subf %two, %p{i} : f32",
                  f"%y{i + 1} = arith.mulf %y{i}, %q{i} : f32"]
    return "\n".join(lines) + f"\n{y(steps)}"


def doubled(steps):
    lines = ["%j = linalg.index 1 : index", "%z0 = arith.addi %j, %b : index"]
    for i in range(steps):
        lines.append(f"%z{i + 1} = arith.subi %z{i}, %z{i} : index" if i == 3 else
                     f"%z{i + 1} = arith.addi %z{i}, %z{i} : index")
    return "\n".join(lines + [f"%f = arith.cmpi sge, %z{steps}, %j : index",
                              "%r = arith.select %f, %x, %half : f32", "linalg.yield %r : f32"])


HEAD = """func.func @reused(%A: memref<64x64xf32> {tt.name = "A"}, %C: memref<64x64xf32> {tt.name = "C"})
    attributes {tt.kernel} {
  %two = arith.constant 2.0 : f32
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.forall (%b) in (2) {
    %row = arith.muli %b, %c32 : index
"""
VIEW = "memref<32x64xf32, strided<[64, 1], offset: ?>>"
BLOCKS = f"""
    %a = memref.subview %A[%row, 0] [32, 64] [1, 1] : memref<64x64xf32> to {VIEW}
    %c = memref.subview %C[%row, 0] [32, 64] [1, 1] : memref<64x64xf32> to {VIEW}
    linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}}
        ins(%a : {VIEW}) outs(%c : {VIEW}) {{
      ^bb0(%x: f32, %old: f32):
"""
ELEMENTS = """
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %at = arith.addi %row, %i : index
        %x = memref.load %A[%at, %j] : memref<64x64xf32>
"""


def main(kind, steps):
    end = "  }\n  return\n}"
    if kind == "elements":
        store = lambda n: f"memref.store %y{n}, %C[%at, %j] : memref<64x64xf32>\n}}\n}}"
        print(HEAD + ELEMENTS + body(steps, "%x", store) + "\n" + end)
    else:
        inside = (doubled(steps) if kind == "indices" else
                  body(steps, "%x", lambda n: f"linalg.yield %y{n} : f32"))
        print(HEAD + BLOCKS + inside + "\n}\n" + end)


main(sys.argv[1], int(sys.argv[2]))
