#!/usr/bin/env python3
"""Random kernels as others write them: loops over elements, parallel or not, with carried numbers and
branches; grid arithmetic with groups, bits and i32; buffers that are loaded again, in branches and in
loops; blocks of three dimensions; integers of tensors and scalars that steer; divided indices, computed operands of products,
elements written in turns, numbers that loops carry and store. Each runs on a random chip in a random era, and matches its reference.

usage: random_raised.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import random
import subprocess
import sys
import tempfile

from random_common import ARCHS, ERAS, command_line, write

UNARY = ("math.exp", "math.tanh", "math.absf", "arith.negf")
BINARY = ("arith.addf", "arith.subf", "arith.mulf", "arith.maximumf", "arith.minimumf")


class Text:
    def __init__(self):
        self.lines, self.depth, self.count = [], 1, 0

    def add(self, line):
        self.lines.append("  " * self.depth + line)

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def value(self, op):
        name = self.name()
        self.add(f"{name} = {op}")
        return name


def constants(text, values):
    for v in sorted(set(values)):
        text.add(f"%c{v} = arith.constant {v} : index")


def kernel(name, arguments, text):
    args = ", ".join(f"%{n}: {t} {{tt.name = \"{n}\"}}" for n, t in arguments)
    return f"func.func @{name}({args}) attributes {{tt.kernel}} {{\n" + "\n".join(text.lines) + "\n  return\n}\n"


def expression(rng, text, values, row, col, divided=False):
    """A number of some of `values`, perhaps with a choice by the indices."""
    v = rng.choice(values)
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.4:
            v = text.value(f"{rng.choice(UNARY)} {v} : f32")
            if rng.random() < 0.5:
                v = text.value(f"math.tanh {v} : f32")
        else:
            v = text.value(f"{rng.choice(BINARY)} {v}, {rng.choice(values)} : f32")
    if divided and rng.random() < 0.3:  # blocks along a diagonal, every so many elements
        by = text.value(f"arith.constant {rng.choice((2, 3, 8, 12))} : index")
        ops = [rng.choice(("divui", "remui"))] * 2
        one, other = (text.value(f"arith.{op} {i}, {by} : index") for op, i in zip(ops, (row, col)))
        flag = text.value(f"arith.cmpi {rng.choice(('eq', 'ule', 'ne'))}, {one}, {other} : index")
        v = text.value(f"arith.select {flag}, {v}, {rng.choice(values)} : f32")
    if rng.random() < 0.4:
        flag = text.value(f"arith.cmpi {rng.choice(('ult', 'uge', 'eq', 'sle'))}, {row}, {col} : index")
        if rng.random() < 0.5:
            v = text.value(f"arith.select {flag}, {v}, {rng.choice(values)} : f32")
        else:
            other = rng.choice(values)
            r = text.name()
            text.add(f"{r} = scf.if {flag} -> (f32) {{ scf.yield {v} : f32 }} else {{ scf.yield {other} : f32 }}")
            v = r
    return v


def loop(rng, text, var, size, affine):
    text.add(f"affine.for {var} = 0 to {size} {{" if affine else f"scf.for {var} = %c0 to %c{size} step %c1 {{")
    text.depth += 1


def close(text):
    text.depth -= 1
    text.add("}")


def elements(rng):
    """Maps and row sums over a matrix, in a grid of rows or in parallel loops."""
    rows, cols = rng.choice((32, 64)), rng.choice((32, 64, 70, 96))
    text, matrix, row = Text(), f"memref<{rows}x{cols}xf32>", f"memref<{rows}xf32>"
    constants(text, (0, 1, 32, rows, cols))
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%half = arith.constant 0.5 : f32")
    affine = rng.random() < 0.5
    sums = rng.random() < 0.5
    parallel = not sums and rng.random() < 0.5
    if parallel:
        text.add(f"scf.forall (%i, %j) in ({rows}, {cols}) {{")
        text.depth += 1
        r = "%i"
    else:
        text.add(f"scf.forall (%b) in ({rows // 32}) {{")
        text.depth += 1
        text.add("%m = arith.muli %b, %c32 : index")
        loop(rng, text, "%i", 32, affine)
        r = text.value("arith.addi %m, %i : index")
    if sums:
        op = rng.choice(("arith.addf", "arith.maximumf"))
        s = text.name()
        text.add(f"{s} = scf.for %k = %c0 to %c{cols} step %c1 iter_args(%s = %zero) -> (f32) {{")
        text.depth += 1
        x = text.value(f"memref.load %A[{r}, %k] : {matrix}")
        q = text.value(f"arith.mulf {x}, {x} : f32") if rng.random() < 0.5 else x
        t = text.value(f"{op} %s, {q} : f32")
        text.add(f"scf.yield {t} : f32")
        close(text)
        scaled = text.value(f"arith.mulf {s}, %half : f32")
        if rng.random() < 0.6:
            text.add(f"memref.store {scaled}, %R[{r}] : {row}")
        else:
            text.add(f"memref.store %half, %R[{r}] : {row}")
    if not parallel:
        loop(rng, text, "%j", cols, affine)
    values = [text.value(f"memref.load %A[{r}, %j] : {matrix}"), text.value(f"memref.load %B[{r}, %j] : {matrix}")]
    if rng.random() < 0.5:
        values.append(text.value(f"memref.load %G[%j] : memref<{cols}xf32>"))
    if sums:
        values.append(text.value(f"math.tanh {scaled} : f32"))
    text.add(f"memref.store {expression(rng, text, values, r, '%j', True)}, %C[{r}, %j] : {matrix}")
    if rng.random() < 0.4:
        text.add(f"memref.store {expression(rng, text, values, r, '%j', True)}, %D[{r}, %j] : {matrix}")
    if not parallel:
        close(text)
        close(text)
    close(text)
    args = [("A", matrix), ("B", matrix), ("G", f"memref<{cols}xf32>"), ("C", matrix), ("D", matrix), ("R", row)]
    used = "\n".join(text.lines)
    args = [a for a in args if f"%{a[0]}[" in used]
    return f"elements {rows}x{cols}{' sums' * sums}{' parallel' * parallel}", kernel("elements", args, text)


def order(rng):
    """A map whose cells are numbered by groups, bits, choices or i32."""
    rows, cols = rng.choice((2, 4)), rng.choice((2, 4))
    text, matrix = Text(), f"memref<{rows * 32}x{cols * 32}xbf16>"
    view = f"memref<32x32xbf16, strided<[{cols * 32}, 1], offset: ?>>"
    constants(text, (0, 1, 2, 32, rows, cols, rows * cols))
    text.add(f"scf.forall (%p) in ({rows * cols}) {{")
    text.depth += 1
    way = rng.choice(("delinearize", "bits", "i32"))
    if way == "delinearize":
        text.add(f"%at:2 = affine.delinearize_index %p into ({rows}, {cols}) : index, index")
        y, x = "%at#0", "%at#1"
    else:
        kind = "i32" if way == "i32" else "index"
        p = text.value("arith.index_cast %p : index to i32") if way == "i32" else "%p"
        shift = text.value(f"arith.constant {cols.bit_length() - 1} : {kind}")
        mask = text.value(f"arith.constant {cols - 1} : {kind}")
        y = text.value(f"arith.shrui {p}, {shift} : {kind}")
        x = text.value(f"arith.andi {p}, {mask} : {kind}")
        if rng.random() < 0.7:
            flip = text.value(f"arith.constant {rng.randint(1, cols - 1)} : {kind}")
            x = text.value(f"arith.xori {x}, {flip} : {kind}")
        if way == "i32":
            y = text.value(f"arith.index_cast {y} : i32 to index")
            x = text.value(f"arith.index_cast {x} : i32 to index")
    if rng.random() < 0.6:  # odd rows from right to left
        odd = text.value(f"arith.remui {y}, %c2 : index")
        flag = text.value(f"arith.cmpi eq, {odd}, %c1 : index")
        last = text.value(f"arith.subi %c{cols}, %c1 : index")
        back = text.value(f"arith.subi {last}, {x} : index")
        if rng.random() < 0.5:
            x = text.value(f"arith.select {flag}, {back}, {x} : index")
        else:
            r = text.name()
            text.add(f"{r} = scf.if {flag} -> (index) {{ scf.yield {back} : index }} else {{ scf.yield {x} : index }}")
            x = r
    m, n = text.value(f"arith.muli {y}, %c32 : index"), text.value(f"arith.muli {x}, %c32 : index")
    for name in "AC":
        text.add(f"%{name.lower()} = memref.subview %{name}[{m}, {n}] [32, 32] [1, 1] : {matrix} to {view}")
    text.add(f"linalg.exp ins(%a : {view}) outs(%c : {view})")
    close(text)
    return f"order {rows}x{cols} {way}", kernel("order", [("A", matrix), ("C", matrix)], text)


def buffers(rng):
    """A sum of blocks that come through one buffer: in branches, loops, again, under a condition."""
    n = rng.choice((2, 3, 4))
    matrix, block = f"memref<{n * 32}x64xbf16>", "memref<32x64xbf16, #gpu.address_space<workgroup>>"
    view, acc = "memref<32x64xbf16, strided<[64, 1], offset: ?>>", "memref<32x64xf32, #gpu.address_space<private>>"
    ident = "affine_map<(i, j) -> (i, j)>"
    text = Text()
    constants(text, (0, 1, 2, 32, 64, n * 32))
    text.add("%zero = arith.constant 0.0 : f32")
    text.add(f"%s = memref.alloc() : {block}")
    text.add(f"%acc = memref.alloc() : {acc}")
    text.add(f"linalg.fill ins(%zero : f32) outs(%acc : {acc})")

    def load(tensor, at):
        v = text.value(f"memref.subview %{tensor}[{at}, 0] [32, 64] [1, 1] : {matrix} to {view}")
        text.add(f"memref.copy {v}, %s : {view} to {block}")

    def add():
        op = rng.choice(("arith.addf", "arith.subf", "arith.maximumf"))
        text.add(f"linalg.generic {{indexing_maps = [{ident}, {ident}], iterator_types = [\"parallel\", \"parallel\"]}} "
                 f"ins(%s : {block}) outs(%acc : {acc}) {{")
        text.add("^bb0(%x: bf16, %o: f32):")
        w = text.value("arith.extf %x : bf16 to f32")
        t = text.value(f"{op} %o, {w} : f32")
        text.add(f"linalg.yield {t} : f32")
        text.add("}")

    what = []
    for i in range(rng.randint(1, 3)):
        way = rng.choice(("loop", "branches", "guarded", "last"))
        what.append(way)
        text.add(f"scf.for %k{i} = %c0 to %c{n * 32} step %c32 {{")
        text.depth += 1
        k = f"%k{i}"
        if way in ("branches", "guarded"):
            flag = text.value(f"arith.cmpi {rng.choice(('ult', 'uge', 'eq', 'ne'))}, {k}, %c{rng.choice((32, 64))} : index")
            text.add(f"scf.if {flag} {{")
            text.depth += 1
            load(rng.choice("AB"), k)
            if way == "guarded":
                add()
            else:
                text.depth -= 1
                text.add("} else {")
                text.depth += 1
                load(rng.choice("AB"), k)
            close(text)
            if way == "branches":
                add()
        else:
            load(rng.choice("AB"), k)
            if way == "loop":
                add()
        close(text)
        if way == "last":
            add()
    text.add(f"memref.copy %acc, %C : {acc} to memref<32x64xf32>")
    used = "\n".join(text.lines)
    args = [a for a in (("A", matrix), ("B", matrix)) if f"%{a[0]}[" in used] + [("C", "memref<32x64xf32>")]
    return f"buffers {n}: {' '.join(what)}", kernel("buffers", args, text)


def outer(rng):
    """Ops of three dimensions, on tensors and buffers of the core."""
    b, m, n = rng.choice((1, 2, 3)), rng.choice((32, 40, 64)), rng.choice((32, 64))
    t = f"memref<{b}x{m}x{n}xf32>"
    p = f"memref<{b}x{m}x{n}xf32, #gpu.address_space<private>>"
    s = f"memref<{b}x{m}x{m}xf32>"
    text, ident = Text(), "affine_map<(b, i, j) -> (b, i, j)>"
    text.add("%zero = arith.constant 0.0 : f32")
    text.add(f"%x = memref.alloc() : {p}")
    what = rng.choice(("softmax", "product", "map"))
    text.add(f"linalg.{rng.choice(('exp', 'abs', 'tanh'))} ins(%A : {t}) outs(%x : {p})")
    if what == "softmax":
        text.add(f"linalg.softmax dimension({rng.choice((1, 2))}) ins(%x : {p}) outs(%C : {t})")
    elif what == "product":
        text.add(f"linalg.fill ins(%zero : f32) outs(%S : {s})")
        maps = ", ".join(f"affine_map<(b, m, n, k) -> ({r})>" for r in ("b, m, k", "b, n, k", "b, m, n"))
        text.add(f"linalg.contract indexing_maps = [{maps}] ins(%A, %x : {t}, {p}) outs(%S : {s})")
    else:
        text.add(f"linalg.generic {{indexing_maps = [{ident}, {ident}, {ident}], iterator_types = [\"parallel\", \"parallel\", "
                 f"\"parallel\"]}} ins(%x, %A : {p}, {t}) outs(%C : {t}) {{")
        text.add("^bb0(%v: f32, %w: f32, %o: f32):")
        i = text.value(f"linalg.index {rng.randint(0, 2)} : index")
        c = text.value(f"arith.index_cast {i} : index to i32")
        f = text.value(f"arith.sitofp {c} : i32 to f32")
        y = text.value(f"{rng.choice(BINARY)} %v, %w : f32")
        r = text.value(f"arith.addf {y}, {f} : f32")
        text.add(f"linalg.yield {r} : f32")
        text.add("}")
    args = [("A", t), ("S", s) if what == "product" else ("C", t)]
    return f"outer {what} {b}x{m}x{n}", kernel("outer", args, text)


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
    text.add(f"scf.forall (%b) in ({cells}) {{")
    text.depth += 1
    text.add("%m = arith.muli %b, %c32 : index")
    text.add(f"%acc = memref.alloc() : {acc}")
    text.add(f"linalg.fill ins(%zero : f32) outs(%acc : {acc})")
    end = f"%c{few}"
    if count == "table":
        v = text.value(f"memref.load %N[%b] : {list_}")
        end = text.value(f"arith.index_cast {v} : {kind} to index")
    elif count == "scalar":
        end = "%s"
    text.add(f"scf.for %i = %c0 to {end} step %c1 {{")
    text.depth += 1
    v = text.value(f"memref.load %S[%b, %i] : {table}")
    if mask:
        w = text.value(f"memref.load %M[%b, %i] : {table}")
        flag = text.value(f"arith.cmpi {rng.choice(('eq', 'ne'))}, {w}, %none : {kind}")
        text.add(f"scf.if {flag} {{")
        text.depth += 1
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
    args = [("A", matrix, None), ("S", table, blocks - 1)]
    args += [("N", list_, few)] * (count == "table") + [("s", "index", few)] * (count == "scalar")
    args += [("M", table, 1)] * mask + [("C", out, None)]
    head = ", ".join(f"%{a}: {t} {{tt.name = \"{a}\"{f', tt.range = [0, {hi}]' if hi is not None else ''}}}"
                     for a, t, hi in args)
    return (f"steered {cells} cells, {blocks} blocks, {kind}, {count}{', mask' * mask}",
            f"func.func @steered({head}) attributes {{tt.kernel}} {{\n" + "\n".join(text.lines) + "\n  return\n}\n")


def quotients(rng):
    """Elements at quotients and rests of loop variables: images made larger, pixels dealt out."""
    a, b = rng.choice((1, 2, 4)), rng.choice((2, 2, 4))
    rows, cols = a * rng.choice((4, 8, 12)), b * rng.choice((4, 8, 20))
    planes = a * b if rng.random() < 0.4 else 1
    text, matrix = Text(), f"memref<{rows}x{cols}xf32>"
    small = f"memref<{planes}x{rows // a}x{cols // b}xf32>"
    text.add("%half = arith.constant 0.5 : f32")
    plane = f"(%i mod {a}) * {b} + %j mod {b}" if planes > 1 else "0"
    if a == 1 and planes > 1:
        plane = f"%j mod {b}"
    parallel = rng.random() < 0.5
    if parallel:
        text.add(f"affine.parallel (%i, %j) = (0, 0) to ({rows}, {cols}) {{")
        text.depth += 1
    else:
        for var, n in (("%i", rows), ("%j", cols)):
            text.add(f"affine.for {var} = 0 to {n} {{")
            text.depth += 1
    row = "%i" if a == 1 else f"%i floordiv {a}"
    values = [text.value(f"affine.load %A[{plane}, {row}, %j floordiv {b}] : {small}"),
              text.value(f"affine.load %B[%i, %j] : {matrix}")]
    y = expression(rng, text, values, "%i", "%j") if rng.random() < 0.5 else values[0]
    text.add(f"affine.store {y}, %C[%i, %j] : {matrix}")
    for _ in range(1 if parallel else 2):
        close(text)
    args = [("A", small), ("B", matrix), ("C", matrix)]
    used = "\n".join(text.lines)
    return f"quotients {rows}x{cols} by {a}x{b}, {planes} planes", kernel("quotients", [x for x in args if f"%{x[0]}[" in used], text)


def packed(rng):
    """A product with weights that are computed: of 8 bits, or several in an integer, with scales a group; or of integers."""
    pack = rng.choice((1, 2, 8))
    m, n = (rng.choice((16, 32, 40)), rng.choice((32, 48, 64))) if pack == 1 else (rng.choice((16, 32, 64)), rng.choice((32, 64)))
    group = rng.choice((0, 16, 32))
    k = rng.choice((32, 64, 96)) if pack > 1 or group else rng.choice((24, 40, 64, 160, 256))
    turned = rng.random() < 0.3
    integers = pack == 1 and not group and rng.random() < 0.4
    kind, wide = {1: ("i8", "i8"), 2: ("i8", "i8"), 8: ("i32", "i32")}[pack]
    text = Text()
    text.add(f"%zero = arith.constant {'0 : i32' if integers else '0.0 : f32'}")
    text.add("%middle = arith.constant 8.0 : f32")
    if pack > 1:
        text.add(f"%bits = arith.constant {15 if pack == 8 or pack == 2 else 255} : {kind}")
        text.add(f"%four = arith.constant 4 : {kind}")
    text.add(f"affine.parallel (%i, %j) = (0, 0) to ({m}, {n}) {{")
    text.depth += 1
    out = "i32" if integers else "f32"
    text.add(f"%s = affine.for %k = 0 to {k} iter_args(%a = %zero) -> ({out}) {{")
    text.depth += 1
    at = "%k" if pack == 1 else f"%k floordiv {pack}"
    weights = f"memref<{n}x{k // pack}x{kind}>" if turned else f"memref<{k // pack}x{n}x{kind}>"
    w = text.value(f"affine.load %W[{f'%j, {at}' if turned else f'{at}, %j'}] : {weights}")
    left = "i8" if integers else rng.choice(("f32", "bf16"))
    x = text.value(f"affine.load %X[%i, %k] : memref<{m}x{k}x{left}>")
    args = [("X", f"memref<{m}x{k}x{left}>"), ("W", weights)]
    if integers:
        x = text.value(f"arith.{rng.choice(('extsi', 'extui'))} {x} : i8 to i32")
        w = text.value(f"arith.{rng.choice(('extsi', 'extui'))} {w} : i8 to i32")
    else:
        if left == "bf16":
            x = text.value(f"arith.extf {x} : bf16 to f32")
        if pack > 1:
            rest = text.value(f"affine.apply affine_map<(k) -> (k mod {pack})>(%k)")
            rest = text.value(f"arith.index_cast {rest} : index to {kind}")
            rest = text.value(f"arith.muli {rest}, %four : {kind}")
            w = text.value(f"arith.shrui {w}, {rest} : {kind}")
            w = text.value(f"arith.andi {w}, %bits : {kind}")
        w = text.value(f"arith.{'uitofp' if pack > 1 else 'sitofp'} {w} : {kind} to f32")
        w = text.value(f"arith.subf {w}, %middle : f32")
        if group:
            scale = text.value(f"affine.load %S[%k floordiv {group}, %j] : memref<{k // group}x{n}xf32>")
            args.append(("S", f"memref<{k // group}x{n}xf32>"))
            w = text.value(f"arith.mulf {w}, {scale} : f32")
    p = text.value(f"arith.mul{'i' if integers else 'f'} {x}, {w} : {out}")
    t = text.value(f"arith.add{'i' if integers else 'f'} %a, {p} : {out}")
    text.add(f"affine.yield {t} : {out}")
    close(text)
    text.add(f"affine.store %s, %C[%i, %j] : memref<{m}x{n}x{out}>")
    close(text)
    args.append(("C", f"memref<{m}x{n}x{out}>"))
    return f"packed {m}x{n}x{k} {pack} a word, groups of {group}{' turned' * turned}{' integers' * integers}", kernel("packed", args, text)


def turns(rng):
    """Elements that are written in turns: every so many column or row, from different expressions."""
    by, axis = rng.choice((2, 2, 3, 4)), rng.choice((0, 1))
    rows, cols = rng.choice((16, 32, 40)), rng.choice((16, 20, 32))
    kind = rng.choice(("f32", "f32", "bf16"))
    shape = (rows * by, cols) if axis == 0 else (rows, cols * by)
    text, out, block = Text(), f"memref<{shape[0]}x{shape[1]}x{kind}>", f"memref<{rows}x{cols}x{kind}>"
    storage = rng.choice(("", "", ', tt.layout = {storage = "row_major"}')) if kind in ("f32", "bf16") else ""
    what = [o for o in range(by) if rng.random() < 0.8] or [0]
    text.add(f"affine.for %i = 0 to {rows} {{")
    text.depth += 1
    text.add(f"affine.for %j = 0 to {cols} {{")
    text.depth += 1
    a = text.value(f"affine.load %A[%i, %j] : {block}")
    b = text.value(f"affine.load %B[%i, %j] : {block}")
    for o in what:
        y = text.value(f"{rng.choice(BINARY)} {a}, {b} : {kind}")
        at = f"%i * {by} + {o}, %j" if axis == 0 else f"%i, %j * {by} + {o}"
        text.add(f"affine.store {y}, %C[{at}] : {out}")
    close(text)
    close(text)
    made = kernel("turns", [("A", block), ("B", block), ("C", out)], text)
    if storage:
        made = made.replace('{tt.name = "C"}', '{tt.name = "C"' + storage + "}")
    return f"turns {shape[0]}x{shape[1]} {kind} by {by} of {'rows' if axis == 0 else 'columns'}: {what}{' row-major' if storage else ''}", made


def recurrences(rng):
    """What a loop along rows carries, stored in its steps or behind: sums, decays, extremes, one made of another."""
    rows, cols = rng.choice((8, 32, 40)), rng.choice((5, 8, 12))
    matrix, row = f"memref<{rows}x{cols}xf32>", f"memref<{rows}xf32>"
    text = Text()
    text.add("%zero = arith.constant 0.0 : f32")
    text.add("%half = arith.constant 0.5 : f32")
    n = rng.randint(1, 3)
    text.add(f"affine.parallel (%i) = (0) to ({rows}) {{")
    text.depth += 1
    carried = ", ".join(f"%s{i} = %zero" for i in range(n))
    types = ", ".join(["f32"] * n)
    text.add(f"%r:{n} = affine.for %j = 0 to {cols} iter_args({carried}) -> ({types}) {{")
    text.depth += 1
    x = text.value(f"affine.load %A[%i, %j] : {matrix}")
    nexts, stored = [], []
    for i in range(n):
        way = rng.choice(("sum", "decay", "largest", "other"))
        if way == "sum":
            y = text.value(f"arith.addf %s{i}, {x} : f32")
        elif way == "largest":
            y = text.value(f"arith.maximumf %s{i}, {x} : f32")
        elif way == "decay":
            y = text.value(f"arith.addf {text.value(f'arith.mulf %s{i}, %half : f32')}, {x} : f32")
        else:
            z = rng.choice(nexts + [f"%s{j}" for j in range(n) if j != i] + [x])
            y = text.value(f"arith.addf {text.value(f'arith.mulf %s{i}, %half : f32')}, {text.value(f'math.tanh {z} : f32')} : f32")
        nexts.append(y)
        if rng.random() < 0.5:
            text.add(f"affine.store {rng.choice((y, y, f'%s{i}'))}, %C{i}[%i, %j] : {matrix}")
            stored.append(i)
    text.add(f"affine.yield {', '.join(nexts)} : {types}")
    close(text)
    results = [i for i in range(n) if rng.random() < 0.6]
    if not results and not stored:
        results = [0]
    for i in results:
        text.add(f"affine.store %r#{i}, %R{i}[%i] : {row}")
    close(text)
    args = [("A", matrix)] + [(f"C{i}", matrix) for i in stored] + [(f"R{i}", row) for i in results]
    return f"recurrences {rows}x{cols} {n}: {stored} stored, {results} behind", kernel("recurrences", args, text)


def main():
    seed, count, keep, kinds = command_line((elements, order, buffers, outer, steered, quotients, packed, turns, recurrences))
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(count):
            rng = random.Random(seed * 1000 + i)
            what, text = rng.choice(kinds)(rng)
            arch, era = rng.choice(ARCHS), rng.choice(ERAS)
            path = write(rng, keep or scratch, i, text, canonical=0.3)
            run = subprocess.run(["tt-run", path, "--check", "--arch", arch, "--metalium-api", era, "--seed", str(seed)],
                                 capture_output=True, text=True, timeout=300)
            failed += run.returncode != 0
            print(f"{'FAIL' if run.returncode else 'ok  '} seed {seed} kernel {i} {arch} {era}: {what}", flush=True)
            if run.returncode:
                print(run.stdout + run.stderr)
    print(f"{count - failed} of {count} random kernels match (seed {seed})")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
