#!/usr/bin/env python3
"""Random kernels that integers of tensors steer: rows that a list names, filled up with -1 or not; rows that go where a
list says; sums of segments and of classes; an element of each row by its label; pages by a table; lengths, offsets of
experts, counts and masks of blocks. Each runs on a random chip in a random era, and matches its reference.

usage: random_lists.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import BINARY, Text, close, constants, stored

KINDS = ("i32", "i32", "i32", "i64", "i8", "i16")


def kernel(name, arguments, text):
    """Arguments are names, types, and what integers may be, a pair, or None."""
    def attributes(argument):
        limits = argument[2]
        return f"{{tt.name = \"{argument[0]}\"" + (f", tt.range = [{limits[0]}, {limits[1]}]" if limits else "") + "}"
    head = ", ".join(f"%{a[0]}: {a[1]} {attributes(a)}" for a in arguments)
    return f"func.func @{name}({head}) attributes {{tt.kernel}} {{\n" + "\n".join(text.lines) + "\n  return\n}\n"


def opened(text, line):
    text.add(line)
    text.depth += 1


def index_of(rng, text, value, kind):
    """The index that an integer is, cast at once or by way of another width."""
    if kind in ("i8", "i16") and rng.random() < 0.3:
        value, kind = text.value(f"arith.extsi {value} : {kind} to i32"), "i32"
    return text.value(f"arith.index_cast {value} : {kind} to index")


def gathers(rng):
    """Rows of a table, in an order that a list says; -1 is no row, and gives zeros or another row."""
    rows, cols, n = rng.choice((33, 64, 100)), rng.choice((32, 64, 72)), rng.choice((16, 32, 40))
    cells, kind, element = rng.choice((1, 2)), rng.choice(KINDS), rng.choice(("f32", "bf16"))
    none = rng.random() < 0.5
    text = Text()
    table, ids, out = f"memref<{rows}x{cols}x{element}>", f"memref<{cells * n}x{kind}>", f"memref<{cells * n}x{cols}x{element}>"
    text.add(f"%zero = arith.constant 0.0 : {element}")
    text.add(f"%none = arith.constant 0 : {kind}")
    opened(text, f"affine.parallel (%b) = (0) to ({cells}) {{")
    opened(text, f"affine.for %i = 0 to {n} {{")
    inner = rng.random() < 0.5
    if inner:
        opened(text, f"affine.for %j = 0 to {cols} {{")
    v = text.value(f"affine.load %I[%b * {n} + %i] : {ids}")
    way = rng.choice(("branch", "choice")) if none else "plain"
    w = text.value(f"arith.maxsi {v}, %none : {kind}") if way == "choice" else v
    r = index_of(rng, text, w, kind)
    if none:
        ok = text.value(f"arith.cmpi {rng.choice(('sge', 'sge', 'ne'))}, {v}, %none : {kind}") if way == "choice" else \
            text.value(f"arith.cmpi sge, {v}, %none : {kind}")
    if not inner:
        opened(text, f"affine.for %j = 0 to {cols} {{")
    if way == "branch":
        y = text.name()
        opened(text, f"{y} = scf.if {ok} -> ({element}) {{")
        x = text.value(f"memref.load %A[{r}, %j] : {table}")
        text.add(f"scf.yield {x} : {element}")
        text.depth -= 1
        opened(text, "} else {")
        text.add(f"scf.yield %zero : {element}")
        close(text)
    else:
        y = text.value(f"memref.load %A[{r}, %j] : {table}")
        if way == "choice":
            y = text.value(f"arith.select {ok}, {y}, %zero : {element}")
    scaled = way == "plain" and rng.random() < 0.4
    if scaled:
        g = text.value(f"affine.load %G[%b * {n} + %i] : memref<{cells * n}x{element}>")
        y = text.value(f"{rng.choice(BINARY)} {y}, {g} : {element}")
    text.add(f"affine.store {y}, %C[%b * {n} + %i, %j] : {out}")
    for _ in range(3):
        close(text)
    args = [("A", table, None), ("I", ids, (-1 if none else 0, rows - 1))]
    args += [("G", f"memref<{cells * n}x{element}>", None)] * scaled + [("C", out, None)]
    return (f"gathers {cells}x{n} of {rows}x{cols}x{element} by {kind}, {way}{', scaled' * scaled}{', innermost' * inner}",
            kernel("gathers", args, text))


def scatters(rng):
    """Rows go where a list says, one after the other."""
    rows, cols, n = rng.choice((32, 40)), rng.choice((32, 64)), rng.choice((8, 20))
    kind, element = rng.choice(KINDS), rng.choice(("f32", "bf16"))
    text, matrix, out = Text(), f"memref<{n}x{cols}x{element}>", f"memref<{rows}x{cols}x{element}>"
    opened(text, f"affine.for %i = 0 to {n} {{")
    v = text.value(f"affine.load %I[%i] : memref<{n}x{kind}>")
    r = index_of(rng, text, v, kind)
    none = rng.random() < 0.4
    if none:
        text.lines.insert(0, f"  %none = arith.constant 0 : {kind}")
        ok = text.value(f"arith.cmpi sge, {v}, %none : {kind}")
        opened(text, f"scf.if {ok} {{")
    opened(text, f"affine.for %j = 0 to {cols} {{")
    x = text.value(f"affine.load %X[%i, %j] : {matrix}")
    y = text.value(f"{rng.choice(('math.exp', 'math.absf', 'arith.negf'))} {x} : {element}")
    text.add(f"memref.store {y}, %Y[{r}, %j] : {out}")
    for _ in range(2 + none):
        close(text)
    args = [("X", matrix, None), ("I", f"memref<{n}x{kind}>", (-1 if none else 0, rows - 1)), ("Y", out, None)]
    return f"scatters {n} of {rows}x{cols}x{element} by {kind}{', some are none' * none}", kernel("scatters", args, text)


def segments(rng):
    """Sums or extremes of rows between bounds that a tensor holds, in a while loop or in one that counts."""
    rows, cols, groups = rng.choice((40, 64)), rng.choice((32, 64)), rng.choice((2, 3))
    kind = rng.choice(("i32", "i32", "i64", "i16"))
    op, start = rng.choice((("arith.addf", "0.0"), ("arith.maximumf", "0xFF800000")))
    text, matrix = Text(), f"memref<{rows}x{cols}xf32>"
    acc, bounds = f"memref<1x{cols}xf32, #gpu.address_space<private>>", f"memref<{groups + 1}x{kind}>"
    view = f"memref<1x{cols}xf32, strided<[{cols}, 1], offset: ?>>"
    constants(text, (0, 1, cols))
    text.add(f"%start = arith.constant {start} : f32")
    opened(text, f"scf.forall (%g) in ({groups}) {{")
    text.add(f"%acc = memref.alloc() : {acc}")
    text.add(f"linalg.fill ins(%start : f32) outs(%acc : {acc})")
    after = text.value("arith.addi %g, %c1 : index")
    low, high = (text.value(f"memref.load %O[{at}] : {bounds}") for at in ("%g", after))
    low, high = index_of(rng, text, low, kind), index_of(rng, text, high, kind)
    loop = rng.random() < 0.3
    if loop:
        end = text.name()
        opened(text, f"{end} = scf.while (%i = {low}) : (index) -> index {{")
        more = text.value(f"arith.cmpi ult, %i, {high} : index")
        text.add(f"scf.condition({more}) %i : index")
        text.depth -= 1
        opened(text, "} do {")
        text.lines[-1] = text.lines[-1].replace("do {", "do {\n    ^bb0(%k: index):")
        row = "%k"
    else:
        opened(text, f"scf.for %k = {low} to {high} step %c1 {{")
        row = "%k"
    opened(text, f"scf.for %j = %c0 to %c{cols} step %c1 {{")
    x = text.value(f"memref.load %X[{row}, %j] : {matrix}")
    a = text.value(f"memref.load %acc[%c0, %j] : {acc}")
    s = text.value(f"{op} {a}, {x} : f32")
    text.add(f"memref.store {s}, %acc[%c0, %j] : {acc}")
    close(text)
    if loop:
        next_ = text.value("arith.addi %k, %c1 : index")
        text.add(f"scf.yield {next_} : index")
    close(text)
    text.add(f"%y = memref.subview %Y[%g, 0] [1, {cols}] [1, 1] : memref<{groups}x{cols}xf32> to {view}")
    text.add(f"memref.copy %acc, %y : {acc} to {view}")
    close(text)
    args = [("X", matrix, None), ("O", bounds, (0, rows)), ("Y", f"memref<{groups}x{cols}xf32>", None)]
    return f"segments {groups} of {rows}x{cols} by {kind}, {op}{', while' * loop}", kernel("segments", args, text)


def classes(rng):
    """Sums of the rows of each class: by a comparison of a list with the row's index."""
    rows, cols, n = rng.choice((16, 32, 40)), rng.choice((32, 64)), rng.choice((12, 40))
    kind, branch = rng.choice(("i32", "i32", "i16", "i8")), rng.random() < 0.5
    text, matrix = Text(), f"memref<{n}x{cols}xf32>"
    text.add("%zero = arith.constant 0.0 : f32")
    opened(text, f"affine.parallel (%v, %j) = (0, 0) to ({rows}, {cols}) {{")
    own = text.value(f"arith.index_cast %v : index to {kind}")
    s = text.name()
    opened(text, f"{s} = affine.for %i = 0 to {n} iter_args(%a = %zero) -> (f32) {{")
    label = text.value(f"affine.load %I[%i] : memref<{n}x{kind}>")
    same = text.value(f"arith.cmpi eq, {label}, {own} : {kind}")
    if branch:
        t = text.name()
        opened(text, f"{t} = scf.if {same} -> (f32) {{")
        x = text.value(f"affine.load %X[%i, %j] : {matrix}")
        u = text.value(f"arith.addf %a, {x} : f32")
        text.add(f"scf.yield {u} : f32")
        text.depth -= 1
        opened(text, "} else {")
        text.add("scf.yield %a : f32")
        close(text)
    else:
        x = text.value(f"affine.load %X[%i, %j] : {matrix}")
        x = text.value(f"arith.select {same}, {x}, %zero : f32")
        t = text.value(f"arith.addf %a, {x} : f32")
    text.add(f"affine.yield {t} : f32")
    close(text)
    text.add(f"affine.store {s}, %Y[%v, %j] : memref<{rows}x{cols}xf32>")
    close(text)
    args = [("X", matrix, None), ("I", f"memref<{n}x{kind}>", (-1, rows - 1)), ("Y", f"memref<{rows}x{cols}xf32>", None)]
    return f"classes {rows}x{cols} of {n} by {kind}, {'branch' if branch else 'choice'}", kernel("classes", args, text)


