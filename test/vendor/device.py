"""Programs of the vendor's kernels, with data and references, for scripts/vendor-run.

A tensor here is a Matrix: rows of numbers, in tiles or row by row, in a format. A Program collects
what test/vendor/host.cpp reads, runs it, and gives back what the device wrote.
"""
import math
import os
import pathlib
import random
import re
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# As tt::DataFormat numbers them, and bytes of an element.
FORMATS = {"fp32": (0, 4, "f"), "bf16": (5, 2, "H"), "int32": (8, 4, "i"), "uint16": (9, 2, "H"), "uint32": (24, 4, "I")}


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def bf16(x):
    """Rounded to bf16."""
    b = bits(x)
    return struct.unpack("<f", struct.pack("<I", (b + 0x7FFF + (b >> 16 & 1)) & 0xFFFF0000))[0]


def pair(x):
    """Two of a bf16 in a word, as readers of the vendor take scalars."""
    return bits(bf16(x)) >> 16 | bits(bf16(x)) >> 16 << 16


def randoms(rows, columns, low=-1.0, high=1.0, seed=1):
    generator = random.Random(seed)
    return [[bf16(generator.uniform(low, high)) for _ in range(columns)] for _ in range(rows)]


def integers(rows, columns, low, high, seed=1):
    generator = random.Random(seed)
    return [[generator.randint(low, high) for _ in range(columns)] for _ in range(rows)]


def constant(x, rows=32, columns=32):
    return [[x] * columns for _ in range(rows)]


def padded(m, height=32, width=32, fill=0.0):
    rows = [list(r) + [fill] * (-len(r) % width) for r in m]
    return rows + [[fill] * len(rows[0]) for _ in range(-len(m) % height)]


def elements(m, layout):
    """Numbers in the order of memory."""
    if layout == "rows":
        return [x for row in m for x in row]
    out = []
    for tr in range(0, len(m), 32):
        for tc in range(0, len(m[0]), 32):
            for face in range(4):
                r0, c0 = tr + face // 2 * 16, tc + face % 2 * 16
                for r in range(r0, r0 + 16):
                    out += m[r][c0:c0 + 16]
    return out


def matrix(numbers, rows, columns, layout):
    if layout == "rows":
        return [numbers[r * columns:(r + 1) * columns] for r in range(rows)]
    m = [[0] * columns for _ in range(rows)]
    at = 0
    for tr in range(0, rows, 32):
        for tc in range(0, columns, 32):
            for face in range(4):
                r0, c0 = tr + face // 2 * 16, tc + face % 2 * 16
                for r in range(r0, r0 + 16):
                    m[r][c0:c0 + 16] = numbers[at:at + 16]
                    at += 16
    return m


def encode(numbers, fmt):
    if fmt == "bf16":
        return struct.pack(f"<{len(numbers)}H", *(bits(bf16(x)) >> 16 for x in numbers))
    return struct.pack(f"<{len(numbers)}{FORMATS[fmt][2]}", *numbers)


def decode(data, fmt):
    if fmt == "bf16":
        words = struct.unpack(f"<{len(data) // 2}H", data)
        return list(struct.unpack(f"<{len(words)}f", struct.pack(f"<{len(words)}I", *(w << 16 for w in words))))
    return list(struct.unpack(f"<{len(data) // FORMATS[fmt][1]}{FORMATS[fmt][2]}", data))


class Failed(Exception):
    """What the run said, or how its results differ."""


