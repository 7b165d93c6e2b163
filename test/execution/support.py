#!/usr/bin/env python3
"""What works: each op, for each element type, width of DST and chip, by running it.

usage: support.py --write FILE | --check FILE [--part I/N] [--jobs N]

Each kernel of the table below is compiled, run on the emulated device and compared with its
reference. --write makes the page; --check compares with the page what every N-th run gives,
beginning with the I-th.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import support_integers
import support_tensors
from functions import FUNCTIONS, typed

M, N = 64, 96
IJ, JI, I, J, S = "(i, j)", "(j, i)", "(i)", "(j)", "()"


def memref(shape, element):
    return "memref<" + "".join(f"{d}x" for d in shape) + element + ">"


class Kernel:
    """Arguments and ops; the label of each output."""

    def __init__(self, element):
        self.element, self.args, self.body, self.labels = element, [], [], {}

    def arg(self, name, shape, element=None):
        type_ = memref(shape, element or self.element)
        self.args.append(f"%{name}: {type_} {{tt.name = \"{name}\"}}")
        return f"%{name}", type_

    def out(self, label, shape, element=None):
        name = f"O{len(self.labels)}"
        self.labels[name] = label
        return self.arg(name, shape, element)

    def buffer(self, shape, element, value=None):
        name = f"%b{len(self.body)}"
        type_ = memref(shape, element)
        self.body.append(f"{name} = memref.alloc() : {type_}")
        if value is not None:
            self.body.append(f"{name}_start = arith.constant {value} : {element}")
            self.body.append(f"linalg.fill ins({name}_start : {element}) outs({name} : {type_})")
        return name, type_

    def generic(self, ins, maps, out, out_map, lines, result, reduced="", old="%old"):
        dims = "i" if set(maps + [out_map]) <= {I, S} else "i, j"
        kinds = ", ".join('"reduction"' if d in reduced else '"parallel"' for d in dims.split(", "))
        element = lambda t: re.search(r"(bf16|f16|f32|i32)>$", t).group(1)
        arguments = ", ".join([f"%x{n}: {element(t)}" for n, (_, t) in enumerate(ins)] + [f"{old}: {element(out[1])}"])
        inputs = f"ins({', '.join(n for n, _ in ins)} : {', '.join(t for _, t in ins)}) " if ins else ""
        self.body.append(
            "linalg.generic {indexing_maps = [" + ", ".join(f"affine_map<({dims}) -> {m}>" for m in maps + [out_map]) +
            f"], iterator_types = [{kinds}]}} {inputs}outs({out[0]} : {out[1]}) {{\n    ^bb0({arguments}):\n      " +
            "\n      ".join(lines) + f"\n      linalg.yield {result} : {element(out[1])}\n  }}")

    def copy(self, source, target):
        self.body.append(f"linalg.copy ins({source[0]} : {source[1]}) outs({target[0]} : {target[1]})")

    def text(self, wide):
        body = "\n  ".join(self.body)
        return (f"func.func @k({', '.join(self.args)}) attributes {{tt.kernel, tt.fp32_dest_acc = {str(wide).lower()}}} {{\n"
                f"  {body}\n  return\n}}\n")


def functions(part):
    def make(element):
        k = Kernel(element)
        x, y = k.arg("X", (M, N)), k.arg("Y", (M, N))
        for before, last in FUNCTIONS[part:part + 6]:
            label = last.split()[0]
            if any(line.startswith("%c =") for line in before):
                label += ", a constant"
            if any("math.erf" in line for line in before):
                label = "gelu, by erf"
            if any("math.exp" in line for line in before):
                label = "sigmoid" if "%one," in last else "silu"
            if any("math.tanh %w" in line for line in before):
                label = "gelu, by tanh"
            if any("%low =" in line for line in before):
                label = "clamp"
            lines = [typed(line.replace("%x", "%x0").replace("%y", "%x1"), element) for line in before]
            lines.append("%result = " + typed(last.replace("%x", "%x0").replace("%y", "%x1"), element))
            k.generic([x, y], [IJ, IJ], k.out(label, (M, N)), IJ, lines, "%result")
        return k
    return make


def broadcasts(op):
    def make(element):
        k = Kernel(element)
        x = k.arg("X", (M, N))
        for name, shape, m in (("R", (N,), J), ("C", (M,), I), ("S", (), S)):
            v = k.arg(name, shape)
            what = {J: "a row", I: "a column", S: "a scalar"}[m]
            for ins, maps in (([x, v], [IJ, m]), ([v, x], [m, IJ])):
                k.generic(ins, maps, k.out(f"{op}, {what} {'right' if m in maps[1:] else 'left'}", (M, N)), IJ,
                          [f"%r = {op} %x0, %x1 : {element}"], "%r")
        return k
    return make


def reductions(op, start):
    def make(element):
        k = Kernel(element)
        x = k.arg("X", (M, N))
        for what, shape, m, reduced in (("rows", (M,), I, "j"), ("columns", (N,), J, "i"), ("all", (), S, "ij")):
            acc = k.buffer(shape, "f32", start)
            lines = ["%w = arith.extf %x0 : " + element + " to f32" if element != "f32" else "%w = arith.mulf %x0, %x0 : f32",
                     f"%r = {op} %w, %old : f32"]
            k.generic([x], [IJ], acc, m, lines, "%r", reduced)
            k.copy(acc, k.out(f"{op}, of {what}", shape, "f32"))
        return k
    return make


def products(element):
    k = Kernel(element)
    a, at, b, bt, v = (k.arg(n, s) for n, s in (("A", (M, N)), ("At", (N, M)), ("B", (N, M)), ("Bt", (M, N)), ("v", (N,))))
    maps = {"mk": "(m, k)", "km": "(k, m)", "kn": "(k, n)", "nk": "(n, k)"}
    for label, left, right, l, r in (("product", a, b, "mk", "kn"), ("product, left turned", at, b, "km", "kn"),
                                     ("product, right turned", a, bt, "mk", "nk")):
        acc = k.buffer((M, M), "f32", "0.0")
        indexing = ", ".join(f"affine_map<(m, n, k) -> {m}>" for m in (maps[l], maps[r], "(m, n)"))
        k.body.append(f"linalg.matmul indexing_maps = [{indexing}] ins({left[0]}, {right[0]} : {left[1]}, {right[1]}) "
                      f"outs({acc[0]} : {acc[1]})")
        k.copy(acc, k.out(label, (M, M), "f32"))
    acc = k.buffer((M,), "f32", "0.0")
    k.body.append(f"linalg.matvec ins({a[0]}, {v[0]} : {a[1]}, {v[1]}) outs({acc[0]} : {acc[1]})")
    k.copy(acc, k.out("matrix times vector", (M,), "f32"))
    acc = k.buffer((M, M), "f32", "1.0")
    k.body.append(f"linalg.matmul ins({a[0]}, {b[0]} : {a[1]}, {b[1]}) outs({acc[0]} : {acc[1]})")
    k.copy(acc, k.out("product, added to a value", (M, M), "f32"))
    return k


def movement(element):
    k = Kernel(element)
    x, y = k.arg("X", (M, N)), k.arg("Y", (N, M))
    k.args.append('%s: f32 {tt.name = "s"}')
    k.body.append(f"memref.copy {x[0]}, {k.out('copy', (M, N))[0]} : {x[1]} to {x[1]}")
    k.generic([y], [JI], k.out("transposition", (M, N)), IJ, ["%zero = arith.constant 0.0 : f32"], "%x0")
    cast = [f"%n = arith.truncf %s : f32 to {element}"] if element != "f32" else []
    scalar = "%n" if cast else "%s"
    k.generic([x], [IJ], k.out("a scalar argument", (M, N)), IJ, cast + [f"%r = arith.mulf %x0, {scalar} : {element}"], "%r")
    k.generic([x], [IJ], k.out("linalg.index, compared", (M, N)), IJ,
              ["%i = linalg.index 0 : index", "%j = linalg.index 1 : index", "%c = arith.cmpi sge, %i, %j : index",
               f"%z = arith.constant 0.0 : {element}", f"%r = arith.select %c, %x0, %z : {element}"], "%r")
    k.generic([x], [IJ], k.out("to f32", (M, N), "f32"), IJ,
              [f"%r = arith.extf %x0 : {element} to f32" if element != "f32" else "%r = math.absf %x0 : f32"], "%r")
    return k


def widened(element):
    """%w, an f32 of %x0."""
    return [f"%w = arith.extf %x0 : {element} to f32" if element != "f32" else "%w = math.absf %x0 : f32"]


def casts(to):
    """One target a kernel, which has exponents of one width."""
    def make(element):
        k = Kernel(element)
        x = k.arg("X", (M, N))
        k.generic([x], [IJ], k.out(f"to {to}", (M, N), to), IJ, widened(element) + [f"%r = arith.truncf %w : f32 to {to}"], "%r")
        return k
    return make


def updates(element):
    k = Kernel(element)
    x = k.arg("X", (M, N))
    value = k.buffer((M, N), element, "0.5")
    k.generic([x], [IJ], value, IJ, [f"%r = arith.addf %old, %x0 : {element}"], "%r")
    k.copy(value, k.out("update in place", (M, N)))
    return k


def integers(element):
    k = Kernel(element)
    x = k.arg("X", (M, N))
    wide = widened(element)
    k.generic([x], [IJ], k.out("to i32", (M, N), "i32"), IJ, wide + ["%r = arith.fptosi %w : f32 to i32"], "%r")
    i = k.arg("I", (M, N), "i32")
    back = f" : i32 to {element}"
    k.generic([i], [IJ], k.out("from i32", (M, N)), IJ, ["%r = arith.sitofp %x0" + back], "%r")
    return k


KERNELS = [functions(i) for i in range(0, len(FUNCTIONS), 6)]
KERNELS += [broadcasts(op) for op in ("arith.addf", "arith.subf", "arith.mulf", "arith.maximumf")]
KERNELS += [reductions(op, s) for op, s in (("arith.addf", "0.0"), ("arith.maximumf", "0xFF800000"), ("arith.minimumf", "0x7F800000"))]
KERNELS += [products, movement, casts("bf16"), casts("f16"), updates, integers]
ELEMENTS, WIDTHS, CHIPS = ["bf16", "f16", "f32"], [False, True], ["wormhole_b0", "blackhole"]


def run(job):
    """Label -> '' where the result matches, else what is wrong."""
    make, element, wide, chip = job
    kernel = make(element)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "k.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(kernel.text(wide))
        command = ["tt-run", path, "--check", f"--arch={chip}"]
        if "%s: f32" in " ".join(kernel.args):
            command.append("--input=s=0.75")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    error = re.search(r"error: (.*)", done.stderr)
    if error or not done.stdout:
        return {label: error.group(1) if error else "no result" for label in kernel.labels.values()}
    lines = {line.split(":")[0]: line for line in done.stdout.splitlines() if ": " in line}
    return {label: "" if lines.get(name, "").endswith("ok") else "out of tolerance"
            for name, label in kernel.labels.items()}


def page(results):
    notes, rows = [], []
    for label in dict.fromkeys(label for (_, _, _, label) in results):
        cells = []
        for element in ELEMENTS:
            for wide in WIDTHS:
                errors = {results[element, wide, chip, label] for chip in CHIPS}
                for error in errors - {""}:
                    if error not in notes:
                        notes.append(error)
                cells.append("yes" if errors == {""} else "no (" + ", ".join(str(notes.index(e) + 1) for e in errors - {""}) + ")")
        rows.append(f"| {label} | " + " | ".join(cells) + " |")
    text = "# What works\n\nMade by `test/execution/support.py --write docs/support.md`, which runs each op and compares it with its\n"
    text += "reference: for elements of each type, in 16-bit and in 32-bit DST, on Wormhole and on Blackhole. A cell says yes where\nboth chips match. "
    text += "Blocks are 64x96 elements, results of products and reductions f32.\n\nTry one: `tt-run examples/softmax.mlir --check`.\n\n"
    text += "| op | " + " | ".join(f"{e}, DST {32 if w else 16}" for e in ELEMENTS for w in WIDTHS) + " |\n|---" * 1 + "|"
    text += "---|" * (len(ELEMENTS) * len(WIDTHS)) + "\n" + "\n".join(rows) + "\n"
    for i, note in enumerate(notes):
        text += f"\n{i + 1}. {note}"
    return text + ("\n" if notes else "")


def read_page(path):
    cells = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            parts = [p.strip() for p in line.strip().strip("|").split(" | ")]
            if line.startswith("| ") and len(parts) == 7 and not line.startswith("| op"):
                for i, cell in enumerate(parts[1:]):
                    cells[parts[0], ELEMENTS[i // 2], WIDTHS[i % 2]] = cell == "yes"
    return cells


def main():
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    jobs = [(k, e, w, c) for e in ELEMENTS for w in WIDTHS for c in CHIPS for k in KERNELS]
    if "--part" in options:
        first, step = map(int, options["--part"].split("/"))
        jobs = jobs[first::step]
    with concurrent.futures.ThreadPoolExecutor(int(options.get("--jobs", "2"))) as pool:
        done = list(pool.map(run, jobs))
        whole = support_integers.page(pool) if "--write" in options else ""
        tensors = support_tensors.page(pool) if "--write" in options else ""
    results = {(e, w, c, label): error for (_, e, w, c), labels in zip(jobs, done) for label, error in labels.items()}
    if "--write" in options:
        with open(options["--write"], "w", encoding="utf-8") as file:
            file.write(page(results) + whole + tensors)
        return 0
    cells, wrong = read_page(options["--check"]), 0
    for (element, wide, chip, label), error in results.items():
        if cells.get((label, element, wide)) != (not error):
            wrong += 1
            print(f"{label}, {element}, DST {32 if wide else 16}, {chip}: {error or 'works'}, but the page says otherwise")
    print(f"{len(results) - wrong} of {len(results)} cells are as the page says")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
