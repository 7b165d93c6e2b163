#!/usr/bin/env python3
"""Random updates: tensors that are updated in place behind loops, buffers that branches around loops fill, windows of several
tiles that begin anywhere and hang over, and steps of sums as others write them: in branches, with several terms, every so many
elements, and at indices of a list. Each runs on a random chip in a random era, and matches its reference.

usage: random_updates.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all

FLOATS = ("f32", "bf16")


def tensor(name, shape, element="f32", more=""):
    return f'%{name}: memref<{"x".join(map(str, shape))}x{element}> {{tt.name = "{name}"{more}}}'


def kernel(args, body, constants=""):
    return f"func.func @updates({', '.join(args)}) attributes {{tt.kernel}} {{\n{constants}{body}  return\n}}\n"


def wide(lines, value, element, name):
    """`value`, of `element`, as f32."""
    if element == "f32":
        return value
    lines.append(f"{name} = arith.extf {value} : {element} to f32")
    return name


def narrow(lines, value, element, name):
    if element == "f32":
        return value
    lines.append(f"{name} = arith.truncf {value} : f32 to {element}")
    return name


CONSTANTS = """  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %low = arith.constant 0xFF800000 : f32
"""


def in_place(rng):
    """A tensor is replaced by what sums or extremes over its rows, and perhaps another tensor, make of it."""
    rows, cols, element = rng.choice((5, 20, 32, 40, 70)), rng.choice((8, 33, 64, 70, 100)), rng.choice(FLOATS)
    x = f"memref<{rows}x{cols}x{element}>"
    kinds = rng.sample(("sum", "max", "squares"), rng.choice((1, 2)))
    lines, made = [], []
    for n, kind in enumerate(kinds):
        start = "%low" if kind == "max" else "%zero"
        lines.append(f"%r{n} = affine.for %j = 0 to {cols} iter_args(%a = {start}) -> (f32) {{")
        lines.append(f"%v = affine.load %X[%i, %j] : {x}")
        v = wide(lines, "%v", element, "%w")
        if kind == "squares":
            lines.append(f"%q = arith.mulf {v}, {v} : f32")
            v = "%q"
        lines.append(f"%b = arith.{'maximumf' if kind == 'max' else 'addf'} %a, {v} : f32")
        lines += ["affine.yield %b : f32", "}"]
        if kind != "max":
            lines.append(f"%n{n} = arith.constant {1.0 / cols} : f32")
            lines.append(f"%m{n} = arith.mulf %r{n}, %n{n} : f32")
        made.append(f"%m{n}" if kind != "max" else f"%r{n}")
    other = rng.random() < 0.5
    lines.append(f"affine.for %j = 0 to {cols} {{")
    lines.append(f"%v = affine.load %X[%i, %j] : {x}")
    v = wide(lines, "%v", element, "%w")
    for n, m in enumerate(made):
        lines.append(f"%t{n} = arith.{rng.choice(('subf', 'mulf', 'maximumf'))} {v}, {m} : f32")
        v = f"%t{n}"
    if other:
        lines.append(f"%g = affine.load %G[{rng.choice(('%i, %j', '%j'))}] : G")
        dims = (rows, cols) if "%i, %j" in lines[-1] else (cols,)
        lines[-1] = lines[-1].replace(": G", f": memref<{'x'.join(map(str, dims))}xf32>")
        lines.append(f"%u = arith.addf {v}, %g : f32")
        v = "%u"
    v = narrow(lines, v, element, "%y")
    lines += [f"affine.store {v}, %X[%i, %j] : {x}", "}"]
    body = "".join(f"    {line}\n" for line in lines)
    args = [tensor("X", (rows, cols), element)] + ([tensor("G", dims)] if other else [])
    return (f"in_place {'+'.join(kinds)} {x}{' with another' if other else ''}",
            kernel(args, f"  affine.parallel (%i) = (0) to ({rows}) {{\n{body}  }}\n", CONSTANTS))


def branches(rng):
    """A buffer that is filled in two branches, by what the cell is, and perhaps goes through a loop of the cell."""
    rows, cols, cells = rng.choice((32, 40, 64)), rng.choice((32, 64, 70)), rng.choice((2, 3, 4))
    all_rows = rows * cells
    x, v = f"memref<{all_rows}x{cols}xf32>", f"memref<{rows}x{cols}xf32, strided<[{cols}, 1], offset: ?>>"
    buffer = f"memref<{rows}x{cols}xf32>"
    fill = "linalg.fill ins(%half : f32) outs(%b : {0})".format(buffer)
    one = [f"%{t} = memref.subview %{t.upper()}[%r, 0] [{rows}, {cols}] [1, 1] : {x} to {v}" for t in "xy"]
    load = f"memref.copy %x, %b : {v} to {buffer}"
    own = f"linalg.exp ins(%x : {v}) outs(%b : {buffer})"
    sides = rng.sample((fill, load, own), 2)
    test = rng.choice(("arith.cmpi eq, %cell, %c1 : index", "arith.cmpi ult, %cell, %c1 : index",
                       "arith.cmpi ne, %par, %c0 : index"))
    lines = [f"%r = arith.muli %cell, %rows : index", "%par = arith.remui %cell, %c2 : index"] + one
    lines += [f"%b = memref.alloc() : {buffer}", f"%is = {test}", "scf.if %is {", sides[0], "} else {", sides[1], "}"]
    if rng.random() < 0.6:
        n = rng.choice(("%c2", "%cell1", "%par1"))
        lines += ["%cell1 = arith.addi %cell, %c1 : index", "%par1 = arith.addi %par, %c1 : index"]
        lines.append(f"scf.for %k = %c0 to {n} step %c1 {{")
        lines.append(f"linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = "
                     f"[\"parallel\", \"parallel\"]}} outs(%b : {buffer}) {{")
        lines += ["^bb0(%o: f32):", "%t = math.tanh %o : f32", "%u = arith.addf %t, %half : f32",
                  "linalg.yield %u : f32", "}", "}"]
    lines.append(f"memref.copy %b, %y : {buffer} to {v}")
    body = f"  scf.forall (%cell) in ({cells}) {{\n" + "".join(f"    {line}\n" for line in lines) + "  }\n"
    indices = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in range(3))
    return (f"branches {rows}x{cols}, {cells} cells",
            kernel([tensor("X", (all_rows, cols)), tensor("Y", (all_rows, cols))], body,
                   CONSTANTS + indices + f"  %rows = arith.constant {rows} : index\n"))


def windows(rng):
    """Windows of several tiles that begin anywhere, and hang over the end of their tensor: sums of their columns."""
    cells, step, size = rng.choice((2, 3, 5)), rng.choice((8, 24, 32, 40, 64)), rng.choice((20, 64, 70, 96))
    first, cols, element = rng.choice((0, 0, 5, 32, 40)), rng.choice((16, 64, 70)), rng.choice(FLOATS)
    rows = first + step * (cells - 1) + rng.choice((1, size // 2, size))
    x, v = f"memref<{rows}x{cols}x{element}>", f"memref<?x{cols}x{element}, strided<[{cols}, 1], offset: ?>>"
    op, start = rng.choice((("addf", "%zero"), ("maximumf", "%low")))
    out, view = f"memref<{cells}x{cols}xf32>", f"memref<{cols}xf32, strided<[1], offset: ?>>"
    lines = [f"%at = affine.apply affine_map<(d) -> (d * {step} + {first})>(%cell)",
             f"%m = affine.min affine_map<(d) -> ({size}, {rows} - d)>(%at)",
             f"%x = memref.subview %X[%at, 0] [%m, {cols}] [1, 1] : {x} to {v}",
             f"%y = memref.subview %Y[%cell, 0] [1, {cols}] [1, 1] : {out} to {view}",
             f"%s = memref.alloc() : memref<{cols}xf32>",
             f"linalg.fill ins({start} : f32) outs(%s : memref<{cols}xf32>)",
             "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = "
             f"[\"reduction\", \"parallel\"]}} ins(%x : {v}) outs(%s : memref<{cols}xf32>) {{",
             f"^bb0(%a: {element}, %o: f32):"]
    a = wide(lines, "%a", element, "%w")
    lines += [f"%b = math.absf {a} : f32", f"%c = arith.{op} %o, %b : f32", "linalg.yield %c : f32", "}",
              f"memref.copy %s, %y : memref<{cols}xf32> to {view}"]
    body = f"  scf.forall (%cell) in ({cells}) {{\n" + "".join(f"    {line}\n" for line in lines) + "  }\n"
    return (f"windows {size} every {step} from {first}, {x}, {op}",
            kernel([tensor("X", (rows, cols), element), tensor("Y", (cells, cols))], body, CONSTANTS))


def terms(rng):
    """Steps of a sum or an extreme in branches, with several terms, every so many elements."""
    rows, cols, every = rng.choice((3, 20, 40)), rng.choice((9, 33, 70)), rng.choice((1, 1, 2, 3))
    first, op = rng.choice((0, 0, 1, 4)), rng.choice(("addf", "addf", "maximumf", "minimumf"))
    start = {"addf": "%zero", "maximumf": "%low", "minimumf": "%high"}[op]
    x = f"memref<{rows}x{cols}xf32>"
    lines = [f"%s = affine.for %j = {first} to {cols} step {every} iter_args(%a0 = {start}) -> (f32) {{",
             f"%x = affine.load %X[%i, %j] : {x}", f"%g = affine.load %G[%j] : memref<{cols}xf32>"]
    old = "%a0"
    for n in range(rng.choice((1, 2, 3))):
        how = rng.choice(("plain", "choice", "branch", "either", "less"))
        value = rng.choice(("%x", "%g"))
        cond = rng.choice(("arith.cmpf ogt, %x, %g : f32", "arith.cmpf olt, %g, %half : f32"))
        new = f"%a{n + 1}"
        if how == "plain" or (how == "less" and op != "addf"):
            lines.append(f"{new} = arith.{op} {old}, {value} : f32")
        elif how == "less":
            lines.append(f"{new} = arith.subf {old}, {value} : f32")
        elif how == "branch":
            lines += [f"%c{n} = {cond}", f"{new} = scf.if %c{n} -> (f32) {{", f"%t{n} = arith.{op} {value}, {old} : f32",
                      f"scf.yield %t{n} : f32", "} else {", f"scf.yield {old} : f32", "}"]
        else:
            lines += [f"%c{n} = {cond}", f"%t{n} = arith.{op} {old}, {value} : f32"]
            other = old
            if how == "either":
                lines.append(f"%u{n} = arith.{op} {old}, %half : f32")
                other = f"%u{n}"
            sides = [f"%t{n}", other]
            rng.shuffle(sides)
            lines.append(f"{new} = arith.select %c{n}, {sides[0]}, {sides[1]} : f32")
        old = new
    lines += [f"affine.yield {old} : f32", "}", f"affine.store %s, %Y[%i] : memref<{rows}xf32>"]
    body = f"  affine.parallel (%i) = (0) to ({rows}) {{\n" + "".join(f"    {line}\n" for line in lines) + "  }\n"
    return (f"terms {op} {x} from {first} by {every}",
            kernel([tensor("X", (rows, cols)), tensor("G", (cols,)), tensor("Y", (rows,))], body,
                   CONSTANTS + "  %high = arith.constant 0x7F800000 : f32\n"))


def scattered(rng):
    """Sums and extremes where a list says, of numbers or of rows, onto what is there; perhaps atomic ones."""
    n, m, cols = rng.choice((5, 20, 40)), rng.choice((3, 16, 40)), rng.choice((0, 0, 8, 40))
    element, ops = rng.choice((("f32", ("addf", "maximumf", "minimumf")), ("i32", ("addi", "maxsi", "minsi", "maxui"))))
    op = rng.choice(ops)
    shape = (m, cols) if cols else (m,)
    x = f"memref<{n}{f'x{cols}' if cols else ''}x{element}>"
    y = f"memref<{'x'.join(map(str, shape))}x{element}>"
    inner = ", %j" if cols else ""
    lines = [f"%v = affine.load %L[%i] : memref<{n}xi32>", "%k = arith.index_cast %v : i32 to index"]
    if cols:
        lines.append(f"affine.for %j = 0 to {cols} {{")
    lines.append(f"%x = affine.load %X[%i{inner}] : {x}")
    kinds = {"maxsi": "maxs", "minsi": "mins", "maxui": "maxu"}
    atomic = rng.random() < 0.4
    if atomic:
        lines.append(f"%o = memref.atomic_rmw {kinds.get(op, op)} %x, %Y[%k{inner}] : ({element}, {y}) -> {element}")
    else:
        lines += [f"%o = memref.load %Y[%k{inner}] : {y}", f"%s = arith.{op} %o, %x : {element}",
                  f"memref.store %s, %Y[%k{inner}] : {y}"]
    if cols:
        lines.append("}")
    loop = f"affine.parallel (%i) = (0) to ({n})" if atomic else f"affine.for %i = 0 to {n}"
    body = f"  {loop} {{\n" + "".join(f"    {line}\n" for line in lines) + "  }\n"
    return (f"scattered {op} {x} to {y}{', atomic' if atomic else ''}",
            kernel([tensor("X", (n, cols) if cols else (n,), element),
                    tensor("L", (n,), "i32", f", tt.range = [0, {m - 1}]"), tensor("Y", shape, element)], body))


def optimized(rng):
    """With the optimizations of layouts or without."""
    return ["--optimize", rng.choice(("none", "all"))]


if __name__ == "__main__":
    sys.exit(run_all((in_place, branches, windows, terms, scattered), options=optimized))
