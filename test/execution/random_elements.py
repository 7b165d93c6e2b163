#!/usr/bin/env python3
"""Random kernels over elements, as others write them: maps and sums in parallel loops or not, divided indices, computed
operands of products, elements written in turns, numbers that loops carry and store. Each runs on a random chip in a
random era, and matches its reference.

usage: random_elements.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import (BINARY, Text, close, constants, end_product, expression, kernel, loop, opened, stored, widened)


def elements(rng):
    """Maps and row sums over a matrix, in a grid of rows or in parallel loops."""
    rows, cols = rng.choice((32, 64)), rng.choice((32, 64, 70, 96))
    text, matrix, row = Text(), f"memref<{rows}x{cols}xf32>", f"memref<{rows}xf32>"
    constants(text, (0, 1, 32, rows, cols))
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%half = arith.constant 0.5 : f32")
    affine = rng.random() < 0.5
    sums = rng.random() < 0.5
    parallel = not sums and rng.random() < 0.5
    if parallel:
        opened(text, f"scf.forall (%i, %j) in ({rows}, {cols}) {{")
        r = "%i"
    else:
        opened(text, f"scf.forall (%b) in ({rows // 32}) {{")
        text.add("%m = arith.muli %b, %c32 : index")
        loop(rng, text, "%i", 32, affine)
        r = text.value("arith.addi %m, %i : index")
    if sums:
        op = rng.choice(("arith.addf", "arith.maximumf"))
        s = text.name()
        opened(text, f"{s} = scf.for %k = %c0 to %c{cols} step %c1 iter_args(%s = %zero) -> (f32) {{")
        x = text.value(f"memref.load %A[{r}, %k] : {matrix}")
        q = text.value(f"arith.mulf {x}, {x} : f32") if rng.random() < 0.5 else x
        t = text.value(f"{op} %s, {q} : f32")
        text.add(f"scf.yield {t} : f32")
        close(text)
        scaled = text.value(f"arith.mulf {s}, %half : f32")
        if rng.random() < 0.6:
            text.add(f"memref.store {scaled}, %R[{r}] : {row}")
        else:
            text.add(f"memref.store %half, %R[{r}] : {row}")
    if not parallel:
        loop(rng, text, "%j", cols, affine)
    values = [text.value(f"memref.load %A[{r}, %j] : {matrix}"), text.value(f"memref.load %B[{r}, %j] : {matrix}")]
    if rng.random() < 0.5:
        values.append(text.value(f"memref.load %G[%j] : memref<{cols}xf32>"))
    if sums:
        values.append(text.value(f"math.tanh {scaled} : f32"))
    text.add(f"memref.store {expression(rng, text, values, r, '%j', True)}, %C[{r}, %j] : {matrix}")
    if rng.random() < 0.4:
        text.add(f"memref.store {expression(rng, text, values, r, '%j', True)}, %D[{r}, %j] : {matrix}")
    close(text, 1 if parallel else 3)
    args = [("A", matrix), ("B", matrix), ("G", f"memref<{cols}xf32>"), ("C", matrix), ("D", matrix), ("R", row)]
    used = "\n".join(text.lines)
    args = [a for a in args if f"%{a[0]}[" in used]
    return f"elements {rows}x{cols}{' sums' * sums}{' parallel' * parallel}", kernel("elements", args, text)


def quotients(rng):
    """Elements at quotients and rests of loop variables: images made larger, pixels dealt out."""
    a, b = rng.choice((1, 2, 4)), rng.choice((2, 2, 4))
    rows, cols = a * rng.choice((4, 8, 12)), b * rng.choice((4, 8, 20))
    planes = a * b if rng.random() < 0.4 else 1
    text, matrix = Text(), f"memref<{rows}x{cols}xf32>"
    small = f"memref<{planes}x{rows // a}x{cols // b}xf32>"
    text.add("%half = arith.constant 0.5 : f32")
    plane = f"(%i mod {a}) * {b} + %j mod {b}" if planes > 1 else "0"
    if a == 1 and planes > 1:
        plane = f"%j mod {b}"
    parallel = rng.random() < 0.5
    if parallel:
        opened(text, f"affine.parallel (%i, %j) = (0, 0) to ({rows}, {cols}) {{")
    else:
        for var, n in (("%i", rows), ("%j", cols)):
            opened(text, f"affine.for {var} = 0 to {n} {{")
    row = "%i" if a == 1 else f"%i floordiv {a}"
    values = [text.value(f"affine.load %A[{plane}, {row}, %j floordiv {b}] : {small}"),
              text.value(f"affine.load %B[%i, %j] : {matrix}")]
    y = expression(rng, text, values, "%i", "%j") if rng.random() < 0.5 else values[0]
    text.add(f"affine.store {y}, %C[%i, %j] : {matrix}")
    close(text, 1 if parallel else 2)
    used = "\n".join(text.lines)
    args = [x for x in (("A", small), ("B", matrix), ("C", matrix)) if f"%{x[0]}[" in used]
    return f"quotients {rows}x{cols} by {a}x{b}, {planes} planes", kernel("quotients", args, text)


def packed(rng):
    """A product with weights that are computed: of 8 bits, several in an integer, scales a group; or of integers."""
    pack = rng.choice((1, 2, 8))
    m, n = rng.choice((16, 32, 40) if pack == 1 else (16, 32, 64)), rng.choice((32, 48, 64) if pack == 1 else (32, 64))
    group = rng.choice((0, 16, 32))
    k = rng.choice((32, 64, 96)) if pack > 1 or group else rng.choice((24, 40, 64, 160, 256))
    turned = rng.random() < 0.3
    integers = pack == 1 and not group and rng.random() < 0.4
    kind, wide = {1: ("i8", "i8"), 2: ("i8", "i8"), 8: ("i32", "i32")}[pack]
    text = Text()
    text.add(f"%zero = arith.constant {'0 : i32' if integers else '0.0 : f32'}")
    text.add("%middle = arith.constant 8.0 : f32")
    if pack > 1:
        text.add(f"%bits = arith.constant {15 if pack == 8 or pack == 2 else 255} : {kind}")
        text.add(f"%four = arith.constant 4 : {kind}")
    opened(text, f"affine.parallel (%i, %j) = (0, 0) to ({m}, {n}) {{")
    out = "i32" if integers else "f32"
    opened(text, f"%s = affine.for %k = 0 to {k} iter_args(%a = %zero) -> ({out}) {{")
    at = "%k" if pack == 1 else f"%k floordiv {pack}"
    weights = f"memref<{n}x{k // pack}x{kind}>" if turned else f"memref<{k // pack}x{n}x{kind}>"
    w = text.value(f"affine.load %W[{f'%j, {at}' if turned else f'{at}, %j'}] : {weights}")
    left = "i8" if integers else rng.choice(("f32", "bf16"))
    x = text.value(f"affine.load %X[%i, %k] : memref<{m}x{k}x{left}>")
    args = [("X", f"memref<{m}x{k}x{left}>"), ("W", weights)]
    if integers:
        x = text.value(f"arith.{rng.choice(('extsi', 'extui'))} {x} : i8 to i32")
        w = text.value(f"arith.{rng.choice(('extsi', 'extui'))} {w} : i8 to i32")
    else:
        x, = widened(text, (x,), left)
        if pack > 1:
            rest = text.value(f"affine.apply affine_map<(k) -> (k mod {pack})>(%k)")
            rest = text.value(f"arith.index_cast {rest} : index to {kind}")
            rest = text.value(f"arith.muli {rest}, %four : {kind}")
            w = text.value(f"arith.shrui {w}, {rest} : {kind}")
            w = text.value(f"arith.andi {w}, %bits : {kind}")
        w = text.value(f"arith.{'uitofp' if pack > 1 else 'sitofp'} {w} : {kind} to f32")
        w = text.value(f"arith.subf {w}, %middle : f32")
        if group:
            scale = text.value(f"affine.load %S[%k floordiv {group}, %j] : memref<{k // group}x{n}xf32>")
            args.append(("S", f"memref<{k // group}x{n}xf32>"))
            w = text.value(f"arith.mulf {w}, {scale} : f32")
    end_product(text, "%a", x, w, out)
    text.add(f"affine.store %s, %C[%i, %j] : memref<{m}x{n}x{out}>")
    close(text)
    args.append(("C", f"memref<{m}x{n}x{out}>"))
    more = f"{' turned' * turned}{' integers' * integers}"
    return f"packed {m}x{n}x{k} {pack} a word, groups of {group}{more}", kernel("packed", args, text)


def turns(rng):
    """Elements that are written in turns: every so many column or row, from different expressions."""
    by, axis = rng.choice((2, 2, 3, 4)), rng.choice((0, 1))
    rows, cols = rng.choice((16, 32, 40)), rng.choice((16, 20, 32))
    kind = rng.choice(("f32", "f32", "bf16"))
    shape = (rows * by, cols) if axis == 0 else (rows, cols * by)
    text, out, block = Text(), f"memref<{shape[0]}x{shape[1]}x{kind}>", f"memref<{rows}x{cols}x{kind}>"
    storage = rng.choice(("", "", ', tt.layout = {storage = "row_major"}')) if kind in ("f32", "bf16") else ""
    what = [o for o in range(by) if rng.random() < 0.8] or [0]
    opened(text, f"affine.for %i = 0 to {rows} {{")
    opened(text, f"affine.for %j = 0 to {cols} {{")
    a = text.value(f"affine.load %A[%i, %j] : {block}")
    b = text.value(f"affine.load %B[%i, %j] : {block}")
    for o in what:
        y = text.value(f"{rng.choice(BINARY)} {a}, {b} : {kind}")
        at = f"%i * {by} + {o}, %j" if axis == 0 else f"%i, %j * {by} + {o}"
        text.add(f"affine.store {y}, %C[{at}] : {out}")
    close(text, 2)
    made = kernel("turns", [("A", block), ("B", block), ("C", out)], text)
    if storage:
        made = made.replace('{tt.name = "C"}', '{tt.name = "C"' + storage + "}")
    more = f"{'rows' if axis == 0 else 'columns'}: {what}{' row-major' if storage else ''}"
    return f"turns {shape[0]}x{shape[1]} {kind} by {by} of {more}", made


def recurrences(rng):
    """What a loop along rows carries, stored in its steps or behind: sums, decays, extremes, one made of another."""
    rows, cols = rng.choice((8, 32, 40)), rng.choice((5, 8, 12))
    matrix, row = f"memref<{rows}x{cols}xf32>", f"memref<{rows}xf32>"
    text = Text()
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%half = arith.constant 0.5 : f32")
    n = rng.randint(1, 3)
    opened(text, f"affine.parallel (%i) = (0) to ({rows}) {{")
    carried = ", ".join(f"%s{i} = %zero" for i in range(n))
    types = ", ".join(["f32"] * n)
    opened(text, f"%r:{n} = affine.for %j = 0 to {cols} iter_args({carried}) -> ({types}) {{")
    x = text.value(f"affine.load %A[%i, %j] : {matrix}")
    nexts, stored = [], []
    for i in range(n):
        way = rng.choice(("sum", "decay", "largest", "other"))
        if way == "sum":
            y = text.value(f"arith.addf %s{i}, {x} : f32")
        elif way == "largest":
            y = text.value(f"arith.maximumf %s{i}, {x} : f32")
        elif way == "decay":
            y = text.value(f"arith.addf {text.value(f'arith.mulf %s{i}, %half : f32')}, {x} : f32")
        else:
            z = rng.choice(nexts + [f"%s{j}" for j in range(n) if j != i] + [x])
            half, z = text.value(f"arith.mulf %s{i}, %half : f32"), text.value(f"math.tanh {z} : f32")
            y = text.value(f"arith.addf {half}, {z} : f32")
        nexts.append(y)
        if rng.random() < 0.5:
            text.add(f"affine.store {rng.choice((y, y, f'%s{i}'))}, %C{i}[%i, %j] : {matrix}")
            stored.append(i)
    text.add(f"affine.yield {', '.join(nexts)} : {types}")
    close(text)
    results = [i for i in range(n) if rng.random() < 0.6]
    if not results and not stored:
        results = [0]
    for i in results:
        text.add(f"affine.store %r#{i}, %R{i}[%i] : {row}")
    close(text)
    args = [("A", matrix)] + [(f"C{i}", matrix) for i in stored] + [(f"R{i}", row) for i in results]
    return f"recurrences {rows}x{cols} {n}: {stored} stored, {results} behind", kernel("recurrences", args, text)


if __name__ == "__main__":
    sys.exit(run_all((elements, quotients, packed, turns, recurrences), stored))
