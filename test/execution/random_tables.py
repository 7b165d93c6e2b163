#!/usr/bin/env python3
"""Random kernels that tables steer: blocks, pages and matrices by a table, counts and masks of blocks, lengths of
sequences. Each runs on a random chip in a random era, and matches its reference.

usage: random_tables.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_lists import KINDS, index_of
from random_text import (Text, carry, close, constants, end_branch, end_carry, end_product, kernel, open_branch, opened,
                         stored, widened)


def steered(rng):
    """Blocks that tables name are added, as many as a table or a scalar says, those that a mask has."""
    blocks, cells, n = rng.choice((1, 3, 4)), rng.choice((1, 2, 5)), rng.choice((2, 3, 40))
    kind = rng.choice(("i32", "i32", "i64", "i8"))
    count, mask = rng.choice(("constant", "table", "scalar")), rng.random() < 0.5
    matrix, acc = f"memref<{blocks * 32}x64xf32>", "memref<32x64xf32, #gpu.address_space<private>>"
    view, out = "memref<32x64xf32, strided<[64, 1], offset: ?>>", f"memref<{cells * 32}x64xf32>"
    table, list_ = f"memref<{cells}x{n}x{kind}>", f"memref<{cells}x{kind}>"
    text, few = Text(), min(n, 4)
    constants(text, (0, 1, 32, few))
    text.add("%zero = arith.constant 0.0 : f32")
    text.add(f"%none = arith.constant 0 : {kind}")
    opened(text, f"scf.forall (%b) in ({cells}) {{")
    text.add("%m = arith.muli %b, %c32 : index")
    text.add(f"%acc = memref.alloc() : {acc}")
    text.add(f"linalg.fill ins(%zero : f32) outs(%acc : {acc})")
    end = f"%c{few}"
    if count == "table":
        v = text.value(f"memref.load %N[%b] : {list_}")
        end = text.value(f"arith.index_cast {v} : {kind} to index")
    elif count == "scalar":
        end = "%s"
    opened(text, f"scf.for %i = %c0 to {end} step %c1 {{")
    v = text.value(f"memref.load %S[%b, %i] : {table}")
    if mask:
        w = text.value(f"memref.load %M[%b, %i] : {table}")
        flag = text.value(f"arith.cmpi {rng.choice(('eq', 'ne'))}, {w}, %none : {kind}")
        opened(text, f"scf.if {flag} {{")
    r = text.value(f"arith.index_cast {v} : {kind} to index")
    row = text.value(f"arith.muli {r}, %c32 : index")
    a = text.value(f"memref.subview %A[{row}, 0] [32, 64] [1, 1] : {matrix} to {view}")
    text.add(f"linalg.{rng.choice(('add', 'sub', 'max'))} ins(%acc, {a} : {acc}, {view}) outs(%acc : {acc})")
    if mask:
        close(text)
    close(text)
    text.add(f"%c = memref.subview %C[%m, 0] [32, 64] [1, 1] : {out} to {view}")
    text.add(f"memref.copy %acc, %c : {acc} to {view}")
    close(text)
    args = [("A", matrix), ("S", table, (0, blocks - 1))]
    args += [("N", list_, (0, few))] * (count == "table") + [("s", "index", (0, few))] * (count == "scalar")
    args += [("M", table, (0, 1))] * mask + [("C", out)]
    return f"steered {cells} cells, {blocks} blocks, {kind}, {count}{', mask' * mask}", kernel("steered", args, text)


def pages(rng):
    """A product of queries and the keys of pages that a table names; -1 is no page."""
    pages, size, heads = rng.choice((4, 8)), rng.choice((16, 32)), rng.choice((1, 2))
    n, width, kind = rng.choice((2, 3)), rng.choice((32, 64)), rng.choice(("i32", "i32", "i64", "i8"))
    none, batch = rng.random() < 0.4, rng.choice((1, 2))
    text, keys = Text(), f"memref<{pages}x{size}x{heads}x{width}xbf16>"
    table, queries = f"memref<{batch}x{n}x{kind}>", f"memref<{batch}x{heads}x{width}xbf16>"
    out = f"memref<{batch}x{heads}x{n * size}xf32>"
    text.add("%zero = arith.constant 0.0 : f32")
    text.add(f"%none = arith.constant 0 : {kind}")
    opened(text, f"affine.parallel (%b, %h) = (0, 0) to ({batch}, {heads}) {{")
    opened(text, f"affine.for %p = 0 to {n} {{")
    v = text.value(f"affine.load %T[%b, %p] : {table}")
    page = index_of(rng, text, v, kind)
    if none:
        ok = text.value(f"arith.cmpi sge, {v}, %none : {kind}")
    opened(text, f"affine.for %j = 0 to {size} {{")
    if none:
        y = open_branch(text, ok, "f32")
    s = carry(text, "%e", width, "%a", "%zero")
    q = text.value(f"affine.load %Q[%b, %h, %e] : {queries}")
    k = text.value(f"memref.load %K[{page}, %j, %h, %e] : {keys}")
    end_product(text, "%a", *widened(text, (q, k), "bf16"))
    if none:
        end_branch(text, s, "%zero", "f32")
        s = y
    text.add(f"affine.store {s}, %S[%b, %h, %p * {size} + %j] : {out}")
    close(text, 3)
    args = [("K", keys), ("Q", queries), ("T", table, (-1 if none else 0, pages - 1)), ("S", out)]
    return (f"pages {batch}x{heads}, {n} of {pages} pages of {size}x{width} by {kind}{', some are none' * none}",
            kernel("pages", args, text))


def lengths(rng):
    """Softmax of rows up to the length of their sequence, which a tensor holds."""
    batch, rows, cols = rng.choice((1, 2, 3)), rng.choice((8, 32)), rng.choice((40, 64))
    kind, relation = rng.choice(("i32", "i32", "i64", "i16", "i8")), rng.choice(("slt", "ult", "sle"))
    text, t = Text(), f"memref<{batch}x{rows}x{cols}xf32>"
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%low = arith.constant -1.0e30 : f32")
    opened(text, f"affine.parallel (%b, %i) = (0, 0) to ({batch}, {rows}) {{")
    n = text.value(f"affine.load %N[%b] : memref<{batch}x{kind}>")
    as_index = rng.random() < 0.5
    if as_index:
        n = index_of(rng, text, n, kind)

    def masked():
        x = text.value(f"affine.load %X[%b, %i, %j] : {t}")
        if as_index:
            f = text.value(f"arith.cmpi {relation}, %j, {n} : index")
        else:
            j = text.value(f"arith.index_cast %j : index to {kind}")
            f = text.value(f"arith.cmpi {relation}, {j}, {n} : {kind}")
        return text.value(f"arith.select {f}, {x}, %low : f32")

    def reduced(start, what):
        r = carry(text, "%j", cols, "%s", start)
        end_carry(text, what())
        return r

    def exponent():
        x = masked()
        d = text.value(f"arith.subf {x}, {largest} : f32")
        return text.value(f"math.exp {d} : f32")

    def largest_():
        x = masked()
        return text.value(f"arith.maximumf %s, {x} : f32")

    def total_():
        e = exponent()
        return text.value(f"arith.addf %s, {e} : f32")

    largest = reduced("%low", largest_)
    total = reduced("%zero", total_)
    opened(text, f"affine.for %j = 0 to {cols} {{")
    e = exponent()
    y = text.value(f"arith.divf {e}, {total} : f32")
    text.add(f"affine.store {y}, %Y[%b, %i, %j] : {t}")
    close(text, 2)
    args = [("X", t), ("N", f"memref<{batch}x{kind}>", (1, cols - 1)), ("Y", t)]
    what = f"lengths {batch}x{rows}x{cols} by {kind}, {relation}{' of indices' * as_index}"
    return what, kernel("lengths", args, text)


def experts(rng):
    """Products of blocks of rows with the matrix that a list names, with its bias, and its scale."""
    blocks, k, n, experts = rng.choice((1, 2, 4)), rng.choice((32, 64)), rng.choice((32, 64)), rng.choice((2, 4))
    kind, size = rng.choice(KINDS), rng.choice((16, 32))
    bias, scale, turned = rng.random() < 0.5, rng.random() < 0.4, rng.random() < 0.4
    text, x, out = Text(), f"memref<{blocks * size}x{k}xbf16>", f"memref<{blocks * size}x{n}xf32>"
    w = f"memref<{experts}x{n}x{k}xbf16>" if turned else f"memref<{experts}x{k}x{n}xbf16>"
    text.add("%zero = arith.constant 0.0 : f32")
    opened(text, f"affine.parallel (%b) = (0) to ({blocks}) {{")
    e = index_of(rng, text, text.value(f"affine.load %E[%b] : memref<{blocks}x{kind}>"), kind)
    opened(text, f"affine.for %i = 0 to {size} {{")
    opened(text, f"affine.for %j = 0 to {n} {{")
    s = carry(text, "%k", k, "%a", "%zero")
    p = text.value(f"affine.load %X[%b * {size} + %i, %k] : {x}")
    q = text.value(f"memref.load %W[{e}, {'%j, %k' if turned else '%k, %j'}] : {w}")
    end_product(text, "%a", *widened(text, (p, q), "bf16"))
    if bias:
        v = text.value(f"memref.load %B[{e}, %j] : memref<{experts}x{n}xf32>")
        s = text.value(f"arith.addf {s}, {v} : f32")
    if scale:
        v = text.value(f"memref.load %S[{e}] : memref<{experts}xf32>")
        s = text.value(f"arith.mulf {s}, {v} : f32")
    text.add(f"affine.store {s}, %Y[%b * {size} + %i, %j] : {out}")
    close(text, 3)
    args = [("X", x), ("W", w), ("E", f"memref<{blocks}x{kind}>", (0, experts - 1))]
    args += [("B", f"memref<{experts}x{n}xf32>")] * bias + [("S", f"memref<{experts}xf32>")] * scale + [("Y", out)]
    more = f"{', bias' * bias}{', scale' * scale}{', turned' * turned}"
    return f"experts {blocks} of {size}x{k}x{n}, {experts} by {kind}{more}", kernel("experts", args, text)


if __name__ == "__main__":
    sys.exit(run_all((steered, pages, lengths, experts), stored))
