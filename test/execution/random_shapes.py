#!/usr/bin/env python3
"""Random kernels whose blocks do not divide their tensors, of constant and of dynamic sizes: products,
elementwise ops with vectors, and sums and maxima of rows in several steps. The last block is partial, as
tiling writes it. Each runs on both chips, those of dynamic sizes with several sizes, and matches its
reference.

usage: random_shapes.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched.
"""
import random
import subprocess
import sys
import tempfile

from random_common import ARCHS, ERAS, command_line, write

IJ, I, J = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>", "affine_map<(i, j) -> (j)>"


class Kernel:
    """Text of a kernel; sizes are names of dimensions, of which some are dynamic."""

    def __init__(self, rng, sizes):
        self.rng, self.sizes = rng, sizes
        self.dynamic = {d: rng.random() < 0.5 for d in sizes} if rng.random() < 0.7 else dict.fromkeys(sizes, False)
        self.args, self.tensors, self.top, self.body, self.n = [], {}, [], [], 0
        self.mode, self.fixed = "", set()  # sizes that shards fix

    def name(self, prefix="v"):
        self.n += 1
        return f"%{prefix}{self.n}"

    def emit(self, line):
        self.body.append("    " + line)

    def shards(self, dims, blocks):
        """L1 shards of whole blocks that the sizes fill, or None."""
        tiles = [-(-self.sizes[d] // 32) for d in dims]
        sizes = [b // 32 * self.rng.randint(1, 3) for b in blocks]
        grid = [-(-t // s) for t, s in zip(tiles, sizes)]
        if max(grid) > 7:
            return None
        self.fixed |= {d for d in dims if self.dynamic[d]}
        return (f'{{memory = "L1", layout = "sharded", nd_shard = {{axes = ["M", "N"], grid = {grid}, '
                f'shard_shape_elems = {[32 * s for s in sizes]}}}}}')

    def arg(self, name, dims, element, blocks=None):
        shape = "".join(f"{'?' if self.dynamic.get(d) else self.sizes.get(d, d)}x" for d in dims)
        self.tensors[name] = (dims, f"memref<{shape}{element}>", element)
        layout = ""
        own = self.shards(dims, blocks) if blocks and self.rng.random() < 0.4 else None
        if own:
            self.mode = ', tt.partition_mode = "local_shard"'
            layout = ", tt.layout = " + own
        elif element == "bf16" and self.rng.random() < 0.1:
            layout = ', tt.layout = {dtype = "bfp8_b"}'
        elif self.rng.random() < 0.2:
            layout = ', tt.layout = {memory = "L1"}'
        self.args.append(f'%{name}: {self.tensors[name][1]} {{tt.name = "{name}"{layout}}}')

    def size(self, d):
        """The value of dimension `d`, at the top."""
        value = f"%size_{d}"
        if any(line.strip().startswith(value + " ") for line in self.top):
            return value
        if not self.dynamic[d]:
            self.top.append(f"  {value} = arith.constant {self.sizes[d]} : index")
            return value
        name, (dims, type_, _) = self.rng.choice([t for t in self.tensors.items() if d in t[1][0]])
        self.top.append(f"  %at_{d} = arith.constant {dims.index(d)} : index")
        self.top.append(f"  {value} = memref.dim %{name}, %at_{d} : {type_}")
        return value

    def constant(self, value):
        name = f"%c{value}"
        if not any(line.strip().startswith(name + " ") for line in self.top):
            self.top.append(f"  {name} = arith.constant {value} : index")
        return name

    def cells(self, d, block):
        size, cells = self.size(d), f"%cells_{d}"
        if self.rng.random() < 0.5:
            self.top.append(f"  {cells} = arith.ceildivui {size}, {self.constant(block)} : index")
        else:
            self.top.append(f"  {cells} = affine.apply affine_map<()[s] -> (s ceildiv {block})>()[{size}]")
        return cells

    def rest(self, d, offset, block):
        """How much of a block from `offset` on is in the tensor."""
        size, rest = self.size(d), self.name("rest")
        if self.rng.random() < 0.5:
            self.emit(f"{rest} = affine.min affine_map<(o)[s] -> (s - o, {block})>({offset})[{size}]")
        else:
            left = self.name("left")
            self.emit(f"{left} = arith.subi {size}, {offset} : index")
            self.emit(f"{rest} = arith.{self.rng.choice(['minui', 'minsi'])} {left}, {self.constant(block)} : index")
        return rest

    def view(self, tensor, offsets, sizes):
        dims, type_, element = self.tensors[tensor]
        strides = []
        for k in range(len(dims)):
            inner = dims[k + 1:]
            stride = 1
            for d in inner:
                stride = "?" if stride == "?" or self.dynamic.get(d) else stride * self.sizes.get(d, d)
            strides.append(str(stride))
        kept = [(s, t) for s, t in zip(sizes, strides) if s != "1"]
        result = ("memref<" + "".join("?x" for _ in kept) + element +
                  f", strided<[{', '.join(t for _, t in kept)}], offset: ?>>")
        name = self.name("view")
        ones = ", ".join("1" for _ in dims)
        self.emit(f"{name} = memref.subview %{tensor}[{', '.join(offsets)}] [{', '.join(sizes)}] [{ones}] : "
                  f"{type_} to {result}")
        return name, result

    def buffer(self, sizes, bounds, element, space=""):
        """A buffer of the core, of dynamic size or a part of a static one."""
        name = self.name("buf")
        if self.rng.random() < 0.5:
            type_ = "memref<" + "?x" * len(sizes) + element + space + ">"
            self.emit(f"{name} = memref.alloc({', '.join(sizes)}) : {type_}")
            return name, type_
        whole = "memref<" + "".join(f"{b}x" for b in bounds) + element + space + ">"
        self.emit(f"{name}_whole = memref.alloc() : {whole}")
        strides = [str(bounds[1]), "1"] if len(bounds) == 2 else ["1"]
        type_ = "memref<" + "?x" * len(sizes) + element + f", strided<[{', '.join(strides)}]>" + space + ">"
        zeros, ones = ", ".join("0" for _ in sizes), ", ".join("1" for _ in sizes)
        self.emit(f"{name} = memref.subview {name}_whole[{zeros}] [{', '.join(sizes)}] [{ones}] : {whole} to {type_}")
        return name, type_

    def fill(self, buffer, value):
        self.emit(f"linalg.fill ins({value} : f32) outs({buffer[0]} : {buffer[1]})")

    def maybe_copied(self, view, sizes, bounds, element):
        """The block itself, or a copy of it in the core."""
        if self.rng.random() < 0.5:
            return view
        buffer = self.buffer(sizes, bounds, element)
        self.emit(f"memref.copy {view[0]}, {buffer[0]} : {view[1]} to {buffer[1]}")
        return buffer

    def generic(self, ins, out, maps, kinds, arguments, lines, result, element):
        names, types = ", ".join(n for n, _ in ins), ", ".join(t for _, t in ins)
        iterators = ", ".join(f'"{k}"' for k in kinds)
        self.emit(f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{iterators}]}} "
                  f"ins({names} : {types}) outs({out[0]} : {out[1]}) {{")
        self.emit(f"  ^bb0({arguments}):")
        for line in lines:
            self.emit("    " + line)
        self.emit(f"    linalg.yield {result} : {element}")
        self.emit("}")

    def text(self, grid):
        constants = ["  %zero = arith.constant 0.0 : f32", "  %lowest = arith.constant 0xFF800000 : f32"]
        return (f"func.func @k({', '.join(self.args)}) attributes {{tt.kernel{self.mode}}} {{\n" +
                "\n".join(constants + self.top) + f"\n  {grid} {{\n" + "\n".join(self.body) + "\n  }\n  return\n}\n")


def extended(name, element):
    if element == "f32":
        return f"%{name}", None
    return f"%{name}w", f"%{name}w = arith.extf %{name} : {element} to f32"


def store(lines, value, element):
    if element == "f32":
        return value
    lines.append(f"%stored = arith.truncf {value} : f32 to {element}")
    return "%stored"


def sizes_of(rng, names, most):
    return {d: rng.choice([rng.randint(1, most), rng.randint(1, most), 32 * rng.randint(1, most // 32)]) for d in names}


def gemm(rng):
    k = Kernel(rng, sizes_of(rng, "MNK", 160))
    bm, bn, bk = (rng.choice([32, 64]) for _ in range(3))
    element, out = rng.choice(["bf16", "bf16", "f32"]), rng.choice(["bf16", "f32"])
    bias = rng.random() < 0.4
    k.arg("A", "MK", element)
    k.arg("B", "KN", element)
    if bias:
        k.arg("v", "N", "f32")
    k.arg("C", "MN", out, [bm, bn])
    gy, gx = k.cells("M", bm), k.cells("N", bn)
    k.emit(f"%m = arith.muli %by, {k.constant(bm)} : index")
    k.emit(f"%n = arith.muli %bx, {k.constant(bn)} : index")
    rows, cols = k.rest("M", "%m", bm), k.rest("N", "%n", bn)
    acc = k.buffer([rows, cols], [bm, bn], "f32", ", #gpu.address_space<private>")
    k.fill(acc, "%zero")
    k.emit(f"scf.for %k = {k.constant(0)} to {k.size('K')} step {k.constant(bk)} {{")
    ks = k.rest("K", "%k", bk)
    a = k.maybe_copied(k.view("A", ["%m", "%k"], [rows, ks]), [rows, ks], [bm, bk], element)
    b = k.maybe_copied(k.view("B", ["%k", "%n"], [ks, cols]), [ks, cols], [bk, bn], element)
    k.emit(f"linalg.matmul ins({a[0]}, {b[0]} : {a[1]}, {b[1]}) outs({acc[0]} : {acc[1]})")
    k.emit("}")
    ins, maps, arguments, lines, value = [acc], [IJ], "%x: f32", [], "%x"
    if bias:
        ins.append(k.view("v", ["%n"], [cols]))
        maps.append(J)
        arguments += ", %r: f32"
        lines.append("%s = arith.addf %x, %r : f32")
        value = "%s"
    lines.append(f"%y = arith.maximumf {value}, %zero : f32")
    result = store(lines, "%y", out)
    k.generic(ins, k.view("C", ["%m", "%n"], [rows, cols]), maps + [IJ], ["parallel"] * 2,
              arguments + f", %old: {out}", lines, result, out)
    return f"gemm {k.sizes}, blocks {bm}x{bn}x{bk}, {element} to {out}", k, f"scf.forall (%by, %bx) in ({gy}, {gx})"


def elementwise(rng):
    k = Kernel(rng, sizes_of(rng, "MN", 200))
    bm, bn, element = rng.choice([32, 64]), rng.choice([32, 64, 96]), rng.choice(["bf16", "f32"])
    k.arg("X", "MN", element)
    k.arg("R", "N", element)
    k.arg("S", "M", element)
    k.arg("Y", "MN", element, [bm, bn])
    gy, gx = k.cells("M", bm), k.cells("N", bn)
    k.emit(f"%m = arith.muli %by, {k.constant(bm)} : index")
    k.emit(f"%n = arith.muli %bx, {k.constant(bn)} : index")
    rows, cols = k.rest("M", "%m", bm), k.rest("N", "%n", bn)
    x = k.maybe_copied(k.view("X", ["%m", "%n"], [rows, cols]), [rows, cols], [bm, bn], element)
    r, s = k.view("R", ["%n"], [cols]), k.view("S", ["%m"], [rows])
    lines, values = [], []
    for name in "xrs":
        value, line = extended(name, element)
        values.append(value)
        lines += [line] if line else []
    op = rng.choice(["math.tanh {0}", "math.exp {0}", "math.absf {0}"])
    lines += [f"%e = {op.format(values[0])} : f32", f"%f = arith.mulf %e, {values[1]} : f32",
              f"%g = arith.{rng.choice(['addf', 'subf', 'maximumf'])} %f, {values[2]} : f32"]
    result = store(lines, "%g", element)
    k.generic([x, r, s], k.view("Y", ["%m", "%n"], [rows, cols]), [IJ, J, I, IJ], ["parallel"] * 2,
              f"%x: {element}, %r: {element}, %s: {element}, %old: {element}", lines, result, element)
    return f"elementwise {k.sizes}, blocks {bm}x{bn}, {element}", k, f"scf.forall (%by, %bx) in ({gy}, {gx})"


def softmax(rng):
    """Sums and maxima of rows, block by block, and then the quotients."""
    k = Kernel(rng, sizes_of(rng, "MN", 200))
    bm, bn, element = rng.choice([32, 64]), rng.choice([32, 64]), rng.choice(["bf16", "f32"])
    k.arg("X", "MN", element)
    k.arg("Y", "MN", element)
    gy = k.cells("M", bm)
    k.emit(f"%m = arith.muli %by, {k.constant(bm)} : index")
    rows = k.rest("M", "%m", bm)
    largest, total = k.buffer([rows], [bm], "f32"), k.buffer([rows], [bm], "f32")
    k.fill(largest, "%lowest")
    k.fill(total, "%zero")
    wide, line = extended("x", element)
    first = [line] if line else []

    def loop(name):
        k.emit(f"scf.for %{name} = {k.constant(0)} to {k.size('N')} step {k.constant(bn)} {{")
        cols = k.rest("N", f"%{name}", bn)
        return cols, k.view("X", ["%m", f"%{name}"], [rows, cols])

    cols, x = loop("n0")
    k.generic([x], largest, [IJ, I], ["parallel", "reduction"], f"%x: {element}, %old: f32",
              first + [f"%r = arith.maximumf {wide}, %old : f32"], "%r", "f32")
    k.emit("}")
    cols, x = loop("n1")
    exponent = first + [f"%d = arith.subf {wide}, %l : f32", "%e = math.exp %d : f32"]
    k.generic([x, largest], total, [IJ, I, I], ["parallel", "reduction"], f"%x: {element}, %l: f32, %old: f32",
              exponent + ["%r = arith.addf %e, %old : f32"], "%r", "f32")
    k.emit("}")
    cols, x = loop("n2")
    lines = exponent + ["%q = arith.divf %e, %t : f32"]
    result = store(lines, "%q", element)
    k.generic([x, largest, total], k.view("Y", ["%m", "%n2"], [rows, cols]), [IJ, I, I, IJ], ["parallel"] * 2,
              f"%x: {element}, %l: f32, %t: f32, %old: {element}", lines, result, element)
    k.emit("}")
    return f"softmax {k.sizes}, blocks {bm}x{bn}, {element}", k, f"scf.forall (%by) in ({gy})"


def sums(rng):
    """Sums or maxima of columns, or of everything, block by block over the rows."""
    k = Kernel(rng, sizes_of(rng, "MN", 200))
    bm, bn, element = rng.choice([32, 64]), rng.choice([32, 64]), rng.choice(["bf16", "f32"])
    op, start = rng.choice([("addf", "%zero"), ("maximumf", "%lowest")])
    k.arg("X", "MN", element)
    k.arg("Y", "N", "f32")
    gx = k.cells("N", bn)
    k.emit(f"%n = arith.muli %bx, {k.constant(bn)} : index")
    cols = k.rest("N", "%n", bn)
    total = k.buffer([cols], [bn], "f32")
    k.fill(total, start)
    k.emit(f"scf.for %m = {k.constant(0)} to {k.size('M')} step {k.constant(bm)} {{")
    rows = k.rest("M", "%m", bm)
    wide, line = extended("x", element)
    x = k.maybe_copied(k.view("X", ["%m", "%n"], [rows, cols]), [rows, cols], [bm, bn], element)
    lines = ([line] if line else []) + [f"%a = math.absf {wide} : f32", f"%r = arith.{op} %a, %old : f32"]
    k.generic([x], total, [IJ, J], ["reduction", "parallel"], f"%x: {element}, %old: f32", lines, "%r", "f32")
    k.emit("}")
    y = k.view("Y", ["%n"], [cols])
    k.emit(f"linalg.copy ins({total[0]} : {total[1]}) outs({y[0]} : {y[1]})")
    return f"{op} of columns {k.sizes}, blocks {bm}x{bn}, {element}", k, f"scf.forall (%bx) in ({gx})"


def errors_of(path, k, rng, arch, era):
    """One run with the kernel's sizes, and where some are dynamic another with other sizes."""
    errors = ""
    for _ in range(2 if any(k.dynamic.values()) else 1):
        shapes = [f"--shape={name}={'x'.join(str(k.sizes[d]) for d in dims)}"
                  for name, (dims, _, _) in k.tensors.items() if any(k.dynamic[d] for d in dims)]
        done = subprocess.run(["tt-run", path, "--check", "--arch", arch, "--metalium-api", era] + shapes,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            errors += f"{' '.join(shapes)} {done.stdout}{done.stderr[-3000:]}"
        for d in k.sizes:
            if k.dynamic[d] and d not in k.fixed:
                k.sizes[d] = rng.randint(1, 300)
    return errors


def main():
    seed, count, keep, kinds = command_line((gemm, elementwise, softmax, sums))
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(count):
            rng = random.Random(seed * 1000 + i)
            what, k, grid = rng.choice(kinds)(rng)
            what += ", local_shard" if k.mode else ""
            what += f", dynamic {''.join(d for d in k.sizes if k.dynamic[d]) or 'none'}"
            era = rng.choice(ERAS)
            path = write(rng, keep or scratch, i, k.text(grid))
            errors = "".join(errors_of(path, k, rng, arch, era) for arch in ARCHS)
            failed += bool(errors)
            print(f"{'FAIL' if errors else 'ok  '} seed {seed} kernel {i} {era}: {what}", flush=True)
            if errors:
                print(errors)
    print(f"{count - failed} of {count} random kernels match (seed {seed})")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
