#!/usr/bin/env python3
"""Random kernels whose cells are found by arithmetic: bits of two indices that change, of blocks and of elements, grids of
two to four dimensions that begin behind the start of tensors of open size or end before their end, perhaps in a branch or
beside other columns, heads of (batch, step, head, element), and loops that count while a bound is not reached. Each runs on a
random chip in a random era, with the optimizations or without, and matches its reference.

usage: random_indices.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import itertools
import sys

from random_common import run_all
from random_orders import optimized
from random_text import Text, close, kernel, opened

OPS = {"xori": lambda a, b: a ^ b, "andi": lambda a, b: a & b, "ori": lambda a, b: a | b, "addi": lambda a, b: a + b,
       "shli": lambda a, b: a << b, "shrui": lambda a, b: a >> b}


def memref(shape, kind):
    return f"memref<{'x'.join(map(str, shape))}x{kind}>"


def block(text, name, shape, kind, at, size):
    """A subview whose dimensions of one element are dropped; its name and type."""
    strides, product = [], 1
    for extent in reversed(shape):
        strides.insert(0, product)
        product = "?" if "?" in (extent, product) else product * extent
    kept = [d for d in range(len(shape)) if d >= len(shape) - 2]
    sizes = "x".join("?" if str(size[d]).startswith("%") else str(size[d]) for d in kept)
    steps = ", ".join(str(strides[d]) for d in kept)
    result = f"memref<{sizes}x{kind}, strided<[{steps}], offset: ?>>"
    lists = " ".join(f"[{', '.join(map(str, x))}]" for x in (at, size, [1] * len(shape)))
    return text.value(f"memref.subview {name}{lists} : {memref(shape, kind)} to {result}"), result


def tree(rng, text, known, depth):
    """An expression of indices: its value, and what it is in each cell."""
    if depth == 0:
        return rng.choice(known)
    op = rng.choice(list(OPS))
    a, left = tree(rng, text, known, depth - 1)
    if op in ("shli", "shrui") and max(known[1][1]) > 3 or op == "shli" and depth > 1:
        op = "xori"
    b, right = known[1] if op in ("shli", "shrui") else tree(rng, text, known, depth - 1)
    return text.value(f"arith.{op} {a}, {b} : index"), [OPS[op](x, y) for x, y in zip(left, right)]


def cells(rng):
    """Two indices, of how many steps each, and what they are in all cells."""
    n = rng.choice((2, 3, 4, 8)), rng.choice((2, 3, 4, 5))
    both = list(itertools.product(range(n[0]), range(n[1])))
    return n, [("%i", [i for i, _ in both]), ("%j", [j for _, j in both])]


def bits(rng):
    """Blocks, or elements, that bits of both indices name."""
    (rows, cols), known = cells(rng)
    kind, elements = rng.choice(("f32", "bf16")), rng.random() < 0.4
    text = Text()
    opened(text, f"scf.forall (%i, %j) in ({rows}, {cols}) {{")
    at, values = tree(rng, text, known, rng.choice((1, 1, 2)))
    while max(values) > 63:
        text.value(f"arith.constant {max(values)} : index")
        at, values = rng.choice(known)
    source, side = max(values) + 1, 1 if elements else 32
    if elements:
        x, y = memref((rows, source), kind), memref((rows, cols), kind)
        v = text.value(f"memref.load %X[%i, {at}] : {x}")
        text.add(f"memref.store {text.value(f'math.absf {v} : {kind}')}, %Y[%i, %j] : {y}")
    else:
        shapes = [rows * side, source * side], [rows * side, cols * side]
        x, y = (memref(s, kind) for s in shapes)
        r, c, s = (text.value(f"affine.apply affine_map<(d) -> (d * {side})>({d})") for d in ("%i", "%j", at))
        a, b = (block(text, n, shape, kind, (r, p), (side, side)) for n, shape, p in zip(("%X", "%Y"), shapes, (s, c)))
        text.add(f"linalg.exp ins({a[0]} : {a[1]}) outs({b[0]} : {b[1]})")
    close(text)
    what = " ".join(line.split("= ")[1] for line in text.lines if "arith." in line)
    return f"bits {rows}x{cols}x{kind} {'elements' if elements else 'blocks'} {what}", kernel("bits", [("X", x), ("Y", y)], text)


def opens(rng):
    """A grid over a part of tensors of open size, of which the rest stays."""
    kind, outer = rng.choice(("f32", "bf16")), [rng.randint(1, 3) for _ in range(rng.randint(0, 2))]
    open_at, rows, cols = rng.choice((0, 1)), rng.choice((32, 64, 96)), rng.choice((32, 64, 128))
    if open_at == 1:
        open_at = len(outer)
    elif outer:
        open_at = rng.randrange(len(outer))
    shape = outer + [rows, cols]
    run = list(shape)
    run[open_at] = rng.choice((1, 2, 4)) if open_at < len(outer) else rng.choice((32, 33, 70, 101))
    given = [s if d != open_at else "?" for d, s in enumerate(shape)]
    text = Text()
    axis = text.value(f"arith.constant {open_at} : index")
    size = text.value(f"memref.dim %X, {axis} : {memref(given, kind)}")
    dims = range(len(outer) + 1)
    ends_early = rng.random() < 0.3
    lower = [0 if d == open_at else rng.randint(0, given[d] - 1) if d < len(outer) else rng.choice((0, 0, 32)) % given[d]
             for d in dims]
    upper = [given[d] if d != open_at else min(run[d], 1 if d < len(outer) else 32) if ends_early else size for d in dims]
    steps = [1] * len(outer) + [32]
    names = [f"%d{d}" for d in dims]
    spell = lambda x: f"({', '.join(map(str, x))})"
    opened(text, f"scf.forall {spell(names)} = {spell(lower)} to {spell(upper)} step {spell(steps)} {{")
    branch = bool(outer) and upper[0] not in (0, 1) and rng.random() < 0.3
    if branch:
        c = text.value("arith.constant 1 : index")
        opened(text, f"scf.if {text.value(f'arith.cmpi uge, {names[0]}, {c} : index')} {{")
    height = 32
    if open_at == len(outer) and not ends_early:
        height = text.value(f"affine.min affine_map<(d)[s] -> (32, s - d)>({names[-1]})[{size}]")
    width = rng.choice((cols, cols, 32))
    at, sizes = names + [cols - width], [1] * len(outer) + [height, width]
    a, b = (block(text, n, given, kind, at, sizes) for n in ("%X", "%Y"))
    text.add(f"linalg.exp ins({a[0]} : {a[1]}) outs({b[0]} : {b[1]})")
    close(text, 2 if branch else 1)
    what = f"opens {memref(given, kind)} {spell(lower)} to {spell(upper)}{' branch' if branch else ''} {width} columns"
    sides = "x".join(map(str, run))
    t = memref(given, kind)
    return what, kernel("opens", [("X", t), ("Y", t)], text), ["--shape", f"X={sides}", "--shape", f"Y={sides}"]


def heads(rng):
    """Heads of (batch, step, head, element), read and written where they lie, in as many queries as keys or more."""
    batch, steps, kv, group = rng.randint(1, 2), rng.choice((32, 40, 64)), rng.randint(1, 2), rng.randint(1, 3)
    size, kind = rng.choice((16, 32, 40, 64)), rng.choice(("f32", "bf16"))
    q, k = (batch, steps, kv * group, size), (batch, steps, kv, size)
    text = Text()
    opened(text, f"scf.forall (%b, %h) in ({batch}, {kv * group}) {{")
    g = text.value(f"affine.apply affine_map<(d) -> (d floordiv {group})>(%h)")

    def head(name, shape, at):
        result = f"memref<{steps}x{size}x{kind}, strided<[{shape[2] * size}, 1], offset: ?>>"
        return text.value(f"memref.subview {name}[%b, 0, {at}, 0] [1, {steps}, 1, {size}] [1, 1, 1, 1] : "
                          f"{memref(shape, kind)} to {result}"), result

    a, b, c = head("%Q", q, "%h"), head("%K", k, g), head("%Y", q, "%h")
    op = rng.choice(("add", "mul", "sub", "max"))
    text.add(f"linalg.{op} ins({a[0]}, {b[0]} : {a[1]}, {b[1]}) outs({c[0]} : {c[1]})")
    close(text)
    t = memref(q, kind)
    return f"heads {batch}x{steps}x{kv}*{group}x{size}x{kind} {op}", kernel("heads", [("Q", t), ("K", memref(k, kind)), ("Y", t)], text)


def whiles(rng):
    """Blocks that are added while an index is below a bound, and a branch that fills a buffer in two ways."""
    n, by, first = rng.randint(2, 6), rng.choice((1, 2)), rng.randint(0, 1)
    kind = "f32"
    shape, out = (32 * n, 64), (32, 64)
    buffer = "memref<32x32xf32, #gpu.address_space<private>>"
    text = Text()
    opened(text, "scf.forall (%j) in (2) {")
    for name, value in (("%lo", first), ("%hi", n), ("%by", by), ("%c32", 32), ("%one", 1)):
        text.add(f"{name} = arith.constant {value} : index")
    col = text.value("arith.muli %j, %c32 : index")
    text.add("%half = arith.constant 0.5 : f32")
    text.add("%zero = arith.constant 0.0 : f32")
    acc = text.value(f"memref.alloc() : {buffer}")
    if rng.random() < 0.5:
        opened(text, f"scf.if {text.value('arith.cmpi eq, %j, %one : index')} {{")
        text.add(f"linalg.fill ins(%half : f32) outs({acc} : {buffer})")
        close(text)
        text.lines[-1] += " else {"
        text.depth += 1
    text.add(f"linalg.fill ins(%zero : f32) outs({acc} : {buffer})")
    if text.depth > 2:
        close(text)
    opened(text, "%last = scf.while (%k = %lo) : (index) -> index {")
    text.add("%more = arith.cmpi ult, %k, %hi : index")
    text.add("scf.condition(%more) %k : index")
    close(text)
    text.lines[-1] += " do {"
    opened(text, "^bb0(%k: index):")
    row = text.value("arith.muli %k, %c32 : index")
    x = block(text, "%X", shape, kind, (row, col), (32, 32))
    text.add(f"linalg.add ins({acc}, {x[0]} : {buffer}, {x[1]}) outs({acc} : {buffer})")
    text.add(f"scf.yield {text.value('arith.addi %k, %by : index')} : index")
    text.depth -= 1
    close(text)
    y = block(text, "%Y", out, kind, (0, col), (32, 32))
    text.add(f"memref.copy {acc}, {y[0]} : {buffer} to {y[1]}")
    close(text)
    return f"whiles {first} to {n} by {by}", kernel("whiles", [("X", memref(shape, kind)), ("Y", memref(out, kind))], text)


if __name__ == "__main__":
    sys.exit(run_all([bits, opens, opens, heads, whiles], options=optimized))
