#!/usr/bin/env python3
"""Writes models in linalg on tensors, as importers of PyTorch leave them: linalg_models.py MODEL > FILE.

t5        a bias of buckets of distances, whose table is gathered, norms by the mean square, a gated MLP
deit      two tokens before the patches of an image, and two heads
whisper   two convolutions along time, attention whose keys have no bias
dlrm      rows of tables, the products of all pairs of them, of which a triangle goes on
moe       two of four experts for each token, by a maximum, and that of what is left
fusedqkv  queries, keys and values from one product
paged     a step of decoding whose keys and values are in pages that a table names, up to a length
alibi     a bias that grows with the distance of positions, counted in i64
roberta   positions that count what is no padding: a cumulative sum of i64
switch    one expert for each token, as long as it has places: these are cumulative sums of floats, in windows or, with
          an argument "triangle", by a product, and become i64

Elementwise ops are linalg.generic whose maps say 0 where a size is 1; products are named ops; weights are turned
by linalg.transpose; images are NCHW; maxima come with places of 64 bits; positions and tables' rows are of i64.
"""
import math
import sys

from linalg_text import F, PAR, RED, T


def t5(tokens=40, width=64, heads=4, d=16, hidden=128, buckets=32):
    f = F("t5")
    ids = f.arg("ids", [1, tokens], "i64", "tt.range = [0, 199]")
    x = f.embed(f.w("words", 200, width), ids)

    def bucket(rel):
        n, out = buckets // 2, 0
        if rel > 0: out = n
        rel = abs(rel)
        e = n // 2
        return out + (rel if rel < e else min(n - 1, e + int(math.log(rel / e) / math.log(128 / e) * (n - e))))
    b = f.dense([[bucket(j - i) for j in range(tokens)] for i in range(tokens)], [tokens, tokens], "i64")
    bias = f.unsq(f.transpose(f.embed(f.w("bias", buckets, heads), b), [2, 0, 1]), 0)
    y = f.rmsnorm(x, "n1")
    q, k, v = (f.heads(f.linear(y, c, heads * d, False), heads) for c in "qkv")
    x = f.add(x, f.linear(f.attention(q, k, v, None, bias), "o", width, False))
    y = f.rmsnorm(x, "n2")
    g = f.linear(y, "wi0", hidden, False)
    c3 = f.ew([g], f"%x2 = arith.mulf %a0, %a0 : f32\n%x3 = arith.mulf %x2, %a0 : f32\n%c = arith.mulf %x3, {f.scalar(0.044715)} : f32\n%s = arith.addf %a0, %c : f32\n%m = arith.mulf %s, {f.scalar(math.sqrt(2 / math.pi))} : f32\n%t = math.tanh %m : f32\n%p = arith.addf %t, {f.scalar(1.0)} : f32\n%h = arith.mulf %a0, {f.scalar(0.5)} : f32\n%r = arith.mulf %h, %p : f32")
    x = f.add(x, f.linear(f.mul(c3, f.linear(y, "wi1", hidden, False)), "wo", width, False))
    return f.text(f.rmsnorm(x, "nf"))


