"""What only moves values: tilize, untilize, transpose, concat, slice, embedding, padding. To the bit."""
from device import integers, randoms, same, tiles_across, transposed

from basic import READER, WRITER, read, write

MOVE = "data_movement"


def moves(kernel, f, layout_in="tiles", layout_out="tiles", cbs=(0, 16), args=(), run=(), shape=(64, 128)):
    """A compute kernel that moves all of a tensor: in order, and to the bit."""
    def check(p):
        a = randoms(*shape)
        expected = f(a)
        p.fill(cbs[0], "a", a, layout=layout_in, page=2048)
        p.drain(cbs[1], "out", (len(expected), len(expected[0])), layout=layout_out, page=2048)
        p.move()
        p.kernel("compute", f"{MOVE}/{kernel}", args, run)
        p.run()
        same(p.result("out"), expected)
    return check


def keep(a):
    return a


def tilize(p):
    """With the vendor's reader of rows."""
    a = randoms(64, 128)
    p.tensor("a", a, layout="rows")
    p.cb(0, 8)
    p.kernel("reader", f"{MOVE}/tilize/device/kernels/dataflow/reader_unary_stick_layout_split_rows_multicore.cpp",
             [256, 1, 256, ":a"], ["@a", 64, 256, 4, 256, 1, 0, 0, 0])
    write(p, "out", 16, (64, 128), pages=8)
    p.kernel("compute", f"{MOVE}/tilize/device/kernels/compute/tilize.cpp", [0, 16, 2, 4])
    p.run()
    same(p.result("out"), a)


def untilize(p):
    """With the vendor's writer of rows."""
    a = randoms(64, 128)
    p.tensor("a", a)
    p.cb(0, 8)
    read(p, "a")
    p.tensor("out", None, layout="rows", shape=(64, 128))
    p.cb(16, 8)
    p.kernel("compute", f"{MOVE}/untilize/device/kernels/compute/untilize.cpp", [2, 4, 0, 16])
    p.kernel("writer", f"{MOVE}/untilize/device/kernels/dataflow/writer_unary_stick_layout_split_rows_single_core.cpp",
             [16, 256, 32, 2, 1, 1, 4, 256, ":out"], ["@out"])
    p.run()
    same(p.result("out"), a)


def transpose(p):
    a = randoms(64, 96)
    p.tensor("a", a)
    p.cb(0, 2)
    p.kernel("reader", f"{MOVE}/transpose/device/kernels/dataflow/reader_unary_transpose_wh_interleaved_start_id.cpp",
             [":a"], ["@a", 6, 0, 0, 0, 2, 3, 6])
    write(p, "out", 16, (96, 64))
    p.kernel("compute", f"{MOVE}/transpose/device/kernels/compute/transpose_wh.cpp", [], [6])
    p.run()
    same(p.result("out"), transposed(a))


def transpose_hc(p):
    """Rows of channel and height change places: 4 channels of 8 rows."""
    channels, height, bytes_ = 4, 8, 64
    a = randoms(channels * height, 32)
    p.tensor("a", a, layout="rows")
    p.tensor("out", None, layout="rows", shape=(channels * height, 32))
    p.cb(0, 16, page=bytes_)
    folder = f"{MOVE}/transpose/device/kernels/dataflow"
    p.kernel("reader", f"{folder}/reader_unary_transpose_hc_interleaved_partitioned_rm.cpp",
             [1, height, channels, bytes_, bytes_, ":a"], ["@a", 4, 8, 0, 0, 0, 0])
    p.kernel("writer", f"{folder}/writer_unary_transpose_hc_interleaved_start_id_rm.cpp",
             [0, bytes_, bytes_, ":out"], ["@out", 4, 8, 0])
    p.run()
    same(p.result("out"), [a[c * height + h] for h in range(height) for c in range(channels)])


def concat(p):
    """Two tensors in tiles, along the width: a row of one's tiles, then of the other's."""
    a, b = randoms(64, 64), randoms(64, 32, seed=2)
    p.tensor("a", a)
    p.tensor("b", b)
    p.cb(0, 2)
    p.kernel("reader", f"{MOVE}/concat/device/kernels/dataflow/reader_concat_interleaved_start_id.cpp",
             [0, 2, 2048, 2048, ":a", ":b"], [6, 0, 0, "@a", "@b", 2, 1, 0, 0])
    p.tensor("out", None, shape=(64, 96))
    p.kernel("writer", WRITER, [0, ":out"], ["@out", 6, 0])
    p.run()
    same(p.result("out"), [x + y for x, y in zip(a, b)])


def concat_rows(p):
    a, b = randoms(32, 64), randoms(32, 32, seed=2)
    p.tensor("a", a, layout="rows")
    p.tensor("b", b, layout="rows")
    p.cb(0, 2, page=192)
    p.kernel("reader", f"{MOVE}/concat/device/kernels/dataflow/reader_concat_stick_layout_interleaved_start_id.cpp",
             [0, 2, 128, 64, ":a", ":b"], [32, 0, 0, "@a", "@b", 1, 1, 0, 0], {"WIDTH_CONCAT": "1"})
    p.tensor("out", None, layout="rows", shape=(32, 96))
    p.kernel("writer", WRITER, [0, ":out"], ["@out", 32, 0])
    p.run()
    same(p.result("out"), [x + y for x, y in zip(a, b)])


