#!/usr/bin/env python3
"""Random loops over elements that end, or take elements, where something says so: from and to where a tensor says, behind masks
that are branches, over three dimensions that no block divides, and halves and neighbours of elements that a rotation replaces.
Each runs on a random chip in a random era, and matches its reference.

usage: random_bounds.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import (BINARY, UNARY, Text, close, constants, end_branch, kernel, open_branch, opened, otherwise,
                         stored, widened)

FLOATS = ("f32", "f32", "bf16")


def narrowed(text, value, kind):
    return value if kind == "f32" else text.value(f"arith.truncf {value} : f32 to {kind}")


def dims(*sizes):
    return "x".join(map(str, sizes))


def lengths(rng):
    """Sums, extremes and maps of rows, or of columns, from and to where a tensor says."""
    cells, rows, cols = rng.choice((2, 3)), rng.choice((1, 8, 33)), rng.choice((16, 40, 64, 70))
    kind, element = rng.choice(("i32", "i32", "i64", "i16", "i8")), rng.choice(FLOATS)
    segments, down = rng.random() < 0.4, rng.random() < 0.4
    n = rows if down else cols
    text = Text()
    constants(text, (0, 1, rows, cols))
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%low = arith.constant 0xFF800000 : f32")
    x, l = f"memref<{dims(cells, rows, cols)}x{element}>", f"memref<{cells + segments}x{kind}>"
    y = f"memref<{dims(cells, cols if down else rows)}xf32>"
    opened(text, f"scf.forall (%g) in ({cells}) {{")
    v = text.value(f"memref.load %L[%g] : {l}")
    low, high = "%c0", text.value(f"arith.index_cast {v} : {kind} to index")
    if segments:
        low = high
        w = text.value(f"memref.load %L[{text.value('arith.addi %g, %c1 : index')}] : {l}")
        high = text.value(f"arith.index_cast {w} : {kind} to index")
    number = not segments and kind != "i8" and rng.random() < 0.4
    if number:
        number = text.value(f"arith.{'sitofp'} {v} : {kind} to f32")
    ways = rng.choice((("sum",), ("max",), ("map",), ("sum", "map"), ("max", "map"), ("max", "sum", "map")))
    outer, inner = ("%j", "%i") if down else ("%i", "%j")
    opened(text, f"scf.for {outer} = %c0 to %c{cols if down else rows} step %c1 {{")
    r = None
    for way in ways:
        if way == "map":
            opened(text, f"scf.for {inner} = {low} to {high} step %c1 {{")
            e, = widened(text, (text.value(f"memref.load %X[%g, %i, %j] : {x}"),), element)
            e = text.value(f"arith.{rng.choice(('subf', 'mulf'))} {e}, {r} : f32") if r else text.value(f"{rng.choice(UNARY)} {e} : f32")
            text.add(f"memref.store {narrowed(text, e, element)}, %Z[%g, %i, %j] : {x}")
            close(text)
            continue
        start, op = ("%zero", "addf") if way == "sum" else ("%low", "maximumf")
        result = text.name()
        opened(text, f"{result} = scf.for {inner} = {low} to {high} step %c1 iter_args(%a = {start}) -> (f32) {{")
        e, = widened(text, (text.value(f"memref.load %X[%g, %i, %j] : {x}"),), element)
        if way == "sum" and r:
            e = text.value(f"math.exp {text.value(f'arith.subf {e}, {r} : f32')} : f32")
        elif rng.random() < 0.4:
            e = text.value(f"arith.mulf {e}, {e} : f32")
        text.add(f"scf.yield {text.value(f'arith.{op} %a, {e} : f32')} : f32")
        close(text)
        r = result
    if r:
        if number:
            r = text.value(f"arith.{rng.choice(('divf', 'mulf'))} {r}, {number} : f32")
        text.add(f"memref.store {r}, %Y[%g, {outer}] : {y}")
    close(text, 2)
    first = 0 if n == 1 and not number else 1 if number or "max" in ways and "sum" in ways else 0
    args = [("X", x), ("L", l, (first, min(n, 127)))] + [("Y", y)] * bool(r) + [("Z", x)] * ("map" in ways)
    more = f"{'+'.join(ways)}{', segments' * segments}{', down' * down}{', as a number' * bool(number)}"
    return f"lengths {dims(cells, rows, cols)}x{element} by {kind}: {more}", kernel("lengths", args, text)


def mask(rng, text, rows, cols, args, row, col):
    """A flag of an element: by its indices, by another tensor, or by what is loaded."""
    way = rng.choice(("causal", "band", "lengths", "flags", "bytes", "sign", "both"))
    if way in ("causal", "both"):
        return way, text.value(f"arith.cmpi {rng.choice(('ule', 'ult', 'sge'))}, {col}, {row} : index")
    if way == "band":
        wide = text.value(f"arith.constant {rng.choice((1, 5, 32))} : index")
        near = text.value(f"arith.addi {col}, {wide} : index")
        one, other = text.value(f"arith.cmpi uge, {near}, {row} : index"), text.value(f"arith.cmpi ule, {col}, {row} : index")
        return way, text.value(f"arith.andi {one}, {other} : i1")
    if way == "lengths":
        l = f"memref<{rows}xi32>"
        args.append(("L", l, (0, cols)))
        v = text.value(f"memref.load %L[{row}] : {l}")
        return way, text.value(f"arith.cmpi slt, {text.value(f'arith.index_cast {col} : index to i32')}, {v} : i32")
    kind = {"flags": "i1", "bytes": "i8", "sign": "f32"}[way]
    m = f"memref<{rows}x{cols}x{kind}>"
    args.append(("M", m))
    v = text.value(f"memref.load %M[{row}, {col}] : {m}")
    if way == "flags":
        return way, v
    zero = text.value(f"arith.constant {'0' if way == 'bytes' else '0.0'} : {kind}")
    test = "cmpi ne" if way == "bytes" else "cmpf ogt"
    return way, text.value(f"arith.{test}, {v}, {zero} : {kind}")


def masks(rng):
    """Elements that a mask leaves out, by branches: of stores, of sums and extremes, of a product's terms."""
    rows, cols = rng.choice((16, 32, 40, 64)), rng.choice((20, 32, 64, 70))
    way = rng.choice(("store", "give", "sum", "max", "product"))
    text, matrix, args = Text(), f"memref<{rows}x{cols}xf32>", []
    constants(text, (0, 1, rows, cols, 24))
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%low = arith.constant -1.0e30 : f32")
    nested = rng.random() < 0.5
    if way == "product":
        opened(text, f"affine.parallel (%i, %k) = (0, 0) to ({rows}, 24) {{")
    elif nested:
        opened(text, f"affine.parallel (%i) = (0) to ({rows}) {{")
    else:
        opened(text, f"affine.for %i = 0 to {rows} {{")
    start = {"max": "%low"}.get(way, "%zero")
    if way in ("store", "give"):
        opened(text, f"affine.for %j = 0 to {cols} {{")
    else:
        total = text.name()
        opened(text, f"{total} = affine.for %j = 0 to {cols} iter_args(%a = {start}) -> (f32) {{")
    if way == "store" and rng.random() < 0.5:
        text.add(f"affine.store %zero, %C[%i, %j] : {matrix}")
    kind, flag = mask(rng, text, rows, cols, args, "%i", "%j")
    if kind == "both":
        more, other = mask(rng, text, rows, cols, args, "%i", "%j")
        kind = f"causal and {more}"
    if way == "store":
        opened(text, f"scf.if {flag} {{")
        if kind.startswith("causal and"):
            opened(text, f"scf.if {other} {{")
        x = text.value(f"affine.load %A[%i, %j] : {matrix}")
        text.add(f"affine.store {text.value(f'{rng.choice(UNARY)} {x} : f32')}, %C[%i, %j] : {matrix}")
        close(text, 2 if kind.startswith("causal and") else 1)
        if rng.random() < 0.4:
            opened(text, f"scf.if {flag} {{")
            otherwise(text)
            text.add(f"affine.store %low, %C[%i, %j] : {matrix}")
            close(text)
        args += [("C", matrix)]
    else:
        outside = start if way == "give" else "%a"
        y = open_branch(text, flag, "f32")
        if kind.startswith("causal and"):
            z = open_branch(text, other, "f32")
        x = text.value(f"affine.load %A[%i, %j] : {matrix}")
        if way == "product":
            b = f"memref<{cols}x24xf32>"
            w = text.value(f"affine.load %B[%j, %k] : {b}")
            args.append(("B", b))
            x = text.value(f"arith.mulf {x}, {w} : f32")
        if way in ("sum", "product"):
            x = text.value(f"arith.addf %a, {x} : f32")
        if way == "max":
            x = text.value(f"arith.maximumf %a, {x} : f32")
        if kind.startswith("causal and"):
            end_branch(text, x, outside, "f32")
            x = z
        end_branch(text, x, outside, "f32")
        if way == "give":
            text.add(f"affine.store {y}, %C[%i, %j] : {matrix}")
            args.append(("C", matrix))
        else:
            text.add(f"affine.yield {y} : f32")
    close(text)
    if way in ("sum", "max"):
        if rng.random() < 0.5:
            opened(text, f"affine.for %j = 0 to {cols} {{")
            x = text.value(f"affine.load %A[%i, %j] : {matrix}")
            text.add(f"affine.store {text.value(f'arith.subf {x}, {total} : f32')}, %C[%i, %j] : {matrix}")
            close(text)
            args.append(("C", matrix))
        else:
            text.add(f"affine.store {total}, %R[%i] : memref<{rows}xf32>")
            args.append(("R", f"memref<{rows}xf32>"))
    if way == "product":
        text.add(f"affine.store {total}, %R[%i, %k] : memref<{rows}x24xf32>")
        args.append(("R", f"memref<{rows}x24xf32>"))
    close(text)
    args = [("A", matrix)] + list(dict((a[0], a) for a in args).values())
    return f"masks {rows}x{cols} {way}: {kind}", kernel("masks", args, text)


