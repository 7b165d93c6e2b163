#!/usr/bin/env python3
"""What attention models take against the sum of rooflines over groups of ops that stand here, and against a kernel an op.

usage: bench/rooflines.py [--arch ARCH] [--most RATIO] [--faster RATIO] [--bounds] [MODEL NAME=NUMBER…]
       bench/rooflines.py --write docs/models.md [MODEL NAME=NUMBER…]

A group is a product with what follows it element by element, an attention, or a norm. Its roofline is the larger of two
bounds: what it reads and writes, each tensor once, at 267 B/clk (Blackhole 320); and the engine's time on the busiest core,
with each unit of work whole on a core: of products 64 clk a tile in HiFi4, of sums and products of elements what the
matrix engine takes, of functions the vector unit's fastest form for values of 32 bits (lib/Target/costs.def, vector.def).
Groups and units are those of this file, whatever the compiler makes of the model. Without a model: all of the table.
--bounds prints the groups alone, and runs nothing. With --most and --faster, the exit status says whether all models are
within them; with --most alone, no kernel an op is run. --write puts the table of all models on both chips between its marks,
or makes the row of one model again.
"""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAKE = os.path.join(ROOT, "examples/models/make.py")
CHIPS = {"wormhole_b0": (267, 64, 3), "blackhole": (320, 130, 5)}  # B/clk, cores, column of vector.def
MODELS = [
    "gpt tokens=512 width=1024 heads=16",
    "llama tokens=512 width=1024 heads=16 kv=4 hidden=2816",
    "llama tokens=128 width=2048 heads=32 kv=8 hidden=8192",
    "encoder batch=1 tokens=512 width=1024 heads=16 hidden=4096",
    "vit image=384 width=768 heads=12 hidden=3072 classes=1000",
    "vit width=768 heads=12 hidden=3072 classes=1000",
    "gpt tokens=256 width=512 heads=8",
    "llama tokens=256 width=512 heads=8 kv=2 hidden=1024",
    "encoder batch=1 tokens=256 width=512 heads=8 hidden=2048",
    "gpt", "llama", "encoder", "vit"]
MARKS = ("<!-- bench/rooflines.py -->", "<!-- end of bench/rooflines.py -->")
HEAD = ("| model | rooflines | clk | times the sum | a kernel an op | slower by | Blackhole: rooflines | clk | times the sum | a kernel an op | slower by |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|")
PRODUCT = 64  # clk a tile in HiFi4


def rows_of(name, kind):
    """The rows of a table of costs: name to figures."""
    with open(os.path.join(ROOT, "lib/Target", name), encoding="utf-8") as file:
        found = re.findall(rf"^{kind}\((\w+), (?:\".*?\", )?([\d, ]+)", file.read(), flags=re.M)
    return {n: [int(x) for x in figures.split(",") if x.strip()] for n, figures in found}


class Chip:
    def __init__(self, arch):
        self.rate, self.cores, column = CHIPS[arch]
        self.vector = {n: figures[column - 2] for n, figures in rows_of("vector.def", "VECTOR").items()}
        self.math = {n: figures[3] for n, figures in rows_of("costs.def", "MATH").items()}


