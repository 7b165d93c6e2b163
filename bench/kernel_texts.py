"""The kernels of bench/kernels.py, as text: those of examples/ in other sizes, and what has no example."""
import os
import re

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples")
ADD = """        %r = arith.addf %a0, %b0 : bf16
        linalg.yield %r : bf16
"""
CAST = """        %r = arith.extf %a0 : bf16 to f32
        linalg.yield %r : f32
"""
GELU = """        %half = arith.constant 0.5 : bf16
        %one = arith.constant 1.0 : bf16
        %root = arith.constant 0.70710678 : bf16
        %x = arith.mulf %a0, %root : bf16
        %e = math.erf %x : bf16
        %f = arith.addf %e, %one : bf16
        %g = arith.mulf %a0, %half : bf16
        %r = arith.mulf %f, %g : bf16
        linalg.yield %r : bf16
"""


def block(rows, columns, stride, kind="bf16"):
    return f"memref<{rows}x{columns}x{kind}, strided<[{stride}, 1], offset: ?>>"


def elementwise(n, body, inputs, out="bf16"):
    """N x N, a block of N/8 x N/8 a core."""
    b, names = n // 8, ["A", "B"][:inputs]
    arguments = ", ".join(f'%{x}: memref<{n}x{n}xbf16> {{tt.name = "{x}"}}' for x in names)
    views = "".join(f"    %{x.lower()} = memref.subview %{x}[%m, %n] [{b}, {b}] [1, 1] : memref<{n}x{n}xbf16> to {block(b, b, n)}\n" for x in names)
    maps = ", ".join(["affine_map<(i, j) -> (i, j)>"] * (inputs + 1))
    ins = ", ".join(f"%{x.lower()}" for x in names) + " : " + ", ".join([block(b, b, n)] * inputs)
    values = ", ".join(f"%{x.lower()}0: bf16" for x in names)
    return f"""func.func @elementwise({arguments}, %C: memref<{n}x{n}x{out}> {{tt.name = "C"}}) attributes {{tt.kernel}} {{
  %block = arith.constant {b} : index
  scf.forall (%by, %bx) in (8, 8) {{
    %m = arith.muli %by, %block : index
    %n = arith.muli %bx, %block : index
{views}    %c = memref.subview %C[%m, %n] [{b}, {b}] [1, 1] : memref<{n}x{n}x{out}> to {block(b, b, n, out)}
    linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}}
        ins({ins}) outs(%c : {block(b, b, n, out)}) {{
      ^bb0({values}, %old: {out}):
{body}    }}
  }}
  return
}}
"""


def product(m, n, k, bm, bn, fidelity="HiFi4", weights="bf16"):
    """M x K times K x N, a block of bm x bn a unit, 32 of K a step, f32 sums."""
    a, b, c = f"memref<{m}x{k}xbf16>", f"memref<{k}x{n}xbf16>", f"memref<{m}x{n}xbf16>"
    total = f"memref<{bm}x{bn}xf32, #gpu.address_space<private>>"
    return f"""func.func @product(%A: {a} {{tt.name = "A"}}, %B: {b} {{tt.name = "B", tt.layout = {{dtype = "{weights}"}}}},
                   %C: {c} {{tt.name = "C"}}) attributes {{tt.kernel, tt.math_fidelity = "{fidelity}"}} {{
  %c0 = arith.constant 0 : index
  %step = arith.constant 32 : index
  %bm = arith.constant {bm} : index
  %bn = arith.constant {bn} : index
  %size = arith.constant {k} : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%by, %bx) in ({m // bm}, {n // bn}) {{
    %m = arith.muli %by, %bm : index
    %n = arith.muli %bx, %bn : index
    %sum = memref.alloc() : {total}
    linalg.fill ins(%zero : f32) outs(%sum : {total})
    scf.for %k = %c0 to %size step %step {{
      %a = memref.subview %A[%m, %k] [{bm}, 32] [1, 1] : {a} to {block(bm, 32, k)}
      %b = memref.subview %B[%k, %n] [32, {bn}] [1, 1] : {b} to {block(32, bn, n)}
      linalg.matmul ins(%a, %b : {block(bm, 32, k)}, {block(32, bn, n)}) outs(%sum : {total})
    }}
    %c = memref.subview %C[%m, %n] [{bm}, {bn}] [1, 1] : {c} to {block(bm, bn, n)}
    linalg.copy ins(%sum : {total}) outs(%c : {block(bm, bn, n)})
  }}
  return
}}
"""


def resized(name, *changes):
    with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
        text = file.read()
    for old, new in changes:
        text, n = re.subn(old, new, text)
        assert n > 0, (name, old)
    return text


def softmax(rows, columns):
    return resized("softmax.mlir", ("128x256", f"{rows}x{columns}"), ("32x256", f"32x{columns}"), (r"\[256, 1\]", f"[{columns}, 1]"),
                   (r"\[32, 256\]", f"[32, {columns}]"), (r"in \(4\)", f"in ({rows // 32})"))