def deit(image=48, patch=8, width=64, heads=2, classes=10):
    f = F("deit")
    n = (image // patch) ** 2
    p = f.conv(f.arg("image", [1, 3, image, image]), "patch", width, patch, patch)
    p = f.transpose(f.collapse(p, [[0], [1], [2, 3]]), [0, 2, 1])
    x = f.concat([f.w("cls", 1, 1, width), f.w("dist", 1, 1, width), p], 1)
    x = f.add(x, f.w("pos", 1, n + 2, width))
    x = f.block(x, "b0", heads, 2 * width)
    x = f.layernorm(x, "nf")
    a, b = (f.collapse(f.slice(x, 1, i, 1), [[0, 1], [2]]) for i in range(2))
    return f.text(f.ew([f.linear(a, "head", classes), f.linear(b, "headd", classes)], f"%s = arith.addf %a0, %a1 : f32\n%r = arith.divf %s, {f.scalar(2.0)} : f32"))


def whisper(mel=80, frames=100, width=64, heads=2):
    f = F("whisper")
    x = f.arg("mel", [1, mel, frames])
    x = f.gelu(f.conv1d(x, "c1", width, 3, 1, 1))
    x = f.gelu(f.conv1d(x, "c2", width, 3, 2, 1))
    x = f.transpose(x, [0, 2, 1])
    x = f.add(x, f.w("pos", x.shape[1], width))
    y = f.layernorm(x, "n1")
    s = (width // heads) ** -0.25
    q = f.muls(f.heads(f.linear(y, "q", width), heads), s)
    k = f.muls(f.heads(f.linear(y, "k", width, False), heads), s)
    v = f.heads(f.linear(y, "v", width), heads)
    x = f.add(x, f.linear(f.attention(q, k, v), "o", width))
    y = f.layernorm(x, "n2")
    x = f.add(x, f.linear(f.gelu(f.linear(y, "up", 4 * width)), "down", width))
    return f.text(f.layernorm(x, "nf"))


def dlrm(batch=32, dense=13, sparse=5, dim=16, rows=100):
    f = F("dlrm")
    x = f.arg("dense", [batch, dense])
    ids = f.arg("ids", [sparse, batch], "i64", f"tt.range = [0, {rows - 1}]")
    b = f.relu(f.linear(f.relu(f.linear(x, "b0", 64)), "b1", dim))
    es = [f.embed(f.w(f"t{i}", rows, dim), f.drop(f.slice(ids, 0, i, 1), 0)) for i in range(sparse)]
    t = f.concat([f.unsq(e, 1) for e in [b] + es], 1)  # batch, 6, dim
    z = f.matmul(t, f.transpose(t, [0, 2, 1]))  # batch, 6, 6
    n = sparse + 1
    parts = [f.collapse(f.slice(f.slice(z, 1, i, 1), 2, 0, i), [[0], [1, 2]]) for i in range(1, n)]
    r = f.concat([b] + parts, 1)
    y = f.relu(f.linear(r, "p0", 64))
    return f.text(f.sigmoid(f.linear(y, "p1", 1)))


def moe(tokens=48, width=64, experts=4, hidden=96):
    f = F("moe")
    x = f.arg("x", [tokens, width])
    g = f.softmax(f.linear(x, "gate", experts, False))
    v1, i1 = f.maxdim(g, -1)
    cols = f.iota(experts)
    hit1 = f.ew([cols, i1], "%r = arith.cmpi eq, %a0, %a1 : i64", "i1", [tokens, experts])
    g2 = f.ew([hit1, g], f"%r = arith.select %a0, {f.scalar('0xFF800000')}, %a1 : f32", "f32")
    v2, i2 = f.maxdim(g2, -1)
    hit2 = f.ew([cols, i2], "%r = arith.cmpi eq, %a0, %a1 : i64", "i1", [tokens, experts])
    s = f.add(v1, v2)
    w = f.ew([hit1, hit2, v1, v2, s], f"%p = arith.select %a0, %a2, {f.scalar(0.0)} : f32\n%q = arith.select %a1, %a3, {f.scalar(0.0)} : f32\n%t = arith.addf %p, %q : f32\n%r = arith.divf %t, %a4 : f32", "f32")
    y = None
    for e in range(experts):
        h = f.mul(f.silu(f.linear(x, f"g{e}", hidden, False)), f.linear(x, f"u{e}", hidden, False))
        o = f.mul(f.linear(h, f"d{e}", width, False), f.slice(w, 1, e, 1))
        y = o if y is None else f.add(y, o)
    return f.text(f.add(x, y))


def fusedqkv(tokens=50, width=64, heads=4):
    f = F("fusedqkv")
    x = f.arg("x", [2, tokens, width])
    qkv = f.linear(f.layernorm(x, "n"), "qkv", 3 * width)
    p = f.transpose(f.expand(qkv, [[0], [1], [2, 3, 4]], [2, tokens, 3, heads, width // heads]), [2, 0, 3, 1, 4])
    q, k, v = (f.drop(f.slice(p, 0, i, 1), 0) for i in range(3))
    return f.text(f.add(x, f.linear(f.attention(q, k, v, (width // heads) ** -0.5), "proj", width)))


def paged(seqs=2, pages=8, page=16, table=4, heads=4, kv=2, d=32):
    f = F("paged")
    q = f.arg("q", [seqs, heads, 1, d])
    kc, vc = f.arg("k_cache", [pages, page * kv * d]), f.arg("v_cache", [pages, page * kv * d])
    bt = f.arg("block_table", [seqs, table], "i64", f"tt.range = [0, {pages - 1}]")
    ln = f.arg("lengths", [seqs], "i64", f"tt.range = [1, {table * page}]")
    n = table * page

    def take(c):
        g = f.embed(c, bt)  # seqs, table, page*kv*d
        g = f.expand(g, [[0], [1], [2, 3, 4]], [seqs, table, page, kv, d])
        g = f.transpose(f.collapse(g, [[0], [1, 2], [3], [4]]), [0, 2, 1, 3])  # seqs, kv, n, d
        r = f.ew([f.unsq(g, 2)], "%r = arith.addf %a0, %z : f32".replace("%z", f.scalar(0.0)), "f32", [seqs, kv, heads // kv, n, d]) if kv != heads else g
        return f.collapse(r, [[0], [1, 2], [3], [4]]) if kv != heads else g
    k, v = take(kc), take(vc)
    s = f.muls(f.bmm(q, f.transpose(k, [0, 1, 3, 2])), d ** -0.5)
    pos = f.expand(f.iota(n), [[0, 1, 2, 3]], [1, 1, 1, n])
    l4 = f.expand(ln, [[0, 1, 2, 3]], [seqs, 1, 1, 1])
    s = f.ew([pos, l4, s], f"%c = arith.cmpi slt, %a0, %a1 : i64\n%r = arith.select %c, %a2, {f.scalar(-1e9)} : f32", "f32", s.shape)
    return f.text(f.merge(f.bmm(f.softmax(s), v)))


def alibi(tokens=48, width=64, heads=4):
    f = F("alibi")
    x = f.arg("x", [1, tokens, width])
    sl = f.dense([[[2.0 ** (-8 * (i + 1) / heads)]] for i in range(heads)], [heads, 1, 1], "f32")
    pos = f.iota(tokens)
    rel = f.ew([f.unsq(pos, 0), f.unsq(pos, 1)], "%d = arith.subi %a0, %a1 : i64\n%r = arith.sitofp %d : i64 to f32", "f32")
    b = f.mul(sl, rel)
    m = f.ew([f.unsq(pos, 0), f.unsq(pos, 1)], f"%c = arith.cmpi sgt, %a0, %a1 : i64\n%r = arith.select %c, {f.scalar(-3.4028235e38)}, {f.scalar(0.0)} : f32", "f32")
    b = f.add(b, m)
    y = f.layernorm(x, "n")
    q, k, v = (f.heads(f.linear(y, c, width), heads) for c in "qkv")
    return f.text(f.add(x, f.linear(f.attention(q, k, v, (width // heads) ** -0.5, b), "o", width)))


def running_sum(f, m, dim, n):
    """aten.cumsum, as a sum in windows of a padded tensor of two dimensions."""
    add, zero = ("addf", 0.0) if m.elem[0] == "f" else ("addi", 0)
    low, shape = [0, 0], list(m.shape)
    low[dim], shape[dim] = n - 1, 2 * n - 1
    p = T(f.new(), shape, m.elem)
    f.out(f"{p.name} = tensor.pad {m.name} low{low} high[0, 0] {{")
    f.out("^bb0(%i: index, %j: index):")
    f.out(f"  tensor.yield {f.scalar(zero, m.elem)} : {m.elem}")
    f.out(f"}} : {m.type} to {p.type}")
    win, z, c = f.empty([n], m.elem), f.fill(zero, m.shape, m.elem), T(f.new(), m.shape, m.elem)
    at = ", ".join(f"d{i} + d2" if i == dim else f"d{i}" for i in range(2))
    f.out(f"{c.name} = linalg.generic {{indexing_maps = [affine_map<(d0, d1, d2) -> ({at})>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [{PAR}, {PAR}, {RED}]}} ins({p.name}, {win.name} : {p.type}, {win.type}) outs({z.name} : {z.type}) {{")
    f.out(f"^bb0(%a: {m.elem}, %b: {m.elem}, %o: {m.elem}):")
    f.out(f"  %r = arith.{add} %o, %a : {m.elem}")
    f.out(f"  linalg.yield %r : {m.elem}")
    f.out(f"}} -> {c.type}")
    return c


def roberta(tokens=40, width=64, words=120):
    """Positions are counts of the tokens that are no padding: a cumulative sum of i64, as a sum in windows of a padded tensor."""
    f = F("roberta")
    ids = f.arg("ids", [2, tokens], "i64", f"tt.range = [0, {words - 1}]")
    m = f.ew([ids], f"%c = arith.cmpi ne, %a0, {f.scalar(1, 'i64')} : i64\n%r = arith.extui %c : i1 to i64", "i64")
    c = running_sum(f, m, 1, tokens)
    pos = f.ew([c, m], f"%t = arith.muli %a0, %a1 : i64\n%r = arith.addi %t, {f.scalar(1, 'i64')} : i64", "i64")
    x = f.add(f.embed(f.w("words", words, width), ids), f.embed(f.w("places", tokens + 2, width), pos))
    return f.text(f.layernorm(x, "n"))


def switch(how="windows", tokens=48, width=64, experts=4, places=10, hidden=96):
    f = F("switch")
    x = f.arg("x", [tokens, width])
    v, i = f.maxdim(f.softmax(f.linear(x, "gate", experts, False)), -1)
    flag = "%r = arith.uitofp %c : i1 to f32"
    hot = f.ew([f.iota(experts), i], f"%c = arith.cmpi eq, %a0, %a1 : i64\n{flag}", "f32", [tokens, experts])
    if how == "triangle":
        lower = f.ew([f.unsq(f.iota(tokens), 1), f.iota(tokens)], f"%c = arith.cmpi sle, %a1, %a0 : i64\n{flag}", "f32", [tokens, tokens])
        count = f.matmul(lower, hot)
    else:
        count = running_sum(f, hot, 0, tokens)
    place = f.mul(f.adds(count, -1.0), hot)
    hot = f.mul(hot, f.ew([place], f"%c = arith.cmpf olt, %a0, {f.scalar(float(places))} : f32\n{flag}"))
    place = f.ew([f.reduce(place, -1)], "%r = arith.fptosi %a0 : f32 to i64", "i64")
    at = f.ew([f.iota(places), place], f"%c = arith.cmpi eq, %a0, %a1 : i64\n{flag}", "f32", [tokens, places])
    sent = f.mul(f.unsq(hot, 2), f.unsq(at, 1))
    back = f.collapse(f.mul(sent, f.unsq(v, 1)), [[0], [1, 2]])
    y = f.matmul(f.collapse(f.transpose(sent, [1, 2, 0]), [[0, 1], [2]]), x)
    y = f.relu(f.matmul(f.expand(y, [[0, 1], [2]], [experts, places, width]), f.w("in", experts, width, hidden)))
    y = f.collapse(f.matmul(y, f.w("out", experts, hidden, width)), [[0, 1], [2]])
    return f.text(f.add(x, f.matmul(back, y)))


if __name__ == "__main__":
    print(globals()[sys.argv[1]](*sys.argv[2:]))
