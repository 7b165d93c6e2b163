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


def attributes(name, limits=None):
    """Of an argument: its name, and what integers may be, a pair."""
    return f'{{tt.name = "{name}"' + (f", tt.range = [{limits[0]}, {limits[1]}]" if limits else "") + "}"


def kernel(name, arguments, text):
    """Arguments are names and types, and perhaps what integers may be, a pair or None."""
    args = ", ".join(f"%{n}: {t} {attributes(n, *limits)}" for n, t, *limits in arguments)
    return f"func.func @{name}({args}) attributes {{tt.kernel}} {{\n" + "\n".join(text.lines) + "\n  return\n}\n"


def expression(rng, text, values, row, col, divided=False):
    """A number of some of `values`, perhaps with a choice by the indices."""
    v = rng.choice(values)
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.4:
            op = rng.choice(UNARY)
            if op == "math.exp":  # of a product of rounded numbers it would be off by as much as these are large
                v = text.value(f"math.tanh {v} : f32")
            v = text.value(f"{op} {v} : f32")
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


def opened(text, line):
    text.add(line)
    text.depth += 1


def close(text, times=1):
    for _ in range(times):
        text.depth -= 1
        text.add("}")


def otherwise(text):
    """The other side of the branch that is open."""
    text.depth -= 1
    opened(text, "} else {")


def open_branch(text, flag, kind):
    """Opens a branch that gives a number, whose name it returns."""
    result = text.name()
    opened(text, f"{result} = scf.if {flag} -> ({kind}) {{")
    return result


def end_branch(text, value, other, kind):
    """The branch gives `value`, and on its other side `other`."""
    text.add(f"scf.yield {value} : {kind}")
    otherwise(text)
    text.add(f"scf.yield {other} : {kind}")
    close(text)


def carry(text, var, size, carried, start, kind="f32"):
    """Opens a loop that carries a number, whose last value it returns."""
    result = text.name()
    opened(text, f"{result} = affine.for {var} = 0 to {size} iter_args({carried} = {start}) -> ({kind}) {{")
    return result


def end_carry(text, value, kind="f32"):
    text.add(f"affine.yield {value} : {kind}")
    close(text)


def end_product(text, total, x, y, kind="f32"):
    """The step of a loop that carries a sum of products, and the loop's end."""
    letter = "i" if kind[0] == "i" else "f"
    product = text.value(f"arith.mul{letter} {x}, {y} : {kind}")
    end_carry(text, text.value(f"arith.add{letter} {total}, {product} : {kind}"), kind)


def widened(text, values, kind):
    """Numbers of a small float type, as f32."""
    return [text.value(f"arith.extf {v} : {kind} to f32") if kind != "f32" else v for v in values]


def stored(rng, text, names="AXBWSGQKILCY"):
    """Some tensors are stored row by row, results as well."""
    for name in names:
        if rng.random() < 0.15 and not re.search(rf"%{name}: memref<[0-9x]*i8>", text):  # bytes are stored as tiles
            start = f'{{tt.name = "{name}"'
            if f"{start}, tt.layout" not in text:
                text = text.replace(start, f'{start}, tt.layout = {{storage = "row_major"}}')
    return text
