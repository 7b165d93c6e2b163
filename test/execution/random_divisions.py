#!/usr/bin/env python3
"""Random integers: quotients and rests of elements of 8 to 64 bits, with and without signs, rounded in every way, by elements,
rows, columns and constants; sums of integers where a list says, with a choice. Each runs on a random chip in a random era,
and all of its bits are the reference's.

usage: random_divisions.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import Text, close, kernel, opened

SIGNED = ("divsi", "remsi", "floordivsi", "ceildivsi")
UNSIGNED = ("divui", "remui", "ceildivui")
OTHERS = ("addi", "subi", "xori", "andi", "maxsi", "minui")
SMALL = ("addi", "subi", "maxsi", "minsi")  # of which 64 bits stay small
WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 31}


def limits(rng, kind, divisor):
    """What a tensor's integers may be: no divisor is 0, nor -1, of which the smallest number has no quotient."""
    top = 2 ** (WIDTHS[kind] - 1) - 1
    if kind == "i64":
        top = rng.choice((50, 1000, 100000))
    if divisor:
        low = rng.choice((1, 1, 2, 7))
        high = min(top, rng.choice((9, 300, 5000, 2 ** 19, 2 ** 31 - 1)))
        return (-high, -2) if rng.random() < 0.3 else (low, max(low, high))
    if kind == "i64":
        return (-top, top)
    return None if rng.random() < 0.6 else (-min(top, rng.choice((9, 600, 10 ** 6))), min(top, rng.choice((9, 600, 10 ** 6))))


def divisions(rng):
    """An expression of two or three tensors, one at least of which divides."""
    kind = rng.choice(("i8", "i16", "i32", "i32", "i64"))
    rows, cols = rng.choice((1, 7, 32, 40)), rng.choice((5, 32, 33, 64))
    text = Text()
    whole = f"memref<{rows}x{cols}x{kind}>"
    opened(text, f"affine.parallel (%i, %j) = (0, 0) to ({rows}, {cols}) {{")
    args, ranges, values, divisors = [], {}, [], []
    for name in ("A", "B", "D")[:rng.choice((2, 2, 3))]:
        divisor = name == "B" or name == "D" and rng.random() < 0.5
        dims, at = rng.choice((((rows, cols), "%i, %j"),) * 3 + (((cols,), "%j"), ((rows,), "%i")))
        type = f"memref<{'x'.join(map(str, dims))}x{kind}>"
        bounds = limits(rng, kind, divisor)
        args.append((name, type, bounds) if bounds else (name, type))
        value = text.value(f"affine.load %{name}[{at}] : {type}")
        ranges[value] = bounds
        (divisors if divisor else values).append(value)
    if rng.random() < 0.4:
        constant = rng.choice((2, 3, 7, 10, 100, 127, -3, -8) + ((1000, 32767) if kind != "i8" else ()) +
                              ((1000003, -1000000000) if kind == "i32" else ()))
        divisor = text.value(f"arith.constant {constant} : {kind}")
        ranges[divisor] = (constant, constant)
        divisors.append(divisor)
    made = list(values)
    names = []
    for _ in range(rng.randint(1, 3)):
        by = rng.choice(divisors)
        op = rng.choice(SIGNED if kind == "i64" else SIGNED + UNSIGNED)
        names.append(op)
        made.append(text.value(f"arith.{op} {rng.choice(made)}, {by} : {kind}"))
    y = made[-1]
    for other in rng.sample(made, min(len(made), rng.choice((1, 1, 2)))):
        y = text.value(f"arith.{rng.choice(SMALL if kind == 'i64' else OTHERS)} {y}, {other} : {kind}")
    text.add(f"affine.store {y}, %C[%i, %j] : {whole}")
    close(text)
    args.append(("C", whole))
    return f"divisions {rows}x{cols}x{kind} {'+'.join(names)}", kernel("divisions", args, text)


def counts(rng):
    """What counts, or is added, where a list says, of elements that a comparison chooses."""
    n, bins = rng.choice((20, 33, 64, 100)), rng.choice((4, 16, 32, 40))
    kind, list_kind = rng.choice(("i32", "i32", "f32")), rng.choice(("i32", "i16", "i8"))
    rows = rng.choice((0, 0, 3))
    text = Text()
    x, l = (f"memref<{f'{rows}x' if rows else ''}{n}x{k}>" for k in (kind, list_kind))
    h = f"memref<{f'{rows}x' if rows else ''}{bins}x{kind}>"
    letter = "i" if kind == "i32" else "f"
    text.add(f"%zero = arith.constant 0{'' if letter == 'i' else '.0'} : {kind}")
    text.add(f"%one = arith.constant 1{'' if letter == 'i' else '.0'} : {kind}")
    opened(text, f"affine.for %r = 0 to {rows or 1} {{")
    at = "%r, " if rows else ""
    if rng.random() < 0.7:
        opened(text, f"affine.for %b = 0 to {bins} {{")
        text.add(f"affine.store %zero, %H[{at}%b] : {h}")
        close(text)
    opened(text, f"affine.for %i = 0 to {n} {{")
    v = text.value(f"affine.load %L[{at}%i] : {l}")
    b = text.value(f"arith.index_cast {v} : {list_kind} to index")
    x_value = text.value(f"affine.load %X[{at}%i] : {x}")
    test = f"arith.cmp{letter} {'sgt' if letter == 'i' else 'ogt'}, {x_value}, %zero : {kind}"
    what = rng.choice((x_value, "%one"))
    way = rng.choice(("branch", "choice", "all"))
    if way == "branch":
        opened(text, f"scf.if {text.value(test)} {{")
    if way == "choice":
        what = text.value(f"arith.select {text.value(test)}, {what}, %zero : {kind}")
    if rng.random() < 0.3 and way != "branch" and what != "%one":
        text.add(f"{text.name()} = memref.atomic_rmw add{letter} {what}, %H[{at}{b}] : ({kind}, {h}) -> {kind}")
        way += ", atomic"
    else:
        old = text.value(f"memref.load %H[{at}{b}] : {h}")
        text.add(f"memref.store {text.value(f'arith.add{letter} {old}, {what} : {kind}')}, %H[{at}{b}] : {h}")
    close(text, 3 if way == "branch" else 2)
    top = min(bins - 1, 127)
    args = [("X", x, (-1000, 1000)) if letter == "i" else ("X", x), ("L", l, (0, top)), ("H", h)]
    return f"counts {rows}x{n} to {bins} {kind} by {list_kind}, {way}", kernel("counts", args, text)


def options(rng):
    return rng.choice(([], [], ["--optimize=none"]))


if __name__ == "__main__":
    sys.exit(run_all((divisions, counts), options=options))
