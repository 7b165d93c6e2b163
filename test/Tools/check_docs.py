#!/usr/bin/env python3
"""Runs the shell commands that README and docs/ show, and the kernel that README
shows; commands that build or install are left out."""
import os
import re
import subprocess
import sys
import tempfile

root, build = sys.argv[1], sys.argv[2]
failed = []
skipped = re.compile(r"scripts/|cmake|ctest|mlir-opt-22|MLIR_DIR")
expected_to_fail = re.compile(r"read-barrier")

pages = ["README.md"] + [os.path.join("docs", f) for f in sorted(os.listdir(os.path.join(root, "docs")))
                         if f.endswith(".md")]
count = 0
with tempfile.TemporaryDirectory() as scratch:
    for page in pages:
        with open(os.path.join(root, page), encoding="utf-8") as file:
            text = file.read()
        for block in re.findall(r"```sh\n(.*?)```", text, re.S):
            for line in block.replace("\\\n", " ").splitlines():
                if not line.strip() or skipped.search(line):
                    continue
                # /tmp first: the build may itself be below it
                line = line.replace("/tmp/", scratch + "/").replace("| less", "> /dev/null")
                line = line.replace("build/bin", os.path.join(build, "bin"))
                run = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=root, capture_output=True,
                                     text=True, check=False)
                count += 1
                if (run.returncode == 0) == bool(expected_to_fail.search(line)):
                    failed.append(f"{page}: {line}\n{run.stderr}")
        for block in re.findall(r"```mlir\n(func.*?)```", text, re.S):
            kernel = os.path.join(scratch, "kernel.mlir")
            with open(kernel, "w", encoding="utf-8") as file:
                file.write(block)
            run = subprocess.run([os.path.join(build, "bin", "tt-run"), kernel, "--check"], capture_output=True,
                                 text=True, check=False)
            count += 1
            if run.returncode != 0:
                failed.append(f"{page}: the kernel shown there\n{run.stdout}{run.stderr}")
print("\n".join(failed) if failed else f"all documented commands work ({count})")
sys.exit(bool(failed))
