#!/usr/bin/env python3
"""The same input gives the same bytes: in each run, at any address, with and without threads.

usage: determinism.py EXAMPLES [NAME…]

Every example, or those named, by itself, and all kernels of theirs in one module, which threads share.
"""
import pathlib
import re
import subprocess
import sys

VARIANTS = [[], ["--mlir-disable-threading=false"], []]
STEPS = [["tt-opt", "--tt-pipeline"], ["tt-translate", "--emit-metalium"], ["tt-translate", "--emit-metalium", "--metalium-api=2025"],
         ["tt-translate", "--emit-dfg"]]


def together(paths):
    """One module of all kernels, several times: names of functions and maps get a number."""
    parts = []
    for copy in range(4):
        for n, path in enumerate(paths):
            text = re.sub(r"^module[^{]*\{(.*)\}\s*$", r"\1", re.sub(r"//.*", "", path.read_text()), flags=re.S | re.M)
            text = re.sub(r"([#@])([A-Za-z_]\w*)", lambda m: m.group() if m.group(2) in ("tt", "gpu") else f"{m.group()}_{n}_{copy}", text)
            parts.append(text)
    maps = [line for part in parts for line in part.splitlines() if line.startswith("#")]
    return "\n".join(maps + [line for part in parts for line in part.splitlines() if not line.startswith("#")])


def outputs(text):
    """What each step makes of it, the next one of what the first left."""
    compiled = None
    for step in STEPS:
        seen = set()
        for variant in VARIANTS:
            flags = variant if step[0] == "tt-opt" else []
            if step[0] != "tt-opt" and variant: continue
            done = subprocess.run([*step, *flags, "-"], input=compiled if compiled is not None else text, capture_output=True, text=True,
                                  check=False)
            if done.returncode: sys.exit(f"{' '.join(step)}: {done.stderr[:2000]}")
            seen.add(done.stdout)
        yield step, seen
        if step[0] == "tt-opt": compiled = seen.pop() if len(seen) == 1 else sys.exit(f"{' '.join(step)}: results differ")


def main():
    paths = sorted(p for p in pathlib.Path(sys.argv[1]).glob("*.mlir") if not sys.argv[2:] or p.stem in sys.argv[2:])
    texts = [(p.name, p.read_text()) for p in paths] + [("all together", together([p for p in paths if "tt.host" not in p.read_text()]))]
    total = 0
    for name, text in texts:
        for step, seen in outputs(text):
            if len(seen) > 1: sys.exit(f"{name}: {' '.join(step)} gives {len(seen)} results")
            total += 1
    print(f"{len(texts)} modules, {total} results, each the same in all runs")


if __name__ == "__main__": main()
