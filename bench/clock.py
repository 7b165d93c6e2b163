#!/usr/bin/env python3
"""The emulated device's clock against published figures, side by side.

usage: bench/clock.py [--write FILE] [--most N] [dram|copy|tiles|matmul]...

Runs the programs in bench/clock and prints a table each: rates of DRAM, a copy, what compute calls
cost a tile, and matrix products of N x N x N, N up to 4096 or what --most says. The last column is
the model's figure to the published one, in what the table says. --write puts the tables into a page,
between the marks that it has for them. Sources of the published figures: the vendor's hardware
documentation (DRAM), tt-metal's dram_saturation and row_reduce_accumulate reports, its pull
requests (costs.def, vector.def), and its report of matrix products on an N150.
"""
import os
import random
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TT_RUN = os.path.join(ROOT, "build/bin/tt-run")
SAME = 0.15  # what counts as the same


def run(program, *arguments, cases=None, arch="wormhole_b0"):
    """The clk of each launch of a program, which reads `cases` from its standard input."""
    path = os.path.join(ROOT, "bench/clock", program)
    command = [TT_RUN, "--math=fast", "--no-races", f"--arch={arch}", path, *arguments]
    result = subprocess.run(command, input="\n".join(cases or []) + "\n", capture_output=True, text=True, check=False)
    clks = [int(clk) for clk in re.findall(r"(\d+) clk on", result.stderr)]
    if result.returncode != 0 or not clks:
        sys.exit(f"{' '.join(command)} failed:\n{result.stderr[-2000:]}")
    return clks


def row(label, model, published, why=""):
    ratio = model / published
    if abs(ratio - 1) > SAME and not why:
        why = "no reason known"
    note = f" {why} |" if abs(ratio - 1) > SAME else " |"
    return f"| {label} | {model:.1f} | {published:g} | {ratio:.2f} |{note}"


# ---- DRAM ----


class Chip:
    """Where cores and banks are, of lib/Target/chips.def."""

    def __init__(self, name="wormhole_b0"):
        with open(os.path.join(ROOT, "lib/Target/chips.def"), encoding="utf-8") as file:
            text = re.search(rf"CHIP\({name},(.*?)(?:CHIP\(|\Z)", file.read(), re.S).group(1)
        numbers = lambda field: [int(n) for n in re.findall(r"\d+", re.search(field + r" = (\{.*?\}),\s+\.", text, re.S).group(1))]
        self.x, self.y = numbers("worker_x"), numbers("worker_y")
        banks = numbers("bank_at")
        self.banks = list(zip(banks[::2], banks[1::2]))
        self.w, self.h = (int(re.search(rf"noc_{a} = (\d+)", text).group(1)) for a in "xy")

    def way(self, core, bank, noc, reads):
        """The links between a core and a bank, as emulator/src/route.c has them."""
        start, end = (self.x[core[0]], self.y[core[1]]), self.banks[bank]
        (x, y), to, links = (end, start, []) if reads else (start, end, [])
        step = 1 if noc == 0 else -1
        for axis in (0, 1) if noc == 0 else (1, 0):
            while (x, y)[axis] != to[axis]:
                links.append((axis, x, y))
                x, y = ((x + step) % self.w, y) if axis == 0 else (x, (y + step) % self.h)
        return links


def random_pairs(chip, n, rng):
    cores = rng.sample([(x, y) for x in range(8) for y in range(8)], n)
    banks = [i % len(chip.banks) for i in range(n)]
    rng.shuffle(banks)
    return list(zip(cores, banks))


def chosen_pairs(chip, n, noc, reads, rng):
    """Pairs whose ways share links as little as can be found."""
    best = None
    for _ in range(60):
        free, load, pairs = {(x, y) for x in range(8) for y in range(8)}, {}, []
        banks = [i % len(chip.banks) for i in range(n)]
        rng.shuffle(banks)
        for bank in banks:
            cost = lambda core: (sorted((load.get(k, 0) for k in chip.way(core, bank, noc, reads)), reverse=True), rng.random())
            core = min(sorted(free), key=cost)
            free.remove(core)
            pairs.append((core, bank))
            for link in chip.way(core, bank, noc, reads):
                load[link] = load.get(link, 0) + 1
        worst = max(load.values())
        if best is None or worst < best[0]:
            best = (worst, pairs)
    return best[1]