class Program:
    def __init__(self, sdk, folder):
        self.sdk, self.folder = sdk, pathlib.Path(folder)
        self.lines, self.tensors, self.filled, self.drained, self.kernels = [], {}, [], [], []

    def line(self, *words):
        self.lines.append(" ".join(str(w) for w in words))

    def cores(self, x0, y0, x1, y1):
        self.line("cores", x0, y0, x1, y1)

    def tensor(self, name, m=None, fmt="bf16", layout="tiles", shape=None, memory="dram", shards=None, page=None):
        """A tensor with these rows, or of this shape and to be read afterwards. `shards`: rows and columns
        of a shard, in pages, which are tiles or rows unless `page` says how many bytes."""
        rows, columns = (len(m), len(m[0])) if m else shape
        size = FORMATS[fmt][1]
        page = page or (1024 * size if layout == "tiles" else columns * size)
        pages = rows * columns * size // page
        self.tensors[name] = (rows, columns, fmt, layout, page, pages)
        if shards:
            across = columns // 32 if layout == "tiles" else 1
            self.line("shards", name, page, pages // across, across, *shards)
        else:
            self.line("tensor", name, memory, page, pages)
        if m:
            file = self.folder / f"{name}.bin"
            file.write_bytes(encode(elements(m, layout), fmt))
            self.line("load", name, file)
        else:
            self.line("save", name, self.folder / f"{name}.bin")

    def cb(self, index, pages, fmt="bf16", page=None, on=None):
        number, size, _ = FORMATS[fmt]
        self.line("cb", index, pages, page or 1024 * size, number, on or "")

    def kernel(self, role, path, args=(), run=(), defines=None, named=None, options=(), common=(), runs=None):
        """`path` below the operations of the SDK, or a file of this folder. Runtime arguments on all
        cores, or `runs` by core."""
        own = HERE / path
        full = own if own.exists() else self.sdk / path
        if not full.exists():
            full = self.sdk / "ttnn/cpp/ttnn/operations" / path
        if not full.exists():
            raise Failed(f"there is no kernel '{path}'")
        if full != own:
            self.kernels.append(str(full.relative_to(self.sdk)))
        self.line("kernel", role, full)
        self.line("args", *args)
        for name, value in (named or {}).items():
            self.line("named", name, value)
        for name, value in (defines or {}).items():
            self.line("define", name, value)
        for option in options:
            self.line("option", option)
        if runs:
            for (x, y), words in runs.items():
                self.line("run", x, y, *words)
        else:
            self.line("run", "*", *run)
        if common:
            self.line("common", *common)

    def fill(self, cb, name, m, fmt="bf16", layout="tiles", page=None):
        """A tensor that is loaded as a whole into a circular buffer of its size."""
        self.tensor(name, m, fmt, layout, page=page)
        *_, page, pages = self.tensors[name]
        self.cb(cb, pages, fmt, page)
        self.filled.append((cb, f"@{name}", pages, page))

    def drain(self, cb, name, shape, fmt="bf16", layout="tiles", page=None):
        """A tensor that is stored from a circular buffer of its size."""
        self.tensor(name, None, fmt, layout, shape, page=page)
        *_, page, pages = self.tensors[name]
        self.cb(cb, pages, fmt, page)
        self.drained.append((cb, f"@{name}", pages, page))

    def cbs(self, *pages, fmt="bf16"):
        """Circular buffers that only the compute kernel uses: (index, pages)…"""
        for index, n in pages:
            self.cb(index, n, fmt)

    def move(self):
        """The kernels that fill and drain."""
        for role, path, moves in (("reader", "fill.cpp", self.filled), ("writer", "drain.cpp", self.drained)):
            if moves:
                name = moves[0][1][1:]
                self.kernel(role, path, [f":{name}"], [len(moves), *(w for move in moves for w in move)])

    def run(self, arch="wormhole_b0", seed=1):
        description = self.folder / "description.txt"
        description.write_text("\n".join(self.lines) + "\n")
        command = [str(ROOT / "build/bin/tt-run"), "--metalium-api=2026-03", f"--arch={arch}", f"--seed={seed}",
                   str(HERE / "host.cpp"), str(description)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300,
                                  env={**os.environ, "TT_METAL_HOME": str(self.sdk)}, check=False)
        except subprocess.TimeoutExpired:
            raise Failed("does not end in 300 s") from None
        self.said = done.stdout + done.stderr
        if done.returncode != 0:
            found = re.findall(r"error: .*", self.said)
            raise Failed(found[0] if found else f"exit status {done.returncode}")
        self.warned = sorted(set(re.findall(r"warning: \[(rule \d+)\]", self.said)))

    def result(self, name):
        rows, columns, fmt, layout, *_ = self.tensors[name]
        return matrix(decode((self.folder / f"{name}.bin").read_bytes(), fmt), rows, columns, layout)


def same(found, expected, what="the result"):
    """Bit for bit."""
    for r, (a, b) in enumerate(zip(found, expected, strict=True)):
        for c, (x, y) in enumerate(zip(a, b, strict=True)):
            if x != y:
                raise Failed(f"{what} at ({r}, {c}) is {x}, expected {y}")


def close(found, expected, tolerance=0.01, what="the result"):
    """By the root of the mean square, relative to the expected values'."""
    error = norm = 0.0
    for a, b in zip(found, expected, strict=True):
        for x, y in zip(a, b, strict=True):
            error += (x - y) ** 2
            norm += y * y
    ratio = math.sqrt(error / norm) if norm else math.sqrt(error)
    if not ratio <= tolerance:  # nan as well
        raise Failed(f"{what} is off by {ratio:.3g} of its root mean square, {tolerance} at most")


def product(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def transposed(m):
    return [list(row) for row in zip(*m)]


def tiles_across(m):
    """Its tiles in order of columns, as a matrix of the other shape whose tiles are these."""
    rows = [m[r:r + 32] for r in range(0, len(m), 32)]
    return [sum((block[r] for block in ([line[c:c + 32] for line in b] for b in rows)), [])
            for c in range(0, len(m[0]), 32) for r in range(32)]


def elementwise(f, *matrices):
    return [[f(*xs) for xs in zip(*rows)] for rows in zip(*matrices)]
