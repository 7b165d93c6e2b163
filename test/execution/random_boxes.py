#!/usr/bin/env python3
"""Random boxes: blocks of any two dimensions of tensors, of one, or of none, which begin and end anywhere, turned or
not, every so many elements or all, read and written where they lie, of tensors with tiles and without. Each runs on a
random chip in a random era, and matches its reference.

usage: random_boxes.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all


class Side:
    """A tensor, and the box of rows x cols elements that a cell takes of it."""

    def __init__(self, rng, name, element, rows, cols, cells, aligned, written):
        self.name, self.element = name, element
        rank = rng.choice((2, 2, 3, 3, 4))
        dims = list(range(rank))
        self.row = rng.choice(dims)
        self.col = rng.choice([d for d in dims if d != self.row])
        if aligned:  # elements that the NoC writes together: at the end of a row, with others like them
            self.col = rank - 1
            self.row = rng.choice(dims[:-1])
        unit = 16 // (4 if element == "f32" else 2)
        self.shape = [rng.choice((1, 2, 3, 5)) for _ in dims]
        self.size = [1] * rank
        self.size[self.row], self.size[self.col] = rows, cols
        self.offset = []
        # what is read may be every so many elements
        self.every = [1 if written or n == 1 else rng.choice((1, 1, 1, 2, 3)) for n in self.size]
        moved = rng.choice(dims) if cells > 1 else -1
        for d in dims:
            n, step = [(self.size[d] - 1) * self.every[d] + 1] * 2
            first = rng.choice((0, 0, 1, 3, 8, 40)) if n > 1 else rng.choice((0, 0, 2))
            if aligned and d == self.col:
                step, first = -(-n // unit) * unit, first // unit * unit
            end = rng.choice((0, 0, 1, 7, 24)) if not (aligned and d == self.col and n % unit) else 0
            if aligned and d == self.col and n % unit and d == moved:
                moved = self.row
            if d == moved:
                self.offset.append((step, first))
                self.shape[d] = step * (cells - 1) + n + first + end
            else:
                self.offset.append((0, first))
                self.shape[d] = max(self.shape[d] if n == 1 and not aligned else 0, n + first + end)
        if cells > 1 and moved < self.row and all(o[0] == 0 for o in self.offset):
            raise ValueError

    def type(self):
        return f"memref<{'x'.join(map(str, self.shape))}x{self.element}>"

    def strides(self):
        strides = [1]
        for n in reversed(self.shape[1:]):
            strides.insert(0, strides[0] * n)
        return strides

    def moves(self):
        return any(step for step, _ in self.offset)

    def view(self, lines, dims, cell):
        """The name and the type of the box, as a block of `dims`."""
        n = self.name
        at = []
        for d, (step, first) in enumerate(self.offset):
            lines.append(f"%{n}f{d} = arith.constant {first} : index")
            if step:
                lines.append(f"%{n}s{d} = arith.constant {step} : index")
                lines.append(f"%{n}m{d} = arith.muli {cell}, %{n}s{d} : index")
                lines.append(f"%{n}o{d} = arith.addi %{n}m{d}, %{n}f{d} : index")
            at.append(f"%{n}o{d}" if step else f"%{n}f{d}")
        kept = sorted(dims)
        strides = self.strides()

        def text(order):
            sizes = "x".join(str(self.size[d]) for d in order)
            steps = ", ".join(str(strides[d] * self.every[d]) for d in order)
            return f"memref<{sizes}x{self.element}, strided<[{steps}], offset: ?>>"

        name = f"%{n}v"
        lines.append(f"{name} = memref.subview %{n}[{', '.join(at)}] [{', '.join(map(str, self.size))}] "
                     f"[{', '.join(map(str, self.every))}] : {self.type()} to {text(kept)}")
        if kept != list(dims):
            lines.append(f"{name}t = memref.transpose {name} (i, j) -> (j, i) : {text(kept)} to {text(dims)}")
            name += "t"
        return name, text(dims)


def kernel(sides, lines, cells):
    args = ", ".join(f"%{s.name}: {s.type()} {{tt.name = \"{s.name}\"}}" for s in sides)
    loop = f"  scf.forall (%cell) in ({cells}) {{\n" if cells > 1 else ""
    body = "".join(f"  {'  ' if cells > 1 else ''}{line}\n" for line in lines)
    end = "  }\n" if cells > 1 else ""
    return f"func.func @boxes({args}) attributes {{tt.kernel}} {{\n{loop}{body}{end}  return\n}}\n"


def pick(rng, element, rows, cols, cells, aligned, written=False):
    while True:
        try:
            side = Side(rng, "XY"[aligned], element, rows, cols, cells, aligned, written or aligned)
        except ValueError:
            continue
        bytes_ = 1
        for n in side.shape:
            bytes_ *= n
        if bytes_ < 400000 and (not aligned or cells == 1 or side.moves()):
            return side


def moves(rng):
    """A function of a block that is read and written anywhere; its cells write runs of elements."""
    element = rng.choice(("f32", "bf16"))
    rows, cols = rng.choice((1, 5, 8, 16, 32, 40, 64)), rng.choice((1, 4, 8, 16, 40, 64, 72))
    cells = rng.choice((1, 2, 3))
    x, y = pick(rng, element, rows, cols, cells, 0), pick(rng, element, rows, cols, cells, 1)
    lines = []
    a, ta = x.view(lines, (x.row, x.col), "%cell")
    c, tc = y.view(lines, (y.row, y.col), "%cell")
    lines.append(f"linalg.{rng.choice(('exp', 'abs', 'tanh'))} ins({a} : {ta}) outs({c} : {tc})")
    return f"moves {rows}x{cols} {x.type()} to {y.type()}, {cells} cells", kernel((x, y), lines, cells)


def scatter(rng):
    """The same, written where the NoC does not: tiles are read, changed and written, by one cell."""
    element = rng.choice(("f32", "bf16"))
    rows, cols = rng.choice((1, 3, 8, 20, 33)), rng.choice((1, 2, 7, 32, 35))
    x, y = pick(rng, element, rows, cols, 1, 0), pick(rng, element, rows, cols, 1, 0, written=True)
    y.name = "Y"
    lines = []
    a, ta = x.view(lines, (x.row, x.col), "%cell")
    c, tc = y.view(lines, (y.row, y.col), "%cell")
    lines.append(f"linalg.{rng.choice(('exp', 'abs'))} ins({a} : {ta}) outs({c} : {tc})")
    return f"scatter {rows}x{cols} {x.type()} to {y.type()}", kernel((x, y), lines, 1)


def products(rng):
    """Products of blocks that lie anywhere, over cells."""
    m, n, k = (rng.choice((16, 32, 40, 64)) for _ in range(3))
    cells = rng.choice((1, 2))
    x, y = pick(rng, "bf16", m, k, cells, 0), pick(rng, "bf16", k, n, cells, 0)
    y.name = "W"
    z = pick(rng, "f32", m, n, cells, 1)
    lines = ["%zero = arith.constant 0.0 : f32"]
    a, ta = x.view(lines, (x.row, x.col), "%cell")
    b, tb = y.view(lines, (y.row, y.col), "%cell")
    c, tc = z.view(lines, (z.row, z.col), "%cell")
    lines.append(f"linalg.fill ins(%zero : f32) outs({c} : {tc})")
    lines.append(f"linalg.matmul ins({a}, {b} : {ta}, {tb}) outs({c} : {tc})")
    return f"product {m}x{k}x{n} {x.type()} {y.type()} to {z.type()}, {cells} cells", kernel((x, y, z), lines, cells)


def sums(rng):
    """Sums of the rows of a block that lies anywhere: what is not of the block does not count."""
    rows, cols = rng.choice((8, 32, 40)), rng.choice((5, 16, 40, 64))
    x = pick(rng, "f32", rows, cols, 1, 0)
    lines = ["%zero = arith.constant 0.0 : f32"]
    a, ta = x.view(lines, (x.row, x.col), "%cell")
    out = f"memref<{rows}xf32>"
    lines.append(f"linalg.fill ins(%zero : f32) outs(%Y : {out})")
    lines.append(f"linalg.reduce ins({a} : {ta}) outs(%Y : {out}) dimensions = [1] (%v: f32, %s: f32) {{")
    lines.append("  %t = arith.addf %s, %v : f32")
    lines.append("  linalg.yield %t : f32")
    lines.append("}")

    class Out:
        name = "Y"

        def type(self):
            return out

    return f"sums {rows}x{cols} {x.type()}", kernel((x, Out()), lines, 1)


def scalars(rng):
    """An element of a tensor for each cell, used in a body."""
    cells, m, n, rank = rng.choice((1, 3)), rng.choice((8, 32, 40)), rng.choice((16, 32, 64)), rng.choice((1, 2))
    s = f"memref<{cells}x{'' if rank == 1 else '5x'}f32>"
    block, view = f"memref<{cells}x{m}x{n}xf32>", f"memref<{m}x{n}xf32, strided<[{n}, 1], offset: ?>>"
    lines = [f"%at = arith.constant {rng.randint(0, 4)} : index"]
    cell = "%cell" if cells > 1 else "%zero"
    lines.append("%zero = arith.constant 0 : index")
    for t in "XY":
        lines.append(f"%{t}v = memref.subview %{t}[{cell}, 0, 0] [1, {m}, {n}] [1, 1, 1] : {block} to {view}")
    lines.append(f"%s = memref.load %S[{cell}{', %at' if rank == 2 else ''}] : {s}")
    lines.append(f"%p = {rng.choice(('math.exp', 'math.absf', 'arith.negf'))} %s : f32")
    ident = "affine_map<(i, j) -> (i, j)>"
    lines.append(f"linalg.generic {{indexing_maps = [{ident}, {ident}], "
                 f"iterator_types = [\"parallel\", \"parallel\"]}} ins(%Xv : {view}) outs(%Yv : {view}) {{")
    op = rng.choice(("arith.mulf", "arith.addf", "arith.maximumf"))
    lines += ["^bb0(%a: f32, %o: f32):", f"  %t = {op} %a, %p : f32", "  linalg.yield %t : f32", "}"]

    class Tensor:
        def __init__(self, name, text):
            self.name, self.text = name, text

        def type(self):
            return self.text

    return f"scalars {block} {s}", kernel((Tensor("X", block), Tensor("S", s), Tensor("Y", block)), lines, cells)


def windows(rng):
    """Convolutions and poolings, in both layouts."""
    def size():
        return rng.choice((1, 2, 5, 8))
    kh, kw, stride, dil = rng.choice((1, 2, 3)), rng.choice((1, 3)), rng.choice((1, 1, 2)), rng.choice((1, 1, 2))
    n, oh, ow, c, f = rng.choice((1, 2)), size(), size(), rng.choice((1, 3, 8, 32)), rng.choice((4, 16))
    h, w = (oh - 1) * stride + (kh - 1) * dil + 1, (ow - 1) * stride + (kw - 1) * dil + 1
    op, x, k, y, first = rng.choice((
        ("conv_2d_nhwc_hwcf", (n, h, w, c), (kh, kw, c, f), (n, oh, ow, f), "0.0"),
        ("conv_2d_nchw_fchw", (n, c, h, w), (f, c, kh, kw), (n, f, oh, ow), "0.0"),
        ("pooling_nhwc_sum", (n, h, w, c), (kh, kw), (n, oh, ow, c), "0.0"),
        ("pooling_nchw_max", (n, c, h, w), (kh, kw), (n, c, oh, ow), "0xFF800000"),
        ("depthwise_conv_2d_nhwc_hwc", (n, h, w, c), (kh, kw, c), (n, oh, ow, c), "0.0")))

    class Tensor:
        def __init__(self, name, shape):
            self.name, self.shape = name, shape

        def type(self):
            return f"memref<{'x'.join(map(str, self.shape))}xf32>"

    x, k, y = Tensor("X", x), Tensor("W", k), Tensor("Y", y)
    lines = [f"%first = arith.constant {first} : f32", f"linalg.fill ins(%first : f32) outs(%Y : {y.type()})",
             f"linalg.{op} {{dilations = dense<{dil}> : tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}} "
             f"ins(%X, %W : {x.type()}, {k.type()}) outs(%Y : {y.type()})"]
    return f"windows {op} {x.type()} {k.type()}", kernel((x, k, y), lines, 1)


def stored(rng, text):
    """Some tensors are stored row by row; cells may share rows of those that they read."""
    names = ["X", "W", "S"] + ([] if "scf.forall" in text else ["Y"])
    for name in names:
        if rng.random() < 0.3:
            text = text.replace(f'{{tt.name = "{name}"}}',
                                f'{{tt.name = "{name}", tt.layout = {{storage = "row_major"}}}}')
    return text


def optimized(rng):
    """With the optimizations of layouts or without."""
    return ["--optimize", rng.choice(("none", "all"))]


if __name__ == "__main__":
    sys.exit(run_all((moves, scatter, products, sums, scalars, windows), stored, options=optimized))
