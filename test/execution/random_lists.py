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
from random_text import (BINARY, Text, carry, close, constants, end_branch, end_carry, kernel, open_branch, opened,
                         stored)

KINDS = ("i32", "i32", "i32", "i64", "i8", "i16")


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
    table, ids = f"memref<{rows}x{cols}x{element}>", f"memref<{cells * n}x{kind}>"
    out = f"memref<{cells * n}x{cols}x{element}>"
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
        y = open_branch(text, ok, element)
        x = text.value(f"memref.load %A[{r}, %j] : {table}")
        end_branch(text, x, "%zero", element)
    else:
        y = text.value(f"memref.load %A[{r}, %j] : {table}")
        if way == "choice":
            y = text.value(f"arith.select {ok}, {y}, %zero : {element}")
    scaled = way == "plain" and rng.random() < 0.4
    if scaled:
        g = text.value(f"affine.load %G[%b * {n} + %i] : memref<{cells * n}x{element}>")
        y = text.value(f"{rng.choice(BINARY)} {y}, {g} : {element}")
    text.add(f"affine.store {y}, %C[%b * {n} + %i, %j] : {out}")
    close(text, 3)
    args = [("A", table), ("I", ids, (-1 if none else 0, rows - 1))]
    args += [("G", f"memref<{cells * n}x{element}>")] * scaled + [("C", out)]
    more = f"{way}{', scaled' * scaled}{', innermost' * inner}"
    return f"gathers {cells}x{n} of {rows}x{cols}x{element} by {kind}, {more}", kernel("gathers", args, text)


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
    close(text, 2 + none)
    args = [("X", matrix), ("I", f"memref<{n}x{kind}>", (-1 if none else 0, rows - 1)), ("Y", out)]
    more = ", some are none" * none
    return f"scatters {n} of {rows}x{cols}x{element} by {kind}{more}", kernel("scatters", args, text)


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
    args = [("X", matrix), ("O", bounds, (0, rows)), ("Y", f"memref<{groups}x{cols}xf32>")]
    return f"segments {groups} of {rows}x{cols} by {kind}, {op}{', while' * loop}", kernel("segments", args, text)


def classes(rng):
    """Sums of the rows of each class: by a comparison of a list with the row's index."""
    rows, cols, n = rng.choice((16, 32, 40)), rng.choice((32, 64)), rng.choice((12, 40))
    kind, branch = rng.choice(("i32", "i32", "i16", "i8")), rng.random() < 0.5
    text, matrix = Text(), f"memref<{n}x{cols}xf32>"
    text.add("%zero = arith.constant 0.0 : f32")
    opened(text, f"affine.parallel (%v, %j) = (0, 0) to ({rows}, {cols}) {{")
    own = text.value(f"arith.index_cast %v : index to {kind}")
    s = carry(text, "%i", n, "%a", "%zero")
    label = text.value(f"affine.load %I[%i] : memref<{n}x{kind}>")
    same = text.value(f"arith.cmpi eq, {label}, {own} : {kind}")
    if branch:
        t = open_branch(text, same, "f32")
        x = text.value(f"affine.load %X[%i, %j] : {matrix}")
        end_branch(text, text.value(f"arith.addf %a, {x} : f32"), "%a", "f32")
    else:
        x = text.value(f"affine.load %X[%i, %j] : {matrix}")
        x = text.value(f"arith.select {same}, {x}, %zero : f32")
        t = text.value(f"arith.addf %a, {x} : f32")
    end_carry(text, t)
    text.add(f"affine.store {s}, %Y[%v, %j] : memref<{rows}x{cols}xf32>")
    close(text)
    args = [("X", matrix), ("I", f"memref<{n}x{kind}>", (-1, rows - 1)), ("Y", f"memref<{rows}x{cols}xf32>")]
    return f"classes {rows}x{cols} of {n} by {kind}, {'branch' if branch else 'choice'}", kernel("classes", args, text)


def labels(rng):
    """A sum or a largest of each row, and of each row the element that its label says, where there is one."""
    rows, cols = rng.choice((32, 64)), rng.choice((48, 64, 96, 140, 300))
    kind = rng.choice(("i32", "i32", "i64", "i16", "i8"))
    ignored, op = rng.random() < 0.5, rng.choice(("arith.maximumf", "arith.addf"))
    text, matrix = Text(), f"memref<{rows}x{cols}xf32>"
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%low = arith.constant 0xFF800000 : f32")
    text.add(f"%ign = arith.constant -1 : {kind}")
    opened(text, f"affine.parallel (%i) = (0) to ({rows}) {{")
    m = carry(text, "%j", cols, "%s", "%low" if "max" in op else "%zero")
    x = text.value(f"affine.load %X[%i, %j] : {matrix}")
    end_carry(text, text.value(f"{op} %s, {x} : f32"))
    v = text.value(f"affine.load %L[%i] : memref<{rows}x{kind}>")
    y = m
    if ignored:
        ok = text.value(f"arith.cmpi ne, {v}, %ign : {kind}")
        y = open_branch(text, ok, "f32")
    at = index_of(rng, text, v, kind)
    x = text.value(f"memref.load %X[%i, {at}] : {matrix}")
    r = text.value(f"arith.subf {m}, {x} : f32")
    if ignored:
        end_branch(text, r, "%zero", "f32")
    else:
        y = r
    text.add(f"affine.store {y}, %Y[%i] : memref<{rows}xf32>")
    close(text)
    last = min(cols - 1, 127) if kind == "i8" else cols - 1
    args = [("X", matrix), ("L", f"memref<{rows}x{kind}>", (-1 if ignored else 0, last)), ("Y", f"memref<{rows}xf32>")]
    return f"labels {rows}x{cols} by {kind}, {op}{', some ignored' * ignored}", kernel("labels", args, text)


if __name__ == "__main__":
    sys.exit(run_all((gathers, scatters, segments, classes, labels), stored))
