#!/usr/bin/env python3
"""The parts of docs/support.md on integers, by op and type, and on what is refused: a small kernel for each.

usage: support_integers.py --write FILE        makes both parts of that page again
       support_integers.py --check FILE [--part I/N]   runs every Nth kernel, from the Ith on, and compares
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

TYPES, CHIPS = ("i8", "i16", "i32", "i64"), ("wormhole_b0", "blackhole")
BEGIN, END = "\n## Integers\n", "\n## Layouts, formats and shapes\n"
FLOATS = {"i8": "f8E4M3FN", "i16": "bf16", "i32": "f32", "i64": "f64"}  # of the same width
IJ, I, J = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>", "affine_map<(i, j) -> (j)>"

PLAIN = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui")
SHIFTS, DIVISIONS = ("shli", "shrsi", "shrui"), ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi")
REDUCTIONS = ("addi", "maxsi", "minsi", "maxui", "minui", "andi", "ori", "xori", "muli")


def generic(kind, lines, result=None, reduce=None, second=IJ, divides=False):
    """A kernel of A and B of `kind`: a body that gives %r, of each element or of each row. B is not 0 if it `divides`."""
    result = result or kind
    limit = ", tt.range = [-99, 99]" if kind == "i64" else ""
    divisor = ", tt.range = [1, 99]" if divides else limit
    other = "memref<40xKIND>" if second == J else "memref<32x40xKIND>"
    out = f"memref<32x{result}>" if reduce else f"memref<32x40x{result}>"
    args = (f'%A: memref<32x40x{kind}> {{tt.name = "A"{limit}}}, '
            f'%B: {other} {{tt.name = "B"{divisor}}}, %C: {out} {{tt.name = "C"}}').replace("KIND", kind)
    kinds = '"parallel", "reduction"' if reduce else '"parallel", "parallel"'
    maps = f"{IJ}, {second}, {I if reduce else IJ}"
    fill = f"  linalg.fill ins(%zero : {result}) outs(%C : {out})\n" if reduce else ""
    body = "\n".join("    " + line for line in lines)
    other, whole = other.replace("KIND", kind), kind if kind[0] == "i" else "i32"
    return (f"func.func @k({args}) attributes {{tt.kernel}} {{\n"
            f"  %zero = arith.constant {'0' if result[0] == 'i' else '0.0'} : {result}\n"
            f"  %three = arith.constant 3 : {whole}\n{fill}"
            f"  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins(%A, %B : memref<32x40x{kind}>, {other}) outs(%C : {out}) {{\n"
            f"  ^bb0(%a: {kind}, %b: {kind}, %o: {result}):\n{body}\n"
            f"    linalg.yield %r : {result}\n  }}\n  return\n}}\n")


def integers():
    """(what, type) -> the text of a kernel."""
    cells = {}
    for t in TYPES:
        for op in PLAIN:
            cells[f"arith.{op}", t] = generic(t, [f"%r = arith.{op} %a, %b : {t}"])
        cells["math.absi", t] = generic(t, [f"%r = math.absi %a : {t}"])
        for op in SHIFTS:
            cells[f"arith.{op}, a constant", t] = generic(t, [f"%r = arith.{op} %a, %three : {t}"])
        for op in DIVISIONS:
            cells[f"arith.{op}, a constant", t] = generic(t, [f"%r = arith.{op} %a, %three : {t}"])
        for op in ("divsi", "remui"):
            cells[f"arith.{op}, a tensor", t] = generic(t, [f"%r = arith.{op} %a, %b : {t}"], divides=True)
        for relation in ("slt", "ult", "eq"):
            cells[f"arith.cmpi {relation}, arith.select", t] = generic(
                t, [f"%f = arith.cmpi {relation}, %a, %b : {t}", f"%r = arith.select %f, %a, %b : {t}"])
        cells["arith.addi, a row", t] = generic(t, [f"%r = arith.addi %a, %b : {t}"], second=J)
        for op in REDUCTIONS:
            cells[f"arith.{op}, of rows", t] = generic(t, [f"%r = arith.{op} %o, %a : {t}"], reduce=op)
        cells["arith.sitofp to f32", t] = generic(t, [f"%r = arith.sitofp %a : {t} to f32"], "f32")
        cells["arith.uitofp to f32", t] = generic(t, [f"%r = arith.uitofp %a : {t} to f32"], "f32")
        cells["arith.fptosi of f32", t] = generic("f32", [f"%r = arith.fptosi %a : f32 to {t}"], t)
        cells["arith.bitcast of a float", t] = generic(FLOATS[t], [f"%r = arith.bitcast %a : {FLOATS[t]} to {t}"], t)
        cells["arith.bitcast to a float", t] = generic(t, [f"%r = arith.bitcast %a : {t} to {FLOATS[t]}"], FLOATS[t])
    return cells


def kernel(args, body):
    return f"func.func @k({args}) attributes {{tt.kernel}} {{\n{body}\n  return\n}}\n"


def tensor(name, kind, more=""):
    return f'%{name}: memref<{kind}> {{tt.name = "{name}"{more}}}'


def regions():
    """Three regions of an image, each sampled at 4x4 places between its elements."""
    lines = ["  %half = arith.constant 0.25 : f32", "  %one = arith.constant 1.0 : f32", "  %most = arith.constant 14.0 : f32",
             "  %next = arith.constant 1 : i32",
             "  affine.for %r = 0 to 3 { affine.for %c = 0 to 3 { affine.for %i = 0 to 4 { affine.for %j = 0 to 4 {"]
    for d, iv, at in (("y", "i", 0), ("x", "j", 1)):
        lines += [f"    %{d}b = affine.load %B[%r, {at}] : memref<3x4xf32>", f"    %{d}s = affine.load %B[%r, {at + 2}] : memref<3x4xf32>",
                  f"    %{d}n = arith.index_cast %{iv} : index to i32", f"    %{d}f = arith.sitofp %{d}n : i32 to f32",
                  f"    %{d}a = math.absf %{d}b : f32", f"    %{d}e = math.absf %{d}s : f32",
                  f"    %{d}g = arith.mulf %{d}f, %{d}e : f32", f"    %{d}h = arith.mulf %{d}g, %half : f32",
                  f"    %{d}k = arith.addf %{d}a, %{d}h : f32", f"    %{d}l = arith.minimumf %{d}k, %most : f32",
                  f"    %{d}m = math.floor %{d}l : f32", f"    %{d}1w = arith.subf %{d}l, %{d}m : f32",
                  f"    %{d}0w = arith.subf %one, %{d}1w : f32", f"    %{d}0i = arith.fptosi %{d}m : f32 to i32",
                  f"    %{d}1i = arith.addi %{d}0i, %next : i32"]
        lines += [f"    %{d}{k} = arith.index_cast %{d}{k}i : i32 to index" for k in (0, 1)]
    for k in ("00", "01", "10", "11"):
        lines += [f"    %v{k} = memref.load %X[%c, %y{k[0]}, %x{k[1]}] : memref<3x16x16xf32>",
                  f"    %w{k} = arith.mulf %y{k[0]}w, %x{k[1]}w : f32", f"    %p{k} = arith.mulf %v{k}, %w{k} : f32"]
    lines += ["    %s0 = arith.addf %p00, %p01 : f32", "    %s1 = arith.addf %p10, %p11 : f32", "    %s = arith.addf %s0, %s1 : f32",
              "    affine.store %s, %Y[%r, %c, %i, %j] : memref<3x3x4x4xf32>", "  } } } }"]
    return kernel(f'{tensor("X", "3x16x16xf32")}, {tensor("B", "3x4xf32")}, {tensor("Y", "3x3x4x4xf32")}', "\n".join(lines))


LIST = tensor("I", "32xi32", ", tt.range = [0, 31]")
REFUSED = {
    "the old value of `memref.atomic_rmw`": kernel(
        f'{LIST}, {tensor("H", "32xi32")}, {tensor("O", "32xi32")}', """  %one = arith.constant 1 : i32
  affine.for %i = 0 to 32 {
    %v = affine.load %I[%i] : memref<32xi32>
    %b = arith.index_cast %v : i32 to index
    %c = memref.atomic_rmw addi %one, %H[%b] : (i32, memref<32xi32>) -> i32
    affine.store %c, %O[%i] : memref<32xi32>
  }"""),
    "two cells that write one block": kernel(f'{tensor("X", "64x32xf32")}, {tensor("Y", "32x32xf32")}',
                                             """  %c32 = arith.constant 32 : index
  scf.forall (%b) in (2) {
    %m = arith.muli %b, %c32 : index
    %x = memref.subview %X[%m, 0] [32, 32] [1, 1] : memref<64x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    linalg.exp ins(%x : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%Y : memref<32x32xf32>)
  }"""),
    "cells of a grid over elements that store one of them": kernel(
        f'{tensor("X", "64x32xf32")}, {tensor("Y", "32x32xf32")}', """  affine.parallel (%i, %j) = (0, 0) to (64, 32) {
    %x = affine.load %X[%i, %j] : memref<64x32xf32>
    affine.store %x, %Y[%i floordiv 2, %j] : memref<32x32xf32>
  }"""),
    "an op of `vector`": kernel(f'{tensor("X", "32xf32")}, {tensor("Y", "32xf32")}', """
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %X[%c0], %z : memref<32xf32>, vector<32xf32>
  vector.transfer_write %v, %Y[%c0] : vector<32xf32>, memref<32xf32>"""),
    "a tensor of f64": kernel(f'{tensor("X", "32x32xf64")}, {tensor("Y", "32x32xf64")}',
                              "  linalg.exp ins(%X : memref<32x32xf64>) outs(%Y : memref<32x32xf64>)"),
    "a tensor with a layout of its own": kernel(
        f'{tensor("X", "32x32xf32, strided<[64, 1]>")}, {tensor("Y", "32x32xf32")}',
        "  linalg.exp ins(%X : memref<32x32xf32, strided<[64, 1]>>) outs(%Y : memref<32x32xf32>)"),
    "arithmetic of `i4`": kernel(f'{tensor("X", "32xi4")}, {tensor("Y", "32xi4")}', """  affine.for %i = 0 to 32 {
    %x = affine.load %X[%i] : memref<32xi4>
    %y = arith.addi %x, %x : i4
    affine.store %y, %Y[%i] : memref<32xi4>
  }"""),
    "a product of the elements of a row that the core computes": kernel(
        f'{tensor("X", "32x32xf32")}, {tensor("Y", "32xf32")}', """
  %one = arith.constant 1.0 : f32
  %e = memref.alloc() : memref<32x32xf32>
  linalg.exp ins(%X : memref<32x32xf32>) outs(%e : memref<32x32xf32>)
  linalg.fill ins(%one : f32) outs(%Y : memref<32xf32>)
  linalg.reduce { arith.mulf } ins(%e : memref<32x32xf32>) outs(%Y : memref<32xf32>) dimensions = [1]"""),
    "a cell of which each step needs those below and beside it, as best pairs do": kernel(
        f'{tensor("X", "14xi32")}, {tensor("T", "14x14xi32")}', """  affine.for %c = 0 to 14 {
    affine.for %j = affine_map<(c) -> (14 - c)>(%c) to 14 {
      %x = affine.load %X[%j] : memref<14xi32>
      %m = affine.for %l = affine_map<(c) -> (14 - c)>(%c) to affine_map<(j) -> (j)>(%j) iter_args(%b = %x) -> (i32) {
        %p = affine.load %T[13 - %c, %l] : memref<14x14xi32>
        %q = affine.load %T[%l + 1, %j] : memref<14x14xi32>
        %s = arith.addi %p, %q : i32
        %n = arith.maxsi %b, %s : i32
        affine.yield %n : i32
      }
      affine.store %m, %T[13 - %c, %j] : memref<14x14xi32>
    }
  }"""),
    "a store where a list says, in a branch that what is there in another tensor decides": kernel(
        f'{LIST}, {tensor("C", "32xi32")}, {tensor("Y", "32xi32")}', """  %none = arith.constant -1 : i32
  affine.for %i = 0 to 32 {
    %v = affine.load %I[%i] : memref<32xi32>
    %k = arith.index_cast %v : i32 to index
    %c = memref.load %C[%k] : memref<32xi32>
    %new = arith.cmpi eq, %c, %none : i32
    scf.if %new {
      memref.store %none, %Y[%k] : memref<32xi32>
    }
  }"""),
    "every other element of a window to which others add before": kernel(
        f'{tensor("X", "3x36xf32")}, {tensor("Y", "80xf32")}', """  affine.for %p = 0 to 3 {
    affine.for %i = 0 to 36 {
      %x = affine.load %X[%p, %i] : memref<3x36xf32>
      %y = affine.load %Y[%i * 2 + %p] : memref<80xf32>
      %s = arith.addf %x, %y : f32
      affine.store %s, %Y[%i * 2 + %p] : memref<80xf32>
    }
  }"""),
    "taps between elements of an image that clamps keep inside of it, as resizing by cubes takes them": kernel(
        f'{tensor("X", "12x16xf32")}, {tensor("Y", "20x24xf32")}', """  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.4 : f32
  %first = arith.constant 0 : index
  %last = arith.constant 11 : index
  affine.parallel (%i, %j) = (0, 0) to (20, 24) {
    %a = arith.index_cast %i : index to i32
    %b = arith.sitofp %a : i32 to f32
    %c = arith.mulf %b, %scale : f32
    %d = arith.fptosi %c : f32 to i32
    %row = arith.index_cast %d : i32 to index
    %e = arith.index_cast %j : index to i32
    %f = arith.sitofp %e : i32 to f32
    %g = arith.mulf %f, %scale : f32
    %h = arith.fptosi %g : f32 to i32
    %col = arith.index_cast %h : i32 to index
    %r = affine.for %p = 0 to 4 iter_args(%s = %zero) -> (f32) {
      %t = affine.for %q = 0 to 4 iter_args(%u = %s) -> (f32) {
        %o = arith.addi %row, %p : index
        %k = arith.maxsi %o, %first : index
        %m = arith.minsi %k, %last : index
        %n = arith.addi %col, %q : index
        %x = memref.load %X[%m, %n] : memref<12x16xf32>
        %v = arith.addf %u, %x : f32
        affine.yield %v : f32
      }
      affine.yield %t : f32
    }
    affine.store %r, %Y[%i, %j] : memref<20x24xf32>
  }"""),
    "an image between its elements, at places that floats of a list give for all of several regions": regions(),
    "a buffer that is read before it is written": kernel(tensor("Y", "32x32xf32"), """
  %b = memref.alloc() : memref<32x32xf32>
  linalg.exp ins(%b : memref<32x32xf32>) outs(%Y : memref<32x32xf32>)"""),
}


def run(text):
    """'' where both chips give the same as the reference, else the error, or what is wrong."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "k.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        for chip in CHIPS:
            done = subprocess.run(["tt-run", path, "--check", f"--arch={chip}"], capture_output=True, text=True,
                                  check=False)
            error = re.search(r"error: (.*)", done.stderr)
            if done.returncode:
                return error.group(1) if error else "out of tolerance"
    return ""


