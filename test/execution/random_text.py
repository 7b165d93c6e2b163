"""Text of random kernels: lines with names, loops, and expressions of numbers."""
import re

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


def stored(rng, text, names="AXBWSGQKIL"):
    """Some tensors are stored row by row: of those that kernels only read."""
    for name in names:
        if rng.random() < 0.15 and not re.search(rf"%{name}: memref<[0-9x]*i8>", text):  # bytes are stored as tiles
            text = text.replace(f'{{tt.name = "{name}"', f'{{tt.name = "{name}", tt.layout = {{storage = "row_major"}}')
    return text
