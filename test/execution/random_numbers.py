#!/usr/bin/env python3
"""Random kernels of numbers that must be exact: integers of 8, 16 and 32 bits in expressions, broadcast, turned and
reduced, casts between them, indices and flags; extremes, comparisons and selections of f32; where the largest of a row
is; and round trips through small floats. Each runs on a random chip in a random era, and equals its reference in every
bit.

usage: random_numbers.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all

MAPS = {"block": "(i, j) -> (i, j)", "turned": "(i, j) -> (j, i)", "col": "(i, j) -> (i)", "row": "(i, j) -> (j)"}
REDUCED = {"col": (1,), "row": (0,)}
LINES = ("andi", "ori", "xori", "muli")  # by which reductions go on line by line
BINARY = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui")
DIVISIONS = ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi")
SHIFTS = ("shli", "shrsi", "shrui")
CHOICES = ("maximumf", "minimumf")


def shape(kind, rows, cols):
    return {"block": f"{rows}x{cols}x", "turned": f"{cols}x{rows}x", "col": f"{rows}x", "row": f"{cols}x"}[kind]


def generic(maps, reduced, ins, out, arguments, lines, element):
    kinds = ", ".join(f'"{"reduction" if d in reduced else "parallel"}"' for d in range(2))
    text = ", ".join(f"affine_map<{m}>" for m in maps)
    body = "\n".join("      " + line for line in lines)
    return (f"  linalg.generic {{indexing_maps = [{text}], iterator_types = [{kinds}]}}\n"
            f"      ins({', '.join(n for n, _ in ins)} : {', '.join(t for _, t in ins)}) outs({out[0]} : {out[1]}) {{\n"
            f"    ^bb0({', '.join(arguments)}):\n{body}\n      linalg.yield %r : {element}\n  }}\n")


def integers(rng):
    """An expression of integers of one width, of operands that lie in any way, or its sum or extreme."""
    rows, cols, width = rng.choice((32, 40, 64)), rng.choice((32, 64, 70)), rng.choice((8, 16, 32, 32))
    element = f"i{width}"
    lies = [rng.choice(("block", "block", "turned", "col", "row")) for _ in range(rng.randint(1, 2))]
    lies[0] = rng.choice(("block", "block", "turned"))
    ins = [(f"%A{i}", f"memref<{shape(kind, rows, cols)}{element}>") for i, kind in enumerate(lies)]
    values, lines = [f"%a{i}" for i in range(len(ins))], []
    for step in range(rng.randint(1, 3)):
        name = f"%v{step}"
        a, b = rng.choice(values), rng.choice(values)
        if rng.random() < 0.3:
            lines.append(f"{name} = arith.{rng.choice(SHIFTS)} {a}, %shift : {element}")
        elif not any("divisor" in line for line in lines) and len(lies) == 1 and rng.random() < 0.25:
            lines.append(f"{name} = arith.{rng.choice(DIVISIONS)} {a}, %divisor : {element}")
        elif rng.random() < 0.3:
            lines.append(f"%f{step} = arith.cmpi {rng.choice(('slt', 'uge', 'eq', 'ugt'))}, {a}, {b} : {element}")
            lines.append(f"{name} = arith.select %f{step}, {a}, %number : {element}")
        else:
            lines.append(f"{name} = arith.{rng.choice(BINARY)} {a}, {b} : {element}")
        values.append(name)
    reduce = rng.choice((None, None, "addi", "maxsi", "minsi", "maxui", rng.choice(LINES)))
    result = "block" if not reduce else rng.choice(("col", "row"))
    out = ("%C", f"memref<{shape(result, rows, cols)}{element}>")
    lines.append(f"%r = arith.{reduce or 'addi'} {values[-1]}, {'%o' if reduce else '%zero'} : {element}")
    head = ", ".join(f"{n}: {t} {{tt.name = \"{n[1:]}\"}}" for n, t in ins + [out])
    text = (f"func.func @integers({head}) attributes {{tt.kernel}} {{\n"
            f"  %shift = arith.constant {rng.randrange(width)} : {element}\n"
            f"  %divisor = arith.constant {rng.choice((1, 2, 3, 7, 10, 64, 100))} : {element}\n"
            f"  %number = arith.constant {rng.randint(-100, 100)} : {element}\n"
            f"  %zero = arith.constant 0 : {element}\n")
    if reduce:
        text += f"  linalg.fill ins(%number : {element}) outs(%C : {out[1]})\n"
    reduced = REDUCED.get(result, ()) if reduce else ()
    arguments = [f"%a{i}: {element}" for i in range(len(ins))] + [f"%o: {element}"]
    text += generic([MAPS[k] for k in lies + [result]], reduced, ins, out, arguments, lines, element)
    return f"integers {rows}x{cols} {element} {' '.join(lies)} {reduce or 'map'}", text + "  return\n}\n"


def choices(rng):
    """An extreme of rows or columns of f32, and a selection by a comparison with it."""
    rows, cols = rng.choice((32, 40, 64)), rng.choice((32, 64, 70))
    along, op = rng.choice(("col", "row")), rng.choice(CHOICES)
    block, vector = f"memref<{rows}x{cols}xf32>", f"memref<{shape(along, rows, cols)}f32>"
    start = "0xFF800000" if op == "maximumf" else "0x7F800000"
    relation = rng.choice(("oeq", "une", "oge", "olt", "ugt", "ole"))
    text = (f"func.func @choices(%A: {block} {{tt.name = \"A\"}}, %B: {block} {{tt.name = \"B\"}}, "
            f"%M: {vector} {{tt.name = \"M\"}}, %C: {block} {{tt.name = \"C\"}}) attributes {{tt.kernel}} {{\n"
            f"  %start = arith.constant {start} : f32\n  %m = memref.alloc() : {vector}\n"
            f"  linalg.fill ins(%start : f32) outs(%m : {vector})\n")
    text += generic([MAPS["block"], MAPS[along]], REDUCED[along], [("%A", block)], ("%m", vector),
                    ["%a: f32", "%o: f32"], [f"%r = arith.{op} %a, %o : f32"], "f32")
    text += generic([MAPS["block"], MAPS["block"], MAPS[along], MAPS["block"]], (),
                    [("%A", block), ("%B", block), ("%m", vector)], ("%C", block),
                    ["%a: f32", "%b: f32", "%e: f32", "%o: f32"],
                    [f"%f = arith.cmpf {relation}, %a, %e : f32",
                     f"%r = arith.select %f, %b, {rng.choice(('%a', '%e'))} : f32"], "f32")
    text += f"  memref.copy %m, %M : {vector} to {vector}\n"
    return f"choices {rows}x{cols} {op} {along} {relation}", text + "  return\n}\n"


CONV = {"conv_2d_nhwc_hwcf": ((1, "h+2", "w+2", "c"), (3, 3, "c", "f"), (1, "h", "w", "f")),
        "conv_2d_nchw_fchw": ((1, "c", "h+2", "w+2"), ("f", "c", 3, 3), (1, "f", "h", "w")),
        "conv_1d_nwc_wcf": ((2, "w+2", "c"), (3, "c", "f"), (2, "w", "f")),
        "depthwise_conv_2d_nhwc_hwc": ((1, "h+2", "w+2", "c"), (3, 3, "c"), (1, "h", "w", "c"))}
PRODUCT = {"matmul": (("h", "c"), ("c", "f"), ("h", "f")), "batch_matmul": ((2, "h", "c"), (2, "c", "f"), (2, "h", "f")),
           "matvec": (("h", "c"), ("c",), ("h",)), "vecmat": (("c",), ("c", "f"), ("f",)),
           "batch_reduce_matmul": ((2, "h", "c"), (2, "c", "f"), ("h", "f"))}


def products(rng):
    """A product of matrices, or a convolution, of integers of 8, 16 or 32 bits, with sums of 32 onto what is filled or held."""
    window = rng.random() < 0.5
    op, shapes = rng.choice(list((CONV if window else PRODUCT).items()))
    size = {"h": rng.choice((2, 4) if window else (7, 32, 40)), "w": rng.choice((8, 30, 32)), "c": rng.choice((3, 32, 40)),
            "f": rng.choice((16, 32, 33))}
    size.update({"h+2": size["h"] + 2, "w+2": size["w"] + 2})
    elements = [rng.choice(("i8", "i16", "i32"))] * 2 + ["i32"]
    types = ["memref<" + "".join(f"{size.get(d, d)}x" for d in shape) + element + ">" for shape, element in zip(shapes, elements)]
    filled = rng.random() < 0.7
    head = ", ".join(f'%{n}: {t} {{tt.name = "{n}"}}' for n, t in zip("XWY", types))
    fill = f"  %number = arith.constant {rng.choice((0, 0, -3))} : i32\n  linalg.fill ins(%number : i32) outs(%Y : {types[2]})\n"
    text = (f"func.func @products({head}) attributes {{tt.kernel}} {{\n{fill if filled else ''}"
            f"  linalg.{op} ins(%X, %W : {types[0]}, {types[1]}) outs(%Y : {types[2]})\n  return\n}}\n")
    return f"{op} {' '.join(types)}{'' if filled else ', onto what is held'}", text


WIDTHS = {"i8": 8, "i16": 16, "i32": 32}
RELATIONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def cast(rng, value, kind):
    """A cast of an integer, an index or a flag, and what it gives."""
    if kind == "index":
        to = rng.choice(list(WIDTHS))
        return f"arith.{rng.choice(('index_cast', 'index_castui'))} {value} : index to {to}", to
    to = rng.choice([w for w in WIDTHS if w != kind])
    narrower = kind != "i1" and WIDTHS[to] < WIDTHS[kind]
    return f"arith.{'trunci' if narrower else rng.choice(('extui', 'extsi'))} {value} : {kind} to {to}", to


def index_sum(rng, a, b):
    """A sum, a multiple, a quotient or a rest of indices."""
    op = rng.choice((f"addi {a}, {b}", f"muli {a}, %k7", f"remui {a}, %k3", f"divui {a}, %k7"))
    return f"arith.{op} : index", "index"


def step(rng, values):
    """An op on some of `values`, which are pairs of name and type, and what it gives."""
    value, kind = rng.choice(values)
    other = rng.choice([v for v, k in values if k == kind])
    flags = [v for v, k in values if k == "i1"]
    draw = rng.random()
    if kind == "i1":
        if draw < 0.3: return f"arith.{rng.choice(('andi', 'ori', 'xori'))} {value}, {other} : i1", "i1"
        return cast(rng, value, kind)
    if draw < 0.3: return cast(rng, value, kind)
    if draw < 0.45: return f"arith.cmpi {rng.choice(RELATIONS)}, {value}, {other} : {kind}", "i1"
    if kind == "index": return index_sum(rng, value, other)
    if flags and draw < 0.6: return f"arith.select {rng.choice(flags)}, {value}, {other} : {kind}", kind
    if draw < 0.7: return f"arith.{rng.choice(SHIFTS)} {value}, %s{kind} : {kind}", kind
    if draw < 0.8: return f"arith.{rng.choice(BINARY)} {value}, %n{kind} : {kind}", kind
    return f"arith.{rng.choice(BINARY)} {value}, {other} : {kind}", kind


def casts(rng):
    """An expression of integers of several widths, of indices and of flags; as floats where these are exact."""
    rows, cols = rng.choice((32, 40, 64)), rng.choice((32, 70, 300))
    kinds = [rng.choice(list(WIDTHS)) for _ in range(rng.randint(1, 2))]
    ins = [(f"%A{i}", f"memref<{rows}x{cols}x{kind}>") for i, kind in enumerate(kinds)]
    lines = ["%i = linalg.index 0 : index", "%j = linalg.index 1 : index"]
    values = [(f"%a{i}", kind) for i, kind in enumerate(kinds)] + [("%i", "index"), ("%j", "index")]
    for n in range(rng.randint(4, 8)):
        text, kind = step(rng, values)
        lines.append(f"%v{n} = {text}")
        values.append((f"%v{n}", kind))
    result, kind = [v for v in values if v[1] in WIDTHS][-1]
    element = rng.choice((kind, "f32")) if kind != "i32" else kind
    lines.append(f"%r = arith.{rng.choice(('sitofp', 'uitofp'))} {result} : {kind} to f32" if element == "f32" else
                 f"%r = arith.ori {result}, {result} : {kind}")
    out = ("%C", f"memref<{rows}x{cols}x{element}>")
    head = ", ".join(f"{n}: {t} {{tt.name = \"{n[1:]}\"}}" for n, t in ins + [out])
    text = f"func.func @casts({head}) attributes {{tt.kernel}} {{\n"
    for width, bits in WIDTHS.items():
        text += (f"  %s{width} = arith.constant {rng.randrange(bits)} : {width}\n"
                 f"  %n{width} = arith.constant {rng.randint(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)} : {width}\n")
    text += "  %k3 = arith.constant 3 : index\n  %k7 = arith.constant 7 : index\n"
    text += generic([MAPS["block"]] * (len(ins) + 1), (), ins, out,
                    [f"%a{i}: {kind}" for i, kind in enumerate(kinds)] + [f"%o: {element}"], lines, element)
    return f"casts {rows}x{cols} {' '.join(kinds)} to {element}", text + "  return\n}\n"


def argument(rng):
    """Where the largest or the least of each row is, the first or the last of equal ones, and how much it is."""
    rows, cols, kind = rng.choice((8, 32, 40)), rng.choice((5, 32, 70)), rng.choice(("f32", "f32", "bf16", "i32", "i8"))
    largest, first, index = rng.random() < 0.5, rng.random() < 0.6, rng.choice(("i32", "i32", "index"))
    whole = kind[0] == "i"
    bits = {"f32": ("0xFF800000", "0x7F800000"), "bf16": ("0xFF80", "0x7F80"), "i32": ("-2147483648", "2147483647"),
            "i8": ("-128", "127")}
    relation = ("sgt", "slt") if whole else ("ogt", "olt")
    relation = relation[0 if largest else 1] if first else relation[0 if largest else 1][:-1] + "e"
    text = (f"func.func @argument(%X: memref<{rows}x{cols}x{kind}> {{tt.name = \"X\"}}, "
            f"%V: memref<{rows}x{kind}> {{tt.name = \"V\"}}, "
            f"%P: memref<{rows}xi32> {{tt.name = \"P\"}}) attributes {{tt.kernel}} {{\n"
            f"  %start = arith.constant {bits[kind][0 if largest else 1]} : {kind}\n"
            f"  %at = arith.constant 0 : {index}\n"
            f"  affine.parallel (%i) = (0) to ({rows}) {{\n"
            f"    %r:2 = affine.for %j = 0 to {cols} iter_args(%m = %start, %p = %at) -> ({kind}, {index}) {{\n"
            f"      %x = affine.load %X[%i, %j] : memref<{rows}x{cols}x{kind}>\n"
            f"      %is = arith.cmp{'i' if whole else 'f'} {relation}, %x, %m : {kind}\n")
    if index == "i32":
        text += "      %k = arith.index_cast %j : index to i32\n"
    text += (f"      %v = arith.select %is, %x, %m : {kind}\n"
             f"      %w = arith.select %is, {'%k' if index == 'i32' else '%j'}, %p : {index}\n"
             f"      affine.yield %v, %w : {kind}, {index}\n    }}\n"
             f"    affine.store %r#0, %V[%i] : memref<{rows}x{kind}>\n")
    if index == "index":
        text += "    %q = arith.index_cast %r#1 : index to i32\n"
    place = "%q" if index == "index" else "%r#1"
    text += f"    affine.store {place}, %P[%i] : memref<{rows}xi32>\n  }}\n  return\n}}\n"
    return f"argument {rows}x{cols}x{kind}, {relation}, {index}", text


SMALL = {"f8E4M3FN": 448.0, "f8E5M2": 57344.0, "bf16": 1e30, "f16": 60000.0}


def rounds(rng):
    """Round trips through small floats inside of bodies, and tensors of them that are read and written."""
    rows, cols = rng.choice((32, 40)), rng.choice((32, 64, 70))
    kinds = [k for k in SMALL if rng.random() < 0.4] or ["f8E4M3FN"]
    if kinds[:2] == ["f8E4M3FN", "f8E5M2"]:  # both in one body need more tiles than DST has
        kinds.pop(rng.randrange(2))
    if "f16" in kinds and len(kinds) > 1:  # a kernel of halves has DST of 16 bits
        kinds.remove("f16")
    block = lambda kind: f"memref<{rows}x{cols}x{kind}>"
    ins, lines, value = [("%X", block("f32"))], [], "%x0"
    read = rng.choice([k for k in kinds if k != "f16"] + [None])
    if read:
        ins.append(("%Q", block(read)))
        lines.append(f"%q = arith.extf %x1 : {read} to f32")
        lines.append(f"%s = arith.{rng.choice(CHOICES)} %x0, %q : f32")  # what rounds comes after what is exact
        value = "%s"
    for n, kind in enumerate(kinds):
        lines += [f"%lo{n} = arith.maximumf {value}, %low{n} : f32", f"%hi{n} = arith.minimumf %lo{n}, %high{n} : f32",
                  f"%t{n} = arith.truncf %hi{n} : f32 to {kind}", f"%e{n} = arith.extf %t{n} : {kind} to f32"]
        value = f"%e{n}"
    out = kinds[-1] if rng.random() < 0.5 and kinds[-1] != "f16" else "f32"
    lines.append(f"%r = arith.truncf {value} : f32 to {out}" if out != "f32" else f"%r = arith.negf {value} : f32")
    types = ["f32"] + [read] * bool(read)
    head = ", ".join(f"{n}: {t} {{tt.name = \"{n[1:]}\"}}" for n, t in ins + [("%C", block(out))])
    text = f"func.func @rounds({head}) attributes {{tt.kernel}} {{\n"
    for n, kind in enumerate(kinds):
        text += (f"  %low{n} = arith.constant {-SMALL[kind]:e} : f32\n"
                 f"  %high{n} = arith.constant {SMALL[kind]:e} : f32\n")
    text += generic([MAPS["block"]] * (len(ins) + 1), (), ins, ("%C", block(out)),
                    [f"%x{i}: {t}" for i, t in enumerate(types)] + [f"%o: {out}"], lines, out)
    return f"rounds {rows}x{cols} {' '.join(kinds)}, of {read or 'f32'} to {out}", text + "  return\n}\n"


if __name__ == "__main__":
    sys.exit(run_all((integers, products, casts, choices, argument, rounds), exact=True))
