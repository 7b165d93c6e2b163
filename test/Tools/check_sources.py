#!/usr/bin/env python3
"""What the compiler does not check: C++ only in the bridge and the emulator's
headers, one file a pass, and a test a pass."""
import glob
import os
import re
import sys

root = sys.argv[1]
problems = []
cxx = re.compile(r"^\s*(namespace|template\s*<|class |using |std::)", re.M)
for folder in ("lib", "tools", "include"):
    for path, _, files in os.walk(os.path.join(root, folder)):
        for name in files:
            if "Bridge" in path or not name.endswith((".c", ".h")):
                continue
            with open(os.path.join(path, name), encoding="utf-8") as file:
                if cxx.search(file.read()):
                    problems.append(f"{path}/{name}: C++ outside lib/Bridge")

with open(os.path.join(root, "lib/Passes/passes.def"), encoding="utf-8") as file:
    rows = re.findall(r'PASS\((\w+), "tt-([a-z0-9-]+)"', file.read())
for name, flag in rows:
    if name != flag.replace("-", "_") or not glob.glob(f"{root}/lib/*/**/{name}.c", recursive=True):
        problems.append(f"--tt-{flag} has no file {flag.replace('-', '_')}.c in lib")
    if not any(glob.glob(f"{root}/test/*/**/{flag}.{kind}", recursive=True) for kind in ("mlir", "test")):
        problems.append(f"--tt-{flag} has no test named after it")
if not rows:
    problems.append("found no passes in lib/Passes/passes.def")

# A folder includes only what stands before it: no circles, and no way up.
order = ["Support", "Target", "Dialect", "Analysis", "Passes", "Verify", "Transforms", "Emit", "Run", "Bridge"]
inside = ["Layout", "Partition", "Tile", "Raise", "Split", "Protocol", "Optimize", "Model"]


def place(path):
    parts = path.split("/")
    if parts[0] == "Transforms" and len(parts) > 2:
        return order.index("Transforms"), inside.index(parts[1])
    return order.index(parts[0]), 0


lib = os.path.join(root, "lib")
for path in glob.glob(f"{lib}/**/*.[ch]*", recursive=True):
    own = os.path.relpath(path, lib)
    if "/" not in own:
        continue
    with open(path, encoding="utf-8") as file:
        includes = re.findall(r'^#include "([^"]+)"', file.read(), re.M)
    for include in includes:
        if ".." in include.split("/"):
            problems.append(f"lib/{own} includes {include}: name it from lib")
        if include.split("/")[0] in order and place(include) > place(own):
            problems.append(f"lib/{own} includes {include}: {include.split('/')[0]} stands above it")

# The tables are the device's as well, which has nothing of LLVM.
for path in glob.glob(f"{lib}/Target/*.[chd]*") + glob.glob(f"{root}/emulator/src/*.[ch]"):
    with open(path, encoding="utf-8") as file:
        for include in re.findall(r'^#include ["<]([^">]+)[">]', file.read(), re.M):
            if include.startswith(("mlir", "llvm")) or (
                    include.startswith("tilewright/") and not include.startswith("tilewright/eras.")):
                problems.append(f"{os.path.relpath(path, root)} includes {include}: it is to be free of LLVM")

print("\n".join(problems) if problems else "sources are fine")
sys.exit(bool(problems))