# Cores, pairing, channel: GB/s read on NoC 0, on NoC 1, written on NoC 0, on NoC 1
DRAM = [(12, "chosen", "static", (265.5, 265.3, 261.3, 262.0)), (12, "random", "static", (189.8, 82.1, 56.5, 154.5)),
        (48, "chosen", "static", (267.5, 267.5, 263.7, 256.2)), (48, "random", "static", (200.3, 78.2, 52.3, 133.7)),
        (48, "random", "dynamic", (197.1, 77.5, 18.2, 54.5))]
ONE_BANK = [(1, "static", (22.25, 21.9)), (12, "static", (22.25, 21.9)), (12, "dynamic", (22.25, 7.35))]
DRAWS = 8
ONE_DRAW = f"published of one drawing; here the mean of {DRAWS}, which lie up to a third apart"


def dram():
    chip, rng, cases, lines = Chip(), random.Random(5), [], []
    for n, pairing, channel, published in DRAM:
        draws = [random_pairs(chip, n, rng) for _ in range(DRAWS)]
        for i, gbs in enumerate(published):
            reads, noc = i < 2, i % 2
            of = draws if pairing == "random" else [chosen_pairs(chip, n, noc, reads, rng)]
            label = f"{n} cores, {pairing}, {'read' if reads else 'written'} on NoC {noc}" + (", dynamic" if channel == "dynamic" else "")
            lines.append((label, n, gbs, len(of), ONE_DRAW if pairing == "random" else ""))
            cases += [case(n, reads, noc, channel, pairs) for pairs in of]
    for n, channel, published in ONE_BANK:
        pairs = [(core, 3) for core, _ in random_pairs(chip, n, rng)]
        for reads, gbs in zip((True, False), published):
            label = f"{n} to one bank, {'read' if reads else 'written'}" + (", dynamic" if channel == "dynamic" else "")
            lines.append((label, n, gbs, 1, ""))
            cases.append(case(n, reads, 0 if reads else 1, channel, pairs))
    clks = run("dram.cpp", cases=cases)
    yield "| transfers of 8 KiB, 1 MiB a core | GB/s here | published | ratio | |\n|---|---|---|---|---|"
    for label, n, gbs, draws, why in lines:
        mean = sum(n * (1 << 20) / clk for clk in clks[:draws]) / draws
        del clks[:draws]
        yield row(label, mean, gbs, why)


def case(n, reads, noc, channel, pairs):
    ends = " ".join(f"{x} {y} {bank}" for (x, y), bank in pairs)
    return f"{'read' if reads else 'write'} {noc} {channel} {n} {ends}"


def copy():
    clk, = run("copy.cpp")
    yield "| copy of 2048² bf16, interleaved, 64 cores | GB/s here | published | ratio | |\n|---|---|---|---|---|"
    yield row("read and written", 2 * 2048 * 2048 * 2 / clk, 194, "")


# ---- Tiles ----

