#!/usr/bin/env python3
"""C and C++ sources are as the pinned formatter makes them: .clang-format beside or above each.

usage: check_format.py ROOT CLANG_FORMAT
"""
import pathlib
import subprocess
import sys

root, formatter = pathlib.Path(sys.argv[1]), sys.argv[2]
FOLDERS = ("lib", "include", "tools", "emulator", "test", "examples", "bench", "cmake")
KINDS = (".c", ".h", ".cpp", ".hpp")

files = sorted(str(path) for folder in FOLDERS for path in (root / folder).rglob("*")
               if path.suffix in KINDS and path.is_file())
done = subprocess.run([formatter, "--dry-run", "-Werror", *files], capture_output=True, text=True,
                      check=False)
wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "error:" in line})
for path in wrong:
    print(f"{path} is not formatted: run clang-format-22 -i on it")
print(f"{len(files) - len(wrong)} of {len(files)} sources are formatted")
sys.exit(bool(wrong) or done.returncode != 0 or not files)
