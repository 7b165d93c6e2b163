#!/usr/bin/env python3
"""Each file of a folder is refused with one error, at the place and in the words that its first line says.

usage: refused.py FOLDER COMMAND… : runs COMMAND with FILE and OUT in the place of these words. It must end with 1, print
one error, and leave no OUT.
"""
import os
import re
import shutil
import subprocess
import sys


def fault(path, command):
    with open(path, encoding="utf-8") as file:
        expected = re.fullmatch(r"// (\d+:\d+: error: .*)\n", file.readline()).group(1)
    out = path + ".out"
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run([{"FILE": path, "OUT": out}.get(word, word) for word in command], capture_output=True, text=True, check=False)
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    if done.returncode != 1:
        return f"ended with {done.returncode}: {done.stderr[:300]}"
    if len(errors) != 1 or f"{os.path.basename(path)}:{expected}" not in errors[0]:
        return f"expected {expected}, found {errors}"
    return "wrote something" if os.path.exists(out) or done.stdout else None


def main():
    files = sorted(f for f in os.listdir(sys.argv[1]) if f.endswith(".mlir"))
    faults = [(name, fault(os.path.join(sys.argv[1], name), sys.argv[2:])) for name in files]
    for name, text in faults:
        if text:
            print(f"{name}: {text}")
    print(f"{len(files)} files")
    sys.exit(any(text for _, text in faults) or not files)


if __name__ == "__main__":
    main()
