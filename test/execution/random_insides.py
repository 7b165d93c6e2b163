#!/usr/bin/env python3
"""Random kernels over a part of a result: inner elements of images with their neighbors, first and last ones of longer rows,
parallel loops that begin at any element, sums that are stored inside of a longer matrix; windows of a result to which steps add;
pages of a tensor that are copied onto others; prefix sums over both dimensions. Each runs on a random chip in a random era, and
matches its reference.

usage: random_insides.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import BINARY, Text, close, constants, end_branch, kernel, open_branch, opened, stored, widened

FLOATS = ("f32", "f32", "bf16")


def moved(text, var, by):
    return var if by == 0 else text.value(f"arith.addi {var}, %o{by} : index") if by > 0 else text.value(f"arith.subi {var}, %o{-by} : index")


def offsets(text, most):
    for i in range(1, most + 1):
        text.add(f"%o{i} = arith.constant {i} : index")


def narrowed(text, value, element):
    return value if element == "f32" else text.value(f"arith.truncf {value} : f32 to {element}")


def insides(rng):
    """Elements, or sums, in a part of a result."""
    n = [rng.choice((5, 20, 33, 38, 40, 62, 64, 70)) for _ in range(2)]
    left, right = [[rng.choice((0, 1, 1, 2, 3)) for _ in range(2)] for _ in range(2)]
    first = [rng.choice((0, 0, l)) for l in left]  # where the loop begins; stores are at its variable plus what is left
    sizes = [a + b + c for a, b, c in zip(left, n, right)]
    element, sums, batch = rng.choice(FLOATS), rng.random() < 0.3, rng.choice((0, 0, 2))
    text = Text()
    constants(text, (0, 1, 2))
    offsets(text, 6)
    lead, dims = ("%b, ", f"{batch}x") if batch else ("", "")
    y = f"memref<{dims}{sizes[0]}x{sizes[1]}x{element}>"
    low, high = ", ".join(map(str, first)), ", ".join(str(f + k) for f, k in zip(first, n))
    opened(text, f"affine.parallel ({lead}%i, %j) = ({'0, ' if batch else ''}{low}) to ({f'{batch}, ' if batch else ''}{high}) {{")
    if sums:
        k = rng.choice((8, 20, 32))
        args = [("A", f"memref<{dims}{n[0] + first[0]}x{k}x{element}>"), ("B", f"memref<{k}x{n[1] + first[1]}x{element}>")]
        text.add("%zero = arith.constant 0.0 : f32")
        v = text.name()
        opened(text, f"{v} = affine.for %k = 0 to {k} iter_args(%s = %zero) -> (f32) {{")
        a = text.value(f"memref.load %A[{lead}%i, %k] : {args[0][1]}")
        b = text.value(f"memref.load %B[%k, %j] : {args[1][1]}")
        a, b = widened(text, (a, b), element)
        p = text.value(f"arith.mulf {a}, {b} : f32")
        text.add(f"affine.yield {text.value(f'arith.addf %s, {p} : f32')} : f32")
        close(text)
    else:
        x = f"memref<{dims}{sizes[0]}x{sizes[1]}x{element}>"
        args, values = [("X", x)], []
        for _ in range(rng.randint(1, 4)):  # neighbors that are there
            at = []
            for d, var in enumerate(("%i", "%j")):
                base = left[d] - first[d]
                at.append(moved(text, var, base + rng.randint(-left[d], right[d])))
            values += widened(text, [text.value(f"memref.load %X[{lead}{', '.join(at)}] : {x}")], element)
        v = values[0]
        for other in values[1:]:
            v = text.value(f"{rng.choice(BINARY)} {v}, {other} : f32")
        if rng.random() < 0.4:
            v = text.value(f"{rng.choice(('math.tanh', 'math.absf'))} {v} : f32")
    to = [moved(text, var, l - f) for var, l, f in zip(("%i", "%j"), left, first)]
    text.add(f"memref.store {narrowed(text, v, element)}, %Y[{lead}{', '.join(to)}] : {y}")
    close(text)
    what = f"insides {'sums' if sums else 'elements'} {batch or ''} {n} from {first} at {left} of {sizes} {element}"
    return what, kernel("insides", args + [("Y", y)], text)


def spread(rng):
    """Each element of an image is added to a window of each result."""
    o, h, w, k, s = rng.choice((1, 2, 3)), rng.choice((2, 4)), rng.choice((2, 5)), rng.choice((2, 3)), rng.choice((1, 2))
    rows, cols = (h - 1) * s + k, (w - 1) * s + k
    text = Text()
    constants(text, (0, 1, 2, 3))
    offsets(text, 3)
    x, g, y = f"memref<{h}x{w}xf32>", f"memref<{o}x{k}x{k}xf32>", f"memref<{o}x{rows}x{cols}xf32>"
    text.add("%zero = arith.constant 0.0 : f32")
    for var, n in (("%c", o), ("%i", rows), ("%j", cols)):
        opened(text, f"affine.for {var} = 0 to {n} {{")
    text.add(f"memref.store %zero, %Y[%c, %i, %j] : {y}")
    close(text, 3)
    for var, n in (("%i", h), ("%j", w), ("%c", o), ("%a", k), ("%b", k)):
        opened(text, f"affine.for {var} = 0 to {n} {{")
    r, c = [text.value(f"affine.apply affine_map<(i, a) -> (i * {s} + a)>({u}, {v})") for u, v in (("%i", "%a"), ("%j", "%b"))]
    p = text.value(f"arith.mulf {text.value(f'memref.load %X[%i, %j] : {x}')}, {text.value(f'memref.load %G[%c, %a, %b] : {g}')} : f32")
    old = text.value(f"memref.load %Y[%c, {r}, {c}] : {y}")
    text.add(f"memref.store {text.value(f'arith.addf {old}, {p} : f32')}, %Y[%c, {r}, {c}] : {y}")
    close(text, 5)
    return f"spread {o} of {h}x{w} by {k}x{k} step {s}", kernel("spread", [("X", x), ("G", g), ("Y", y)], text)


def pages(rng):
    """Pages of a tensor, copied onto others of it, one after the other."""
    n, rows, cols, pairs = rng.choice((2, 3)), rng.choice((1, 2, 4)), rng.choice((4, 16, 40)), rng.choice((2, 3))
    text = Text()
    constants(text, (0, 1))
    c, m = f"memref<{n}x{rows}x{cols}xf32>", f"memref<{pairs}x2xi32>"
    opened(text, f"affine.for %p = 0 to {pairs} {{")
    source, target = [text.value(f"arith.index_cast {text.value(f'memref.load %M[%p, %c{i}] : {m}')} : i32 to index") for i in (0, 1)]
    for var, size in (("%i", rows), ("%j", cols)):
        opened(text, f"affine.for {var} = 0 to {size} {{")
    v = text.value(f"memref.load %C[{source}, %i, %j] : {c}")
    text.add(f"memref.store {v}, %C[{target}, %i, %j] : {c}")
    close(text, 3)
    out = kernel("pages", [("C", c), ("M", m)], text)
    return f"pages {pairs} of {n}x{rows}x{cols}", out.replace('tt.name = "M"', f'tt.name = "M", tt.range = [0, {n - 1}]')


def prefixes(rng):
    """Sums of all elements before and above, by what the row above has."""
    rows, cols, down = rng.choice((2, 5)), rng.choice((7, 33)), rng.choice((1, 1, 2))
    text = Text()
    constants(text, (0, 1, 2))
    x = f"memref<{rows}x{cols}xf32>"
    text.add("%zero = arith.constant 0.0 : f32")
    opened(text, f"affine.for %i = 0 to {rows} {{")
    r = text.name()
    opened(text, f"{r} = affine.for %j = 0 to {cols} iter_args(%s = %zero) -> (f32) {{")
    s = text.value(f"arith.addf %s, {text.value(f'memref.load %X[%i, %j] : {x}')} : f32")
    flag = text.value(f"arith.cmpi sge, %i, %c{down} : index")
    above = open_branch(text, flag, "f32")
    at = text.value(f"arith.subi %i, %c{down} : index")
    end_branch(text, text.value(f"memref.load %Y[{at}, %j] : {x}"), "%zero", "f32")
    text.add(f"memref.store {text.value(f'arith.addf {s}, {above} : f32')}, %Y[%i, %j] : {x}")
    text.add(f"affine.yield {s} : f32")
    close(text, 2)
    return f"prefixes {rows}x{cols} from {down} above", kernel("prefixes", [("X", x), ("Y", x)], text)


def options(rng):
    return rng.choice(([], [], ["--optimize=none"]))


if __name__ == "__main__":
    sys.exit(run_all((insides, insides, insides, spread, pages, prefixes), stored, options=options))
