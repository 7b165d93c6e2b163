#!/usr/bin/env python3
"""Random kernels of level 2, each with a twin of level 1: the twin matches MLIR's JIT, and both give the same. Tensors are
stored in tiles or by rows.

usage: random_level_2.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if all match.
"""
import array
import os
import random
import re
import subprocess
import sys
import tempfile

from random_common import ARCHS, command_line

UNARY = [("exp", "math.exp"), ("tanh", "math.tanh"), ("abs", "math.absf"), ("sqrt", None), ("negative", "arith.negf"),
         ("relu", "relu")]
BINARY = [("add", "arith.addf"), ("sub", "arith.subf"), ("mul", "arith.mulf")]


def attributes(rng, name):
    """Of a tensor, which is perhaps stored by rows."""
    rows = rng.random() < 0.25
    return f'{{tt.name = "{name}"' + (', tt.layout = {storage = "row_major"}}' if rows else "}")


def tensors(rng, names, shape):
    return ", ".join(f"%{n}: memref<{shape[0]}x{shape[1]}xbf16> {attributes(rng, n)}" for n in names)


def boxed(text):
    """Moves of tensors that are stored by rows say the box: rows become tiles on the way."""
    for name in re.findall(r'%(.): memref<[^>]*> {tt.name = ".", tt.layout', text):
        for cb, rows, cols in re.findall(r'%(.) = tt.alloc_cb "cb_." : !tt.cb<(\d+)x(\d+)x', text):
            box = f" box = [{32 * int(rows)}, {32 * int(cols)}] rows = [1, 0] cols = [0, 1] : "
            text = re.sub(rf"(tt.read_to_cb %{name}\[[^]]*\], %{cb}) : ", rf"\1{box}", text)
            text = re.sub(rf"(tt.write_from_cb %{cb}, %{name}\[[^]]*\]) : ", rf"\1{box}", text)
    return text


def loops(rng, blocks, rows, cols):
    """Loops over blocks, in either order, and the offsets %m and %n in elements."""
    text = [f"  scf.for %m = %c0 to %rows step %rm {{\n", f"  scf.for %n = %c0 to %cols step %rn {{\n"]
    if rng.random() < 0.5: text.reverse()
    head = (f"  %rm = arith.constant {32 * rows} : index\n  %rn = arith.constant {32 * cols} : index\n"
            f"  %rows = arith.constant {32 * rows * blocks[0]} : index\n"
            f"  %cols = arith.constant {32 * cols * blocks[1]} : index\n")
    return head, "".join(text), "  }\n  }\n"


def elementwise(rng):
    """A binary op of the matrix engine, and some of the vector engine on its result."""
    rows, cols, blocks = rng.randint(1, 3), rng.randint(1, 3), (rng.randint(1, 3), rng.randint(1, 3))
    shape, cb = (32 * rows * blocks[0], 32 * cols * blocks[1]), f"!tt.cb<{rows}x{cols}xbf16>"
    tensor = f"memref<{shape[0]}x{shape[1]}xbf16>"
    name, arith = rng.choice(BINARY)
    chain = [u for u in rng.sample(UNARY, rng.randint(0, 3)) if u[1]]
    # In DST of 16 bits a product of around 8 is 1.6e-2 off, and so is its exp, which is more than a test allows.
    names = [u[0] for u in chain]
    if name == "mul" and "exp" in names and "tanh" not in names[:names.index("exp")]:
        del chain[names.index("exp")]
        names.remove("exp")
    head, begin, end = loops(rng, blocks, rows, cols)
    into = not chain or rng.random() < 0.5  # the last op names its buffer, or the only one that is written takes it
    ops = [f"tt.fpu.{name} %x, %y, dst = 0"] + [f"tt.sfpu.unary {u}, dst = 0" for u, _ in chain]
    types = [f" : {cb}, {cb}"] + [""] * len(chain)
    if into:
        ops[-1] += " -> %z"
        types[-1] += f", {cb}" if types[-1] else f" : {cb}"
    opening = f"func.func @k({tensors(rng, 'ABC', shape)}) attributes {{tt.kernel}} {{\n"
    level_2 = (opening + "  %c0 = arith.constant 0 : index\n" + head +
               "".join(f'  %{v} = tt.alloc_cb "cb_{v}" : {cb}\n' for v in "xyz") + begin +
               f"    tt.read_to_cb %A[%m, %n], %x : {tensor}, {cb}\n"
               f"    tt.read_to_cb %B[%m, %n], %y : {tensor}, {cb}\n" +
               "".join(f"    {o}{t}\n" for o, t in zip(ops, types)) +
               f"    tt.write_from_cb %z, %C[%m, %n] : {cb}, {tensor}\n" + end + "  return\n}\n")
    body, last = f"    %v = {arith} %p, %q : bf16\n", "%v"
    for i, (_, op) in enumerate(chain):
        if op == "relu": body += f"    %v{i} = arith.maximumf {last}, %zero : bf16\n"
        else: body += f"    %v{i} = {op} {last} : bf16\n"
        last = f"%v{i}"
    ident = "affine_map<(i, j) -> (i, j)>"
    level_1 = (opening + "  %zero = arith.constant 0.0 : bf16\n"
               f"  linalg.generic {{indexing_maps = [{ident}, {ident}, {ident}], "
               f'iterator_types = ["parallel", "parallel"]}}\n'
               f"      ins(%A, %B : {tensor}, {tensor}) outs(%C : {tensor}) {{\n"
               f"  ^bb0(%p: bf16, %q: bf16, %o: bf16):\n{body}"
               f"    linalg.yield {last} : bf16\n  }}\n  return\n}}\n")
    what = f"{name}, {'/'.join(names) or 'nothing else'}, {blocks} blocks of {rows}x{cols}"
    return what, level_2, level_1