UNARY, BINARY = "compute_kernel_hw_startup(0, 16); ", "compute_kernel_hw_startup(0, 1, 16); "
REVERSE = "compute_kernel_hw_startup<SrcOrder::Reverse>(0, 1, 16); "
PACK = "pack_tile(i, 16)"
# Chip, label, published, tiles a section, what tiles.cpp reads
TILES = [
    ("wormhole_b0", "`add_tiles` bf16", 65, 8, f"HiFi4 bf16 bf16 0 8 8 0 {BINARY}add_init(0, 1)|add_tiles(0, 1, i, i, i)|{PACK}"),
    ("wormhole_b0", "`add_tiles` f32", 131, 4, f"HiFi4 f32 f32 1 4 4 0 {BINARY}add_init(0, 1)|add_tiles(0, 1, i, i, i)|{PACK}"),
    ("blackhole", "`mul_tiles` bf16, HiFi4", 82.6, 8, f"HiFi4 bf16 bf16 0 8 8 0 {BINARY}mul_init(0, 1)|mul_tiles(0, 1, i, i, i)|{PACK}"),
    ("wormhole_b0", "`reduce_tile`, rows, HiFi4", 156, 8,
     f"HiFi4 bf16 bf16 0 8 1 0 {BINARY}reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 16)|reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, i, 0, 0)|{PACK}"),
    ("wormhole_b0", "added to L1, with the copy, bf16", 85, 8, f"HiFi4 bf16 bf16 0 8 8 1 {UNARY}copy_init(0); pack_reconfig_l1_acc(1)|copy_tile(0, i, i)|pack_tile<true>(i, 16, i)"),
    ("wormhole_b0", "the same, f32", 144, 4, f"HiFi4 f32 f32 1 4 4 1 {UNARY}copy_init(0); pack_reconfig_l1_acc(1)|copy_tile(0, i, i)|pack_tile<true>(i, 16, i)"),
    ("blackhole", "the same, f32, at most", 81, 4, f"HiFi4 f32 f32 1 4 4 1 {UNARY}copy_init(0); pack_reconfig_l1_acc(1)|copy_tile(0, i, i)|pack_tile<true>(i, 16, i)"),
    ("wormhole_b0", "`matmul_block` 1x4, K of 1, HiFi2, bf16 to bfp8", 49, 4,
     f"HiFi2 bf16 bfp8 0 1 4 0 {REVERSE}matmul_block_init(0, 1, 0, 4, 1, 1)|matmul_block(0, 1, 0, 0, 0, 0, 4, 1, 1)|{PACK}"),
    ("blackhole", "`matmul_block` 1x8 in attention, K of 128, HiFi2", 36.9, 32, f"HiFi2 bf16 bf16 0 4 0 0 {REVERSE}matmul_block_init(0, 1, 0, 8, 1, 1)|matmul_block(0, 1, 0, 0, 0, 0, 8, 1, 1)|"),
    ("wormhole_b0", "`exp_tile` bf16", 1161, 1, f"HiFi4 bf16 bf16 0 1 0 0 {UNARY}exp_tile_init()|exp_tile(0)|"),
    ("wormhole_b0", "`exp_tile<true>`", 107, 8, f"HiFi4 bf16 bf16 0 8 0 0 {UNARY}exp_tile_init<true>()|exp_tile<true>(0)|"),
    ("wormhole_b0", "`recip_tile`", 1091, 1, f"HiFi4 bf16 bf16 0 1 0 0 {UNARY}recip_tile_init()|recip_tile(0)|"),
    ("wormhole_b0", "`tanh_tile`", 792, 1, f"HiFi4 bf16 bf16 0 1 0 0 {UNARY}tanh_tile_init()|tanh_tile(0)|"),
    ("blackhole", "`exp_tile` bf16", 672, 1, f"HiFi4 bf16 bf16 0 1 0 0 {UNARY}exp_tile_init()|exp_tile(0)|"),
    ("blackhole", "`rsqrt_tile`", 1010, 1, f"HiFi4 bf16 bf16 0 1 0 0 {UNARY}rsqrt_tile_init()|rsqrt_tile(0)|"),
    ("blackhole", "`gelu_tile<false>`", 2847, 1, f"HiFi4 bf16 bf16 0 1 0 0 {UNARY}gelu_tile_init<false>()|gelu_tile<false>(0)|"),
]
for chip_name, formats in (("wormhole_b0", {"bf16 bf16": 61, "bf16 f32": 92, "f32 bf16": 74, "f32 f32": 107, "bf16 bfp8": 40, "f32 bfp8": 74}),
                           ("blackhole", {"bf16 bf16": 72, "bf16 f32": 105, "f32 bf16": 132, "f32 f32": 132, "bf16 bfp8": 60, "f32 bfp8": 132})):
    for pair, clk_a_tile in formats.items():
        TILES.append((chip_name, f"`tilize_block`, {pair.replace(' ', ' to ')}", clk_a_tile, 8, f"HiFi4 {pair} 0 0 8 0 {UNARY}tilize_init(0, 8, 16)|tilize_block(0, 8, 16)|"))
