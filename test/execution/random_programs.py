#!/usr/bin/env python3
"""Random programs: two grids in a function, functions that are called, host functions with loops, sizes and numbers
that are known when they run, caches that are updated in place. Each runs on a random chip in a random era, and matches
its reference.

usage: random_programs.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a program, with what it takes to make it again, and a summary. The exit status is 0 if every
program matched its reference.
"""
import sys

from random_common import run_all
from random_text import (BINARY, Text, attributes, carry, close, constants, end_carry, end_product, kernel, opened,
                         otherwise, widened)

UNARY = ("math.tanh", "math.absf", "arith.negf", "math.sin")


def function(rng, name, element):
    """A function of two numbers, which may call another."""
    op, first = rng.choice(BINARY), rng.choice(UNARY)
    return (f"func.func private @{name}(%x: {element}, %y: {element}) -> {element} {{\n  %a = {first} %x : {element}\n"
            f"  %r = {op} %a, %y : {element}\n  return %r : {element}\n}}\n")


def calls(rng):
    """Elements by functions that are called, one of them by another; rows by a function of indices."""
    rows, cols, element = rng.choice((32, 40)), rng.choice((32, 70)), rng.choice(("f32", "bf16"))
    text, matrix = Text(), f"memref<{rows}x{cols}x{element}>"
    parallel, turned = rng.random() < 0.5, rng.random() < 0.5
    if parallel:
        opened(text, f"affine.parallel (%i, %j) = (0, 0) to ({rows}, {cols}) {{")
    else:
        opened(text, f"affine.for %i = 0 to {rows} {{")
        opened(text, f"affine.for %j = 0 to {cols} {{")
    row = text.value(f"func.call @back(%i) : (index) -> index") if turned else "%i"
    a = text.value(f"memref.load %A[{row}, %j] : {matrix}")
    b = text.value(f"memref.load %B[%i, %j] : {matrix}")
    for _ in range(rng.randint(1, 2)):
        a = text.value(f"func.call @{rng.choice(('outer', 'inner'))}({a}, {b}) : ({element}, {element}) -> {element}")
    text.add(f"memref.store {a}, %C[%i, %j] : {matrix}")
    close(text)
    if not parallel:
        close(text)
    functions = function(rng, "inner", element)
    functions += (f"func.func private @outer(%x: {element}, %y: {element}) -> {element} {{\n"
                  f"  %a = func.call @inner(%x, %y) : ({element}, {element}) -> {element}\n"
                  f"  %r = {rng.choice(BINARY)} %a, %x : {element}\n  return %r : {element}\n}}\n")
    if turned:
        functions += (f"func.func private @back(%i: index) -> index {{\n"
                      f"  %c = arith.constant {rng.choice((0, 1))} : index\n"
                      f"  %r = arith.addi %i, %c : index\n  %last = arith.constant {rows - 1} : index\n"
                      f"  %s = arith.minui %r, %last : index\n  return %s : index\n}}\n")
        functions = functions.replace("constant 1 : index", "constant 0 : index")
    what = f"calls {rows}x{cols}x{element}{', parallel' * parallel}{', of indices' * turned}"
    return what, functions + kernel("calls", [("A", matrix), ("B", matrix), ("C", matrix)], text)


