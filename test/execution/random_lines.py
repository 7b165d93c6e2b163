#!/usr/bin/env python3
"""Random kernels of rules beside the usual ones: reductions that go over lines, grids over a product of open sizes, one cell that
stores, running sums that each step stores a rounded copy of, steps that compute something beside a sum of products, sums of
blocks that are open or wide, and several such sums. Each runs on a random chip in a random era.

usage: random_lines.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import UNARY, Text, close, kernel, opened

ID, ROW, COLUMN = (f"affine_map<(i, j) -> ({r})>" for r in ("i, j", "i", "j"))


def reductions(rng):
    """Products and bits of rows or columns, from a constant or onto what the output holds."""
    op = rng.choice(("mulf", "muli", "andi", "ori", "xori"))
    kind = {"mulf": "f32"}.get(op) or rng.choice(("i32", "i16"))
    shape = [rng.choice((8, 24, 33, 40, 70)), rng.choice((5, 16, 33, 64, 72))]
    along, text = rng.randint(0, 1), Text()
    y = f"memref<{shape[1 - along]}x{kind}>"
    x = f"memref<{shape[0]}x{shape[1]}x{kind}>"
    fills = op == "mulf" or rng.random() < 0.7
    if fills:
        start = {"mulf": "1.0", "muli": "1", "andi": "-1"}.get(op, "0")
        text.add(f"%start = arith.constant {start} : {kind}")
        text.add(f"linalg.fill ins(%start : {kind}) outs(%Y : {y})")
    if rng.random() < 0.5:
        text.add(f"linalg.reduce {{ arith.{op} }} ins(%X : {x}) outs(%Y : {y}) dimensions = [{along}]")
    else:
        kinds = ["parallel", "parallel"]
        kinds[along] = "reduction"
        maps = f"[{ID}, {COLUMN if along == 0 else ROW}]"
        opened(text, f'linalg.generic {{indexing_maps = {maps}, iterator_types = ["{kinds[0]}", "{kinds[1]}"]}} ins(%X : {x}) outs(%Y : {y}) {{')
        text.lines.append("  ^bb0(%x: {0}, %o: {0}):".format(kind))
        term = "%x"
        if op == "mulf" and rng.random() < 0.5:
            term = text.value(f"math.tanh %x : {kind}")
        elif op != "mulf" and rng.random() < 0.4:
            term = text.value(f"arith.xori %x, {text.value(f'arith.constant {rng.randint(1, 99)} : {kind}')} : {kind}")
        text.add(f"linalg.yield {text.value(f'arith.{op} {term}, %o : {kind}')} : {kind}")
        close(text)
    return f"reductions {op} {shape[0]}x{shape[1]}x{kind} along {along}{'' if fills else ' onto'}", kernel("lines", [("X", x), ("Y", y)], text)


def joined(rng):
    """One grid over all elements of a matrix of open size."""
    rows, cols = rng.choice((8, 33, 40)), rng.choice((16, 50, 64))
    kind, by, text = rng.choice(("f32", "bf16")), rng.randint(0, 1), Text()
    t = f"memref<?x?x{kind}>"
    for d in range(2):
        text.add(f"%c{d} = arith.constant {d} : index")
    for d in range(2):
        text.add(f"%d{d} = memref.dim %X, %c{d} : {t}")
    text.add("%n = arith.muli %d0, %d1 : index")
    loop = rng.choice(("scf.parallel (%i) = (%c0) to (%n) step (%c1) {", "scf.forall (%i) in (%n) {"))
    opened(text, loop)
    if rng.random() < 0.5:
        q, r = (text.value(f"arith.{op} %i, %d{by} : index") for op in ("divui", "remui"))
    else:
        q, r = (text.value(f"affine.apply affine_map<(d)[s] -> (d {op} s)>(%i)[%d{by}]") for op in ("floordiv", "mod"))
    at = f"{q}, {r}" if by == 1 else f"{r}, {q}"
    v = text.value(f"memref.load %X[{at}] : {t}")
    v = text.value(f"math.tanh {v} : {kind}")
    if rng.random() < 0.5:
        v = text.value(f"arith.mulf {v}, {text.value(f'memref.load %Z[{at}] : {t}')} : {kind}")
    text.add(f"memref.store {v}, %Y[{at}] : {t}")
    close(text)
    used = any("%Z" in line for line in text.lines)
    names = ["X", "Y"] + ["Z"] * used
    shapes = [w for n in names for w in ("--shape", f"{n}={rows}x{cols}")]
    return f"joined {rows}x{cols}x{kind} by {by} {loop.split()[0]}", kernel("joined", [(n, t) for n in names], text), shapes


def alone(rng):
    """A grid over elements of which one row or column stores something else as well."""
    rows, cols = rng.choice((20, 64)), rng.choice((33, 96))
    along, text = rng.randint(0, 1), Text()
    x, y = f"memref<{rows}x{cols}xf32>", f"memref<{(rows, cols)[1 - along]}xf32>"
    opened(text, f"scf.forall (%i, %j) in ({rows}, {cols}) {{")
    v = text.value(f"memref.load %X[%i, %j] : {x}")
    w = text.value(f"{rng.choice(UNARY[1:])} {v} : f32")
    late = rng.random() < 0.5
    if late:
        text.add(f"memref.store {w}, %Z[%i, %j] : {x}")
    at = text.value(f"arith.constant {rng.randint(0, (rows, cols)[along] - 1)} : index")
    opened(text, f"scf.if {text.value(f'arith.cmpi eq, %{chr(105 + along)}, {at} : index')} {{")
    u = text.value(f"memref.load %Z[%i, %j] : {x}") if late and rng.random() < 0.5 else v
    text.add(f"memref.store {text.value(f'arith.addf {u}, {u} : f32')}, %Y[%{'ji'[along]}] : {y}")
    close(text)
    if not late:
        text.add(f"memref.store {w}, %Z[%i, %j] : {x}")
    close(text)
    return f"alone {rows}x{cols} along {along}", kernel("alone", [("X", x), ("Y", y), ("Z", x)], text)


def running(rng):
    """A sum that goes on in f32, and is stored in 16 bits in each step; over elements, or over blocks."""
    steps, rows, kind, text = rng.choice((3, 8, 40)), rng.choice((20, 32, 64)), rng.choice(("bf16", "f16")), Text()
    t = f"memref<{steps}x{rows}x{kind}>"
    text.add("%zero = arith.constant 0.0 : f32")
    opened(text, f"affine.parallel (%i) = (0) to ({rows}) {{")
    opened(text, f"%r = affine.for %k = 0 to {steps} iter_args(%s = %zero) -> (f32) {{")
    x = text.value(f"arith.extf {text.value(f'affine.load %X[%k, %i] : {t}')} : {kind} to f32")
    s = text.value(f"arith.addf %s, {x} : f32")
    text.add(f"affine.store {text.value(f'arith.truncf {s} : f32 to {kind}')}, %Y[%k, %i] : {t}")
    text.add(f"affine.yield {s} : f32")
    close(text)
    close(text)
    return f"running {steps}x{rows}x{kind}", kernel("running", [("X", t), ("Y", t)], text)


def block(text, name, source, offsets, sizes, shape, kind):
    """A view of a matrix; its name and type."""
    t = f"memref<{sizes[0]}x{sizes[1]}x{kind}, strided<[{shape[1]}, 1], offset: ?>>"
    text.add(f"{name} = memref.subview {source}[{', '.join(offsets)}] [{sizes[0]}, {sizes[1]}] [1, 1] : memref<{shape[0]}x{shape[1]}x{kind}> to {t}")
    return t


def beside(rng):
    """Steps of a sum of products that compute something of a factor, before or behind the product."""
    m, n, step, steps, kind = rng.choice((32, 64)), rng.choice((32, 96)), rng.choice((32, 64)), rng.randint(2, 4), rng.choice(("f32", "bf16"))
    k, text = step * steps, Text()
    y = f"memref<{m}x{n}xf32>"
    text.add("%zero = arith.constant 0.0 : f32")
    for name, v in (("c0", 0), ("step", step), ("end", k)):
        text.add(f"%{name} = arith.constant {v} : index")
    fills = rng.random() < 0.7
    if fills:
        text.add(f"linalg.fill ins(%zero : f32) outs(%Y : {y})")
    opened(text, "scf.for %k = %c0 to %end step %step {")
    a = block(text, "%a", "%A", ("0", "%k"), (m, step), (m, k), kind)
    b = block(text, "%b", "%B", ("%k", "0"), (step, n), (k, n), kind)
    z = block(text, "%z", "%Z", ("0", "%k"), (m, step), (m, k), kind)
    product = [f"linalg.matmul ins(%a, %b : {a}, {b}) outs(%Y : {y})"]
    other = [f"linalg.{rng.choice(('exp', 'tanh', 'abs', 'negf'))} ins(%a : {a}) outs(%z : {z})"]
    if rng.random() < 0.3:  # a factor that the step overwrites
        product = [f"linalg.matmul ins(%z, %b : {z}, {b}) outs(%Y : {y})"]
    for line in rng.choice((product + other, other + product)):
        text.add(line)
    close(text)
    types = [("A", f"memref<{m}x{k}x{kind}>"), ("B", f"memref<{k}x{n}x{kind}>"), ("Y", y), ("Z", f"memref<{m}x{k}x{kind}>")]
    return f"beside {m}x{n}x{k} step {step} {kind}{'' if fills else ' onto'}", kernel("beside", types, text)


def sums(rng):
    """Products and sums onto an output that a fill begins, or not, of open sizes or wide ones, without a grid."""
    m, n, k = rng.choice((40, 150, 500)), rng.choice((33, 137, 380)), rng.choice((20, 70, 300))
    kind, text = rng.choice(("f32", "f32", "bf16")), Text()
    wide = [str(d) if rng.random() < 0.5 else "?" for d in (m, n, k)]
    a, b, y = f"memref<{wide[0]}x{wide[2]}x{kind}>", f"memref<{wide[2]}x{wide[1]}x{kind}>", f"memref<{wide[0]}x{wide[1]}xf32>"
    fills, one = rng.random() < 0.6, rng.random() < 0.3
    text.add("%zero = arith.constant 0.0 : f32")
    if one:
        opened(text, "scf.forall (%u) in (1) {")
    if fills:
        text.add(f"linalg.fill ins(%zero : f32) outs(%Y : {y})")
    text.add(f"linalg.matmul ins(%A, %B : {a}, {b}) outs(%Y : {y})")
    if rng.random() < 0.4:
        text.add(f"linalg.{rng.choice(('tanh', 'abs', 'negf'))} ins(%Y : {y}) outs(%Y : {y})")
    if one:
        close(text)
    sizes = (("A", a, (m, k)), ("B", b, (k, n)), ("Y", y, (m, n)))
    shapes = [w for name, t, s in sizes if "?" in t for w in ("--shape", f"{name}={s[0]}x{s[1]}")]
    return f"sums {m}x{n}x{k} as {'x'.join(wide)} {kind}{' fill' if fills else ''}{' unit' if one else ''}", kernel("sums", [(s[0], s[1]) for s in sizes], text), shapes


def several(rng):
    """Sums onto two outputs over the steps of tensors: in turn, in one loop, one in a branch, or one that takes the other."""
    form, kind, text = rng.choice(("turn", "one", "branch", "chain")), rng.choice(("f32", "f32", "bf16")), Text()
    steps, shapes = rng.randint(1, 4), [(rng.choice((40, 150, 300)), rng.choice((33, 137, 260))) for _ in range(2)]
    if form == "chain":
        shapes[1] = shapes[0]
    opens = [[rng.random() < 0.6 for _ in range(2)] for _ in range(2)]
    if form == "chain":
        opens[1] = opens[0]
    side = [["?" if o else str(d) for d, o in zip(shape, some)] for shape, some in zip(shapes, opens)]
    out = [f"memref<{a}x{b}x{kind}>" for a, b in side]
    source = [f"memref<{steps}x{a}x{b}x{kind}>" for a, b in side]
    part = [f"memref<{a}x{b}x{kind}, strided<[{b}, 1], offset: ?>>" for a, b in side]
    text.add(f"%zero = arith.constant 0.0 : {kind}")
    for name, v in (("c0", 0), ("c1", 1), ("c2", 2), ("end", steps)):
        text.add(f"%{name} = arith.constant {v} : index")
    names = "RS"
    for i in range(2):
        for d in range(2):
            if opens[i][d] and (i == 0 or form != "chain"):
                text.add(f"%{names[i].lower()}{d} = memref.dim %{names[i]}, %c{d + 1} : {source[i]}")

    def take(i):
        sizes = ", ".join(f"%{names[i].lower()}{d}" if opens[i][d] else side[i][d] for d in range(2))
        view = text.value(f"memref.subview %{names[i]}[%k, 0, 0] [1, {sizes}] [1, 1, 1] : {source[i]} to {part[i]}")
        y = "YZ"[i]
        text.add(f"linalg.{rng.choice(('add', 'sub', 'max'))} ins({view}, %{y} : {part[i]}, {out[i]}) outs(%{y} : {out[i]})")

    for i in rng.sample(range(2), 2):
        if form == "chain" or rng.random() < 0.8:
            text.add(f"linalg.fill ins(%zero : {kind}) outs(%{'YZ'[i]} : {out[i]})")
    loop = "scf.for %k = %c0 to %end step %c1 {"
    opened(text, loop)
    take(0)
    if form == "chain":
        text.add(f"linalg.add ins(%Y, %Z : {out[0]}, {out[1]}) outs(%Z : {out[1]})")
    elif form == "one":
        take(1)
    close(text)
    if form in ("turn", "branch"):
        if form == "branch":
            text.add("%many = arith.cmpi ugt, %q, %c2 : index")
            opened(text, "scf.if %many {")
        opened(text, loop)
        take(1)
        close(text)
        if form == "branch":
            close(text)
    types = [("R", source[0])] + ([("S", source[1])] if form != "chain" else []) + [("Y", out[0]), ("Z", out[1])]
    if form == "branch":
        types.append(("q", "index", (0, 4)))
    full = {"R": (steps, *shapes[0]), "S": (steps, *shapes[1]), "Y": shapes[0], "Z": shapes[1]}
    args = [w for name, t, *_ in types if "?" in t for w in ("--shape", f"{name}={'x'.join(map(str, full[name]))}")]
    if form == "branch":
        args += ["--input", f"q={rng.randint(0, 4)}"]
    return f"several {form} {steps} of {shapes} as {side} {kind}", kernel("several", types, text), args


if __name__ == "__main__":
    sys.exit(run_all([reductions, joined, alone, running, beside, sums, several]))
