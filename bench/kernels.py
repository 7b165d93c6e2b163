#!/usr/bin/env python3
"""What emitted kernels reach of what the chip allows, on the emulated device's clock.

usage: bench/kernels.py [--write FILE] [--most N] [--only REGEX]

Runs products, elementwise kernels, row kernels, attention and shards with all optimizations, and sets what they take against
the larger of two bounds that `tt-run --explain` prints: each tensor moved once at 267 B/clk (Wormhole; Blackhole 320), and the
engine's time on the busiest core, of products 64 clk a tile in HiFi4. N is the largest product and attention, 2048 unless
given; --write puts the table into a page, between the marks that it has for it. With --only, the page keeps its other rows.
"""
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

import gemm
import kernel_texts as texts

ROOT = gemm.ROOT
RATE = {"wormhole_b0": 267, "blackhole": 320}
MODEL_RATE = {"wormhole_b0": 264, "blackhole": 320}
HIFI2, HIFI4 = 32, 64  # clk a product of tiles
COPY = {"wormhole_b0": 194}  # B/clk of a copy of interleaved tensors, read and written, where cores and banks pair by chance (bench/clock.py)
EXP = 2026  # clk an accurate exponential of a tile with 32-bit DST (lib/Target/vector.def)
EXP_BLACKHOLE = 2023


class Row:
    """A kernel, what it must reach, and why it does not."""

    def __init__(self, name, text, must, product=0, arch="wormhole_b0", grid="8x8", baseline=None, why="", judged="met", engine="matrix engine", copy=0):
        self.name, self.text, self.must, self.product, self.arch, self.grid = name, text, must, product, arch, grid
        self.baseline, self.why, self.judged = baseline, why, judged  # N and ratio; why it is not met; what is said where it is
        self.engine = engine  # what `product` are clk of
        self.copy = copy  # or: so many times the rate of a copy


def explain(row, path):
    command = ["tt-run", "--math=fast", "--no-races", "--explain", "--arch=" + row.arch, "--grid=" + row.grid, path]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    clk, predicted = map(int, re.search(r": (\d+) clk, (\d+) predicted", run.stdout).groups())
    figures = {name: int(value) for name, value in re.findall(r"^  (\S.*?) +(\d+) +\d+%", run.stdout, flags=re.M)}
    return clk, predicted, figures


def bound_of(row, figures):
    dram = figures["DRAM"] * MODEL_RATE[row.arch] / RATE[row.arch]
    engine = row.product if row.product else max(figures["vector unit"], figures["unpack"])
    return (dram, "DRAM") if dram >= engine else (engine, row.engine if row.product else "engine, as written")