for chip_name, bf16_clk, f32_clk in (("wormhole_b0", 52, 84), ("blackhole", 112, 144)):  # the vendor's formula of instructions
    for name, wide, clk_a_tile in (("bf16", 0, bf16_clk), ("f32", 1, f32_clk)):
        TILES.append((chip_name, f"`pack_untilize_dest`, 4 tiles, {name}", clk_a_tile, 4,
                      f"HiFi4 {name} {name} {wide} 4 4 0 {UNARY}copy_init(0); pack_untilize_dest_init<4>(16)|copy_tile(0, i, i)|"
                      "if (i == 0) pack_untilize_dest<4>(16)"))
for k, per_tile in ((256, 35.27), (512, 34.53)):
    TILES.append(("blackhole", f"`matmul_block` 1x8 in attention, K of {k}, HiFi2", per_tile, k // 4,
                  f"HiFi2 bf16 bf16 0 {k // 32} 0 0 {REVERSE}matmul_block_init(0, 1, 0, 8, 1, 1)|matmul_block(0, 1, 0, 0, 0, 0, 8, 1, 1)|"))


def functions(chip, **figures):
    """Calls of the vector unit, eight a section: label, published, init and call."""
    for name, (clk_a_tile, call) in figures.items():
        init, call = call.split("|")
        TILES.append((chip, f"`{name}`", clk_a_tile, 8, f"HiFi4 bf16 bf16 0 8 0 0 {UNARY}{init}|{call}|"))


functions("wormhole_b0", addcmul_tile=(346, "addcmul_tile_init()|addcmul_tile<DataFormat::Float16_b>(0, 1, 2, 0, 0x3f800000)"),
          ceil_tile=(568, "rounding_op_tile_init()|ceil_tile(0)"), floor_tile=(568, "rounding_op_tile_init()|floor_tile(0)"),
          frac_tile=(504, "rounding_op_tile_init()|frac_tile(0)"), trunc_tile=(440, "rounding_op_tile_init()|trunc_tile(0)"),
          cos_tile=(1022, "cos_tile_init()|cos_tile(0)"), sin_tile=(894, "sin_tile_init()|sin_tile(0)"),
          div_binary_tile=(1475, "div_binary_tile_init()|div_binary_tile(0, 1, 0)"),
          erfinv_tile=(3164, "erfinv_tile_init()|erfinv_tile(0)"), exp2_tile=(1177, "exp2_tile_init()|exp2_tile(0)"),
          hardsigmoid_tile=(483, "hardsigmoid_tile_init()|hardsigmoid_tile(0)"), i0_tile=(1417, "i0_tile_init()|i0_tile(0)"),
          relu_max_tile=(491, "relu_max_tile_init()|relu_max_tile(0, 0x3f800000)"), silu_tile=(1432, "silu_tile_init()|silu_tile(0)"))