def rotations(rng):
    """Halves of heads, or neighbours, that a rotation by angles replaces, in place or in another tensor."""
    tokens, heads, half = rng.choice((5, 32, 40)), rng.choice((1, 2, 3)), rng.choice((8, 16, 20, 32))
    element, pairs = rng.choice(FLOATS), rng.random() < 0.3
    in_place = rng.random() < 0.5 and half % 16 == 0 and not pairs
    order = rng.choice(("thd", "htd", "flat"))
    text = Text()
    shape, at = {"thd": ((tokens, heads, 2 * half), "%t, %h, {}"), "htd": ((heads, tokens, 2 * half), "%h, %t, {}"),
                 "flat": ((tokens, heads * 2 * half), f"%t, %h * {2 * half} + {{}}")}[order]
    x, table = f"memref<{dims(*shape)}x{element}>", f"memref<{tokens}x{half}xf32>"
    one, other = (at.format("2 * %i"), at.format("2 * %i + 1")) if pairs else (at.format("%i"), at.format(f"%i + {half}"))
    by_list = rng.random() < 0.3 and not in_place
    positions = rng.choice((tokens, 50))
    opened(text, f"affine.parallel (%t, %h) = (0, 0) to ({tokens}, {heads}) {{")
    row = "%t"
    if by_list:
        table = f"memref<{positions}x{half}xf32>"
        p = text.value(f"affine.load %P[%t] : memref<{tokens}xi32>")
        row = text.value(f"arith.index_cast {p} : i32 to index")
    opened(text, f"affine.for %i = 0 to {half} {{")
    c, s = (text.value(f"memref.load %{n}[{row}, %i] : {table}") for n in "CS")
    a, b = widened(text, [text.value(f"affine.load %X[{i}] : {x}") for i in (one, other)], element)
    ac, bs, bc, as_ = (text.value(f"arith.mulf {p}, {q} : f32") for p, q in ((a, c), (b, s), (b, c), (a, s)))
    to = "X" if in_place else "Y"
    for op, p, q, where in (("subf", ac, bs, one), ("addf", bc, as_, other)):
        r = narrowed(text, text.value(f"arith.{op} {p}, {q} : f32"), element)
        text.add(f"affine.store {r}, %{to}[{where}] : {x}")
    close(text, 2)
    args = [("C", table), ("S", table)] + [("P", f"memref<{tokens}xi32>", (0, positions - 1))] * by_list + [("X", x)]
    args += [("Y", x)] * (not in_place)
    more = f"{order}{', pairs' * pairs}{', in place' * in_place}{', positions of a list' * by_list}"
    return f"rotations {dims(*shape)}x{element}, {more}", kernel("rotations", args, text)


