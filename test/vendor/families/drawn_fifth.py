"""Kernels of a fifth blind draw (seed 505114), of those that move data as well: rows of sharded tiles, blocks of a cache by a
table, rows of another width, steps over four dimensions, a row of two caches, products by user, integers."""
from device import close, decode, integers, matrix, product, randoms, same

MOVE = "data_movement"
CACHE = "experimental/paged_cache/device/kernels"
TESTS = "tests/tt_metal/tt_metal/test_kernels"


def sharded_rows(p):
    """Tiles in shards, untilized to rows of a tensor in DRAM, by the vendor's three kernels."""
    a = randoms(128, 128)
    p.cores(0, 0, 1, 1)
    p.tensor("a", a, shards=(2, 2))
    p.tensor("out", None, shape=(128, 128), layout="rows")
    p.cbs((0, 4), (16, 4))
    starts = {(0, 0): 0, (1, 0): 1, (0, 1): 2, (1, 1): 3}
    p.kernel("reader", f"{MOVE}/sharded/device/kernels/dataflow/reader_unary_nd_sharded_blocks.cpp", [0, 2, 4, 4, ":a"],
             runs={core: ["@a", start] for core, start in starts.items()})
    p.kernel("writer", f"{MOVE}/untilize/device/kernels/dataflow/writer_unary_stick_layout_split_rows_multi_core_nd_shard.cpp",
             [16, 256, 32, 2, 1, 2, 64, 128, 2048, 4, 4, 4, 32, 128, 128, ":out", ":a"],
             runs={core: ["@out", "@a", start] for core, start in starts.items()})
    p.kernel("compute", f"{MOVE}/untilize/device/kernels/compute/pack_untilize_variable_num_blocks.cpp", [2, 0, 16], [2])
    p.run()
    same(p.result("out"), a)


def blocks_of_cache(p):
    """Rows of tiles go where a table says; -1 says nowhere."""
    heads, blocks, wide = 2, 3, 2  # a block of two rows of tiles
    table = [4, -1, 2]
    a = randoms(heads * blocks * 2 * 32, wide * 32)
    before = randoms(5 * heads * 2 * 32, wide * 32, seed=2)
    p.tensor("a", a)
    p.tensor("cache", before)
    p.line("save", "cache", p.folder / "cache.out")
    p.tensor("table", [[0] * 8, table + [0] * 5], "int32", "rows")
    p.cb(0, 4)
    p.cb(1, 1, "int32", page=32)
    rows = heads * blocks * 2
    p.kernel("reader", f"{CACHE}/dataflow/reader_fill_cache_interleaved.cpp", [0, wide, ":a"], ["@a", 0, rows, 0])
    p.kernel("writer", f"{CACHE}/dataflow/writer_fill_cache_interleaved.cpp",
             [0, 1, heads, blocks * 2, 2, wide, 5, 32, 0, 2, 4, ":cache", ":table", ":table"],
             ["@cache", "@table", 0, rows, 1, 0])
    p.run()
    expected = [list(row) for row in before]
    for head in range(heads):
        for block, place in enumerate(table):
            if place >= 0:
                at, here = (place * heads + head) * 64, (head * blocks + block) * 64
                expected[at:at + 64] = a[here:here + 64]
    found = matrix(decode((p.folder / "cache.out").read_bytes(), "bf16"), len(before), wide * 32, "tiles")
    same(found, expected)


def other_rows(p):
    a = randoms(48, 64)
    p.tensor("a", a, layout="rows")
    p.tensor("out", None, shape=(24, 128), layout="rows")
    p.cb(0, 16, page=128)
    folder = f"{MOVE}/reshape_on_device/device/kernels/dataflow"
    p.kernel("reader", f"{folder}/reader_unary_reshape_stick_layout_interleaved_multi_core.cpp", [128, ":a"],
             ["@a", 6, 8, 8, 0])
    p.kernel("writer", f"{folder}/writer_unary_reshape_stick_layout_interleaved_multi_core.cpp", [0, 256, ":out"],
             ["@out", 6, 4, 8, 0])
    p.run()
    same(p.result("out"), [a[r] + a[r + 1] for r in range(0, 48, 2)])


def rows_of_tiles(p):
    a = randoms(64, 96)
    p.fill(16, "a", a, layout="rows", page=2048)
    p.tensor("out", None, shape=(64, 96), layout="rows")
    p.move()
    p.kernel("writer", f"{TESTS}/dataflow/writer_unary_stick_layout_8bank.cpp", [":out"], ["@out", 64, 192])
    p.run()
    same(p.result("out"), a)


def steps(p):
    """Four dimensions, each from a start in steps, on two cores."""
    n, d, h, w = 3, 4, 6, 32
    flat = randoms(n * d * h, w)
    take = [range(1, 3, 1), range(0, 4, 2), range(1, 6, 2), range(3, 29, 5)]
    out = [[flat[(i * d + j) * h + k][c] for c in take[3]] for i in take[0] for j in take[1] for k in take[2]]
    p.cores(0, 0, 1, 0)
    p.tensor("a", flat, layout="rows")
    p.tensor("out", None, shape=(len(out), len(out[0])), layout="rows")
    p.cb(0, 2, page=64)
    sizes = [w, h, d, n]
    outs = [len(r) for r in reversed(take)]
    slices = [x for r in reversed(take) for x in (r.start, r.stop, r.step)]
    halves = {(0, 0): (7, 0), (1, 0): (5, 7)}
    folder = f"{MOVE}/slice/device/kernels/dataflow"
    p.kernel("reader", f"{folder}/reader_multicore_slice_4d.cpp", [0, 2, ":a"],
             runs={core: ["@a", 4, *sizes, *outs, *slices, 2, *half] for core, half in halves.items()})
    p.kernel("writer", f"{folder}/writer_multicore_slice_4d.cpp", [0, 2, ":out"],
             runs={core: ["@out", 4, *outs, 2, *half] for core, half in halves.items()})
    p.run()
    same(p.result("out"), out)