def grids(rng):
    """Two or three grids in a function: each reads what the one before has written, all of it, in another order."""
    n, element = rng.choice((32, 40, 64)), rng.choice(("f32", "bf16"))
    text, square = Text(), f"memref<{n}x{n}x{element}>"
    text.add(f"%zero = arith.constant 0.0 : {element}")
    number = rng.randint(2, 3)
    names = ["%A"] + [f"%t{i}" for i in range(number - 1)] + ["%C"]
    for t in names[1:-1]:
        text.add(f"{t} = memref.alloc() : {square}")
    what = []
    for source, target in zip(names, names[1:]):
        way = rng.choice(("map", "turned", "sums", "product"))
        what.append(way)
        if way in ("map", "turned"):
            opened(text, f"affine.parallel (%i, %j) = (0, 0) to ({n}, {n}) {{")
            x = text.value(f"affine.load {source}[{'%j, %i' if way == 'turned' else '%i, %j'}] : {square}")
            y = text.value(f"{rng.choice(UNARY)} {x} : {element}")
            text.add(f"affine.store {y}, {target}[%i, %j] : {square}")
        elif way == "sums":
            opened(text, f"affine.parallel (%i) = (0) to ({n}) {{")
            s = carry(text, "%j", n, "%s", "%zero", element)
            x = text.value(f"affine.load {source}[%i, %j] : {square}")
            end_carry(text, text.value(f"arith.maximumf %s, {x} : {element}"), element)
            opened(text, f"affine.for %j = 0 to {n} {{")
            x = text.value(f"affine.load {source}[%i, %j] : {square}")
            y = text.value(f"arith.subf {x}, {s} : {element}")
            text.add(f"affine.store {y}, {target}[%i, %j] : {square}")
            close(text)
        else:
            opened(text, f"affine.parallel (%i, %j) = (0, 0) to ({n}, {n}) {{")
            zero = text.value("arith.constant 0.0 : f32")
            s = carry(text, "%k", n, "%s", zero)
            x = text.value(f"affine.load {source}[%i, %k] : {square}")
            y = text.value(f"affine.load %B[%k, %j] : {square}")
            end_product(text, "%s", *widened(text, (x, y), element))
            if element != "f32":
                s = text.value(f"arith.truncf {s} : f32 to {element}")
            text.add(f"affine.store {s}, {target}[%i, %j] : {square}")
        close(text)
    args = [("A", square)] + [("B", square)] * ("product" in what) + [("C", square)]
    return f"grids {n}x{n}x{element}: {' '.join(what)}", kernel("grids", args, text)


def rows_kernel(rng, name, cols, element, dynamic, rows, number):
    """A kernel of two tensors of rows, and perhaps a number."""
    op = rng.choice(UNARY)
    t = f"memref<{'?' if dynamic else rows}x{cols}x{element}>"
    arguments = [("X", t)] + [("s", "f32")] * number + [("Y", t)]
    head = ", ".join(f"%{a}: {kind} {attributes(a)}" for a, kind in arguments)
    lines = [f"func.func @{name}({head}) attributes {{tt.kernel}} {{"]
    if dynamic:
        lines += ["  %c0 = arith.constant 0 : index", f"  %n = memref.dim %X, %c0 : {t}"]
    lines += [f"  affine.parallel (%i, %j) = (0, 0) to ({'symbol(%n)' if dynamic else rows}, {cols}) {{",
              f"    %x = affine.load %X[%i, %j] : {t}", f"    %a = {op} %x : {element}"]
    if number:
        lines.append("    %b = arith.mulf %a, %s : f32" if element == "f32" else
                     f"    %t = arith.truncf %s : f32 to {element}\n    %b = arith.mulf %a, %t : {element}")
    lines += [f"    affine.store {'%b' if number else '%a'}, %Y[%i, %j] : {t}", "  }", "  return", "}"]
    return "\n".join(lines) + "\n", t


