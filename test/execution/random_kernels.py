#!/usr/bin/env python3
"""Random GEMMs and elementwise kernels, each run by tt-run --check.

usage: random_kernels.py SEED COUNT [--keep DIR]

Prints a line a kernel, with what it takes to make it again, and a summary. The
exit status is 0 if every kernel matched its reference.
"""
import os
import random
import subprocess
import sys
import tempfile


def memref(rows, cols, element, space=None):
    space = f", #gpu.address_space<{space}>" if space else ""
    return f"memref<{rows}x{cols}x{element}{space}>"


def view(tensor, rows, cols, ld, element, r, c, name):
    strided = f"memref<{rows}x{cols}x{element}, strided<[{ld[1]}, 1], offset: ?>>"
    text = (f"    %{name} = memref.subview %{tensor}[{r}, {c}] [{rows}, {cols}] [1, 1] : "
            f"{memref(*ld, element)} to {strided}\n")
    return text, strided


def grid(rng, rows, cols):
    """The loop over blocks, with or without its unit dimensions, and %by, %bx."""
    if cols == 1 and rng.random() < 0.5:
        return f"  scf.forall (%by) in ({rows}) {{\n    %bx = arith.constant 0 : index\n"
    return f"  scf.forall (%by, %bx) in ({rows}, {cols}) {{\n"


def gemm(rng):
    bm, bn, bk = (rng.choice([1, 1, 2, 3, 4]) for _ in range(3))
    gm, gn, gk = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 4)
    element, acc = rng.choice(["bf16", "bf16", "f32"]), rng.choice(["f32", "bf16"])
    if element == "f32":
        acc = "f32"
    stages = rng.randint(1, 4)
    m, n, k = 32 * bm * gm, 32 * bn * gn, 32 * bk * gk
    rm, rn, rk = 32 * bm, 32 * bn, 32 * bk
    a, ta = view("A", rm, rk, (m, k), element, "%m", "%k", "a")
    b, tb = view("B", rk, rn, (k, n), element, "%k", "%n", "b")
    c, tc = view("C", rm, rn, (m, n), "bf16" if element == "bf16" else "f32", "%m", "%n", "c")
    out = "bf16" if element == "bf16" else "f32"
    frag = memref(rm, rn, acc, "private")
    sa, sb = memref(rm, rk, element, "workgroup"), memref(rk, rn, element, "workgroup")
    copy = ("memref.copy %acc, %c : " + frag + " to " + tc if acc == out else
            f"linalg.copy ins(%acc : {frag}) outs(%c : {tc})")
    text = (f"func.func @k(%A: {memref(m, k, element)}, %B: {memref(k, n, element)}, "
            f"%C: {memref(m, n, out)}) attributes {{tt.kernel}} {{\n"
            f"  %zero = arith.constant 0.0 : {acc}\n  %c0 = arith.constant 0 : index\n"
            f"  %rm = arith.constant {rm} : index\n  %rn = arith.constant {rn} : index\n"
            f"  %rk = arith.constant {rk} : index\n  %kk = arith.constant {k} : index\n"
            + grid(rng, gm, gn) +
            f"    %m = arith.muli %by, %rm : index\n    %n = arith.muli %bx, %rn : index\n"
            f"    %sa = memref.alloc() : {sa}\n    %sb = memref.alloc() : {sb}\n"
            f"    %acc = memref.alloc() : {frag}\n"
            f"    linalg.fill ins(%zero : {acc}) outs(%acc : {frag})\n"
            f"    scf.for %k = %c0 to %kk step %rk {{\n  {a}      memref.copy %a, %sa : {ta} to {sa}\n"
            f"  {b}      memref.copy %b, %sb : {tb} to {sb}\n"
            f"      linalg.matmul ins(%sa, %sb : {sa}, {sb}) outs(%acc : {frag})\n"
            f"    }} {{tt.num_stages = {stages} : i64}}\n{c}    {copy}\n  }}\n  return\n}}\n")
    return f"gemm {m}x{n}x{k} {element}, blocks {rm}x{rn}x{rk}, acc {acc}, stages {stages}", text


