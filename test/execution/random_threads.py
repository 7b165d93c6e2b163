#!/usr/bin/env python3
"""Random kernels as threads of GPUs: numbers that a thread keeps, rounds of steps, results that are scaled where they
were put, factors that a list names or not, counted bits, blocks wider than what is loaded into them. Each runs on a
random chip in a random era, and matches its reference.

usage: random_threads.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import (Text, carry, close, end_branch, end_carry, end_product, expression, kernel, open_branch, opened)


def kept(rng):
    """A vector of each thread: filled from its row, worked on in rounds, summed, and stored."""
    rows, cols, rounds = rng.choice((8, 32, 40)), rng.choice((4, 9, 12)), rng.randint(1, 2)
    matrix, own = f"memref<{rows}x{cols}xf32>", f"memref<{cols}xf32, #gpu.address_space<private>>"
    text = Text()
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%half = arith.constant 0.5 : f32")
    opened(text, f"affine.parallel (%i) = (0) to ({rows}) {{")
    text.add(f"%x = memref.alloc() : {own}")
    opened(text, f"affine.for %j = 0 to {cols} {{")
    a = text.value(f"affine.load %A[%i, %j] : {matrix}")
    text.add(f"affine.store {text.value(f'math.tanh {a} : f32')}, %x[%j] : {own}")
    close(text)
    for _ in range(rounds):
        op = rng.choice(("arith.addf", "arith.maximumf"))
        total = carry(text, "%k", cols, "%s", "%zero")
        v = text.value(f"affine.load %x[%k] : {own}")
        end_carry(text, text.value(f"{op} %s, {v} : f32"))
        opened(text, f"affine.for %l = 0 to {cols} {{")
        v = text.value(f"affine.load %x[%l] : {own}")
        y = text.value(f"arith.subf {v}, {text.value(f'arith.mulf {total}, %half : f32')} : f32")
        text.add(f"affine.store {text.value(f'math.tanh {y} : f32')}, %x[%l] : {own}")
        close(text)
    opened(text, f"affine.for %n = 0 to {cols} {{")
    at = f"{cols - 1} - %n" if rows != 40 and rng.random() < 0.5 else "%n"
    v = text.value(f"affine.load %x[%n] : {own}")
    text.add(f"affine.store {v}, %Y[%i, {at}] : {matrix}")
    close(text, 2)
    return f"kept {rows}x{cols}, {rounds} rounds, stored at {at}", kernel("kept", [("A", matrix), ("Y", matrix)], text)


def rounds(rng):
    """Steps in steps: numbers that two loops carry, one in the other; their parts are stored after each round."""
    rows, outer, inner = rng.choice((8, 32, 40)), rng.choice((2, 3)), rng.choice((3, 4))
    matrix = f"memref<{rows}x{outer * inner}xf32>"
    text = Text()
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%half = arith.constant 0.5 : f32")
    opened(text, f"affine.parallel (%i) = (0) to ({rows}) {{")
    last = carry(text, "%c", outer, "%p", "%zero")
    sums = carry(text, "%j", inner, "%s", "%p")
    a = text.value(f"affine.load %A[%i, %c * {inner} + %j] : {matrix}")
    way = rng.choice(("decay", "largest", "quotient"))
    if way == "largest":
        y = text.value(f"arith.maximumf {text.value('arith.mulf %s, %half : f32')}, {a} : f32")
    elif way == "decay":
        y = text.value(f"arith.addf {text.value('arith.mulf %s, %half : f32')}, {a} : f32")
    else:
        y = text.value(f"arith.subf {a}, {text.value('math.tanh %s : f32')} : f32")
    end_carry(text, y)
    if rng.random() < 0.5:
        text.add(f"affine.store {sums}, %P[%i, %c] : memref<{rows}x{outer}xf32>")
    end_carry(text, sums)
    text.add(f"affine.store {last}, %Y[%i] : memref<{rows}xf32>")
    close(text)
    args = [("A", matrix), ("P", f"memref<{rows}x{outer}xf32>"), ("Y", f"memref<{rows}xf32>")]
    used = "\n".join(text.lines)
    return f"rounds {rows}x{outer}x{inner} {way}", kernel("rounds", [a for a in args if f"%{a[0]}[" in used], text)


def rescaled(rng):
    """Results that steps put into columns, scaled by what the steps gave."""
    rows, cols = rng.choice((8, 32, 64)), rng.choice((5, 8, 12))
    matrix = f"memref<{rows}x{cols}xf32>"
    text = Text()
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%one = arith.constant 1.0 : f32")
    opened(text, f"affine.parallel (%i) = (0) to ({rows}) {{")
    total = carry(text, "%j", cols, "%s", "%zero")
    a = text.value(f"math.absf {text.value(f'affine.load %A[%i, %j] : {matrix}')} : f32")
    flag = text.value("arith.cmpf olt, %s, %one : f32")
    v = text.value(f"arith.select {flag}, {a}, %zero : f32")
    text.add(f"affine.store {v}, %Y[%i, %j] : {matrix}")
    end_carry(text, text.value(f"arith.addf %s, {rng.choice((a, v))} : f32"))
    below = text.value(f"arith.addf {total}, %one : f32")
    opened(text, f"affine.for %k = 0 to {cols} {{")
    y = text.value(f"affine.load %Y[%i, %k] : {matrix}")
    text.add(f"affine.store {text.value(f'arith.divf {y}, {below} : f32')}, %Y[%i, %k] : {matrix}")
    close(text, 2)
    return f"rescaled {rows}x{cols}", kernel("rescaled", [("A", matrix), ("Y", matrix)], text)


def guarded(rng):
    """Products of rows that a list names, or that are none."""
    rows, depth, cols, names = rng.choice((2, 8)), rng.choice((32, 40, 64)), rng.choice((16, 32)), rng.choice((20, 40))
    first = rng.random() < 0.5
    limits = (-1, names - 1) if first else (0, names)
    text = Text()
    text.add("%zero = arith.constant 0.0 : f32")
    text.add(f"%end = arith.constant {0 if first else names} : i32")
    opened(text, f"affine.for %i = 0 to {rows} {{")
    v = text.value(f"affine.load %I[%i] : memref<{rows}xi32>")
    at = text.value(f"arith.index_cast {v} : i32 to index")
    flag = text.value(f"arith.cmpi {'sge' if first else 'slt'}, {v}, %end : i32")
    opened(text, f"affine.for %j = 0 to {cols} {{")
    total = carry(text, "%k", depth, "%s", "%zero")
    x = open_branch(text, flag, "f32")
    end_branch(text, text.value(f"memref.load %A[{at}, %k] : memref<{names}x{depth}xf32>"), "%zero", "f32")
    w = text.value(f"affine.load %W[%k, %j] : memref<{depth}x{cols}xf32>")
    end_product(text, "%s", x, w)
    text.add(f"affine.store {total}, %Y[%i, %j] : memref<{rows}x{cols}xf32>")
    close(text, 2)
    args = [("A", f"memref<{names}x{depth}xf32>"), ("I", f"memref<{rows}xi32>", limits),
            ("W", f"memref<{depth}x{cols}xf32>"), ("Y", f"memref<{rows}x{cols}xf32>")]
    return f"guarded {rows}x{depth}x{cols} of {names}, none {'below' if first else 'behind'}", kernel("guarded", args, text)


def bits(rng):
    """Counted bits of integers, and of indices."""
    rows, cols, kind = rng.choice((16, 32, 40)), rng.choice((16, 40)), rng.choice(("i8", "i32"))
    matrix, op = f"memref<{rows}x{cols}x{kind}>", rng.choice(("ctpop", "ctlz", "cttz"))
    text = Text()
    opened(text, f"affine.parallel (%i, %j) = (0, 0) to ({rows}, {cols}) {{")
    x = text.value(f"affine.load %A[%i, %j] : {matrix}")
    if rng.random() < 0.5:
        x = text.value(f"arith.andi {x}, {text.value(f'arith.index_cast %j : index to {kind}')} : {kind}")
    text.add(f"affine.store {text.value(f'math.{op} {x} : {kind}')}, %Y[%i, %j] : {matrix}")
    close(text)
    return f"bits {rows}x{cols} {kind} {op}", kernel("bits", [("A", matrix), ("Y", matrix)], text)


def beside(rng):
    """A block that is filled, and of which a corner of open size is loaded: all of it counts."""
    by_row, narrow = rng.random() < 0.5, rng.random() < 0.3
    rows, cols = 32, rng.choice((64, 96, 128))
    known = cols - rng.choice((0, 1, 26)) if narrow else cols
    size = rng.randint(1, rows if by_row else cols)
    fill = rng.choice(("0.0", "0xFF800000", "0.5"))
    sums = fill == "0.5" or fill == "0.0" and rng.random() < 0.3
    op, start = ("arith.addf", "0.0") if sums else ("arith.maximumf", "0xFF800000")
    tensor = f"memref<?x{known}xf32>" if by_row else f"memref<{rows}x?xf32>"
    strides = f"strided<[{known if by_row else '?'}, 1]>"
    shape = f"?x{known}" if by_row else f"{rows}x?"
    sizes = f"%n, {known}" if by_row else f"{rows}, %n"
    block = f"memref<{rows}x{cols}xf32, #gpu.address_space<private>>"
    text = Text()
    text.add("%c0 = arith.constant 0 : index")
    text.add("%c1 = arith.constant 1 : index")
    text.add(f"%other = arith.constant {fill} : f32")
    text.add(f"%start = arith.constant {start} : f32")
    text.add(f"%all = memref.dim %A, %c{0 if by_row else 1} : {tensor}")
    text.add(f"%n = affine.min affine_map<()[s] -> ({rows if by_row else cols}, s)>()[%all]")
    text.add(f"%x = memref.alloc() : {block}")
    text.add(f"linalg.fill ins(%other : f32) outs(%x : {block})")
    text.add(f"%a = memref.subview %A[0, 0] [{sizes}] [1, 1] : {tensor} to memref<{shape}xf32, {strides}>")
    text.add(f"%v = memref.subview %x[0, 0] [{sizes}] [1, 1] : {block} to "
             f"memref<{shape}xf32, strided<[{cols}, 1]>, #gpu.address_space<private>>")
    text.add(f"memref.copy %a, %v : memref<{shape}xf32, {strides}> to "
             f"memref<{shape}xf32, strided<[{cols}, 1]>, #gpu.address_space<private>>")
    along = rng.choice((0, 1))  # what stays
    n, kinds = (rows, '"parallel", "reduction"') if along == 0 else (cols, '"reduction", "parallel"')
    text.add(f"%r = memref.alloc() : memref<{n}xf32>")
    text.add(f"linalg.fill ins(%start : f32) outs(%r : memref<{n}xf32>)")
    opened(text, "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> "
           f"({'ij'[along]})>], iterator_types = [{kinds}]}} ins(%x : {block}) outs(%r : memref<{n}xf32>) {{")
    text.lines.append("  ^bb0(%e: f32, %o: f32):")
    text.add(f"%t = {op} %e, %o : f32")
    text.add("linalg.yield %t : f32")
    close(text)
    text.add(f"memref.copy %r, %Y : memref<{n}xf32> to memref<{n}xf32>")
    given = f"{size}x{known}" if by_row else f"{rows}x{size}"
    what = f"beside {given} in {rows}x{cols} of {fill}, {op} along {along}"
    made = kernel("beside", [("A", tensor), ("Y", f"memref<{n}xf32>")], text)
    return what, made, ["--shape", f"A={given}"]


def cumulated(rng):
    """A sum that goes on in a vector of the cell, whose differences are a mask's numbers."""
    cells, n = rng.choice((1, 2)), rng.choice((8, 32))
    text, own = Text(), f"memref<{n}xf32, #gpu.address_space<private>>"
    block = f"memref<{n}x{n}xf32, #gpu.address_space<private>>"
    text.add("%zero = arith.constant 0.0 : f32")
    opened(text, f"affine.parallel (%b) = (0) to ({cells}) {{")
    text.add(f"%c = memref.alloc() : {own}")
    text.add(f"%m = memref.alloc() : {block}")
    carry(text, "%i", n, "%s", "%zero")
    a = text.value(f"math.absf {text.value(f'affine.load %A[%b, %i] : memref<{cells}x{n}xf32>')} : f32")
    y = text.value(f"arith.subf %s, {a} : f32")
    text.add(f"affine.store {y}, %c[%i] : {own}")
    end_carry(text, y)
    opened(text, f"affine.for %p = 0 to {n} {{")
    opened(text, f"affine.for %q = 0 to {n} {{")
    d = text.value(f"arith.subf {text.value(f'affine.load %c[%p] : {own}')}, "
                   f"{text.value(f'affine.load %c[%q] : {own}')} : f32")
    flag = text.value("arith.cmpi sge, %p, %q : index")
    e = text.value(f"arith.select {flag}, {text.value(f'math.exp {d} : f32')}, %zero : f32")
    v = expression(rng, text, [e, text.value(f"math.tanh {d} : f32")], "%p", "%q") if rng.random() < 0.4 else e
    v = text.value(f"math.tanh {v} : f32") if v != e else v
    text.add(f"affine.store {v}, %m[%p, %q] : {block}")
    close(text, 2)
    opened(text, f"affine.for %p = 0 to {n} {{")
    opened(text, f"affine.for %q = 0 to {n} {{")
    text.add(f"affine.store {text.value(f'affine.load %m[%p, %q] : {block}')}, %Y[%b, %p, %q] : memref<{cells}x{n}x{n}xf32>")
    close(text, 3)
    args = [("A", f"memref<{cells}x{n}xf32>"), ("Y", f"memref<{cells}x{n}x{n}xf32>")]
    return f"cumulated {cells}x{n}", kernel("cumulated", args, text)


if __name__ == "__main__":
    sys.exit(run_all((kept, rounds, rescaled, guarded, bits, beside, cumulated)))