def line(row, folder):
    path = os.path.join(folder, "kernel.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(row.text)
    clk, predicted, figures = explain(row, path)
    bound, what = bound_of(row, figures)
    share = bound / clk
    met = share >= row.must
    reached = f"{100 * share:.1f}%"
    must = f"≥ {100 * row.must:.0f}%"
    if row.baseline:
        ratio = baseline(row.baseline[0]) / clk
        reached += f", {ratio:.2f}× the baseline"
        must = (must + ", " if row.must else "") + f"≥ {row.baseline[1]:.2f}×"
        met = met and ratio >= row.baseline[1]
    if row.copy:
        ratio = share * RATE[row.arch] / COPY[row.arch]
        reached += f", {ratio:.2f}× a copy"
        must += f", or {row.copy:.2f}× a copy"
        met = met or ratio >= row.copy
    return f"| {row.name} | {clk} | {bound:.0f} ({what}) | {reached} | {must} | {row.judged if met else row.why or 'not met'} | {predicted / clk:.2f} |"


def baseline(n):
    return gemm.clk(os.path.join(ROOT, "bench/baseline/matmul_reuse/main.cpp"), *[str(n)] * 3, "multicast", "HiFi4")


def product(n, clk, cores=64):
    """Clk of the products on the busiest of 64 cores, where the n x n results are dealt in whole tiles."""
    tiles = n // 32
    return -(-tiles * tiles // cores) * tiles * clk


RANDOM = "rows of 32 tiles lie in all banks, and cores read them in phase: 200 B/clk is what NoC 0 was measured to read so"
UNPACK = ("f32 sums: DST holds 4 tiles, for which unpack brings 5 in 180 clk, 45 a product: 184,300 clk, 71%. The first blocks are there after 8,000 (1 MB of DRAM, then a multicast), "
          "sums are copied back once, 4,600, and the last tiles leave 2,400 after unpack: 199,300, 66%; of the rest 5,000 set the unpacker between sums and products, and 2,800 wait for blocks. Without halves DST holds 8, for which "
          "unpack brings 9 in 324 clk, but nothing overlaps with packing then, 8 x 144 clk onto sums in L1: 195,000 clk, 67%, in four steps of 16 tiles of K, which is what L1 holds; "
          "73% where A stays in L1 as a whole and the 35,000 clk in which it comes are filled with two columns of sums. The best that was published of the chip is 60%. With bf16 sums DST holds 8 tiles a half, 40.5 clk a product, 79%; 195,100 clk are taken, 67%")
ENDS = "the first block is waited for, sums are loaded once more in the last step, and writes of all cores meet at the end"
WRITES = "writes of cores that meet on links"
SOFTMAX = ("exponentials wait for the largest of a row, and the last cores' rows are there when all 4.2 MB have been read: 15,900 clk, then 64,800 of "
           "exponentials, 7,900 of sums and products, which take turns with them, and 2,200 until the last row has left: 90,800 at best, 72%, with a block of rows on one core; where two cores have halves of two blocks each, the rows are there sooner, and it takes 106,700: what is known of a row is put together, and computed, twice")
LAYER = ("the last core has its rows after 18,400 clk: 4.2 MB at 230 B/clk. Then 700 clk for the mean, 8,000 for f32 differences and their squares, which unpack brings 192 and 256 KB of for "
         "64 B/clk, 1,700 for the root, and what is between: the first of its results leave 14,800 clk later, the last ones 5,400 after them, which are there 1,000 later: 39,600, 83%, with a block of rows "
         "on one core; where two have halves of two blocks each, it takes 53,900: means, roots and what the two put together are there twice. The rest is what writes of the cores before leave to do: where two banks have a row of the NoC, its links would carry 33 B/clk at DRAM's rate, of 30, and half as much again where "
         "writes of two cores meet: 200 B/clk are reached")
RMS = "writes of cores that meet on links"
PASSES = ("the check of the protocol runs a program that shares a dozen times, with each process as late as it can be; "
          "the passes take milliseconds")
CAUSAL = ("of the exponentials of what queries see; factors, masks on the diagonal and a tile a row of what no query sees are 64,000 clk more of the vector unit; products take "
          "309,000, and 64,000 in which queries are unpacked, which are f32 where their scale is no power of two; largest scores and sums 105,000; the first keys of all cores are "
          "there after 40,000; the rest is sections of DST and settings of the engine")
APPROXIMATE = ("of the products, of which a tile of scores needs 268 clk by the tables; its exponential (71), largest (108), difference (18) and sum (8) take turns with them in math: "
               "473 clk, 54% at most, 15,100 of the 18,700 that a step of 32 tiles takes; of the rest, 700 wait for the unpacker in sums of weights, 500 for largest scores to be packed before they are "
               "compared and subtracted, and 2,100 go to sections of DST and settings of the engine; a block of queries begins and ends with 4,000, and the last core has its first block of keys after 16,800")
APPROXIMATE_CAUSAL = ("of the products of what queries see; math takes 93,300 clk by the tables, 37% at most, since a block of queries has 8 steps and a half, and masks, and begins and ends with 4,000; unpack takes "
                      "95,400, and each waits for the other where one has more to do with a tile, as in sums of weights, and both for the first keys")
APPROXIMATE_LONG = ("of the products; math takes 772 clk a tile of scores by the tables, 66% at most: products 536, its exponential 71, largest 108, difference 18 and sum 8, and factors of rows: 24,700 of the 28,700 that "
                    "a step of 32 tiles takes; of the rest, 1,000 wait for queries, which are f32 where their scale is no power of two, 700 for the unpacker in sums of weights, 500 for largest scores to be packed before "
                    "they are compared and subtracted, and 1,500 go to sections of DST and settings of the engine; a block of queries begins and ends with 5,700, and causal kernels have half the steps for as many of them, "
                    "and masks")
BH_SMALL = ("96 units of 3 x 2 or 2 x 2 tiles, two steps of half of K: 500 clk for the launch, 5,100 for a block of each operand on its way, which is read by one of 8 cores and multicast, 3,200 for products, "
            "1,000 until the last tiles have left: 9,800 if nothing waits for a signal, 50%")
BH_CUT = ("units are rectangles, of 3 x 4 tiles on the busiest of 88 cores, 24,600 clk of products where the bound is DRAM's: 80%; before them the first blocks take 6,700 clk, the launch 500, and the last tiles "
          "leave 1,500 later: 33,300, 59%; the rest is two sums that are set up again, and blocks that come late")
BH_UNPACK = ("f32 sums: DST holds 4 tiles, for which unpack brings 5, and parts of 5 x 7 tiles are smaller than that: 123,200 clk of it by the tables, of a bound of 78,600 that is DRAM's, 64%; the first blocks are there after "
             "12,000, and the last tiles leave 2,400 later")
BH_BFP8 = ("f32 sums: unpack takes 89,600 clk by the tables, of a bound of 66,400 that is DRAM's, 74%; the first blocks are there after 9,500, and 10,000 wait for others, of which the two processors send what they fetch by turns")
BH_APPROXIMATE = ("of the products, of which Wormhole reaches {wormhole}%; by the tables unpack takes {unpack} clk, {share}% at most, and math {math}: each waits for the other where one has more to do with a tile, as in sums of "
                  "weights, and both for the first keys")
CUT = ("units are rectangles, of 25 tiles on the busiest core, where the bound counts 21: 59,400 clk of products, 81%, then the first block, sums in L1, and writes at the end, as with 1024³; "
       "units of 6 x 4 tiles would have 24, 57,000 clk, but their 54 stand in no lines of 8 cores, along which operands are shared")
BH_SOFTMAX = ("64 row blocks on two cores each, 128 of 130, and no exponential before the largest of its row is known: 13,100 clk of reads, 2,200 for the largest, 33,000 of exponentials, 3,000 of sums and "
              "products, twice 700 in which the two put together what they know, 1,000 until the last row has left: 53,700, 60%; were exponentials begun before, all rows would leave after them, 13,100 clk: 65%")


def rows(most):
    for n in (512, 1024, 2048, 4096):
        if n > most:
            continue
        must, ratio = (0.82, 1.15) if n > 1024 else (0, 1.8)
        yield Row(f"product {n}³, HiFi4", texts.product(n, n, n, min(n // 8, 256), min(n // 8, 256)), must, product(n, HIFI4), baseline=(n, ratio), why=ENDS)
    yield Row("product 2048³, HiFi2", texts.product(2048, 2048, 2048, 256, 256, "HiFi2"), 0.75, product(2048, HIFI2), why=UNPACK)
    yield Row("product 2048³, HiFi2, bfp8 weights", texts.product(2048, 2048, 2048, 256, 256, "HiFi2", "bfp8_b"), 0.75, product(2048, HIFI2),
              why="first block, and writes of the last step")
    yield Row("product 32×4096×4096", texts.product(32, 4096, 4096, 32, 64), 0.85, 1, why=RANDOM)
    yield Row("product 32×4160×4096", texts.product(32, 4096 + 64, 4096, 32, 64), 0.80, 1, why=RANDOM)  # a unit more than cores
    yield Row("product 2048×11008×2048, blocks of 256×128", texts.product(2048, 11008, 2048, 256, 128), 0.82, 8 * 43 * 64 * HIFI4)
    for n, block in ((1152, 128), (2304, 256)):  # a block more along each side than a row above
        yield Row(f"product {n}³, HiFi4, blocks of {block}", texts.product(n, n, n, block, block), 0.82 - 0.05 if n > 2048 else 0.69,
                  product(n, HIFI4), why=CUT)
    yield Row("product 2048×2048×992, sums of 31 tiles", texts.product(2048, 2048, 992, 256, 256), 0.77, product(2048, HIFI4) * 992 // 2048)
    yield Row("sum of two, 2048²", texts.elementwise(2048, texts.ADD, 2), 0.90)
    yield Row("gelu, 2048²", texts.elementwise(2048, texts.GELU, 1), 0.90)
    yield Row("cast to f32, 2048²", texts.elementwise(2048, texts.CAST, 1, "f32"), 0.90, why=WRITES, copy=1.15)
    yield Row("softmax, 2048×1024", texts.softmax(2048, 1024), 0.85, why=SOFTMAX)
    yield Row("layer norm, 2048×1024", texts.layer_norm(2048, 1024), 0.85, why=LAYER)
    yield Row("RMS norm, 2048×1024", texts.rms_norm(2048, 1024), 0.85, why=RMS)
    yield Row("RMS norm, 1984×1024, on 62 cores", texts.rms_norm(1984, 1024), 0.80, why=RMS)
    yield Row("RMS norm, 2016×992, rows of 31 tiles", texts.rms_norm(2016, 992), 0.80, why=RMS)
    units, exps = 4, 2  # of a core: blocks of 64 queries of a head, two short and two long ones; tiles of scores for them and 32 keys
    tiles, seen = units * exps * 1024 // 32, (1 + 8 + 9 + 16) * exps * 2
    yield Row("attention, 16 heads, 1024×1024×64", texts.attention(16, 1024, 64, 512), 0.60, tiles * EXP, engine="exponentials")
    yield Row("the same, causal", texts.attention(16, 1024, 64, 256, True), 0.60, seen * EXP, engine="exponentials")
    yield Row("the same, `tt.math_approx`", texts.attention(16, 1024, 64, 512, False, True), 0.60, tiles * 4 * HIFI4, why=APPROXIMATE)
    yield Row("the same, `tt.math_approx`, causal", texts.attention(16, 1024, 64, 256, True, True), 0.60, seen * 4 * HIFI4, why=APPROXIMATE_CAUSAL)
    tiles, seen = units * exps * 4096 // 32, (1 + 32 + 33 + 64) * exps * 2
    yield Row("attention, 4 heads of 16, 4096×4096×128", texts.attention(4, 4096, 128, 512), 0.60, tiles * EXP, engine="exponentials")
    yield Row("the same, causal, 4096×4096×128", texts.attention(4, 4096, 128, 512, True), 0.60, seen * EXP, engine="exponentials", why=CAUSAL)
    approx = texts.attention(4, 4096, 128, 512, False, True)
    yield Row("the same, `tt.math_approx`, 4096×4096×128", approx, 0.60, tiles * 8 * HIFI4, why=APPROXIMATE_LONG)
    approx = texts.attention(4, 4096, 128, 512, True, True)
    yield Row("the same, `tt.math_approx`, causal, 4096×4096×128", approx, 0.60, seen * 8 * HIFI4, why=APPROXIMATE_LONG)
    yield from blackhole_rows(most)


def blackhole_rows(most):
    """The same on 13 x 10 cores, which is to be within 10 points of what Wormhole must reach."""
    chip = ("blackhole", "13x10")
    for n in (512, 1024, 2048, 4096):
        if n <= most:
            yield Row(f"product {n}³, HiFi4, Blackhole", texts.product(n, n, n, min(n // 8, 256), min(n // 8, 256)),
                      {512: 0.45, 1024: 0.63}.get(n, 0.72), product(n, HIFI4, 130), *chip, why=BH_SMALL if n == 512 else BH_CUT)
    yield Row("product 2048³, HiFi2, Blackhole", texts.product(2048, 2048, 2048, 256, 256, "HiFi2"), 0.65, product(2048, HIFI2, 130), *chip, why=BH_UNPACK)
    yield Row("product 2048³, HiFi2, bfp8 weights, Blackhole", texts.product(2048, 2048, 2048, 256, 256, "HiFi2", "bfp8_b"), 0.65,
              product(2048, HIFI2, 130), *chip, why=BH_BFP8)
    yield Row("product 32×4096×4096, Blackhole", texts.product(32, 4096, 4096, 32, 64), 0.75, 1, *chip)
    yield Row("sum of two, 2048², Blackhole", texts.elementwise(2048, texts.ADD, 2), 0.80, 0, *chip, why="64 blocks on 130 cores; " + WRITES)
    yield Row("gelu, 2048², Blackhole", texts.elementwise(2048, texts.GELU, 1), 0.80, 0, *chip)
    yield Row("cast to f32, 2048², Blackhole", texts.elementwise(2048, texts.CAST, 1, "f32"), 0.80, 0, *chip, why=WRITES)
    yield Row("layer norm, 2048×1024, Blackhole", texts.layer_norm(2048, 1024), 0.75, 0, *chip)
    yield Row("RMS norm, 2048×1024, Blackhole", texts.rms_norm(2048, 1024), 0.75, 0, *chip, why=RMS)
    yield Row("softmax, 2048×1024, Blackhole", texts.softmax(2048, 1024), 0.75, -(-64 * 32 // 130) * EXP_BLACKHOLE, *chip, why=BH_SOFTMAX,
              engine="exponentials")
    units, exps = 2, 2  # 256 blocks of 64 queries on 130 cores; tiles of scores of one and 32 keys
    for heads, length, depth, keys, long_and_short in ((16, 1024, 64, 512, 1 + 16), (4, 4096, 128, 512, 1 + 64)):
        tiles, seen = units * exps * length // 32, long_and_short * exps * 2
        name = f"attention, {heads} heads, {length}×{length}×{depth}"
        for causal, approx, scores in ((False, False, tiles), (True, False, seen), (False, True, tiles), (True, True, seen)):
            if length > 2 * most:
                continue
            unpack, share, math, wormhole = {
                (1024, False): ("70,100", 47, "66,400", 36.3), (1024, True): ("54,500", 48, "45,800", 25.2),
                (4096, False): ("385,600", 68, "393,000", 54.3), (4096, True): ("273,900", 49, "219,600", 44.2)}[length, causal]
            why = BH_APPROXIMATE.format(unpack=unpack, share=share, math=math, wormhole=wormhole) if approx else ""
            text = texts.attention(heads, length, depth, 256 if causal and length == 1024 else keys, causal, approx)
            yield Row(name + (", causal" if causal else "") + (", `tt.math_approx`" if approx else "") + ", Blackhole", text, 0.50,
                      scores * (depth // 16 * HIFI4 if approx else EXP_BLACKHOLE), *chip, why=why, engine="matrix engine" if approx else "exponentials")


def pass_time(folder):
    """User time of tt-opt with the check of what it made, with all optimizations to that with none, on a product and a row kernel:
    medians of runs in turn."""
    path, times = os.path.join(folder, "passes.mlir"), {"none": 0.0, "all": 0.0}
    for text in (gemm.KERNEL.format(n=2048, b=256, g=8), texts.layer_norm(2048, 1024)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        runs = [[timed(["tt-opt", "--tt-pipeline=optimize=" + which, path, "-o", os.devnull]) for which in times] for _ in range(40)]
        for which, taken in zip(times, zip(*runs)):
            times[which] += statistics.median(taken)
    return times["all"] / times["none"]


def timed(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def traffic(path):
    run = subprocess.run(["tt-run", "--math=fast", "--no-races", path], capture_output=True, text=True, check=True, cwd=os.path.dirname(path))
    return re.search(r"DRAM ([\d.]+) MB", run.stderr).group(1)


def shard_traffic(folder):
    """Rows: DRAM traffic of kernels whose tensors are in L1, in mode local_shard, and what of it is compulsory."""
    with_weights, path = float(32 * 2048) / 1e6, os.path.join(folder, "shards.mlir")
    for name, text, compulsory, what in (("an RMS norm, 2048×1024, in `local_shard`", texts.in_shards(texts.rms_norm(2048, 1024), 2048, 1024), with_weights, "its weights once"),
                                         ("a softmax, 2048×1024, in `local_shard`", texts.in_shards(texts.softmax(2048, 1024), 2048, 1024), 0, "")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        moved = traffic(path)
        yield f"| DRAM traffic of {name} | | | {moved} MB | {compulsory:.2f} MB{', ' * bool(what)}{what} | {'met' if moved == f'{compulsory:.2f}' else 'not met'} | |"
    for name, compulsory, what in (("block_shards", "0.00", ""), ("height_shards", "0.13", ", B once")):
        moved = traffic(os.path.join(ROOT, f"examples/{name}.mlir"))
        yield f"| DRAM traffic of `examples/{name}.mlir` | | | {moved} MB | {compulsory} MB{what} | {'met' if moved == compulsory else 'not met'} | |"


def kept(arguments):
    """The rows of the page that stay as they are, by name."""
    if "--only" not in arguments or "--write" not in arguments:
        return {}
    with open(arguments["--write"], encoding="utf-8") as file:
        table = re.search(r"<!-- kernels -->\n(.*?)<!-- end -->", file.read(), re.S).group(1)
    return {text.split("|")[1].strip(): text for text in table.splitlines()[2:]}


def main():
    arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    lines = ["| kernel | clk | bound | reached | must | | predicted |", "|---|---|---|---|---|---|---|"]
    old = kept(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(int(arguments.get("--most", 4096 if old else 2048))):
            if re.search(arguments.get("--only", ""), row.name):
                lines.append(line(row, folder))
                print(lines[-1], flush=True)
            elif row.name in old:
                lines.append(old[row.name])
        ratio = pass_time(folder)
        lines.append(f"| time of the passes, all to none | | | {ratio:.2f}× | ≤ 1.3× | {'met' if ratio <= 1.3 else PASSES} | |")
        lines.extend(shard_traffic(folder))
    text = "\n".join(lines) + "\n"
    if "--write" not in arguments:
        print(text)
        return
    with open(arguments["--write"], encoding="utf-8") as file:
        page = file.read()
    page = re.sub(r"(<!-- kernels -->\n).*?(<!-- end -->)", lambda m: m.group(1) + text + m.group(2), page, count=1, flags=re.S)
    with open(arguments["--write"], "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