def slice_tiles(p):
    """Tiles (1…2, 1…2) of 4 x 4; what is left over in a row of tiles, and in the whole, is skipped."""
    a = randoms(128, 128)
    p.tensor("a", a)
    p.cb(0, 2)
    p.kernel("reader", f"{MOVE}/slice/device/kernels/dataflow/reader_unary_unpad_dims_interleaved_start_id.cpp",
             [0, 2, ":a"], [5, 4, 0, 0], common=["@a", 2, 2, 2, 8])
    p.tensor("out", None, shape=(64, 64))
    p.kernel("writer", WRITER, [0, ":out"], ["@out", 4, 0])
    p.run()
    same(p.result("out"), [row[32:96] for row in a[32:96]])


def slice_strided(p):
    """Every second row and third element."""
    a = randoms(32, 48)
    p.tensor("a", a, layout="rows")
    p.tensor("out", None, layout="rows", shape=(14, 16))
    p.cb(0, 1, page=96)
    p.cb(24, 2, page=32)
    folder = f"{MOVE}/slice/device/kernels/dataflow"
    p.kernel("reader", f"{folder}/strided_slice_reader_rm_interleaved_nd.cpp", [96, 2, 2, ":a"],
             ["@a", 32, 48, 4, 0, 32, 48, 2, 3])
    p.kernel("writer", f"{folder}/strided_slice_writer_rm_interleaved.cpp", [32, ":out"], ["@out", 14])
    p.run()
    same(p.result("out"), [row[0:48:3] for row in a[4:32:2]])


def embedding(p):
    weights, tokens = randoms(50, 64), integers(1, 32, 0, 49)
    p.tensor("weights", weights, layout="rows")
    p.tensor("tokens", tokens, "uint32", layout="rows")
    p.cb(0, 2, page=128)
    p.cb(1, 1, "uint32", page=128)
    p.kernel("reader", "embedding/device/kernels/dataflow/embeddings.cpp",
             [0, 1, 2, 128, 128, 32, 128, 128, ":tokens", ":weights"], ["@tokens", "@weights", 0, 0, 32, 0])
    p.tensor("out", None, layout="rows", shape=(32, 64))
    p.kernel("writer", WRITER, [0, ":out"], ["@out", 32, 0])
    p.run()
    same(p.result("out"), [weights[t] for t in tokens[0]])


def embedding_tiles(p):
    """Rows of 32 tokens become tiles."""
    weights, tokens = randoms(50, 128), integers(2, 32, 0, 49)
    p.tensor("weights", weights, layout="rows")
    p.tensor("tokens", tokens, "uint32", layout="rows")
    p.cb(0, 8)
    p.cb(1, 1, "uint32", page=128)
    p.kernel("reader", "embedding/device/kernels/dataflow/embeddings_tilize.cpp",
             [0, 1, 2, 128, 256, 256, 2, 128, 2, ":tokens", ":weights"], ["@tokens", "@weights", 0, 0, 0, 2])
    write(p, "out", 16, (64, 128), pages=8)
    p.kernel("compute", "embedding/device/kernels/compute/tilize_chunked.cpp", [0, 16, 2, 2, 2])
    p.run()
    same(p.result("out"), [weights[t] for row in tokens for t in row])


def copy_rows(p):
    a = randoms(32, 64)
    p.tensor("a", a, layout="rows")
    p.tensor("out", None, layout="rows", shape=(32, 64))
    p.cb(0, 2, page=128)
    folder = f"{MOVE}/clone/device/kernels"
    p.kernel("reader", f"{folder}/read_kernel_rm.cpp", [0, 128, ":a"], ["@a", 128, 32, 0])
    p.kernel("writer", f"{folder}/write_kernel_rm.cpp", [0, 128, ":out"], ["@out", 128, 32, 0])
    p.run()
    same(p.result("out"), a)


CASES = [
    ("tilize and untilize", "tilize, with its reader", tilize),
    ("tilize and untilize", "untilize, with its writer", untilize),
    ("tilize and untilize", "untilize as it packs", moves("untilize/device/kernels/compute/pack_untilize.cpp", keep, layout_out="rows", args=[2, 4, 0, 16])),
    ("tilize and untilize", "tilize of a variable width", moves("tilize/device/kernels/compute/tilize_wh.cpp", keep, layout_in="rows", args=[1, 4, 1], shape=(32, 128))),
    ("transpose", "width and height", transpose),
    ("transpose", "height and channels, rows", transpose_hc),
    ("transpose", "in place of tiles, sharded", moves("transpose/device/kernels/compute/transpose_wh_sharded.cpp", lambda a: transposed(a), args=[0, 16], run=[4, 4, 1, 2, 2], shape=(64, 64))),
    ("concat", "tiles", concat),
    ("concat", "rows", concat_rows),
    ("slice", "tiles", slice_tiles),
    ("slice", "rows with strides", slice_strided),
    ("embedding", "rows", embedding),
    ("embedding", "tiles", embedding_tiles),
    ("copy", "rows", copy_rows),
]
