#!/usr/bin/env python3
"""Random GEMMs, elementwise kernels, kernels of several products and row-wise kernels: each runs on
both chips in one era, and on one of them with no optimization, matches its reference, and compiles
in the other eras.

usage: random_kernels.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The
exit status is 0 if every kernel matched its reference.
"""
import os
import random
import subprocess
import sys
import tempfile

from random_common import ARCHS, command_line, write
from random_rowwise import rowwise


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


def deep_grid(rng, rows, cols, rm):
    """A grid of three dimensions, where the outer two share the rows."""
    outer = max(d for d in (1, 2, 3) if rows % d == 0)
    return (f"  scf.forall (%bz, %b1, %bx) in ({outer}, {rows // outer}, {cols}) {{\n"
            f"    %per = arith.constant {rows // outer} : index\n    %b0 = arith.muli %bz, %per : index\n"
            f"    %by = arith.addi %b0, %b1 : index\n")


# What follows a product: %s is its sum, %q a residual, both in f32, and %v the result.
EPILOGUES = [("", None)] * 3 + [
    (", relu", "%v = arith.maximumf %s, %z : f32"),
    (", residual", "%v = arith.addf %s, %q : f32"),
    (", gate", "%t = math.tanh %q : f32\n        %v = arith.mulf %s, %t : f32"),
    (", scaled residual", "%h = arith.mulf %s, %half : f32\n        %v = arith.subf %q, %h : f32")]


def epilogue(body, acc, element, out, frag, residual, result):
    def cast(name, to, source):
        if source == "f32":
            return f"        %{to} = arith.addf %{name}, %z : f32\n"
        return f"        %{to} = arith.extf %{name} : {source} to f32\n"
    ident = "affine_map<(i, j) -> (i, j)>"
    end = "%v" if out == "f32" else "%o"
    narrow = "" if out == "f32" else f"        %o = arith.truncf %v : f32 to {out}\n"
    return (f"linalg.generic {{indexing_maps = [{', '.join([ident] * 3)}], "
            f'iterator_types = ["parallel", "parallel"]}}\n'
            f"      ins(%acc, %r : {frag}, {residual}) outs(%c : {result}) {{\n"
            f"      ^bb0(%s0: {acc}, %q0: {element}, %old: {out}):\n"
            "        %z = arith.constant 0.0 : f32\n        %half = arith.constant 0.5 : f32\n" +
            cast("s0", "s", acc) + cast("q0", "q", element) + f"        {body}\n{narrow}"
            f"        linalg.yield {end} : {out}\n    }}")


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
    transpose_b = rng.random() < 0.4  # B is stored as n x k
    turned = (lambda x, y: (y, x)) if transpose_b else (lambda x, y: (x, y))
    shape_b, block_b = turned(k, n), turned(rk, rn)
    b, tb = view("B", *block_b, shape_b, element, *turned("%k", "%n"), "b")
    c, tc = view("C", rm, rn, (m, n), "bf16" if element == "bf16" else "f32", "%m", "%n", "c")
    out = "bf16" if element == "bf16" else "f32"
    frag = memref(rm, rn, acc, "private")
    sa, sb = memref(rm, rk, element, "workgroup"), memref(*block_b, element, "workgroup")
    maps = ("indexing_maps = [" + ", ".join(f"affine_map<(i, j, l) -> ({r})>" for r in
            ("i, l", "j, l", "i, j")) + "] ") if transpose_b else ""
    arguments, copy = "", None
    kind, body = rng.choice(EPILOGUES)
    if body:
        r, tr = view("R", rm, rn, (m, n), element, "%m", "%n", "r")
        arguments, c = f"%R: {memref(m, n, element)}, ", c + r
        copy = epilogue(body, acc, element, out, frag, tr, tc)
    copy = copy or ("memref.copy %acc, %c : " + frag + " to " + tc if acc == out else
            f"linalg.copy ins(%acc : {frag}) outs(%c : {tc})")
    text = (f"func.func @k(%A: {memref(m, k, element)}, %B: {memref(*shape_b, element)}, {arguments}"
            f"%C: {memref(m, n, out)}) attributes {{tt.kernel}} {{\n"
            f"  %zero = arith.constant 0.0 : {acc}\n  %c0 = arith.constant 0 : index\n"
            f"  %rm = arith.constant {rm} : index\n  %rn = arith.constant {rn} : index\n"
            f"  %rk = arith.constant {rk} : index\n  %kk = arith.constant {k} : index\n"
            + rng.choice([grid(rng, gm, gn), deep_grid(rng, gm, gn, rm)]) +
            f"    %m = arith.muli %by, %rm : index\n    %n = arith.muli %bx, %rn : index\n"
            f"    %sa = memref.alloc() : {sa}\n    %sb = memref.alloc() : {sb}\n"
            f"    %acc = memref.alloc() : {frag}\n"
            f"    linalg.fill ins(%zero : {acc}) outs(%acc : {frag})\n"
            f"    scf.for %k = %c0 to %kk step %rk {{\n  {a}      memref.copy %a, %sa : {ta} to {sa}\n"
            f"  {b}      memref.copy %b, %sb : {tb} to {sb}\n"
            f"      linalg.matmul {maps}ins(%sa, %sb : {sa}, {sb}) outs(%acc : {frag})\n"
            f"    }} {{tt.num_stages = {stages} : i64}}\n{c}    {copy}\n  }}\n  return\n}}\n")
    return (f"gemm {m}x{n}x{k} {element}{', B transposed' * transpose_b}, blocks {rm}x{rn}x{rk}, acc {acc}, "
            f"stages {stages}{kind}", text)


