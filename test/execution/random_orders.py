#!/usr/bin/env python3
"""Random kernels whose steps go on in the order that is written: recurrences, swaps of neighbors, rows that a list names and that
each take what those before them left, places that are counted up as they are taken, scans in steps that double, integers of 64
bits that say nothing of what they hold, images of other sizes. Each runs on a random chip in a random era, with the
optimizations or without, and matches its reference.

usage: random_orders.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import Text, carry, close, end_carry, kernel, opened, otherwise

FLOAT, INTEGER = "f32", "i32"


def rows_around(rng, text, rows):
    """Opens a loop over rows, as a grid or not, or nothing for one row; what comes before an index, and how many loops."""
    if rows == 1:
        return "", 0
    opened(text, rng.choice(("affine.parallel (%r) = (0) to ({0}) {{", "affine.for %r = 0 to {0} {{")).format(rows))
    return "%r, ", 1


def memref(rows, *sizes):
    *sides, kind = sizes
    return f"memref<{'x'.join(map(str, ([rows] if rows > 1 else []) + sides))}x{kind}>"


def recurrences(rng):
    """An element is made of one or two before it, or behind it, in its tensor."""
    rows, n, lag = rng.choice((1, 1, 3, 33)), rng.choice((12, 20, 37)), rng.choice((1, 1, 2, 3))
    kind, back = rng.choice((FLOAT, FLOAT, INTEGER)), rng.random() < 0.3
    letter = kind[0]
    text, y = Text(), memref(rows, n, kind)
    factor = text.value(f"arith.constant {'0.5' if kind == FLOAT else '3'} : {kind}")
    other = text.value(f"arith.constant {'0.25' if kind == FLOAT else '-2'} : {kind}")
    at, depth = rows_around(rng, text, rows)
    opened(text, f"affine.for %i = {lag} to {n} {{")
    here, before = ("%i", "%i - {0}") if not back else (f"{n - 1} - %i", f"{n - 1} - %i + {{0}}")
    x = text.value(f"affine.load %X[{at}{here}] : {y}")
    last = text.value(f"affine.load %Y[{at}{before.format(lag)}] : {y}")
    term = text.value(f"arith.mul{letter} {last}, {factor} : {kind}")
    two = lag > 1 and rng.random() < 0.6
    if two:
        next_to = text.value(f"affine.load %Y[{at}{before.format(1)}] : {y}")
        term = text.value(f"arith.add{letter} {term}, {text.value(f'arith.mul{letter} {next_to}, {other} : {kind}')} : {kind}")
    how = rng.choice(("plain", "most", "choice"))
    s = text.value(f"arith.add{letter} {term}, {x} : {kind}")
    if how == "most":
        s = text.value(f"arith.{'maximumf' if kind == FLOAT else 'maxsi'} {s}, {x} : {kind}")
    if how == "choice":
        c = text.value(f"arith.cmp{letter} {'ogt' if kind == FLOAT else 'sgt'}, {x}, {factor} : {kind}")
        s = text.value(f"arith.select {c}, {s}, {last} : {kind}")
    text.add(f"affine.store {s}, %Y[{at}{here}] : {y}")
    close(text, 1 + depth)
    return (f"recurrences {y} lag {lag}{' and 1' * two} {how}{', backwards' * back}{', a grid' * ('parallel' in text.lines[2])}",
            kernel("recurrences", [("X", y), ("Y", y)], text))


def swaps(rng):
    """Neighbors, or elements some apart, change places where they are out of order: in one round, in rounds, of odd and even ones."""
    rows, kind, keys = rng.choice((1, 1, 4)), rng.choice((FLOAT, FLOAT, INTEGER)), rng.random() < 0.3
    way = rng.choice(("round", "rounds", "odd"))
    n = rng.choice((16, 20, 24)) if way == "round" else rng.choice((6, 8))
    text, x, apart = Text(), memref(rows, n, kind), rng.choice((1, 1, 2, 3))
    at, depth = rows_around(rng, text, rows)
    start, step = 0, apart
    if way == "rounds":
        opened(text, f"affine.for %p = 0 to {n} {{")
    if way == "odd":
        start, apart = rng.choice((0, 1)), 1
        opened(text, f"affine.for %i = {start} to {n - 1} step 2 {{")
    else:
        opened(text, f"affine.for %i = 0 to {n - step} {{")
    a, b = (text.value(f"affine.load %X[{at}%i{more}] : {x}") for more in ("", f" + {apart}"))
    compare = f"arith.cmp{kind[0]} {rng.choice(('ogt', 'olt') if kind == FLOAT else ('sgt', 'slt'))}, {a}, {b} : {kind}"
    arguments = [("X", x)]
    if keys or rng.random() < 0.5:  # in a branch
        c = text.value(compare)
        opened(text, f"scf.if {c} {{")
        text.add(f"affine.store {b}, %X[{at}%i] : {x}")
        text.add(f"affine.store {a}, %X[{at}%i + {apart}] : {x}")
        if keys:
            k = memref(rows, n, INTEGER)
            arguments.append(("K", k))
            c, d = (text.value(f"affine.load %K[{at}%i{more}] : {k}") for more in ("", f" + {apart}"))
            text.add(f"affine.store {d}, %K[{at}%i] : {k}")
            text.add(f"affine.store {c}, %K[{at}%i + {apart}] : {k}")
        close(text)
    else:
        low, high = ("minimumf", "maximumf") if kind == FLOAT else ("minsi", "maxsi")
        low, high = (text.value(f"arith.{op} {a}, {b} : {kind}") for op in (low, high))
        text.add(f"affine.store {low}, %X[{at}%i] : {x}")
        text.add(f"affine.store {high}, %X[{at}%i + {apart}] : {x}")
    close(text, 1 + depth + (way == "rounds"))
    return f"swaps {x} {way}, {apart} apart{', with keys' * keys}", kernel("swaps", arguments, text)


def listed(rng):
    """Rows, or elements, that a list names are changed one after the other: each takes what is there by then."""
    n, m, cols = rng.choice((5, 12, 20)), rng.choice((6, 16, 33)), rng.choice((0, 0, 16, 40))
    kind, none = rng.choice((FLOAT, FLOAT, INTEGER)), rng.random() < 0.3
    letter, text = kind[0], Text()
    ids, h = f"memref<{n}xi32>", f"memref<{m}{f'x{cols}' if cols else ''}x{kind}>"
    x = f"memref<{n}{f'x{cols}' if cols else ''}x{kind}>"
    half = text.value(f"arith.constant {'0.5' if kind == FLOAT else '3'} : {kind}")
    zero = text.value("arith.constant 0 : i32")
    opened(text, f"affine.for %i = 0 to {n} {{")
    v = text.value(f"affine.load %L[%i] : {ids}")
    if none:
        opened(text, f"scf.if {text.value(f'arith.cmpi sge, {v}, {zero} : i32')} {{")
    k = text.value(f"arith.index_cast {v} : i32 to index")
    inner = ", %j" if cols else ""
    if cols:
        opened(text, f"affine.for %j = 0 to {cols} {{")
    old = text.value(f"memref.load %H[{k}{inner}] : {h}")
    arguments = [("L", ids, (-1 if none else 0, m - 1)), ("X", x), ("H", h)]
    if rng.random() < 0.4:  # before it is changed
        text.add(f"affine.store {old}, %O[%i{inner}] : {x}")
        arguments.append(("O", x))
    value = text.value(f"affine.load %X[%i{inner}] : {x}")
    scaled = text.value(f"arith.mul{letter} {old}, {half} : {kind}")
    how = rng.choice(("average", "scale", "other"))
    new = scaled if how == "scale" else text.value(f"arith.add{letter} {scaled}, {value} : {kind}")
    if how == "other":
        new = text.value(f"arith.sub{letter} {value}, {old} : {kind}")
    text.add(f"memref.store {new}, %H[{k}{inner}] : {h}")
    close(text, 1 + none + bool(cols))
    return f"listed {n} of {h} {how}{', some are none' * none}{', told' * (len(arguments) > 3)}", kernel("listed", arguments, text)


def places(rng):
    """Places that are counted up as they are taken: a counting sort, or what is above a number, one behind the other."""
    n, kinds = rng.choice((12, 24, 40)), rng.choice((2, 4, 7))
    text, way = Text(), rng.choice(("sort", "compact", "rank"))
    zero, one = (text.value(f"arith.constant {v} : i32") for v in (0, 1))
    if way == "compact":
        start, x = text.value(f"arith.constant {rng.choice((0, 2))} : i32"), f"memref<{n}xf32>"
        y, floor = f"memref<{n + 2}xf32>", text.value("arith.constant 0.0 : f32")
        end = carry(text, "%i", n, "%n", start, "i32")
        value = text.value(f"affine.load %X[%i] : {x}")
        above = text.value(f"arith.cmpf ogt, {value}, {floor} : f32")
        after = text.name()
        opened(text, f"{after} = scf.if {above} -> (i32) {{")
        at = text.value("arith.index_cast %n : i32 to index")
        text.add(f"memref.store {value}, %Y[{at}] : {y}")
        text.add(f"scf.yield {text.value(f'arith.addi %n, {one} : i32')} : i32")
        otherwise(text)
        text.add("scf.yield %n : i32")
        close(text)
        end_carry(text, after, "i32")
        text.add(f"affine.store {end}, %N[0] : memref<1xi32>")
        return f"places compact {n}", kernel("places", [("X", x), ("Y", y), ("N", "memref<1xi32>")], text)
    ids, out = f"memref<{n}xi32>", f"memref<{n}xi32>"
    if way == "rank":
        opened(text, f"affine.for %i = 0 to {n} {{")
        mine = text.value(f"affine.load %L[%i] : {ids}")
        rank = carry(text, "%j", n, "%c", zero, "i32")
        other = text.value(f"affine.load %L[%j] : {ids}")
        less = text.value(f"arith.cmpi slt, {other}, {mine} : i32")
        same = text.value(f"arith.cmpi eq, {other}, {mine} : i32")
        both = text.value(f"arith.andi {same}, {text.value('arith.cmpi ult, %j, %i : index')} : i1")
        more = text.value(f"arith.ori {less}, {both} : i1")
        end_carry(text, text.value(f"arith.addi %c, {text.value(f'arith.extui {more} : i1 to i32')} : i32"), "i32")
        at = text.value(f"arith.index_cast {rank} : i32 to index")
        number = text.value("arith.index_cast %i : index to i32")
        text.add(f"memref.store {number}, %S[{at}] : {out}")
        close(text)
        return f"places rank {n} of {kinds}", kernel("places", [("L", ids, (0, kinds - 1)), ("S", out)], text)
    cnt = f"memref<{kinds + 1}xi32>"
    text.add(f"%cnt = memref.alloc() : {cnt}")
    text.add(f"affine.for %e = 0 to {kinds + 1} {{ affine.store {zero}, %cnt[%e] : {cnt} }}")
    opened(text, f"affine.for %t = 0 to {n} {{")
    e = text.value(f"arith.index_cast {text.value(f'affine.load %L[%t] : {ids}')} : i32 to index")
    behind = text.value(f"affine.apply affine_map<(d) -> (d + 1)>({e})")
    old = text.value(f"memref.load %cnt[{behind}] : {cnt}")
    text.add(f"memref.store {text.value(f'arith.addi {old}, {one} : i32')}, %cnt[{behind}] : {cnt}")
    close(text)
    opened(text, f"affine.for %e = 0 to {kinds} {{")
    a, b = (text.value(f"affine.load %cnt[%e{more}] : {cnt}") for more in (" + 1", ""))
    text.add(f"affine.store {text.value(f'arith.addi {a}, {b} : i32')}, %cnt[%e + 1] : {cnt}")
    close(text)
    opened(text, f"affine.for %t = 0 to {n} {{")
    e = text.value(f"arith.index_cast {text.value(f'affine.load %L[%t] : {ids}')} : i32 to index")
    place = text.value(f"memref.load %cnt[{e}] : {cnt}")
    number = text.value("arith.index_cast %t : index to i32")
    text.add(f"memref.store {number}, %S[{text.value(f'arith.index_cast {place} : i32 to index')}] : {out}")
    text.add(f"memref.store {text.value(f'arith.addi {place}, {one} : i32')}, %cnt[{e}] : {cnt}")
    close(text)
    return f"places sort {n} of {kinds}", kernel("places", [("L", ids, (0, kinds - 1)), ("S", out)], text)


def scans(rng):
    """Scans in steps that double or are halved, from one buffer of the core to the other, or within one from the end."""
    rows, n = rng.choice((1, 1, 2)), rng.choice((8, 12, 20))
    kind, op = rng.choice(((FLOAT, "addf"), (FLOAT, "maximumf"), (INTEGER, "addi"), (INTEGER, "maxsi")))
    text, x = Text(), memref(rows, n, kind)
    at = "%r, " if rows > 1 else ""

    def over(line=None):
        if rows > 1:
            opened(text, f"affine.for %r = 0 to {rows} {{")
        opened(text, line or f"affine.for %i = 0 to {n} {{")

    def move(a, b):
        over()
        text.add(f"affine.store {text.value(f'affine.load {a}[{at}%i] : {x}')}, {b}[{at}%i] : {x}")
        close(text, 1 + (rows > 1))

    for b in "AB":
        text.add(f"%{b} = memref.alloc() : {x}")
    move("%X", "%A")
    one, two, end = (text.value(f"arith.constant {v} : index") for v in (1, 2, n))
    way = rng.choice(("while", "powers"))
    if way == "while":
        opened(text, f"%end = scf.while (%s0 = {one}) : (index) -> index {{")
        text.add(f"scf.condition({text.value(f'arith.cmpi slt, %s0, {end} : index')}) %s0 : index")
        otherwise(text)
        text.lines[-1] = text.lines[-1].replace("else", "do")
        text.add("^bb0(%s: index):")
    else:
        opened(text, f"affine.for %p = 0 to {(n - 1).bit_length()} {{")
        text.add(f"%s = arith.shli {one}, %p : index")
    over()
    has = text.value("arith.cmpi sge, %i, %s : index")
    a = text.value(f"affine.load %A[{at}%i] : {x}")
    opened(text, f"scf.if {has} {{")
    b = text.value(f"memref.load %A[{at}{text.value('arith.subi %i, %s : index')}] : {x}")
    text.add(f"affine.store {text.value(f'arith.{op} {a}, {b} : {kind}')}, %B[{at}%i] : {x}")
    otherwise(text)
    text.add(f"affine.store {a}, %B[{at}%i] : {x}")
    close(text, 2 + (rows > 1))
    move("%B", "%A")
    if way == "while":
        text.add(f"scf.yield {text.value(f'arith.muli %s, {two} : index')} : index")
    close(text)
    move("%A", "%Y")
    return f"scans {x} {op} {way}", kernel("scans", [("X", x), ("Y", x)], text)


def wide(rng):
    """Integers of 64 bits that say nothing: summed, counted, compared, moved, used as indices."""
    rows, cols = rng.choice((1, 5, 40)), rng.choice((16, 33, 64))
    text, x = Text(), memref(rows, cols, "i64")
    zero, one = (text.value(f"arith.constant {v} : i64") for v in (0, rng.choice((1, 3))))
    way = rng.choice(("sum", "map", "most", "count"))
    at, depth = rows_around(rng, text, rows)
    if way == "map":
        opened(text, f"affine.for %j = 0 to {cols} {{")
        v = text.value(f"affine.load %X[{at}%j] : {x}")
        for _ in range(rng.choice((1, 2))):
            v = text.value(f"arith.{rng.choice(('addi', 'subi', 'maxsi', 'minsi', 'andi'))} {v}, {one} : i64")
        text.add(f"affine.store {v}, %Y[{at}%j] : {x}")
        close(text, 1 + depth)
        return f"wide map {x}", kernel("wide", [("X", x), ("Y", x)], text)
    start = text.value("affine.load %X[{0}0] : {1}".format(at, x)) if way == "most" else zero
    s = carry(text, "%j", cols, "%s", start, "i64")
    v = text.value(f"affine.load %X[{at}%j] : {x}")
    if way == "sum":
        v = text.value(f"arith.addi %s, {v} : i64")
    elif way == "most":
        v = text.value(f"arith.{rng.choice(('maxsi', 'minsi'))} %s, {v} : i64")
    else:
        c = text.value(f"arith.cmpi {rng.choice(('sgt', 'eq', 'ne', 'slt'))}, {v}, {one} : i64")
        v = text.value(f"arith.addi %s, {text.value(f'arith.extui {c} : i1 to i64')} : i64")
    end_carry(text, v, "i64")
    y = f"memref<{rows}xi64>"
    text.add(f"affine.store {s}, %Y[{'%r' if rows > 1 else 0}] : {y}")
    close(text, depth)
    return f"wide {way} {x}", kernel("wide", [("X", x), ("Y", y)], text)


def sized(rng):
    """An image in another size: what each element reads is said by floats, by quotients, or mirrored beside its border."""
    sides, source, at = [rng.choice((12, 18, 24, 30)) for _ in range(2)], [], []
    batch = rng.choice((1, 1, 2))
    text, names = Text(), []
    if batch > 1:
        opened(text, f"affine.for %b = 0 to {batch} {{")
    if rng.random() < 0.5:
        opened(text, f"affine.parallel (%i0, %i1) = (0, 0) to ({sides[0]}, {sides[1]}) {{")
        depth = 1
    else:
        for d in range(2):
            opened(text, f"affine.for %i{d} = 0 to {sides[d]} {{")
        depth = 2
    for d, n in enumerate(sides):
        way = rng.choice(("float", "by", "mirror", "mirror_by", "same", "clamped"))
        if way == "float":
            scale = rng.choice((0.5, 2 / 3, 0.75, 0.4))
            f = text.value(f"arith.sitofp {text.value(f'arith.index_cast %i{d} : index to i32')} : i32 to f32")
            f = text.value(f"arith.mulf {f}, {text.value(f'arith.constant {scale:.9f} : f32')} : f32")
            at.append(text.value(f"arith.index_cast {text.value(f'arith.fptosi {f} : f32 to i32')} : i32 to index"))
            source.append(int(n * scale) + 1)
        elif way == "by":
            by = rng.choice((2, 3))
            at.append(text.value(f"affine.apply affine_map<(d) -> (d floordiv {by})>(%i{d})"))
            source.append((n + by - 1) // by)
        elif way == "clamped":
            shift = rng.choice((1, 2))
            at.append(text.value(f"affine.max affine_map<(d) -> (d - {shift}, 0)>(%i{d})"))
            source.append(n)
        elif way == "same":
            at.append(f"%i{d}")
            source.append(n)
        else:
            by, pad = rng.choice((2, 3)) if way == "mirror_by" else 1, rng.choice((1, 2, 4))
            zero, width = text.value("arith.constant 0 : index"), text.value(f"arith.constant {pad} : index")
            less = text.value(f"arith.subi %i{d}, {width} : index")
            below = text.value(f"arith.cmpi slt, {less}, {zero} : index")
            i = text.value(f"arith.select {below}, {text.value(f'arith.subi {zero}, {less} : index')}, {less} : index")
            at.append(text.value(f"affine.apply affine_map<(d) -> (d floordiv {by})>({i})") if by > 1 else i)
            source.append((max(n - 1 - pad, pad)) // by + 1)
        names.append(way)
    x, y = memref(batch, *source, FLOAT), memref(batch, *sides, FLOAT)
    b = "%b, " if batch > 1 else ""
    text.add(f"affine.store {text.value(f'memref.load %X[{b}{at[0]}, {at[1]}] : {x}')}, %Y[{b}%i0, %i1] : {y}")
    close(text, depth + (batch > 1))
    return f"sized {x} to {y} {' '.join(names)}", kernel("sized", [("X", x), ("Y", y)], text)


def optimized(rng):
    """With the optimizations or without."""
    return ["--optimize", rng.choice(("none", "all"))]


if __name__ == "__main__":
    sys.exit(run_all((recurrences, swaps, listed, places, scans, wide, sized), options=optimized))