def solids(rng):
    """Maps over three or four dimensions that no block divides, of tensors of their own orders, or of fewer dimensions."""
    sizes = {"%a": rng.choice((3, 20, 40, 70)), "%b": rng.choice((2, 3, 5, 33)), "%c": rng.choice((8, 24, 33, 64))}
    if rng.random() < 0.3:
        sizes["%d"] = rng.choice((1, 2, 3))
    names = list(sizes)
    if rng.random() < 0.5:
        rng.shuffle(names)
    parallel = names[:rng.choice((1, 2, 2, len(names)))]
    text, args, values = Text(), [], []
    element = rng.choice(FLOATS)
    opened(text, f"affine.parallel ({', '.join(parallel)}) = ({', '.join('0' for _ in parallel)}) to "
                 f"({', '.join(str(sizes[p]) for p in parallel)}) {{")
    for n in names[len(parallel):]:
        opened(text, f"affine.for {n} = 0 to {sizes[n]} {{")
    for name in "ABG"[:rng.choice((1, 2, 3))]:
        own = list(sizes) if rng.random() < 0.5 else rng.sample(list(sizes), rng.randint(1, len(sizes)))
        if rng.random() < 0.2:
            rng.shuffle(own)
        type = f"memref<{dims(*(sizes[o] for o in own))}x{element}>"
        args.append((name, type))
        values += widened(text, [text.value(f"affine.load %{name}[{', '.join(own)}] : {type}")], element)
    y = values[0]
    for _ in range(rng.randint(1, 3)):
        y = text.value(f"{rng.choice(BINARY)} {y}, {rng.choice(values)} : f32") if rng.random() < 0.6 else \
            text.value(f"math.tanh {y} : f32")
    out = list(sizes)
    if rng.random() < 0.3:
        rng.shuffle(out)
    type = f"memref<{dims(*(sizes[o] for o in out))}x{element}>"
    text.add(f"affine.store {narrowed(text, y, element)}, %Y[{', '.join(out)}] : {type}")
    close(text, 1 + len(names) - len(parallel))
    return f"solids {dims(*sizes.values())}x{element}, cells of {parallel}, {[a[1] for a in args]}", kernel("solids", args + [("Y", type)], text)


def options(rng):
    return rng.choice(([], [], ["--optimize=none"]))


if __name__ == "__main__":
    sys.exit(run_all((lengths, masks, rotations, solids), stored, options=options))
