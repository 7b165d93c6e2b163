"""A kernel whose body uses its values again and again: Newton's steps for 1/x, y = y (2 - x y).

  reused_values.py blocks STEPS     on blocks, by one linalg op
  reused_values.py elements STEPS   element by element, in loops
  reused_values.py indices STEPS    an index that is added to itself, and compared
  reused_values.py integers STEPS   integers of a tensor, element by element
  reused_values.py scalars STEPS    a number that the core computes before its loops
  reused_values.py tensors STEPS    a model, an op on tensors for each

As a tree, the expression has more than 2^STEPS parts.
"""
import sys


def newton(steps, x):
    lines = [f"%y0 = arith.mulf {x}, %half : f32"]
    for i in range(steps):
        lines += [f"%p{i} = arith.mulf {x}, %y{i} : f32",
                  f"%q{i} = arith.subf %two, %p{i} : f32",
                  f"%y{i + 1} = arith.mulf %y{i}, %q{i} : f32"]
    return lines


def in_turns(ops, steps, x, kind):
    lines = [f"%y0 = arith.{ops[0]} {x}, {x} : {kind}"]
    for i in range(steps):
        lines += [f"%p{i} = arith.{ops[(i + 1) % len(ops)]} %y{i}, {x} : {kind}",
                  f"%y{i + 1} = arith.{ops[i % len(ops)]} %y{i}, %p{i} : {kind}"]
    return lines


def doubled(steps):
    lines = ["%j = linalg.index 1 : index", "%z0 = arith.addi %j, %b : index"]
    for i in range(steps):
        lines.append(f"%z{i + 1} = arith.subi %z{i}, %z{i} : index" if i == 3 else
                     f"%z{i + 1} = arith.addi %z{i}, %z{i} : index")
    return lines + [f"%f = arith.cmpi sge, %z{steps}, %j : index",
                    "%r = arith.select %f, %x, %half : f32", "linalg.yield %r : f32"]


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


def model(steps):
    t = "tensor<64x64xf32>"
    mul = lambda result, a, b: f"  %{result} = tosa.mul %{a}, %{b}, %shift : ({t}, {t}, tensor<1xi8>) -> {t}"
    lines = [f"func.func @reused(%x: {t}) -> {t} attributes {{tt.model}} {{",
             '  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>',
             f"  %y0 = tosa.abs %x : ({t}) -> {t}"]
    for i in range(steps):
        lines += [mul(f"p{i}", "x", f"y{i}"), f"  %r{i} = tosa.tanh %p{i} : ({t}) -> {t}", mul(f"y{i + 1}", f"y{i}", f"r{i}")]
    return "\n".join(lines + [f"  return %y{steps} : {t}", "}"])


def main(kind, steps):
    if kind == "tensors":
        print(model(steps))
        return
    last, numbers = f"%y{steps}", "i32" if kind == "integers" else "f32"
    store = f"memref.store {last}, %C[%at, %j] : memref<64x64xf32>"
    if kind == "blocks":
        lines = [BLOCKS, *newton(steps, "%x"), f"linalg.yield {last} : f32", "}"]
    elif kind == "indices":
        lines = [BLOCKS, *doubled(steps), "}"]
    elif kind == "elements":
        lines = [ELEMENTS, *newton(steps, "%x"), store, "}", "}"]
    elif kind == "integers":
        lines = [ELEMENTS, *in_turns(["addi", "xori", "maxsi"], steps, "%x", "i32"), store, "}", "}"]
    else:
        number = in_turns(["maximumf", "minimumf", "subf"], steps, "%n", "f32")
        lines = ["%n = memref.load %A[%row, %c0] : memref<64x64xf32>", *number, ELEMENTS,
                 f"%w = arith.mulf %x, {last} : f32", store.replace(last, "%w"), "}", "}"]
    text = "\n".join([HEAD, *lines, "  }\n  return\n}"])
    print(text.replace("64xf32", f"64x{numbers}"))


main(sys.argv[1], int(sys.argv[2]))
