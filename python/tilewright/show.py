"""tt-tilelang --show: the lines of a kernel, and beside each what became of it in every stage.

    18 | for k in T.Pipelined(3, num_stages=3):  | scf.for %k = %c0 to %c3 step %c1

Ops know the line that they come from (their locations); what belongs to no line of the file is left out."""

import os
import re
import subprocess

from .errors import TileError
from .mlir import module

#: Name, what it is, and the passes that make it of level 1.
STAGES = (
    ("level1", "Level 1: linalg on blocks", None),
    ("level2", "Level 2: tiles and circular buffers", ("--tt-stage-a", "--tt-stage-b", "--tt-stage-c")),
    ("level3", "Level 3: the protocol, in reader, compute and writer", ("--tt-pipeline",)),
)
NAMES = ["all"] + [name for name, _, _ in STAGES]
#: Ops that say nothing about the stage.
QUIET = re.compile(r"\b(arith\.constant|tt\.yield|scf\.yield|linalg\.yield|return)\b")
LEFT, RIGHT = 90, 96  # columns of both sides, at most


def show(tt_opt, function, filename, which):
    """The text of all stages, or of one."""
    level1 = module.write(function)
    with open(filename, encoding="utf-8") as file:
        source = file.read().splitlines()
    parts = []
    for name, title, passes in STAGES:
        if which in ("all", name):
            text = through(tt_opt, level1, passes)
            parts.append(f"{title}\n\n" + beside(source, os.path.basename(filename), text))
    return "\n".join(parts)


def through(tt_opt, text, passes):
    if passes is None:
        return text
    words = [tt_opt, "--mlir-print-debuginfo", *passes]
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        # Places in the Python file, as tt-opt prints them.
        raise TileError(f"{' '.join(passes)} refuses this kernel:\n{done.stderr.strip()}")
    return done.stdout


def beside(source, name, text):
    """Lines of the source, each with its ops; lines without any stand alone between the first and the last."""
    found = {}
    for line, op in ops(text, name):
        found.setdefault(line, []).append(op)
    if not found:
        return "(no op of this stage comes from a line of the file)\n"
    lines = range(min(found), min(max(found), len(source)) + 1)
    width = min(LEFT, 7 + max(len(source[n - 1].expandtabs(4)) for n in lines))
    rows = []
    for number in lines:
        code = source[number - 1].expandtabs(4)
        shown = merged(found.get(number, []))
        for i, op in enumerate(shown or [""]):
            left = f"{number:4} | {code}" if i == 0 else "     |"
            row = f"{cut(left, width):{width}} | {cut(op, RIGHT)}"
            rows.append(row if op else row.rstrip(" |"))
    return "\n".join(rows) + "\n"


def merged(found):
    """Ops in order, with a count where one stands several times in a row."""
    result = []
    for op in found:
        if result and result[-1][0] == op:
            result[-1][1] += 1
        else:
            result.append([op, 1])
    return [op if n == 1 else f"{op}  ({n} times)" for op, n in result]


def ops(text, name):
    """(line, op) of all ops that come from the file, in the order of the module."""
    places = dict(re.findall(r"^(#\w+) = (loc\(.*\))$", text, re.M))

    def line_of(place, depth=0):
        direct = re.search(r'"(?:[^"]*/)?' + re.escape(name) + r'":(\d+):', place)
        if direct:
            return int(direct.group(1))
        for alias in re.findall(r"#\w+", place):
            line = line_of(places.get(alias, ""), depth + 1) if depth < 8 else None
            if line:
                return line
        return None

    role, opened, found = "", [], []
    for raw in text.splitlines():
        stripped = raw.strip()
        if raw.startswith("#") or not stripped:
            continue
        kernel = re.match(r"tt\.kernel @(\w+)", stripped)
        if kernel:
            role = kernel.group(1) + ": "
        place = re.search(r" (loc\((?:[^()]|\([^()]*\))*\))$", stripped)
        op = stripped[: place.start()] if place else stripped
        if not place and not op.endswith("{") and QUIET.search(op):
            continue
        if not place and not op.startswith("}") and not op.startswith("^"):
            # The place of an op with a region stands behind its end; an op may go over several lines.
            if opened and opened[-1][3]:
                opened[-1][1] += " " + op
            else:
                opened.append([len(found), op, role, True])
                found.append(None)
            opened[-1][3] = not op.endswith("{")
            continue
        if op.startswith("}"):
            if not opened or op.startswith("} else"):
                continue
            at, op, at_role, _ = opened.pop()
            if place and not op.startswith(("module", "func.func", "tt.program", "tt.kernel", "tt.core_args")):
                found[at] = line_of(place.group(1)), at_role + short(op)
            continue
        if place and not op.startswith("^") and not QUIET.search(op):
            found.append((line_of(place.group(1)), role + short(op)))
    return [pair for pair in found if pair and pair[0]]


def short(op):
    """An op without its types and the bodies' beginnings."""
    op = re.sub(r"^%[\w, :%]+ = ", lambda m: "" if m.group(0).count("%") > 2 else m.group(0), op)
    op = re.sub(r" : [^()]*(?:\([^()]*\)[^()]*)*(?=\))", "", op)
    op = re.sub(r" attributes \{.*$| \{tt\.var = [^}]*\}| \{$", "", op)
    op = re.sub(r" : .*$", "", op)
    return re.sub(r" loc\([^()]*\)", "", op)


def cut(text, width):
    return text if len(text) <= width else text[: width - 1] + "…"
