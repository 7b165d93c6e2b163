#!/usr/bin/env python3
"""Random kernels with random layouts: each tensor in DRAM or L1, interleaved or sharded, in any order of
shards and some in block floats; each kernel in mode global or local_shard. Each runs on both chips and
matches its reference, or is refused with one located error.

usage: random_layouts.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary that says how many were
refused. The exit status is 0 if every kernel matched or was refused, and no more than a third were.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

from random_common import ARCHS, ERAS, command_line, write
from random_kernels import elementwise, gemm, sums
from random_rowwise import rowwise

ARGUMENT = r'%(\w+): memref<((?:\d+x)*)(bf16|f16|f32|i32)>( \{tt\.name = "\w+"\})?'
EXAMPLES = ["softmax", "causal_attention", "batched_gemm", "scores", "linear_attention", "cumsum", "cross_entropy"]


def example(rng):
    name = rng.choice(EXAMPLES)
    examples = os.path.join(os.path.dirname(__file__), "..", "..", "examples")
    with open(os.path.join(examples, name + ".mlir"), encoding="utf-8") as file:
        return name, file.read()


OPS = ["linalg.exp", "linalg.tanh", "linalg.abs", "linalg.square"]


def program(rng):
    """A host function: kernels in a row, with tensors between them that stay on the device."""
    rows, cols, kernels = 32 * rng.randint(1, 6), 32 * rng.randint(1, 6), rng.randint(2, 3)
    shape, text, calls, seen = f"{rows}x{cols}", "", "", []
    matrix = f"memref<{shape}xbf16>"
    like = {}
    tensors = [layout(rng, [rows, cols], "bf16", (rows // 32, cols // 32), like, True) for _ in range(kernels + 1)]
    for i in range(kernels):
        br, bc = (32 * rng.choice([d for d in (1, 1, 1, 2, 3) if size // 32 % d == 0]) for size in (rows, cols))
        local = any('memory = "L1", layout = "sharded"' in t for t in tensors[i:i + 2]) and rng.random() < 0.5
        block = f"memref<{br}x{bc}xbf16, strided<[{cols}, 1], offset: ?>>"
        op = rng.choice(OPS)
        wide = any(s.startswith("square") for s in seen) and "bfp8_b" in tensors[i + 1]  # small ones beside large ones are lost
        if op == "linalg.exp" and (wide or any(s.startswith("exp") for s in seen)):  # would multiply what is rounded between
            op = "linalg.tanh"
        seen.append(f"{op[7:]} {br}x{bc}{' local' if local else ''}")
        views = "".join(f"    %{name.lower()} = memref.subview %{name}[%m, %n] [{br}, {bc}] [1, 1] : "
                        f"{matrix} to {block}\n" for name in "XY")
        mode = ', tt.partition_mode = "local_shard"' if local else ""
        text += (f'func.func @k{i}(%X: {matrix} {{tt.name = "X"}}, %Y: {matrix} {{tt.name = "Y"}}) '
                 f"attributes {{tt.kernel{mode}}} {{\n"
                 f"  scf.forall (%m, %n) = (0, 0) to ({rows}, {cols}) step ({br}, {bc}) {{\n{views}"
                 f"    {op} ins(%x : {block}) outs(%y : {block})\n  }}\n  return\n}}\n")
        target = "%C" if i == kernels - 1 else f"%t{i}"
        if i < kernels - 1:
            calls += f"  {target} = memref.alloc() {{tt.layout = {tensors[i + 1]}}} : {matrix}\n"
        source = "%A" if i == 0 else f"%t{i - 1}"
        calls += f"  call @k{i}({source}, {target}) : ({matrix}, {matrix}) -> ()\n"
    text += (f'func.func @main(%A: {matrix} {{tt.name = "A", tt.layout = {tensors[0]}}}, '
             f'%C: {matrix} {{tt.name = "C", tt.layout = {tensors[-1]}}}) attributes {{tt.host}} {{\n'
             f'{calls}  return\n}}\n')
    return f"program of {kernels} kernels, {shape}: {', '.join(seen)}", text


def cut(rng, tiles, cells, most):
    """Number of tiles of a shard, and of shards, along a side: at best whole units of work."""
    sizes = [s for s in range(1, tiles + 1) if -(-tiles // s) <= most]
    whole = [s for s in sizes if tiles % s == 0 and cells and cells % (tiles // s) == 0]
    size = rng.choice(whole if whole and rng.random() < 0.8 else sizes)
    return size, -(-tiles // size)


def shards(rng, shape, grid, memory):
    """nd_shard for a tensor, or None where it has less than two dimensions."""
    rows, cols = -(-shape[-2] // 32), -(-shape[-1] // 32)
    most = rng.choice([(8, 8), (8, 1), (1, 8)]) if memory == "L1" else rng.choice([(4, 2), (8, 1), (1, 8), (2, 4)])
    sm, gm = cut(rng, rows, grid[0], most[0])
    sn, gn = cut(rng, cols, grid[1], most[1])
    order = rng.choice(["row_major"] * 3 + ["match_shard", "block_linear"])
    axes = [f'"A{i}"' for i in range(len(shape) - 2)] + ['"M"', '"N"']
    outer = [1] * (len(shape) - 2)
    if outer and any(s > 1 for s in shape[:-2]):
        return None
    return (f"nd_shard = {{axes = [{', '.join(axes)}], grid = {outer + [gm, gn]}, "
            f"shard_shape_elems = {outer + [32 * sm, 32 * sn]}, order = \"{order}\"}}")


def layout(rng, shape, element, grid, like, allowed):
    fields = []
    memory = rng.choice(["DRAM", "L1"])
    fields.append(f'memory = "{memory}"')
    if len(shape) >= 2 and rng.random() < 0.6:
        key = (tuple(shape), memory)
        nd = like.get(key) if rng.random() < 0.8 else None
        nd = nd or shards(rng, shape, grid, memory)
        if nd:
            like[key] = nd
            fields += ['layout = "sharded"', nd]
    if allowed and element != "i32" and rng.random() < 0.2:
        fields.append(f'dtype = "{rng.choice(["bfp8_b", "bf16", "fp32"])}"')
    return "{" + ", ".join(fields) + "}"


def with_layouts(rng, text):
    extents = re.search(r"scf\.forall \(([^)]*)\) in \(([^)]*)\)", text)
    grid = (1, 1)
    if extents:
        sizes = [int(s) for s in extents.group(2).split(",")]
        grid = (sizes[-2] if len(sizes) > 1 else sizes[0], sizes[-1] if len(sizes) > 1 else 1)
    like, floats, local = {}, rng.random() < 0.5, rng.random() < 0.5
    brace = re.search(r"\)\s*attributes \{", text).group()
    head, _, rest = text.partition(brace)
    args = [match[:3] for match in re.findall(ARGUMENT, head)]
    shapes = {name: [int(d) for d in dims.split("x") if d] for name, dims, _ in args}
    last = args[-1][0]
    local &= len(shapes[last]) >= 2
    own = shards(rng, shapes[last], grid, "L1") if local else None

    def annotate(match):
        name, dims, element = match.groups()[:3]
        chosen = layout(rng, shapes[name], element, grid, like, floats)
        if own and (name == last or (shapes[name] == shapes[last] and rng.random() < 0.7)):
            chosen = '{memory = "L1", layout = "sharded", ' + own + "}"
        elif own and 'memory = "L1", layout = "sharded"' in chosen:
            chosen = '{memory = "DRAM"}'
        return f'%{name}: memref<{dims}{element}> {{tt.name = "{name}", tt.layout = {chosen}}}'

    head = re.sub(ARGUMENT, annotate, head)
    mode = 'tt.partition_mode = "local_shard", ' if own else ""
    return head + brace + mode + rest, bool(mode)


def run(path, arch, era):
    done = subprocess.run(["tt-run", path, "--check", "--arch", arch, "--metalium-api", era],
                          capture_output=True, text=True, check=False)
    refused = re.findall(r"^\S+\.mlir:\d+:\d+: error: .*$", done.stderr, re.M)
    if done.returncode == 0:
        return "matches", ""
    if len(refused) == 1 and len(re.findall("error:", done.stderr)) == 1:
        return "refused", refused[0]
    return "FAIL", done.stdout + done.stderr[-3000:]


def main():
    seed, count, keep, kinds = command_line((gemm, elementwise, sums, rowwise, example, program))
    results = {"matches": 0, "refused": 0, "FAIL": 0}
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(count):
            rng = random.Random(seed * 1000 + i)
            what, text = rng.choice(kinds)(rng)
            local = False
            if "tt.host" not in text:
                text, local = with_layouts(rng, text)
            path = write(rng, keep or scratch, i, text, canonical=0.2)
            era = rng.choice(ERAS)
            verdicts = [run(path, arch, era) for arch in ARCHS]
            result = max((v for v, _ in verdicts), key=["matches", "refused", "FAIL"].index)
            results[result] += 1
            print(f"{result} seed {seed} kernel {i} {era}{' local_shard' if local else ''}: {what}", flush=True)
            for _, message in verdicts:
                if message:
                    print("  " + message)
    print(f"{results['matches']} match, {results['refused']} are refused, {results['FAIL']} fail (seed {seed})")
    return results["FAIL"] > 0 or 3 * results["refused"] > count


if __name__ == "__main__":
    sys.exit(main())