functions("blackhole", abs_tile=(146, "abs_tile_init()|abs_tile(0)"), abs_tile_int32=(150, "abs_tile_init()|abs_tile_int32(0)"),
          add_int_tile=(193, "add_int_tile_init()|add_int_tile<DataFormat::Int32>(0, 1, 0)"),
          sub_int_tile=(193, "sub_int_tile_init()|sub_int_tile<DataFormat::Int32>(0, 1, 0)"),
          add_unary_tile_int32=(169, "binop_with_scalar_tile_init()|add_unary_tile_int32(0, 3)"),
          addcmul_tile=(330, "addcmul_tile_init()|addcmul_tile<DataFormat::Float16_b>(0, 1, 2, 0, 0x3f800000)"),
          atan_tile=(1672, "atan_tile_init()|atan_tile(0)"),
          bitwise_and_binary_tile=(193, "binary_bitwise_tile_init()|bitwise_and_binary_tile<DataFormat::Int32>(0, 1, 0)"),
          bitwise_not_tile=(135, "bitwise_not_tile_init()|bitwise_not_tile(0)"),
          ceil_tile=(476, "rounding_op_tile_init()|ceil_tile(0)"), floor_tile=(476, "rounding_op_tile_init()|floor_tile(0)"),
          fill_tile_int=(120, "fill_tile_init()|fill_tile_int<DataFormat::Int32>(0, 3)"),
          identity_tile=(124, "identity_tile_init()|identity_tile(0)"), recip_tile=(1202, "recip_tile_init()|recip_tile(0)"),
          sigmoid_tile=(1247, "sigmoid_tile_init()|sigmoid_tile(0)"), tanh_tile=(764, "tanh_tile_init()|tanh_tile(0)"),
          **{"exp_tile<true>": (94, "exp_tile_init<true>()|exp_tile<true>(0)"),
             "gelu_tile<true>": (221, "gelu_tile_init<true>()|gelu_tile<true>(0)"),
             "tanh_tile<true>": (160, "tanh_tile_init<true>()|tanh_tile<true>(0)")})
HALF_RATE = "as if rows of 4 bytes an element came at half the rate, which nothing else confirms"
TILE_WHY = {"`tilize_block`, bf16 to bfp8": "faster than the packer takes tiles by its own measurements: the vendor's table does not say how",
            "`tilize_block`, f32 to bf16": HALF_RATE, "`tilize_block`, f32 to f32": HALF_RATE, "`tilize_block`, f32 to bfp8": HALF_RATE}


def tiles():
    yield "| chip | call | clk a tile here | published | ratio | |\n|---|---|---|---|---|---|"
    for arch in ("wormhole_b0", "blackhole"):
        mine = [case for case in TILES if case[0] == arch]
        clks = run("tiles.cpp", arch=arch, cases=[case[4] for case in mine])
        for i, (_, label, published, per_section, _) in enumerate(mine):
            model = (clks[2 * i + 1] - clks[2 * i]) / 64 / per_section
            yield f"| {arch} " + row(label, model, published, TILE_WHY.get(label, ""))


# ---- Products ----

PRODUCTS = {"bf16 HiFi4": {512: 20.0, 1024: 46.4, 2048: 52.6, 4096: 50.5}, "bf16 HiFi2": {512: 20.6, 1024: 58.3, 2048: 78.7, 4096: 69.3},
            "bfp8 HiFi2": {512: 24.6, 1024: 78.2, 2048: 100.2, 4096: 96.0}}
LAUNCH = 3500  # clk between two launches, in the published figures, which the host timed: fitted at 512
SLOWER = "the chip slows down from 2048³ to 4096³ and nothing here does: clocks under power, pages of DRAM"


def matmul(most):
    yield f"| product | N | clk here | TFLOP/s with {LAUNCH} clk a launch | published | ratio | |\n|---|---|---|---|---|---|---|"
    for kind, published in PRODUCTS.items():
        for n, tflops in published.items():
            if n > most:
                continue
            form, fidelity = kind.split()
            clk, = run("matmul.cpp", str(n), fidelity, form)
            yield f"| {kind} | {n} | {clk} " + row("", 2 * n ** 3 / (clk + LAUNCH) * 1e-3, tflops, SLOWER if n > 2048 else "")[3:]


def main():
    arguments = sys.argv[1:]
    page = arguments[arguments.index("--write") + 1] if "--write" in arguments else None
    most = int(arguments[arguments.index("--most") + 1]) if "--most" in arguments else 4096
    tables = {"dram": dram, "copy": copy, "tiles": tiles, "matmul": lambda: matmul(most)}
    for name in [a for a in arguments if a in tables] or tables:
        text = "\n".join(tables[name]()) + "\n"
        print(text, flush=True)
        if page:
            with open(page, encoding="utf-8") as file:
                old = file.read()
            new = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m: m.group(1) + text + m.group(2), old, flags=re.S)
            with open(page, "w", encoding="utf-8") as file:
                file.write(new)


if __name__ == "__main__":
    main()
