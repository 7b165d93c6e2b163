#!/usr/bin/env python3
"""Random kernels that make grids of numbers again in steps of time, from one tensor to the other and back, that keep rows of their
own in each thread and take neighbors or every so many elements of them, and that make scores again for each column of a result.
Each runs on a random chip in a random era, with the optimizations or without, and matches its reference.

usage: random_grids.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_orders import memref, optimized
from random_text import Text, carry, close, end_product, kernel, opened

FLOAT, INTEGER = "f32", "i32"


def shifted(name, by):
    return f"{name} {'+' if by > 0 else '-'} {abs(by)}" if by else name


def inner(text, sizes, margin):
    """Opens loops over the elements that have `margin` others on all sides; their variables."""
    for d, size in enumerate(sizes):
        opened(text, f"affine.for %i{d} = {margin} to {size - margin} {{")
    return [f"%i{d}" for d in range(len(sizes))]


def sum_around(rng, text, source, kind, places, letter):
    """A sum of `source` at `places`, some of them with factors."""
    total = None
    for place in places:
        x = text.value(f"affine.load {source}[{', '.join(place)}] : {kind[0]}")
        if rng.random() < 0.3:
            factor = text.value(f"arith.constant {rng.choice(('0.5', '-0.25')) if letter == 'f' else rng.choice((2, -3))} : {kind[1]}")
            x = text.value(f"arith.mul{letter} {x}, {factor} : {kind[1]}")
        total = x if total is None else text.value(f"arith.add{letter} {total}, {x} : {kind[1]}")
    return total


def stencils(rng):
    """Inner elements of a tensor are made of neighbors in another one, and that of these or copied back."""
    rank, margin = rng.choice((1, 2, 2)), rng.choice((1, 1, 2))
    sizes = [rng.choice((9, 20, 34, 40)) for _ in range(rank)]
    element, steps, back = rng.choice((FLOAT, FLOAT, INTEGER)), rng.choice((1, 2)), rng.random() < 0.5
    letter, text, kind = element[0], Text(), memref(1, *sizes, element)
    around = [[0] * rank] + [[by if d == at else 0 for d in range(rank)] for at in range(rank) for by in (-margin, margin)]
    around = [around[0]] * (rng.random() < 0.5) + rng.sample(around[1:], rng.randint(1, len(around) - 1))
    opened(text, f"affine.for %t = 0 to {steps} {{")
    for source, target in (("%X", "%Y"), ("%Y", "%X")):
        at = inner(text, sizes, margin)
        if source == "%X" or not back:
            places = [[shifted(name, by) for name, by in zip(at, place)] for place in around]
            value = sum_around(rng, text, source, (kind, element), places, letter)
        else:
            value = text.value(f"affine.load {source}[{', '.join(at)}] : {kind}")
        text.add(f"affine.store {value}, {target}[{', '.join(at)}] : {kind}")
        close(text, rank)
    close(text)
    what = f"stencils {kind} margin {margin} of {len(around)}{', copied back' * back}"
    return what, kernel("stencils", [("X", kind), ("Y", kind)], text)


def own(rng):
    """Each thread has rows of its own, which it smooths from one to the other, and takes every so many elements of one."""
    rows, n, apart = rng.choice((8, 33, 40)), rng.choice((12, 24, 35)), rng.choice((1, 2, 3))
    text, x, row = Text(), f"memref<{rows}x{n}xf32>", f"memref<{n}xf32>"
    half = text.value("arith.constant 0.5 : f32")
    opened(text, f"affine.parallel (%r) = (0) to ({rows}) {{")
    for name in ("%a", "%b"):
        text.add(f"{name} = memref.alloc() : {row}")
    opened(text, f"affine.for %j = 0 to {n} {{")
    v = text.value(f"affine.load %X[%r, %j] : {x}")
    text.add(f"affine.store {v}, %a[%j] : {row}")
    text.add(f"affine.store {v}, %b[%j] : {row}")
    close(text)
    first, last = rng.choice((0, 1, 2)), rng.choice((0, 1))
    opened(text, f"affine.for %j = {first} to {n - max(last, 1)} {{")
    u = text.value(f"affine.load %a[%j{' - ' + str(first) if first else ''}] : {row}")
    w = text.value(f"affine.load %a[%j + 1] : {row}")
    m = text.value(f"arith.mulf {text.value(f'arith.addf {u}, {w} : f32')}, {half} : f32")
    text.add(f"affine.store {m}, %b[%j] : {row}")
    close(text)
    count = n // apart
    y = f"memref<{rows}x{count}xf32>"
    opened(text, f"affine.for %j = 0 to {count} {{")
    v = text.value(f"affine.load %b[{apart} * %j + {rng.randrange(apart)}] : {row}")
    text.add(f"affine.store {v}, %Y[%r, %j] : {y}")
    close(text, 2)
    return f"own {row} of {rows} threads, every {apart}", kernel("own", [("X", x), ("Y", y)], text)


def scores(rng):
    """Scores of a row with others, made for each column of what they weigh."""
    rows, others, depth, columns = rng.choice((8, 33)), rng.choice((12, 40)), rng.choice((8, 16)), rng.choice((10, 32))
    text = Text()
    q, k, v, y = f"memref<{rows}x{depth}xf32>", f"memref<{others}x{depth}xf32>", f"memref<{others}x{columns}xf32>", f"memref<{rows}x{columns}xf32>"
    zero = text.value("arith.constant 0.0 : f32")
    grid = rng.random() < 0.6
    if grid:
        opened(text, f"affine.parallel (%i, %d) = (0, 0) to ({rows}, {columns}) {{")
    else:
        opened(text, f"affine.for %i = 0 to {rows} {{")
        opened(text, f"affine.for %d = 0 to {columns} {{")
    total = carry(text, "%j", others, "%a", zero)
    score = carry(text, "%e", depth, "%s", zero)
    x = text.value(f"affine.load %Q[%i, %e] : {q}")
    z = text.value(f"affine.load %K[%j, %e] : {k}")
    end_product(text, "%s", x, z)
    s, how = score, rng.choice(("plain", "absf", "causal"))
    if how == "absf":
        s = text.value(f"math.absf {s} : f32")
    if how == "causal":
        c = text.value("arith.cmpi sle, %j, %i : index")
        s = text.value(f"arith.select {c}, {s}, {zero} : f32")
    w = text.value(f"affine.load %V[%j, %d] : {v}")
    end_product(text, "%a", s, w)
    text.add(f"affine.store {total}, %Y[%i, %d] : {y}")
    close(text, 1 if grid else 2)
    return f"scores {q} {k} {v} {how}{', a grid' * grid}", kernel("scores", [("Q", q), ("K", k), ("V", v), ("Y", y)], text)


if __name__ == "__main__":
    sys.exit(run_all((stencils, own, scores), options=optimized))
