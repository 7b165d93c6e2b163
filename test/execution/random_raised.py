#!/usr/bin/env python3
"""Random kernels as others write them: grid arithmetic with groups, bits and i32; buffers that are loaded again, in
branches and in loops; blocks of three dimensions. Each runs on a random chip in a random era, and matches its
reference.

usage: random_raised.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import BINARY, Text, close, constants, kernel, opened, otherwise


def order(rng):
    """A map whose cells are numbered by groups, bits, choices or i32."""
    rows, cols = rng.choice((2, 4)), rng.choice((2, 4))
    text, matrix = Text(), f"memref<{rows * 32}x{cols * 32}xbf16>"
    view = f"memref<32x32xbf16, strided<[{cols * 32}, 1], offset: ?>>"
    constants(text, (0, 1, 2, 32, rows, cols, rows * cols))
    opened(text, f"scf.forall (%p) in ({rows * cols}) {{")
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
        text.add(f"linalg.generic {{indexing_maps = [{ident}, {ident}], "
                 f"iterator_types = [\"parallel\", \"parallel\"]}} ins(%s : {block}) outs(%acc : {acc}) {{")
        text.add("^bb0(%x: bf16, %o: f32):")
        w = text.value("arith.extf %x : bf16 to f32")
        t = text.value(f"{op} %o, {w} : f32")
        text.add(f"linalg.yield {t} : f32")
        text.add("}")

    what = []
    for i in range(rng.randint(1, 3)):
        way = rng.choice(("loop", "branches", "guarded", "last"))
        what.append(way)
        opened(text, f"scf.for %k{i} = %c0 to %c{n * 32} step %c32 {{")
        k = f"%k{i}"
        if way in ("branches", "guarded"):
            relation, bound = rng.choice(("ult", "uge", "eq", "ne")), rng.choice((32, 64))
            flag = text.value(f"arith.cmpi {relation}, {k}, %c{bound} : index")
            opened(text, f"scf.if {flag} {{")
            load(rng.choice("AB"), k)
            if way == "guarded":
                add()
            else:
                otherwise(text)
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
        text.add(f"linalg.generic {{indexing_maps = [{ident}, {ident}, {ident}], "
                 "iterator_types = [\"parallel\", \"parallel\", \"parallel\"]} "
                 f"ins(%x, %A : {p}, {t}) outs(%C : {t}) {{")
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


if __name__ == "__main__":
    sys.exit(run_all((order, buffers, outer)))