def sums(rng):
    """Two or three sums over one loop, or one after the other, and their combination."""
    n_sums, nested = rng.choice([2, 2, 3]), rng.random() < 0.5
    bm, bn, bk, gm, gn, gk = (rng.randint(1, 2) for _ in range(6))
    gk += 1
    rm, rn, rk, m, n, k = 32 * bm, 32 * bn, 32 * bk, 32 * bm * gm, 32 * bn * gn, 32 * bk * gk
    element = rng.choice(["bf16", "f32"])
    acc = rng.choice(["f32", "bf16"]) if element == "bf16" else "f32"
    turned = [rng.random() < 0.4 for _ in range(n_sums)]
    frag, ident = memref(rm, rn, acc), "affine_map<(i, j) -> (i, j)>"
    maps = ("indexing_maps = [" + ", ".join(f"affine_map<(i, j, l) -> ({r})>" for r in
            ("i, l", "j, l", "i, j")) + "] ")
    shapes = [(n, k) if t else (k, n) for t in turned]
    text = (f"func.func @k(%A: {memref(m, k, element)}, " +
            "".join(f"%B{i}: {memref(*s, element)}, " for i, s in enumerate(shapes)) +
            f"%C: {memref(m, n, acc)}) attributes {{tt.kernel}} {{\n"
            f"  %zero = arith.constant 0.0 : {acc}\n  %c0 = arith.constant 0 : index\n"
            f"  %rm = arith.constant {rm} : index\n  %rn = arith.constant {rn} : index\n"
            f"  %rk = arith.constant {rk} : index\n  %kk = arith.constant {k} : index\n" +
            grid(rng, gm, gn) +
            "    %m = arith.muli %by, %rm : index\n    %n = arith.muli %bx, %rn : index\n" +
            "".join(f"    %s{i} = memref.alloc() : {frag}\n" for i in range(n_sums)))
    fills = [f"    linalg.fill ins(%zero : {acc}) outs(%s{i} : {frag})\n" for i in range(n_sums)]
    head, tail = "    scf.for %k = %c0 to %kk step %rk {\n", "    }\n"
    a, ta = view("A", rm, rk, (m, k), element, "%m", "%k", "a")
    steps = []
    for i, t in enumerate(turned):
        offsets, block = (("%n", "%k"), (rn, rk)) if t else (("%k", "%n"), (rk, rn))
        b, tb = view(f"B{i}", *block, shapes[i], element, *offsets, f"b{i}")
        steps.append(f"{b}    linalg.matmul {maps if t else ''}ins(%a, %b{i} : {ta}, {tb}) "
                     f"outs(%s{i} : {frag})\n")
    if nested:
        text += "".join(fills) + head + a + "".join(steps) + tail
    else:
        text += "".join(fills[i] + head + a + steps[i] + tail for i in range(n_sums))
    c, tc = view("C", rm, rn, (m, n), acc, "%m", "%n", "c")
    body = "".join(f"        %v{i} = {rng.choice(['arith.addf', 'arith.subf'])} "
                   f"%{'x0' if i == 1 else f'v{i - 1}'}, %x{i} : {acc}\n" for i in range(1, n_sums))
    names = [f"%s{i}" for i in range(n_sums)]
    text += (c + f"    linalg.generic {{indexing_maps = [{', '.join([ident] * (n_sums + 1))}], "
             'iterator_types = ["parallel", "parallel"]}\n' +
             f"      ins({', '.join(names)} : {', '.join([frag] * n_sums)}) outs(%c : {tc}) {{\n      ^bb0(" +
             ", ".join(f"%x{i}: {acc}" for i in range(n_sums)) + f", %old: {acc}):\n{body}" +
             f"        linalg.yield %v{n_sums - 1} : {acc}\n    }}\n  }}\n  return\n}}\n")
    return (f"{n_sums} sums {'over one loop' if nested else 'in turn'} {m}x{n}x{k} {element}, "
            f"blocks {rm}x{rn}x{rk}, acc {acc}, transposed {turned}"), text


