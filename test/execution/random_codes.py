#!/usr/bin/env python3
"""Random kernels that unpack: weights whose zeros are packed as well, in any order of the bits, tables of what codes stand
for, counts and sums of 64 bits. Each runs on a random chip in a random era, and matches its reference.

usage: random_codes.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import Text, carry, close, end_carry, end_product, kernel, opened, stored, widened


def bits_at(text, word, shift, mask, kind):
    """Some bits of a word, from place `shift`, an index, on."""
    by = text.value(f"arith.index_cast {shift} : index to {kind}")
    return text.value(f"arith.andi {text.value(f'arith.shrui {word}, {by} : {kind}')}, {mask} : {kind}")


def zeros(rng):
    """(code - zero) * scale, stored or as an operand of a product; both are packed along columns, in one order."""
    kind, width = rng.choice((("i32", 4), ("i32", 8), ("i8", 4)))
    pack = int(kind[1:]) // width
    k, n, group = rng.choice((32, 64)), rng.choice((16, 32, 64)), rng.choice((16, 32))
    m, product = rng.choice((8, 16)), rng.random() < 0.4
    element = "f32" if product else rng.choice(("f32", "f16", "bf16"))
    half = max(pack // 2, 1)
    order = f"(c mod {pack}) * {width}"
    if product and rng.random() < 0.5:  # a rest that is divided is none of a loop over elements
        order = f"(c mod 2) * {half * width} + ((c mod {pack}) floordiv 2) * {width}"
    weights, zero, scales = (f"memref<{k}x{n // pack}x{kind}>", f"memref<{k // group}x{n // pack}x{kind}>",
                             f"memref<{k // group}x{n}x{element}>")
    text = Text()
    text.add(f"%mask = arith.constant {2 ** width - 1 if width < int(kind[1:]) else -1} : {kind}")
    text.add(f"%one = arith.constant 1 : {kind}")
    text.add("%start = arith.constant 0.0 : f32")
    opened(text, f"affine.parallel (%i, %j) = (0, 0) to ({m if product else k}, {n}) {{")
    shift = text.value(f"affine.apply affine_map<(c) -> ({order})>(%j)")
    row = "%k" if product else "%i"
    total = carry(text, "%k", k, "%s", "%start") if product else None
    q = bits_at(text, text.value(f"affine.load %W[{row}, %j floordiv {pack}] : {weights}"), shift, "%mask", kind)
    z = bits_at(text, text.value(f"affine.load %Z[{row} floordiv {group}, %j floordiv {pack}] : {zero}"), shift, "%mask", kind)
    if rng.random() < 0.5:
        z = text.value(f"arith.addi {z}, %one : {kind}")
    d = text.value(f"arith.sitofp {text.value(f'arith.subi {q}, {z} : {kind}')} : {kind} to {element}")
    w = text.value(f"arith.mulf {d}, {text.value(f'affine.load %S[{row} floordiv {group}, %j] : {scales}')} : {element}")
    args = [("W", weights), ("Z", zero), ("S", scales)]
    if product:
        x = text.value(f"affine.load %X[%i, %k] : memref<{m}x{k}xbf16>")
        end_product(text, "%s", widened(text, (x,), "bf16")[0], w)
        args.append(("X", f"memref<{m}x{k}xbf16>"))
        w = total
    out = f"memref<{m if product else k}x{n}x{element}>"
    text.add(f"affine.store {w}, %Y[%i, %j] : {out}")
    close(text)
    what = f"{'product with' if product else ''} zeros {k}x{n} by {group} {kind} of {width}, order {order}, {element}"
    return what, kernel("zeros", args + [("Y", out)], text)


def tables(rng):
    """What codes stand for, by a table, times a scale of the row."""
    kind, width = rng.choice((("i8", 4), ("i32", 4), ("i8", 3), ("i32", 6)))
    pack = int(kind[1:]) // width
    rows, cols = rng.choice((16, 32, 40)), rng.choice((8, 16, 32))
    codes, out = f"memref<{rows}x{cols}x{kind}>", f"memref<{rows}x{cols * pack}xf32>"
    text = Text()
    text.add(f"%mask = arith.constant {2 ** width - 1} : {kind}")
    opened(text, f"affine.parallel (%i, %j) = (0, 0) to ({rows}, {cols}) {{")
    q = text.value(f"affine.load %Q[%i, %j] : {codes}")
    s = text.value(f"affine.load %S[%i] : memref<{rows}xf32>")
    parts = rng.sample(range(pack), min(pack, rng.choice((1, 2))))
    for p in parts:
        by = text.value(f"arith.constant {p * width} : {kind}")
        code = text.value(f"arith.andi {text.value(f'arith.shrui {q}, {by} : {kind}')}, %mask : {kind}")
        at = text.value(f"arith.index_cast{rng.choice(('', 'ui'))} {code} : {kind} to index")
        v = text.value(f"memref.load %T[{at}] : memref<{2 ** width}xf32>")
        y = text.value(f"arith.mulf {v}, {s} : f32")
        text.add(f"affine.store {y}, %Y[%i, %j * {pack} + {p}] : {out}")
    close(text)
    args = [("Q", codes), ("S", f"memref<{rows}xf32>"), ("T", f"memref<{2 ** width}xf32>"), ("Y", out)]
    return f"table of {2 ** width}, {rows}x{cols} {kind}, parts {parts}", kernel("tables", args, text)


def counts(rng):
    """Sums of 64 bits that loops keep in 32: of flags, of integers of a range, of what floats become."""
    rows, cols, way = rng.choice((8, 32, 40)), rng.choice((16, 40, 64)), rng.choice(("flags", "range", "floats"))
    most = rng.choice((7, 200, 5000))
    given, out = ("i32" if way == "range" else "f32"), f"memref<{rows}xi64>"
    tensor = f"memref<{rows}x{cols}x{given}>"
    text = Text()
    text.add("%none = arith.constant 0 : i64")
    text.add(f"%factor = arith.constant {rng.choice((1, 3, 100))} : i64")
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%ten = arith.constant 10.0 : f32")
    opened(text, f"affine.parallel (%i) = (0) to ({rows}) {{")
    total = carry(text, "%j", cols, "%s", "%none", "i64")
    a = text.value(f"affine.load %A[%i, %j] : {tensor}")
    if way == "flags":
        v = text.value(f"arith.extui {text.value(f'arith.cmpf ogt, {a}, %zero : f32')} : i1 to i64")
    elif way == "range":
        v = text.value(f"arith.extsi {a} : i32 to i64")
    else:
        small = text.value(f"arith.minimumf {text.value(f'math.absf {a} : f32')}, %ten : f32")
        v = text.value(f"arith.fptosi {text.value(f'math.floor {small} : f32')} : f32 to i64")
    end_carry(text, text.value(f"arith.addi %s, {text.value(f'arith.muli {v}, %factor : i64')} : i64"), "i64")
    text.add(f"affine.store {total}, %Y[%i] : {out}")
    close(text)
    first = ("A", tensor, (-most, most)) if way == "range" else ("A", tensor)
    return f"counts {rows}x{cols} of {way}, {most}", kernel("counts", [first, ("Y", out)], text)


if __name__ == "__main__":
    sys.exit(run_all((zeros, tables, counts), stored))
