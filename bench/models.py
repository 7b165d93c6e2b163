#!/usr/bin/env python3
"""What models take on the device's clock, as a table of Markdown.

For each model of examples/models/: its kernels, the sum of their clk, the part of it that no kernels for this work
could do without (tt-run's "at least"), DRAM traffic, of which the arguments and results alone, each once, and the
relative RMS error against MLIR's JIT of the model, an evaluation in f64, and one with every op rounded to bf16; clk and traffic of the same with a kernel an op; and the time the
compiler takes an op of the model. `--write FILE` puts the table between its two marks there; with models after it, their rows, each
when it is done, in the place of those that stand there.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARKS = "<!-- bench/models.py -->", "<!-- end -->"
MAKE = os.path.join(ROOT, "examples/models/make.py")
MODELS = ["mlp", "gpt", "llama", "encoder", "vit", "experts", "bottleneck", "depthwise", "gpt tokens=256 width=512 heads=8",
          "llama tokens=256 width=512 heads=8 kv=2 hidden=1024"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def launches(path, *options):
    """(launches, clk, part that is needed, DRAM MB, errors) of tt-run's table; an error's text where there is none."""
    done = run("tt-run", path, "--no-races", *options)
    found = re.search(r"(\d+) launch(?:es)?\s+(\d+)\s+\S+\s+(\d+)%\s+([\d.]+)", done.stdout + done.stderr)
    if not found:
        error = re.search(r"error: (.*)", done.stderr + done.stdout)
        return error.group(1) if error else "no table"
    errors = []
    for against in (": max", " against f64", " against bf16"):
        rms = re.search(against + r".*relative RMS ([\d.e-]+)", done.stdout)
        errors.append(rms.group(1) if rms else "")
    return int(found[1]), int(found[2]), int(found[3]), float(found[4]), errors


BYTES = {"f32": 4, "i32": 4, "bf16": 2, "f16": 2, "i16": 2, "i8": 1}


def boundary_mb(text):
    """MB of a model's arguments and results, each once."""
    signature = re.search(r"func\.func @\w+(.*) attributes", text).group(1)
    total = 0
    for shape, element in re.findall(r"tensor<((?:\d+x)*)(\w+)>", signature):
        n = BYTES[element]
        for size in filter(None, shape.split("x")):
            n *= int(size)
        total += n
    return total / 1e6


def row(model, arch, folder):
    path = os.path.join(folder, "model.mlir")
    apart = os.path.join(folder, "apart.mlir")
    text = run(sys.executable, MAKE, *model.split()).stdout
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    ops = len(re.findall(r" = tosa\.(?!const)", text))
    start = os.times()
    run("tt-opt", "--tt-model", path, "-o", os.devnull)
    end = os.times()
    spent = end.children_user + end.children_system - start.children_user - start.children_system
    done = run("tt-opt", "--tt-model=fuse=none", path, "-o", apart)
    small = ["--input", "w_*=~0.06"] if " = tosa.matmul" in text and '"w_' in text else []
    one = launches(path, "--arch", arch, "--check", "--against=f64", "--against=bf16", *small)
    each = launches(apart, "--arch", arch) if done.returncode == 0 else done.stderr.split("error: ")[-1].splitlines()[0]
    if isinstance(one, str):
        return f"| {model} | {one} |"
    cells = [model, ops, one[0], one[1], f"{one[2]}%", f"{one[3]:.2f}", f"{boundary_mb(text):.2f}", *one[4]]
    if isinstance(each, str):
        cells += [each[:60], "", "", ""]
    else:
        cells += [each[0], each[1], f"{each[3]:.2f}", f"{each[1] / one[1]:.2f}"]
    return "| " + " | ".join(map(str, cells + [f"{1000 * spent / ops:.1f}"])) + " |"


HEAD = ("| model | ops | kernels | clk | at least | DRAM MB | arguments and results | error | of f64 | of bf16 | a kernel an op | clk | "
        "DRAM MB | slower by | ms an op to compile |\n" + "|---" * 15 + "|")


def name_of(line):
    return line.split("|")[1].strip()


def put(path, line):
    """Puts the row of a model between the marks of a file: in the place of its old one, or in the order of MODELS."""
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split(MARKS[0])
    old, after = rest.split(MARKS[1])
    rows = {name_of(r): r for r in old.strip().splitlines()[2:]}
    rows[name_of(line)] = line
    rows = [rows[m] for m in MODELS + sorted(set(rows) - set(MODELS)) if m in rows]
    columns = HEAD.splitlines()[0].count("|")
    for other in rows:
        if other.count("|") != columns:
            raise SystemExit(f"{path}: the row of {name_of(other)} has other columns than the table; measure it again, or take it out")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([before + MARKS[0], HEAD, *rows, MARKS[1]]) + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arch", default="wormhole_b0")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("models", nargs="*", default=MODELS)
    options = parser.parse_args()
    if not options.write:
        print(HEAD)
    with tempfile.TemporaryDirectory() as folder:
        for model in options.models:
            line = row(model, options.arch, folder)
            if options.write:
                put(options.write, line)
            else:
                print(line, flush=True)


if __name__ == "__main__":
    main()