def labels(rng):
    """A sum or a largest of each row, and of each row the element that its label says, where there is one."""
    rows, cols, kind = rng.choice((32, 64)), rng.choice((48, 64, 96, 140, 300)), rng.choice(("i32", "i32", "i64", "i16", "i8"))
    ignored, op = rng.random() < 0.5, rng.choice(("arith.maximumf", "arith.addf"))
    text, matrix = Text(), f"memref<{rows}x{cols}xf32>"
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%low = arith.constant 0xFF800000 : f32")
    text.add(f"%ign = arith.constant -1 : {kind}")
    opened(text, f"affine.parallel (%i) = (0) to ({rows}) {{")
    m = text.name()
    opened(text, f"{m} = affine.for %j = 0 to {cols} iter_args(%s = {'%low' if 'max' in op else '%zero'}) -> (f32) {{")
    x = text.value(f"affine.load %X[%i, %j] : {matrix}")
    n = text.value(f"{op} %s, {x} : f32")
    text.add(f"affine.yield {n} : f32")
    close(text)
    v = text.value(f"affine.load %L[%i] : memref<{rows}x{kind}>")
    y = m
    if ignored:
        ok = text.value(f"arith.cmpi ne, {v}, %ign : {kind}")
        y = text.name()
        opened(text, f"{y} = scf.if {ok} -> (f32) {{")
    at = index_of(rng, text, v, kind)
    x = text.value(f"memref.load %X[%i, {at}] : {matrix}")
    r = text.value(f"arith.subf {m}, {x} : f32")
    if ignored:
        text.add(f"scf.yield {r} : f32")
        text.depth -= 1
        opened(text, "} else {")
        text.add("scf.yield %zero : f32")
        close(text)
    else:
        y = r
    text.add(f"affine.store {y}, %Y[%i] : memref<{rows}xf32>")
    close(text)
    args = [("X", matrix, None), ("L", f"memref<{rows}x{kind}>", (-1 if ignored else 0, min(cols - 1, 127) if kind == "i8" else cols - 1)),
            ("Y", f"memref<{rows}xf32>", None)]
    return f"labels {rows}x{cols} by {kind}, {op}{', some ignored' * ignored}", kernel("labels", args, text)


if __name__ == "__main__":
    sys.exit(run_all((gathers, scatters, segments, classes, labels), stored))
