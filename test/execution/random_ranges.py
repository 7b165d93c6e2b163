#!/usr/bin/env python3
"""Random kernels whose loops change their form: indices that go around, are mirrored, or that floats say; branches that store, in
loops that carry a number; what moves within its tensor. Each runs on a random chip in a random era, and what only moves is the
reference's in every bit.

usage: random_ranges.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import Text, close, kernel, opened

KINDS = ("f32", "bf16", "i32")


def around(text, rng, iv, n):
    """An index of `n` that goes around; its source has as many elements."""
    way = rng.choice(("mod", "xor", "select", "floor"))
    by = rng.randint(1, n - 1)
    if way == "mod":
        return n, f"affine_map<(d) -> ((d + {by}) mod {n})>", way + str(by)
    if way == "xor" and n % 8 == 0:
        bit = rng.choice((1, 2, 4))
        return n, ("xor", bit), f"xor{bit}"
    if way == "select":
        return n, ("mirror", by), f"mirror{by}"
    divisor = rng.choice((2, 3, 5))
    return (n + divisor - 1) // divisor + 1, f"affine_map<(d) -> ((d + {rng.randint(0, divisor - 1)}) floordiv {divisor})>", f"by{divisor}"


def index(text, what, iv, n):
    """The ops that make the index; its name."""
    if isinstance(what, str):
        return text.value(f"affine.apply {what}({iv})")
    name, by = what
    c = text.value(f"arith.constant {by} : index")
    if name == "xor":
        return text.value(f"arith.xori {iv}, {c} : index")
    zero = text.value("arith.constant 0 : index")
    less = text.value(f"arith.subi {iv}, {c} : index")
    below = text.value(f"arith.cmpi slt, {less}, {zero} : index")
    minus = text.value(f"arith.subi {zero}, {less} : index")
    return text.value(f"arith.select {below}, {minus}, {less} : index")


def from_float(text, rng, iv, n):
    """An index that a scale gives, as of an image made larger; the elements that it may reach."""
    scale = rng.choice((0.5, 0.25, 2 / 3, 0.75, 0.4))
    half = rng.random() < 0.5
    whole = text.value(f"arith.index_cast {iv} : index to i32")
    value = text.value(f"arith.sitofp {whole} : i32 to f32")
    if half:
        value = text.value(f"arith.addf {value}, {text.value('arith.constant 0.5 : f32')} : f32")
    value = text.value(f"arith.mulf {value}, {text.value(f'arith.constant {scale:.9f} : f32')} : f32")
    if rng.random() < 0.5:
        value = text.value(f"math.floor {value} : f32")
    whole = text.value(f"arith.fptosi {value} : f32 to i32")
    size = int(n * scale) + 2
    if rng.random() < 0.5:
        size -= 2 if size > 4 else 0
        whole = text.value(f"arith.minsi {whole}, {text.value(f'arith.constant {size - 1} : i32')} : i32")
    return size, text.value(f"arith.index_cast {whole} : i32 to index"), f"float{scale:.2f}{'h' if half else ''}"


def moves(rng):
    """Elements of another place, along one dimension or both."""
    kind = rng.choice(KINDS)
    shape = [rng.choice((8, 24, 30, 40)), rng.choice((16, 33, 40, 64))]
    sides = rng.choice(((0,), (1,), (0, 1)))
    outer = rng.choice(("affine.parallel", "affine.for"))
    text, source, at, names = Text(), list(shape), ["%i0", "%i1"], []
    if outer == "affine.parallel":
        opened(text, f"affine.parallel (%i0, %i1) = (0, 0) to ({shape[0]}, {shape[1]}) {{")
    else:
        for d in range(2):
            opened(text, f"affine.for %i{d} = 0 to {shape[d]} {{")
    for d in sides:
        if rng.random() < 0.4:
            source[d], at[d], name = from_float(text, rng, f"%i{d}", shape[d])
        else:
            source[d], what, name = around(text, rng, f"%i{d}", shape[d])
            at[d] = index(text, what, f"%i{d}", shape[d])
        names.append(f"{d}:{name}")
    x, y = (f"memref<{s[0]}x{s[1]}x{kind}>" for s in (source, shape))
    value = text.value(f"memref.load %X[{at[0]}, {at[1]}] : {x}")
    text.add(f"affine.store {value}, %Y[%i0, %i1] : {y}")
    close(text, 1 if outer == "affine.parallel" else 2)
    return f"moves {shape[0]}x{shape[1]}x{kind} {outer} {' '.join(names)}", kernel("moves", [("X", x), ("Y", y)], text)


def states(rng):
    """A state that steps carry on, stored in some of them."""
    steps, rows = rng.choice((3, 6, 9)), rng.choice((20, 32, 70))
    way, at = rng.choice(("next", "from", "until", "once")), rng.randint(1, steps - 1)
    text = Text()
    x, y, z = f"memref<{steps}x{rows}xf32>", f"memref<{steps}x{rows}xf32>", f"memref<{rows}xf32>"
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%one = arith.constant 1 : index")
    opened(text, f"affine.parallel (%i) = (0) to ({rows}) {{")
    opened(text, f"%r = affine.for %c = 0 to {steps} iter_args(%s = %zero) -> (f32) {{")
    v = text.value(f"affine.load %X[%c, %i] : {x}")
    half = text.value("arith.constant 0.5 : f32")
    q = text.value(f"arith.addf {text.value(f'arith.mulf %s, {half} : f32')}, {v} : f32")
    place, bound = "%c", text.value(f"arith.constant {steps if way == 'next' else at} : index")
    if way == "next":
        place = text.value("arith.addi %c, %one : index")
    test = {"next": f"slt, {place}", "from": "sge, %c", "until": "slt, %c", "once": "eq, %c"}[way]
    opened(text, f"scf.if {text.value(f'arith.cmpi {test}, {bound} : index')} {{")
    text.add(f"memref.store {q}, %Y[{place}, %i] : {y}")
    if rng.random() < 0.4:
        close(text)
        opened(text, "else {")
        text.add(f"memref.store {q}, %Z[%i] : {z}")
    close(text)
    text.add(f"affine.yield {q} : f32")
    close(text)
    if rng.random() < 0.5:
        text.add(f"affine.store %r, %Z[%i] : {z}")
    close(text)
    used = any("%Z" in line for line in text.lines)
    return f"states {steps}x{rows} {way} {at}", kernel("states", [("X", x), ("Y", y)] + [("Z", z)] * used, text)


def shifts(rng):
    """What a tensor holds moves within it, and something new comes behind."""
    kind = rng.choice(KINDS)
    rows, cols, by = rng.choice((4, 20, 33)), rng.choice((3, 4, 17, 40)), rng.choice((1, 1, 2))
    across = rng.random() < 0.5
    text = Text()
    s, n = f"memref<{rows}x{cols}x{kind}>", f"memref<{cols if across else rows}x{kind}>"
    length, others = (rows, cols) if across else (cols, rows)
    outer = rng.choice(("affine.parallel (%o) = (0) to ({n})", "affine.for %o = 0 to {n}")).format(n=others)
    at = (lambda i: f"{i}, %o") if across else (lambda i: f"%o, {i}")
    opened(text, outer + " {")
    opened(text, f"affine.for %i = 0 to {length - by} {{")
    v = text.value(f"affine.load %S[{at(f'%i + {by}')}] : {s}")
    text.add(f"affine.store {v}, %S[{at('%i')}] : {s}")
    close(text)
    new = text.value(f"affine.load %N[%o] : {n}")
    text.add(f"affine.store {new}, %S[{at(length - 1)}] : {s}")
    close(text)
    return f"shifts {rows}x{cols}x{kind} by {by} {'rows' if across else 'columns'}, {outer.split()[0]}", kernel("shifts", [("S", s), ("N", n)], text)


if __name__ == "__main__":
    sys.exit(run_all([moves, moves, states, shifts]))