def short(error):
    """The first words of an error, which say what it is."""
    return error.split("; ")[0].replace("|", "\\|")


def jobs():
    return list(integers().items()) + [((what, None), text) for what, text in REFUSED.items()]


def page(pool):
    names, texts = zip(*jobs())
    results, notes = dict(zip(names, pool.map(run, texts))), []
    text = BEGIN + ("\nOps on tensors of 32x40 integers, on both chips, against the reference. What `i64` holds is\n"
                    "here said to be small, by `tt.range`.\n\n")
    text += "| op | " + " | ".join(TYPES) + " |\n|" + "---|" * (len(TYPES) + 1) + "\n"
    for row in dict.fromkeys(what for what, kind in names if kind):
        marks = []
        for error in (short(results[row, t]) for t in TYPES):
            if error and error not in notes:
                notes.append(error)
            marks.append(f"no (i{notes.index(error) + 1})" if error else "yes")
        text += f"| {row} | " + " | ".join(marks) + " |\n"
    text += "".join(f"\ni{i + 1}. {note}" for i, note in enumerate(notes)) + "\n" * bool(notes)
    text += ("\n## What is refused\n\nA small kernel of each kind, and how its error begins; "
             "[refused.md](refused.md) has more.\n\n")
    text += "| what | the error |\n|---|---|\n"
    for what in REFUSED:
        text += f"| {what} | {short(results[what, None]) or 'none: it works'} |\n"
    return text