def row_of_caches(p):
    """A row of each head of two caches, on a core each, is another one."""
    heads, high, wide = 2, 2, 2
    row = {"k": 37, "v": 5}
    new = {"k": randoms(32, 64), "v": randoms(32, 64, seed=2)}
    old = {"k": randoms(heads * high * 32, 64, seed=3), "v": randoms(heads * high * 32, 64, seed=4)}
    for x, name in enumerate("kv"):
        p.cores(x, 0, x, 0)
        p.tensor(name, new[name], shards=(1, 2))
        p.tensor(f"cache_{name}", old[name])
        p.line("save", f"cache_{name}", p.folder / f"{name}.out")
    p.cores(0, 0, 1, 0)
    p.line("semaphore", 0)
    p.cb(0, 4)
    p.cb(1, 2, on="k")
    p.cb(2, 2, on="v")
    p.cb("24,25", 4)
    p.cbs((26, 4), (16, 4))
    accessor, both = ":cache_k", {"k": (0, 0), "v": (1, 0)}
    p.kernel("reader", f"{CACHE}/dataflow/reader_paged_fused_update_cache_interleaved_start_id.cpp",
             [1, 2, 0, 0, 1, 3, heads * high * wide, wide, 0, 0, 0, heads, 0, 0, 0, 0, 0, 1, 4, high, 0, 1, *[accessor] * 3],
             runs={c: [1, int(x == "k"), f"@cache_{x}", row[x] // 32 * wide, 0, 0, 0, 0] for x, c in both.items()})
    p.kernel("writer", f"{CACHE}/dataflow/writer_paged_fused_update_cache_interleaved_start_id.cpp",
             [16, 24, 25, 26, 0, 3, heads * high * wide, wide, 128, 0, heads, 0, 0, 0, 4, high, 0, 1, 0, 1, accessor],
             runs={c: [1, f"@cache_{x}", row[x] // 32 * wide, row[x] % 32 * 128, 0, 0, 0, 0] for x, c in both.items()})
    p.kernel("compute", f"{CACHE}/compute/paged_fused_update_cache.cpp", [1, 2, 0, 24, 25, 26, 16, wide, heads],
             runs={c: [1, int(x == "k")] for x, c in both.items()})
    p.run()
    for name in "kv":
        expected = [list(r) for r in old[name]]
        for head in range(heads):
            expected[head * high * 32 + row[name]] = new[name][head]
        found = matrix(decode((p.folder / f"{name}.out").read_bytes(), "bf16"), heads * high * 32, 64, "tiles")
        same(found, expected, name)


def by_user(p):
    """Row r of a times the r-th of 32 matrices."""
    a = randoms(32, 64)
    b = [randoms(64, 32, seed=s) for s in range(2, 34)]
    p.fill(0, "a", a)
    p.fill(1, "b", [row for m in b for row in m])
    p.tensor("out", None, shape=(32, 32))
    p.cbs((24, 1), (25, 1), (26, 1), (16, 1))
    p.move()
    p.kernel("writer", "pick.cpp", [":out"], [25, 26, 1, 64, 16, "@out", 2048])
    p.kernel("compute", f"{TESTS}/compute/transformer_attn_matmul.cpp", [0], [1, 1, 2, 1])
    p.run()
    close(p.result("out"), [product([a[r]], b[r])[0] for r in range(32)], 0.01)


def integer_sum(p):
    """a + 3 b c in 32 bits."""
    a, b, c = (integers(32, 96, -30000, 30000, seed=s) for s in (1, 2, 3))
    for index, m in enumerate((a, b, c)):
        p.fill(index, "abc"[index], m, "int32")
    p.drain(3, "out", (32, 96), "int32")
    p.move()
    p.kernel("compute", "eltwise/ternary/device/kernels/compute/ternary_addcmul_int_sfpu.cpp", [1], [3, 0, 0, 3],
             options=("fp32", "fp32cb=0", "fp32cb=1", "fp32cb=2"))
    p.run()

    def wrapped(x):
        return (x + (1 << 31)) % (1 << 32) - (1 << 31)

    same(p.result("out"), [[wrapped(x + 3 * y * z) for x, y, z in zip(*rows)] for rows in zip(a, b, c)])


CASES = [
    ("tilize and untilize", "rows of sharded tiles", sharded_rows),
    ("readers and writers", "blocks of a cache by a table", blocks_of_cache),
    ("readers and writers", "rows of another width", other_rows),
    ("readers and writers", "rows out of pages of tiles", rows_of_tiles),
    ("slice", "steps over four dimensions", steps),
    ("tilize and untilize", "a row of two caches", row_of_caches),
    ("matmul", "a matrix for each row", by_user),
    ("eltwise", "a product of integers, added", integer_sum),
]