def expression(rng, inputs, depth):
    """SSA lines of a random tree, and its value."""
    lines, count = [], [0]

    def build(d):
        if d == 0 or rng.random() < 0.2:
            return f"%x{rng.randrange(inputs)}"
        op = rng.choice(["arith.addf", "arith.subf", "arith.mulf", "math.tanh", "math.absf"])
        operands = [build(d - 1) for _ in range(2 if op.startswith("arith") else 1)]
        name = f"%v{count[0]}"
        count[0] += 1
        lines.append((name, op, ", ".join(operands)))
        return name

    value = build(depth)
    while not lines:
        value = build(depth)
    return lines, value


def elementwise(rng):
    inputs, bm, bn = rng.randint(1, 3), rng.randint(1, 3), rng.randint(1, 3)
    gm, gn = rng.randint(1, 9), rng.randint(1, 9)
    element = rng.choice(["bf16", "bf16", "f32"])
    rm, rn, m, n = 32 * bm, 32 * bn, 32 * bm * gm, 32 * bn * gn
    lines, value = expression(rng, inputs, rng.randint(1, 3))
    args = [f"A{i}" for i in range(inputs)]
    views = [view(a, rm, rn, (m, n), element, "%m", "%n", f"s{i}") for i, a in enumerate(args)]
    out, tout = view("O", rm, rn, (m, n), element, "%m", "%n", "o")
    ident = "affine_map<(i, j) -> (i, j)>"
    body = "".join(f"        {name} = {op} {operands} : {element}\n" for name, op, operands in lines)
    text = ("func.func @k(" + ", ".join(f"%{a}: {memref(m, n, element)}" for a in args + ["O"]) +
            f") attributes {{tt.kernel}} {{\n  %rm = arith.constant {rm} : index\n"
            f"  %rn = arith.constant {rn} : index\n" + grid(rng, gm, gn) +
            "    %m = arith.muli %by, %rm : index\n    %n = arith.muli %bx, %rn : index\n" +
            "".join(v for v, _ in views) + out +
            f"    linalg.generic {{indexing_maps = [{', '.join([ident] * (inputs + 1))}], "
            'iterator_types = ["parallel", "parallel"]}\n      ins(' +
            ", ".join(f"%s{i}" for i in range(inputs)) + " : " + ", ".join(t for _, t in views) +
            f") outs(%o : {tout}) {{\n      ^bb0(" +
            ", ".join(f"%x{i}: {element}" for i in range(inputs)) + f", %old: {element}):\n" + body +
            f"        linalg.yield {value} : {element}\n    }}\n  }}\n  return\n}}\n")
    tree = "; ".join(f"{n} = {o} {x}" for n, o, x in lines)
    return f"elementwise {m}x{n} {element}, blocks {rm}x{rn}: {tree}", text


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    keep = sys.argv[4] if len(sys.argv) > 4 else None
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(count):
            rng = random.Random(seed * 1000 + i)
            what, text = rng.choice([gemm, elementwise])(rng)
            arch = rng.choice(["wormhole_b0", "blackhole"])
            era = rng.choice(["2025", "2026-03", "2026-08"])
            path = os.path.join(keep or scratch, f"kernel{i}.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            if rng.random() < 0.5:  # structure decides, canonical or not
                subprocess.run(["tt-opt", "--canonicalize", "--cse", path, "-o", path], check=True)
            run = subprocess.run(["tt-run", path, "--check", "--arch", arch, "--metalium-api", era,
                                  "--seed", str(seed)], capture_output=True, text=True, check=False)
            ok = run.returncode == 0
            failed += not ok
            print(f"{'ok  ' if ok else 'FAIL'} seed {seed} kernel {i} {arch} {era}: {what}", flush=True)
            if not ok:
                print(run.stdout + run.stderr)
    print(f"{count - failed} of {count} random kernels match (seed {seed})")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
