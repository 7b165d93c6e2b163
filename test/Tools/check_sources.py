#!/usr/bin/env python3
"""What the compiler does not check: C++ only in the bridge and the emulator's
headers, one file a pass, and a test a pass."""
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

with open(os.path.join(root, "lib/Support/passes.c"), encoding="utf-8") as file:
    rows = re.findall(r'\{"(tt-[a-z0-9-]+)", "[A-E]?\d?", \'?([A-E0])', file.read())
for flag, stage in rows:
    base = flag[3:]
    folder = f"lib/Stage{stage}" if stage != "0" else "lib/Verify"
    if not os.path.exists(os.path.join(root, folder, base.replace("-", "_") + ".c")):
        problems.append(f"--{flag} has no {folder}/{base.replace('-', '_')}.c")
    tests = [f"test/Passes/Stage{stage}/{base}.mlir", f"test/Verify/{base}.test"]
    if not any(os.path.exists(os.path.join(root, t)) for t in tests):
        problems.append(f"--{flag} has no test named after it")
if len(rows) != 15:
    problems.append(f"found {len(rows)} passes in the table, expected 15")
print("\n".join(problems) if problems else "sources are fine")
sys.exit(bool(problems))
