"""What a library exports is what its public headers declare, each with a comment.

usage: exports.py LIBRARY PATTERN HEADER...

A name that is exported and not declared, or declared and not exported, is an error; of what is
linked into a library it exports mlir-c alone. PATTERN is that of the library's own names; those with
two underscores are the compiler's, which it calls."""

import pathlib
import re
import subprocess
import sys


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {name for name in (line.split()[-1].split("@")[0] for line in lines.splitlines())
            if not re.fullmatch(r"mlir[A-Z]\w+|__(?:tsan|wrap)_\w+", name)}


def declared(text, pattern):
    """Functions and data that text declares and does not define."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"(?m)^\s*#.*(\\\n.*)*$", "", text)
    text = text.replace('extern "C" {', "")
    while re.search(r"\{[^{}]*\}", text):  # bodies of functions, structures and enums
        text = re.sub(r"\{[^{}]*\}", "@", text)
    functions = re.findall(rf"\b({pattern})\s*\([^@;]*\)[^@;(]*(?:__attribute__[^;@]*)?;", text)
    data = re.findall(rf"\bextern\b[^;@(]*?\b({pattern})(?:\[\])?;", text)
    return set(functions + data)


def uncommented(text, pattern):
    """Groups of declarations, between blank lines, without any comment."""
    groups = re.split(r"\n\s*\n", text)
    return [name for group in groups if "/*" not in group and "static inline" not in group
            for name in sorted(declared(group, pattern))]


def main():
    library, pattern, *headers = sys.argv[1:]
    texts = [pathlib.Path(header).read_text() for header in headers]
    wanted = set().union(*(declared(text, pattern) for text in texts))
    has = exported(library)
    wrong = [f"exported, but in no header: {name}" for name in sorted(has - wanted)]
    wrong += [f"declared, but not exported: {name}" for name in sorted(wanted - has)]
    for text in texts:
        wrong += [f"declared without a comment: {name}" for name in uncommented(text, pattern)]
    print("\n".join(wrong + [f"{len(wanted)} names, {len(wrong)} wrong"]))
    sys.exit(bool(wrong))


main()
