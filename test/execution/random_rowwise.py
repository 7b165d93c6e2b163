"""Random kernels of broadcasts, reductions, vectors and values that are updated in place.

A unit of work is a block of rows. It holds blocks, columns (a value a row), rows (a value
a column) and scalars; each step computes one more from some of them, or updates one.
"""

MAPS = {"block": "(i, j)", "turned": "(j, i)", "col": "(i)", "row": "(j)", "scalar": "()"}
UNARY = ["math.tanh", "math.absf", "math.cos", "arith.negf"]
BINARY = ["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf", "arith.minimumf"]


class Kernel:
    def __init__(self, rng):
        self.rng = rng
        self.rows, self.cols, self.units = 32 * rng.randint(1, 2), 32 * rng.randint(1, 3), rng.randint(1, 3)
        self.element = rng.choice(["bf16", "bf16", "f32"])
        self.args, self.before, self.body, self.values, self.own = [], [], [], [], []
        self.count, self.what = 0, []

    def fresh(self, prefix="v"):
        self.count += 1
        return f"%{prefix}{self.count}"

    def shape(self, kind):
        return {"block": f"{self.rows}x{self.cols}x", "col": f"{self.rows}x", "row": f"{self.cols}x",
                "scalar": ""}[kind]

    def type(self, kind, element, space=""):
        return f"memref<{self.shape(kind)}{element}{space}>"

    def alloc(self, kind, element):
        name = self.fresh("b")
        self.body.append(f"{name} = memref.alloc() : {self.type(kind, element)}")
        return (name, kind, element, self.type(kind, element))

    def argument(self, kind):
        """An input: a block of rows of it, or all of it."""
        name = f"%A{len(self.args)}"
        element = self.element
        if kind in ("block", "col"):
            full = f"memref<{self.rows * self.units}x{f'{self.cols}x' if kind == 'block' else ''}{element}>"
            where, sizes, ones, strides = (("%m, 0", f"{self.rows}, {self.cols}", "1, 1", f"{self.cols}, 1")
                                           if kind == "block" else ("%m", f"{self.rows}", "1", "1"))
            value = self.fresh("a")
            type = f"{self.type(kind, element)[:-1]}, strided<[{strides}], offset: ?>>"
            self.body.append(f"{value} = memref.subview {name}[{where}] [{sizes}] [{ones}] : {full} to {type}")
        else:
            value, full = name, self.type(kind, element)
            type = full
        self.args.append(f"{name}: {full}")
        self.values.append((value, kind, element, type))

    def scalar_code(self, operands, old=None):
        """A body over operands in f32: its lines and its value."""
        lines, parts = [], []
        for name, _, element, _ in operands:
            wide = self.fresh("w")
            lines.append(f"{wide} = arith.extf %in_{name[1:]} : {element} to f32" if element != "f32"
                         else f"{wide} = arith.addf %in_{name[1:]}, %zero : f32")
            parts.append(wide)
        if old:
            parts.append(old)
        self.rng.shuffle(parts)
        value = parts[0]
        for part in parts[1:]:
            new = self.fresh("w")
            lines.append(f"{new} = {self.rng.choice(BINARY)} {value}, {part} : f32")
            value = new
        if self.rng.random() < 0.4:
            new = self.fresh("w")
            lines.append(f"{new} = {self.rng.choice(UNARY)} {value} : f32")
            value = new
        if self.rng.random() < 0.3:
            new, c = self.fresh("w"), self.fresh("c")
            lines.append(f"{c} = arith.constant {self.rng.choice(['0.5', '-1.25', '2.0'])} : f32")
            lines.append(f"{new} = {self.rng.choice(['arith.addf', 'arith.mulf'])} {value}, {c} : f32")
            value = new
        return lines, value

    def generic(self, operands, maps, out, out_map, iterators, lines, value, dims, reduce=None):
        name, _, element, type_ = out
        wrap = lambda m: f"affine_map<({dims}) -> {m}>"
        arguments = ", ".join([f"%in_{n[1:]}: {e}" for n, _, e, _ in operands] + [f"%old: {element}"])
        ins = ""
        if operands:
            ins = f"ins({', '.join(o[0] for o in operands)} : {', '.join(o[3] for o in operands)}) "
        text = [f"linalg.generic {{indexing_maps = [{', '.join(wrap(m) for m in maps + [out_map])}], "
                f"iterator_types = [{', '.join(iterators)}]}}",
                f"    {ins}outs({name} : {type_}) {{", f"  ^bb0({arguments}):",
                "    %zero = arith.constant 0.0 : f32"]
        text += [f"    {line}" for line in lines]
        if reduce:
            text.append(f"    %reduced = {reduce} %old, {value} : {element}")
            value = "%reduced"
        elif element != "f32":
            text.append(f"    %narrow = arith.truncf {value} : f32 to {element}")
            value = "%narrow"
        self.body += text + [f"    linalg.yield {value} : {element}", "}"]

    def pick(self, kinds, most):
        choices = [v for v in self.values if v[1] in kinds]
        return self.rng.sample(choices, min(len(choices), self.rng.randint(1, most)))

    def two_sides(self, operands):
        return [MAPS["turned"] if v[1] == "block" and self.rows == self.cols and self.rng.random() < 0.2
                else MAPS[v[1]] for v in operands]

    def elementwise(self):
        operands = self.pick(["block", "col", "row", "scalar"], 3)
        out = self.alloc("block", self.rng.choice(["f32", self.element]))
        lines, value = self.scalar_code(operands)
        self.generic(operands, self.two_sides(operands), out, "(i, j)", ['"parallel"'] * 2, lines, value, "i, j")
        self.values.append(out)
        self.own.append(out)
        self.what.append("block")

    def reduction(self):
        rng = self.rng
        operands = self.pick(["block"], 1) + (self.pick(["col", "row"], 1) if rng.random() < 0.3 else [])
        kind = rng.choice(["col", "col", "row", "scalar"])
        iterators = {"col": ['"parallel"', '"reduction"'], "row": ['"reduction"', '"parallel"'],
                     "scalar": ['"reduction"'] * 2}[kind]
        op, start = rng.choice([("arith.addf", "0.0"), ("arith.maximumf", "0xFF800000"),
                                ("arith.minimumf", "0x7F800000"), ("arith.addf", "1.5"), ("arith.maximumf", "0.25")])
        out, c = self.alloc(kind, "f32"), self.fresh("c")
        self.body.append(f"{c} = arith.constant {start} : f32")
        self.body.append(f"linalg.fill ins({c} : f32) outs({out[0]} : {out[3]})")
        lines, value = self.scalar_code(operands)
        self.generic(operands, self.two_sides(operands), out, MAPS[kind], iterators, lines, value, "i, j", op)
        if op == "arith.addf":  # a mean
            n = {"col": self.cols, "row": self.rows, "scalar": self.rows * self.cols}[kind]
            dims = "" if kind == "scalar" else "i"
            self.generic([], [], out, f"({dims})", ['"parallel"'] * (kind != "scalar"),
                         [f"%n = arith.constant {1 / n} : f32", "%mean = arith.mulf %old, %n : f32"], "%mean", dims)
        self.values.append(out)
        self.what.append(f"{op[6:]} to {kind} from {start}")

    def vectors(self):
        kind = self.rng.choice(["col", "row"])
        operands = self.pick([kind], 2)
        if not operands:
            return
        out = self.alloc(kind, "f32")
        lines, value = self.scalar_code(operands)
        self.generic(operands, ["(i)"] * len(operands), out, "(i)", ['"parallel"'], lines, value, "i")
        self.values.append(out)
        self.what.append(kind)

    def update(self):
        if not self.own:
            return
        out = self.rng.choice(self.own)
        operands = [v for v in self.pick(["block", "col", "row", "scalar"], 2) if v[0] != out[0]]
        first = [f"%was = arith.extf %old : {out[2]} to f32" if out[2] != "f32" else
                 "%was = arith.addf %old, %zero : f32"]
        lines, value = self.scalar_code(operands, "%was")
        times = self.rng.choice([1, 1, 2])
        if times > 1:
            self.body.append(f"scf.for %k{self.count} = %c0 to %c{times} step %c1 {{")
        self.generic(operands, self.two_sides(operands), out, "(i, j)", ['"parallel"'] * 2, first + lines, value,
                     "i, j")
        if times > 1:
            self.body.append("}")
        self.what.append(f"update x{times}")

    def product(self):
        """Of two square blocks, either one turned, alone or onto a block, and scaled down."""
        if self.rows != self.cols:
            return
        blocks = [v for v in self.values if v[1] == "block"]
        a, b = self.rng.choice(blocks), self.rng.choice(blocks)
        onto = [v for v in self.own if v[2] == "f32" and v[0] not in (a[0], b[0])]
        out = self.rng.choice(onto) if onto and self.rng.random() < 0.4 else None
        if not out:
            out = self.alloc("block", "f32")
            zero = self.fresh("c")
            self.body.append(f"{zero} = arith.constant 0.0 : f32")
            self.body.append(f"linalg.fill ins({zero} : f32) outs({out[0]} : {out[3]})")
            self.values.append(out)
            self.own.append(out)
        left, right = self.rng.choice(["(m, k)", "(k, m)"]), self.rng.choice(["(k, n)", "(n, k)"])
        maps = ", ".join(f"affine_map<(m, n, k) -> {m}>" for m in (left, right, "(m, n)"))
        self.body.append(f"linalg.matmul indexing_maps = [{maps}] ins({a[0]}, {b[0]} : {a[3]}, {b[3]}) "
                         f"outs({out[0]} : {out[3]})")
        if self.rng.random() < 0.5:
            self.generic([], [], out, "(i, j)", ['"parallel"'] * 2,
                         ["%s = arith.constant 0.125 : f32", "%r = arith.mulf %old, %s : f32"], "%r", "i, j")
        self.what.append(f"product {left} {right}")

    def output(self, value):
        name, kind, element, type_ = value
        out = f"%O{len(self.args)}"
        m, strides = {"block": (f"[%m, 0] [{self.rows}, {self.cols}] [1, 1]", f"[{self.cols}, 1]"),
                      "col": (f"[%m] [{self.rows}] [1]", "[1]")}[kind]
        full = {"block": f"memref<{self.rows * self.units}x{self.cols}x{element}>",
                "col": f"memref<{self.rows * self.units}x{element}>"}[kind]
        self.args.append(f"{out}: {full}")
        view, strided = self.fresh("o"), f"memref<{self.shape(kind)}{element}, strided<{strides}, offset: ?>>"
        self.body.append(f"{view} = memref.subview {out}{m} : {full} to {strided}")
        self.body.append(f"memref.copy {name}, {view} : {type_} to {strided}")

    def text(self):
        body = "\n".join(f"    {line}" for line in self.body)
        return (f"func.func @k({', '.join(self.args)}) attributes {{tt.kernel}} {{\n"
                f"  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                f"  %c2 = arith.constant 2 : index\n  %rows = arith.constant {self.rows} : index\n"
                f"  scf.forall (%unit) in ({self.units}) {{\n    %m = arith.muli %unit, %rows : index\n"
                f"{body}\n  }}\n  return\n}}\n")


def rowwise(rng):
    k = Kernel(rng)
    for kind in ["block"] + rng.sample(["block", "col", "row"], rng.randint(0, 2)):
        k.argument(kind)
    steps = [k.elementwise, k.elementwise, k.reduction, k.reduction, k.vectors, k.update, k.product]
    k.elementwise()
    for _ in range(rng.randint(1, 4)):
        rng.choice(steps)()
    columns = [v for v in k.values if v[1] == "col" and v[0].startswith("%b")]
    if columns and rng.random() < 0.6:
        k.output(rng.choice(columns))
    # Every buffer that is computed is read: by one last block.
    used = "\n".join(k.body)
    unread = [v for v in k.values if v[0].startswith("%b") and used.count(v[0] + ",") + used.count(v[0] + " ") +
              used.count(v[0] + ")") < 4]
    out = k.alloc("block", k.element)
    last = unread or [k.values[-1]]
    lines, value = k.scalar_code(last)
    k.generic(last, [MAPS[v[1]] for v in last], out, "(i, j)", ['"parallel"'] * 2, lines, value, "i, j")
    k.output(out)
    return f"rowwise {k.rows}x{k.cols} {k.element}: " + ", ".join(k.what), k.text()