def expression(rng, inputs, depth):
    """SSA lines of a random tree, and its value."""
    lines = []

    def build(d):
        if d == 0 or rng.random() < 0.2:
            return f"%x{rng.randrange(inputs)}"
        kind = rng.choice(["unary", "binary", "binary", "constant", "quotient", "choice", "shared"])
        if kind == "unary":
            op = rng.choice(["math.tanh", "math.absf", "math.sin", "math.cos", "math.erf", "arith.negf"])
            return add(op, build(d - 1))
        if kind == "binary":
            op = rng.choice(["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf", "arith.minimumf"])
            return add(op, build(d - 1), build(d - 1))
        if kind == "constant":
            c = add("arith.constant", rng.choice(["0.5", "-1.25", "3.0", "0.0"]))
            op = rng.choice(["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf"])
            return add(op, *rng.sample([c, build(d - 1)], 2))
        if kind == "quotient":  # by something that is not near zero
            below = add("arith.addf", add("math.absf", build(d - 1)), add("arith.constant", "1.0"))
            return add("arith.divf", build(d - 1), below)
        if kind == "shared":
            x = build(d - 1)
            return add("arith.mulf", x, add("math.tanh", x))
        a, b = (f"%x{rng.randrange(inputs)}" for _ in range(2))  # comparing what is exact
        predicate = rng.choice(["ogt", "olt", "oge", "ole", "oeq", "one", "ugt"])
        name = f"%v{len(lines)}"
        lines.append((name, f"arith.cmpf {predicate},", f"{a}, {b}"))
        return add("arith.select", name, build(d - 1), build(d - 1))

    def add(op, *operands):
        name = f"%v{len(lines)}"
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
            f"  %rn = arith.constant {rn} : index\n" + rng.choice([grid(rng, gm, gn), deep_grid(rng, gm, gn, rm)]) +
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


HALVES = 0.2  # the share of kernels that are of f16 where they are written for bf16

ERAS = {"2025": ("2025", 202512), "2026-03": ("2026", 202603), "2026-08": ("2026", 202608)}
INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "emulator", "include")


def output_of(command):
    """What a command that fails prints; nothing if it succeeds."""
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout + run.stderr if run.returncode else ""


def errors_in_other_eras(path, ran_in, scratch):
    """Compiles what is emitted in the eras that the kernel did not run in."""
    errors = ""
    lowered = os.path.join(scratch, "lowered.mlir")
    subprocess.run(["tt-opt", "--tt-pipeline", path, "-o", lowered], check=True)
    for era, (folder, number) in ERAS.items():
        if era == ran_in:
            continue
        out = os.path.join(scratch, era)
        subprocess.run(["tt-translate", "--emit-metalium", f"--metalium-api={era}", f"--output-dir={out}",
                        lowered], check=True)
        for kernel in ("reader", "compute", "writer"):
            kind = "COMPUTE" if kernel == "compute" else "DATA_MOVEMENT"
            errors += output_of(
                ["c++", "-std=c++20", "-fsyntax-only", "-w", f"-I{INCLUDE}", f"-I{INCLUDE}/kernel/{folder}",
                 f"-DTTEMU_API={number}", f"-DTTEMU_{kind}=1", "-DTTEMU_COMPILE_ARGS=" + ",".join(["2,2048"] * 8),
                 "-DNAMESPACE=old_form", "-DMAIN=kernel_main()", os.path.join(out, "k", f"{kernel}.cpp")])
    return errors


def main():
    seed, count, keep, kinds = command_line((gemm, elementwise, sums, rowwise))
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(count):
            rng = random.Random(seed * 1000 + i)
            what, text = rng.choice(kinds)(rng)
            if rng.random() < HALVES:
                what, text = what.replace("bf16", "f16"), text.replace("bf16", "f16")
            era = rng.choice(list(ERAS))
            path = write(rng, keep or scratch, i, text)
            errors = ""
            for arch in ARCHS:
                errors += output_of(["tt-run", path, "--check", "--arch", arch, "--metalium-api", era,
                                     "--seed", str(seed)])
            errors += output_of(["tt-run", path, "--check", "--optimize=none", "--arch", ARCHS[i % len(ARCHS)],
                                 "--metalium-api", era, "--seed", str(seed)])
            errors = errors or errors_in_other_eras(path, era, scratch)
            failed += bool(errors)
            print(f"{'FAIL' if errors else 'ok  '} seed {seed} kernel {i} {era}: {what}", flush=True)
            if errors:
                print(errors)
    print(f"{count - failed} of {count} random kernels match (seed {seed})")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