def tiles(n):
    return -(-n // 32)


class Group:
    """Elements and bytes of each of what it reads and writes; units of work, and clk of one."""

    def __init__(self, name, moved, units, clk):
        self.name, self.bytes, self.units, self.clk = name, sum(n * size for n, size in moved), units, clk

    def bounds(self, chip):
        return self.bytes / chip.rate, math.ceil(self.units / chip.cores) * self.clk


def product(chip, name, m, k, n, outs, more=(), adds=1, functions=(), shared=1, batch=1):
    """`shared` products of rows (m, k) and weights (n, k), and what is done with each tile of a result. A unit is a tile."""
    each = (tiles(k) * PRODUCT + adds * chip.math["add"]) * shared + sum(chip.vector[f] for f in functions)
    moved = [(batch * m * k, 2), (shared * n * k, 2), (batch * m * n * (shared if outs[0] else 1), outs[1])] + list(more)
    return Group(name, moved, batch * tiles(m) * tiles(n), each)


def norm(chip, name, m, n, size, centered, more=(), batch=1):
    """A unit is a tile, since rows may be dealt to several cores; a row's root is found where its tile is."""
    m_ = chip.math
    sums = 2 if centered else 1
    clk = m_["mul"] + sums * m_["reduce_row"] + m_["mul_bcast_col"] + m_["mul"]
    clk += (m_["add_bcast_col"] + m_["add"]) if centered else 0
    return Group(name, [(batch * m * n, 4), (batch * m * n, size), ((2 if centered else 1) * n, 4)] + list(more),
                 batch * tiles(m) * tiles(n), clk)


def attention(chip, name, queries, keys, d, heads, kv=None, mask=False, batch=1):
    """A unit is 32 queries of a head."""
    m = chip.math
    score = 2 * tiles(d) * PRODUCT + m["reduce_row"] + chip_max(m) + m["add_bcast_col"] + chip.vector["EXP"] + (m["add"] if mask else 0)
    clk = tiles(keys) * score + chip.vector["RECIP"] + tiles(d) * m["mul_bcast_col"]
    moved = [(batch * 2 * queries * d * heads, 2), (batch * 2 * keys * d * (kv or heads), 2)] + ([(queries * keys, 4)] if mask else [])
    return Group(name, moved, batch * heads * tiles(queries), clk)


def chip_max(costs):
    return costs["reduce_row"] * 108 // 156  # maxima are as fast as in LoFi


GELU = ("ERF", "MUL_DST")
SILU = ("SILU", "MUL_DST")


def gpt(chip, tokens=128, width=256, heads=4):
    t, w = tokens, width
    residual = [(t * w, 4)]
    return [norm(chip, "norm", t, w, 2, True),
            product(chip, "queries, keys, values", t, w, w, (True, 2), shared=3),
            attention(chip, "attention", t, t, w // heads, heads, mask=True),
            product(chip, "out, sum", t, w, w, (True, 4), residual, 2),
            norm(chip, "norm", t, w, 2, True),
            product(chip, "up, gelu", t, w, 4 * w, (True, 2), functions=GELU),
            product(chip, "down, sum", t, 4 * w, w, (True, 4), residual, 2)]


def llama(chip, tokens=128, width=256, heads=4, kv=2, hidden=512):
    t, w, d = tokens, width, width // heads
    residual, turns = [(t * w, 4)], [(2 * t * d, 4)]
    return [norm(chip, "norm", t, w, 2, False),
            product(chip, "queries, turned", t, w, w, (True, 2), turns, 3),
            product(chip, "keys, turned", t, w, kv * d, (True, 2), turns, 3),
            product(chip, "values", t, w, kv * d, (True, 2), adds=0),
            attention(chip, "attention", t, t, d, heads, kv, mask=True),
            product(chip, "out, sum", t, w, w, (True, 4), residual),
            norm(chip, "norm", t, w, 2, False),
            product(chip, "gate, up, silu", t, w, hidden, (False, 2), adds=0, functions=SILU, shared=2),
            product(chip, "down, sum", t, hidden, w, (True, 4), residual)]


def encoder(chip, batch=2, tokens=50, width=128, heads=2, hidden=256, layers=2):
    t, w, groups = tokens, width, []
    residual = [(batch * t * w, 4)]
    both = [(batch * t * w, 2)]  # of a norm: what is added to later, and what is multiplied
    groups.append(norm(chip, "words, places, norm", t, w, 4, True, [(t * w, 4)] + both, batch))
    for i in range(layers):
        groups += [product(chip, f"queries, keys, values {i}", t, w, w, (True, 2), shared=3, batch=batch),
                   attention(chip, f"attention {i}", t, t, w // heads, heads, batch=batch),
                   product(chip, f"out, sum {i}", t, w, w, (True, 4), residual, 2, batch=batch),
                   norm(chip, f"norm {i}", t, w, 4, True, both, batch),
                   product(chip, f"up, gelu {i}", t, w, hidden, (True, 2), functions=GELU, batch=batch),
                   product(chip, f"down, sum {i}", t, hidden, w, (True, 4), residual, 2, batch=batch),
                   norm(chip, f"norm {i}", t, w, 4, True, both if i + 1 < layers else [], batch)]
    return groups


def vit(chip, image=224, patch=16, width=128, heads=2, hidden=256, classes=10):
    n, w = (image // patch) ** 2, width
    t = n + 1
    residual = [(t * w, 4)]
    return [product(chip, "patches", n, 3 * patch * patch, w, (True, 4)),
            norm(chip, "class, places, norm", t, w, 2, True, [(t * w, 4), (t * w, 4)]),
            product(chip, "queries, keys, values", t, w, w, (True, 2), shared=3),
            attention(chip, "attention", t, t, w // heads, heads),
            product(chip, "out, sum", t, w, w, (True, 4), residual, 2),
            norm(chip, "norm", t, w, 2, True),
            product(chip, "up, gelu", t, w, hidden, (True, 2), functions=GELU),
            product(chip, "down, sum", t, hidden, w, (True, 4), residual, 2),
            norm(chip, "norm of the class", 1, w, 2, True),
            product(chip, "head", 1, w, classes, (True, 4))]


def print_groups(model, groups, chip):
    print(f"{model}: group, clk of DRAM, clk of the engine, units of work")
    total = 0
    for group in groups:
        dram, engine = group.bounds(chip)
        total += max(dram, engine)
        print(f"  {group.name:<24} {dram:>8.0f} {engine:>8.0f} {group.units:>6}  {'DRAM' if dram >= engine else 'engine'}")
    print(f"  {'sum of the larger ones':<24} {total:>8.0f}")
    return total


def clk_of(path, *options):
    done = subprocess.run(["tt-run", path, "--no-races", "--math=fast", *options], capture_output=True, text=True, check=False)
    found = re.search(r"\d+ launch(?:es)?\s+(\d+)\s", done.stdout)
    if done.returncode or not found:
        sys.exit(f"{path}: {done.stderr or done.stdout}")
    return int(found[1])


def measure(model, arch, folder, both):
    """Clk of the model, and of the same with a kernel an op, where `both` are asked for."""
    path, apart = os.path.join(folder, "model.mlir"), os.path.join(folder, "apart.mlir")
    with open(path, "w", encoding="utf-8") as file:
        subprocess.run([sys.executable, MAKE, *model.split()], stdout=file, check=True)
    if not both:
        return clk_of(path, "--arch", arch), None
    subprocess.run(["tt-opt", "--tt-model=fuse=none", path, "-o", apart], check=True)
    return clk_of(path, "--arch", arch), clk_of(apart, "--arch", arch)


def groups_of(model, chip):
    name, *sizes = model.split()
    make = {"gpt": gpt, "llama": llama, "encoder": encoder, "vit": vit}[name]
    return make(chip, **{k: int(v) for k, v in (s.split("=") for s in sizes)})


def cells(model, arch):
    """Of a row of the table, what is of a chip."""
    least = sum(max(group.bounds(Chip(arch))) for group in groups_of(model, Chip(arch)))
    with tempfile.TemporaryDirectory() as folder:
        clk, apart = measure(model, arch, folder, True)
    return f"{least:.0f} | {clk} | {clk / least:.2f} | {apart} | {apart / clk:.2f}"


def write(path, models):
    """The table, of which the rows of `models` are made again."""
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split(MARKS[0])
    old, after = rest.split(MARKS[1])
    rows = {row.split("|")[1].strip(): row for row in old.splitlines()[3:] if row}
    for model in models:
        rows[model] = f"| {model} | " + " | ".join(cells(model, arch) for arch in CHIPS) + " |"
        print(rows[model], flush=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([before + MARKS[0], HEAD, *(rows[m] for m in MODELS if m in rows), MARKS[1]]) + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", default="wormhole_b0", choices=CHIPS)
    parser.add_argument("--most", type=float, default=math.inf)
    parser.add_argument("--faster", type=float, default=0)
    parser.add_argument("--bounds", action="store_true")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("model", nargs="*")
    options = parser.parse_args()
    models = [" ".join(options.model)] if options.model else MODELS
    if options.write:
        return write(options.write, models)
    chip, ok = Chip(options.arch), True
    for model in models:
        least = print_groups(model, groups_of(model, chip), chip)
        if options.bounds:
            continue
        with tempfile.TemporaryDirectory() as folder:
            clk, apart = measure(model, options.arch, folder, options.faster > 0 or options.most == math.inf)
        faster = f", {apart / clk:.2f} times as fast as a kernel an op ({apart})" if apart else ""
        print(f"  {'clk':<24} {clk:>8}  {clk / least:.2f} times the sum{faster}", flush=True)
        ok = ok and clk <= options.most * least and (not apart or apart >= options.faster * clk)
    sys.exit(not ok)


if __name__ == "__main__":
    main()