def read_page(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    said, part = {}, text[text.index(BEGIN):text.index(END)] if BEGIN in text else ""
    for line in part.splitlines():
        parts = [p.strip() for p in line.strip().strip("|").split(" | ")]
        if line.startswith("| ") and len(parts) == len(TYPES) + 1:
            said.update({(parts[0], t): p == "yes" for t, p in zip(TYPES, parts[1:])})
        elif line.startswith("| ") and len(parts) == 2:
            said[parts[0], None] = parts[1]
    return text, part, said


def main():
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    if "--write" in options:
        with concurrent.futures.ThreadPoolExecutor(int(options.get("--jobs", "2"))) as pool:
            made = page(pool)
        text, part, _ = read_page(options["--write"])
        text = text.replace(part, made) if part else text.replace(END, made + END)
        with open(options["--write"], "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    first, step = map(int, options.get("--part", "0/1").split("/"))
    said, chosen, wrong = read_page(options["--check"])[2], jobs()[first::step], 0
    for (what, kind), text in chosen:
        error = run(text)
        if said.get((what, kind)) != ((not error) if kind else short(error) or "none: it works"):
            wrong += 1
            print(f"{what}, {kind}: {error or 'works'}, but the page says otherwise")
    print(f"{len(chosen) - wrong} of {len(chosen)} kernels of integers are as the page says")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