def hosts(rng):
    """Host functions: loops with bounds of all kinds, buffers that change places, branches, numbers, sizes."""
    rows, cols, element = rng.choice((32, 45, 70)), rng.choice((32, 64, 70)), rng.choice(("f32", "bf16"))
    dynamic, number, count = rng.random() < 0.5, rng.random() < 0.5, rng.choice(("constant", "argument"))
    first, t = rows_kernel(rng, "first", cols, element, dynamic, rows, number)
    second, _ = rows_kernel(rng, "second", cols, element, dynamic, rows, False)
    n = rng.randint(0, 3)
    arguments = [("X", t)] + [("s", "f32")] * number + [("n", "index")] * (count == "argument") + [("Y", t)]
    text = Text()
    constants(text, (0, 1, 2, 3))
    size = ""
    if dynamic:
        text.add(f"%rows = memref.dim %X, %c0 : {t}")
        size = "%rows"
    for buffer in ("%a", "%b"):
        text.add(f"{buffer} = memref.alloc({size}) : {t}")

    def call(name, source, target, scalar="%s"):
        more = name == "first" and number
        values, types = f"{source}, {scalar + ', ' if more else ''}{target}", f"{t}, {'f32, ' if more else ''}{t}"
        text.add(f"func.call @{name}({values}) : ({types}) -> ()")

    call("first", "%X", "%a")
    way = rng.choice(("change", "branch", "plain"))
    last = "%n" if count == "argument" else f"%c{n}"
    if way == "change":
        opened(text, f"%r:2 = scf.for %i = %c0 to {last} step %c1 iter_args(%p = %a, %q = %b) -> ({t}, {t}) {{")
        call("second", "%p", "%q")
        text.add(f"scf.yield %q, %p : {t}, {t}")
        close(text)
        call("second", "%r#0", "%Y")
    else:
        opened(text, f"scf.for %i = %c0 to {last} step %c1 {{")
        call("second", "%a", "%b")
        if way == "branch":
            flag = text.value(f"arith.cmpi {rng.choice(('eq', 'ult', 'sge'))}, %i, %c1 : index")
            opened(text, f"scf.if {flag} {{")
            call("first", "%b", "%a")
            otherwise(text)
            call("second", "%b", "%a")
            close(text)
        else:
            call("first", "%b", "%a")
        close(text)
        call("second", "%a", "%Y")
    text.add("return")
    head = ", ".join(f"%{a}: {kind} {attributes(a)}" for a, kind in arguments)
    host = f"func.func @run({head}) attributes {{tt.host}} {{\n" + "\n".join(text.lines) + "\n}\n"
    options = [f"--shape=X={rows}x{cols}", f"--shape=Y={rows}x{cols}"] if dynamic else []
    options += ["--input=s=0.5"] * number + [f"--input=n={n}"] * (count == "argument")
    what = f"hosts {rows}x{cols}x{element} {way} {n} by {count}{', dynamic' * dynamic}{', number' * number}"
    return what, first + second + host, options


def caches(rng):
    """A cache that a loop of the host fills, a row a step, and a kernel that reads it up to that row."""
    length, width, element = rng.choice((5, 8, 12)), rng.choice((32, 64)), rng.choice(("f32", "bf16"))
    cache, row = f"memref<{length}x{width}x{element}>", f"memref<1x{width}x{element}>"
    out = f"memref<{length}x{width}x{element}>"
    op, as_i32 = rng.choice(UNARY), rng.random() < 0.5
    step = "i32" if as_i32 else "index"
    at = "%ti = arith.index_cast %t : i32 to index\n    " if as_i32 else ""
    t = "%ti" if as_i32 else "%t"
    x, k, y = f"%X: {cache} {attributes('X')}", f"%K: {cache} {attributes('K')}", f"%Y: {out} {attributes('Y')}"
    steps = f"%t: {step} {attributes('t', (0, length - 1))}"
    text = f"""func.func @put({x}, {steps}, {k}) attributes {{tt.kernel}} {{
    {at}affine.for %j = 0 to {width} {{
      %x = memref.load %X[{t}, %j] : {cache}
      %y = {op} %x : {element}
      memref.store %y, %K[{t}, %j] : {cache}
    }}
  return
}}
func.func @look({k}, {steps}, {y}) attributes {{tt.kernel}} {{
    %zero = arith.constant 0.0 : {element}
    {at}affine.for %j = 0 to {width} {{
      %s = affine.for %i = 0 to {length} iter_args(%a = %zero) -> ({element}) {{
        %in = arith.cmpi ule, %i, {t} : index
        %k = memref.load %K[%i, %j] : {cache}
        %m = arith.select %in, %k, %zero : {element}
        %n = arith.maximumf %a, %m : {element}
        affine.yield %n : {element}
      }}
      memref.store %s, %Y[{t}, %j] : {out}
    }}
  return
}}
func.func @run({x}, {k}, %n: index {attributes('n')}, {y}) attributes {{tt.host}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {{
      {'%v = arith.index_cast %i : index to i32' if as_i32 else ''}
      func.call @put(%X, {'%v' if as_i32 else '%i'}, %K) : ({cache}, {step}, {cache}) -> ()
      func.call @look(%K, {'%v' if as_i32 else '%i'}, %Y) : ({cache}, {step}, {out}) -> ()
    }}
  return
}}
"""
    n = rng.randint(1, length)
    return f"caches {length}x{width}x{element}, {n} steps, {step}", text, [f"--input=n={n}"]


if __name__ == "__main__":
    sys.exit(run_all((calls, grids, hosts, caches)))