def product(rng):
    """A product in blocks, with a loop over its inner dimension; some blocks need more DST than there is."""
    rows, cols, inner = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 3)
    blocks, steps = (rng.randint(1, 2), rng.randint(1, 2)), rng.randint(1, 4)
    m, n, k = 32 * rows * blocks[0], 32 * cols * blocks[1], 32 * inner * steps
    a, b, c = f"memref<{m}x{k}xbf16>", f"memref<{k}x{n}xbf16>", f"memref<{m}x{n}xbf16>"
    acc = f"memref<{m}x{n}xbf16, #gpu.address_space<private>>"
    x, y, z = f"!tt.cb<{rows}x{inner}xbf16>", f"!tt.cb<{inner}x{cols}xbf16>", f"!tt.cb<{rows}x{cols}xbf16>"
    head, begin, end = loops(rng, blocks, rows, cols)
    arguments = ", ".join(f"%{n}: {t} {attributes(rng, n)}" for n, t in zip("ABC", (a, b, c)))
    level_2 = (f"func.func @k({arguments}) attributes {{tt.kernel}} {{\n  %c0 = arith.constant 0 : index\n"
               f"  %rk = arith.constant {32 * inner} : index\n  %kk = arith.constant {k} : index\n" + head +
               f'  %x = tt.alloc_cb "cb_x" : {x}\n  %y = tt.alloc_cb "cb_y" : {y}\n'
               f'  %z = tt.alloc_cb "cb_z" : {z}\n' + begin +
               f"    scf.for %k = %c0 to %kk step %rk {{\n      tt.read_to_cb %A[%m, %k], %x : {a}, {x}\n"
               f"      tt.read_to_cb %B[%k, %n], %y : {b}, {y}\n      %more = arith.cmpi ne, %k, %c0 : index\n"
               f"      tt.mm.mma %x, %y, dst = 0, accumulate = %more : {x}, {y}\n    }}\n"
               f"    tt.write_from_cb %z, %C[%m, %n] : {z}, {c}\n" + end + "  return\n}\n")
    # The twin adds in f32, too: the sum of a product is in DST.
    level_1 = (f"func.func @k({arguments}) attributes {{tt.kernel}} {{\n  %zero = arith.constant 0.0 : bf16\n"
               f"  %acc = memref.alloc() : {acc}\n  linalg.fill ins(%zero : bf16) outs(%acc : {acc})\n"
               f"  linalg.matmul ins(%A, %B : {a}, {b}) outs(%acc : {acc})\n"
               f"  memref.copy %acc, %C : {acc} to {c}\n  return\n}}\n")
    return f"product {m}x{n}x{k}, {blocks} blocks of {rows}x{cols}x{inner}", level_2, level_1


def values(path):
    """The floats of a .npy file."""
    with open(path, "rb") as file: data = file.read()
    floats = array.array("f")
    floats.frombytes(data[10 + int.from_bytes(data[8:10], "little"):])
    return floats


def distance(a, b):
    """Relative RMS of the difference; NaN and infinity are equal to themselves only."""
    if len(a) != len(b): return float("inf")
    square = total = 0.0
    for x, y in zip(a, b):
        if x == y or (x != x and y != y): total += y * y if abs(y) < 1e30 else 0.0
        else: square, total = square + (x - y) ** 2, total + y * y
    return (square / total) ** 0.5 if total else square


def run(path, arch, output, *more):
    done = subprocess.run(["tt-run", path, "--arch", arch, "--seed", "7", "--strict", "--output", f"C={output}", *more],
                          capture_output=True, text=True, check=False)
    error = re.search(r"^.*(?:error|OUT OF).*$", done.stderr + done.stdout, re.M)
    return None if done.returncode == 0 else error.group() if error else f"exit status {done.returncode}"


def check(folder, i, kind, rng):
    what, level_2, level_1 = kind(rng)
    level_2 = boxed(level_2)
    paths = [os.path.join(folder, f"kernel{i}.level{level}.mlir") for level in (2, 1)]
    for path, text in zip(paths, (level_2, level_1)):
        with open(path, "w", encoding="utf-8") as file: file.write(text)
    arch = rng.choice(ARCHS)
    problem = run(paths[0], arch, paths[0] + ".npy") or run(paths[1], arch, paths[1] + ".npy", "--check")
    if not problem:
        far = distance(values(paths[0] + ".npy"), values(paths[1] + ".npy"))
        problem = f"the twin differs by {far:.3g}" if far > 0.01 else None
    by_rows = "".join(re.findall(r'tt.name = "(.)", tt.layout', level_2))
    what += f", by rows {by_rows}" if by_rows else ""
    print(f"{'ok' if not problem else 'FAILED'} {i}: {what}, {arch}{': ' + problem if problem else ''}", flush=True)
    return not problem


def main():
    seed, count, keep, kinds = command_line((elementwise, product))
    with tempfile.TemporaryDirectory() as temporary:
        good = 0
        for i in range(count):
            rng = random.Random(f"{seed} {i}")
            good += check(keep or temporary, i, rng.choice(kinds), rng)
    print(f"{good} of {count} random level-2 kernels match (seed {seed})")
    return good != count


if __name__ == "__main__": sys.exit(main())