def rms_norm(rows, columns):
    return resized("rms_norm.mlir", ("64x128", f"{rows}x{columns}"), ("32x128", f"32x{columns}"), (r"\[128, 1\]", f"[{columns}, 1]"),
                   (r"\[32, 128\]", f"[32, {columns}]"), (r"in \(2\)", f"in ({rows // 32})"), ("<128xbf16>", f"<{columns}xbf16>"),
                   ("0.0078125", repr(1 / columns)))


def in_shards(text, rows, columns):
    """X and Y in the L1 of cores, 32 rows each, which take the units of their own shards."""
    shards = (f'tt.layout = {{memory = "L1", layout = "sharded", nd_shard = {{axes = ["M", "N"], grid = [{rows // 32}, 1], '
              f'shard_shape_elems = [32, {columns}]}}}}')
    for name in ("X", "Y"):
        text = text.replace(f'{{tt.name = "{name}"}}', f'{{tt.name = "{name}", {shards}}}')
    return text.replace("attributes {tt.kernel}", 'attributes {tt.kernel, tt.partition_mode = "local_shard"}')


def layer_norm(rows, columns):
    return resized("layer_norm.mlir", ("2x64x256", f"2x{rows // 2}x{columns}"), ("32x256", f"32x{columns}"), (r"\[256, 1\]", f"[{columns}, 1]"),
                   (r"\[1, 32, 256\]", f"[1, 32, {columns}]"), (r"in \(2, 2\)", f"in (2, {rows // 64})"), ("<256xbf16>", f"<{columns}xbf16>"),
                   ("0.00390625", repr(1 / columns)), ("c64 = arith.constant 64", f"c64 = arith.constant {rows // 2}"), ("<128xf32>", f"<{rows}xf32>"))


def attention(heads, length, depth, keys=64, causal=False, approx=False):
    """Flash attention as in examples/flash_attention.mlir and causal_attention.mlir: blocks of 64 queries, and of so many keys."""
    text = resized("causal_attention.mlir" if causal else "flash_attention.mlir")
    tensor = f"{heads}x{length}x{depth}"
    text = re.sub(r"memref<[42]x(128|192)x64xbf16", f"memref<{tensor}xbf16", text)
    text = re.sub(r"(%[qo] = memref.subview .*) \[1, 64, 64\]", rf"\1 [1, 64, {depth}]", text)
    text = re.sub(r"(%[kv] = memref.subview .*) \[1, 64, 64\]", rf"\1 [1, {keys}, {depth}]", text)
    lines, reads_keys = [], False
    for row in text.split("\n"):
        names = re.findall(r"%(\w+)", row)
        if re.search(r"%[kv] = memref.subview", row): reads_keys = True
        if "to memref<64x64xbf16, strided<[64, 1], offset: ?>>" in row and "subview" not in row:
            row = row.replace("64x64", f"{keys if reads_keys else 64}x{depth}").replace("[64, 1]", f"[{depth}, 1]")
            reads_keys = False
        elif re.match(r" *%(scores|scaled|weights) = ", row): row = row.replace("64x64", f"64x{keys}")
        elif re.match(r" *%(queries|acc) = ", row): row = row.replace("64x64", f"64x{depth}")
        elif "%queries, %k" in row:
            row = row.replace("memref<64x64xbf16, #", f"memref<64x{depth}xbf16, #").replace("memref<64x64xbf16, strided<[64, 1]", f"memref<{keys}x{depth}xbf16, strided<[{depth}, 1]")
        elif "%weights, %v" in row:
            row = row.replace("memref<64x64xbf16, #", f"memref<64x{keys}xbf16, #").replace("memref<64x64xbf16, strided<[64, 1]", f"memref<{keys}x{depth}xbf16, strided<[{depth}, 1]")
        elif re.search(r"(ins|outs|fill).*%(scores|scaled|weights)\b", row): row = row.replace("64x64", f"64x{keys}")
        elif re.search(r"%(acc|o|q|queries)\b", row) or "to memref<64x64xbf16, #" in row:
            row = row.replace("64x64", f"64x{depth}").replace("strided<[64, 1]", f"strided<[{depth}, 1]")
        lines.append(row)
    text = "\n".join(lines)
    for old, new in (("c2 = arith.constant 2", "c2 = arith.constant 1"), ("c192 = arith.constant 192", f"c192 = arith.constant {length}"),
                     (r"in \(4, 2\)", f"in ({heads}, {length // 64})"), ("step %c64", "step %keys"),
                     (r"( *)%zero = ", rf"\1%keys = arith.constant {keys} : index\n\1%zero = "), (r"0\.125 : f32.*", f"{depth ** -0.5!r} : f32"),
                     (r"attributes \{tt.kernel\}", "attributes {tt.kernel, tt.math_approx}" if approx else "attributes {tt.kernel}")):
        text = re.sub(old, new, text)
    return text
