#!/usr/bin/env python3
"""Writes further models in linalg on tensors, as importers of PyTorch leave them: further_models.py MODEL > FILE.

mla       queries and keys from latent vectors, and rotary parts of interleaved pairs, of which all heads share one of the keys
vqvae     codes nearest to what strided convolutions give, by distances of all pairs, a loss, and transposed convolutions
stylegan  a convolution whose weights a style scales for each image, as one in groups, noise, and a leaky rectifier
"""
import math
import sys

from linalg_text import F, T


def mla(tokens=40, width=96, heads=3, qrank=48, kvrank=32, nope=32, rope=16, vdim=32, hidden=128):
    f = F("mla")
    x = f.arg("x", [1, tokens, width])
    y = f.rmsnorm(x, "n1")
    q = f.linear(f.rmsnorm(f.linear(y, "qa", qrank, False), "qn"), "qb", heads * (nope + rope), False)
    q = f.transpose(f.expand(q, [[0], [1], [2, 3]], [1, tokens, heads, nope + rope]), [0, 2, 1, 3])
    qn, qr = f.slice(q, -1, 0, nope), f.slice(q, -1, nope, rope)
    kv = f.linear(y, "kva", kvrank + rope, False)
    c, kr = f.slice(kv, -1, 0, kvrank), f.slice(kv, -1, kvrank, rope)
    kr = f.transpose(f.expand(kr, [[0], [1], [2, 3]], [1, tokens, 1, rope]), [0, 2, 1, 3])
    kvb = f.linear(f.rmsnorm(c, "kvn"), "kvb", heads * (nope + vdim), False)
    kvb = f.transpose(f.expand(kvb, [[0], [1], [2, 3]], [1, tokens, heads, nope + vdim]), [0, 2, 1, 3])
    kn, v = f.slice(kvb, -1, 0, nope), f.slice(kvb, -1, nope, vdim)
    pos = f.iota(tokens)
    inv = f.dense([10000.0 ** (-2 * i / rope) for i in range(rope // 2)], [rope // 2], "f32")
    ang = f.ew([f.unsq(pos, 1), inv], "%p = arith.sitofp %a0 : i64 to f32\n%r = arith.mulf %p, %a1 : f32", "f32", [tokens, rope // 2])
    cos, sin = f.un("cos", ang), f.un("sin", ang)
    emb_c, emb_s = f.concat([cos, cos], -1), f.concat([sin, sin], -1)
    def turn(t):
        b, h, n, d = t.shape
        t = f.collapse(f.transpose(f.expand(t, [[0], [1], [2], [3, 4]], [b, h, n, d // 2, 2]), [0, 1, 2, 4, 3]), [[0], [1], [2], [3, 4]])
        half = f.concat([f.ew([f.slice(t, -1, d // 2, d // 2)], "%r = arith.negf %a0 : f32"), f.slice(t, -1, 0, d // 2)], -1)
        return f.add(f.mul(t, emb_c), f.mul(half, emb_s))
    qr, kr = turn(qr), turn(kr)
    kx = f.ew([kr], f"%r = arith.mulf %a0, {f.scalar(1.0)} : f32", "f32", [1, heads, tokens, rope])
    q, k = f.concat([qn, qr], -1), f.concat([kn, kx], -1)
    s = f.muls(f.bmm(q, f.transpose(k, [0, 1, 3, 2])), (nope + rope) ** -0.5)
    mask = f.ew([f.unsq(f.iota(tokens), 1), f.iota(tokens)], f"%c = arith.cmpi sgt, %a1, %a0 : i64\n%r = arith.select %c, {f.scalar('0xFF800000')}, {f.scalar(0.0)} : f32", "f32", [tokens, tokens])
    s = f.add(s, mask)
    o = f.merge(f.bmm(f.softmax(s), v))
    x = f.add(x, f.linear(o, "o", width, False))
    y = f.rmsnorm(x, "n2")
    return f.text(f.add(x, f.linear(f.mul(f.silu(f.linear(y, "g", hidden, False)), f.linear(y, "u", hidden, False)), "d", width, False)))


def vqvae(size=16, c=3, hidden=32, codes=64, dim=16):
    f = F("vqvae")
    x = f.arg("x", [2, c, size, size])
    h = f.relu(f.conv(x, "e0", hidden, 4, 2, 1))
    h = f.relu(f.conv(h, "e1", hidden, 4, 2, 1))
    zc = f.conv(h, "e2", dim, 1)
    s = zc.shape[2]
    z = f.collapse(f.transpose(zc, [0, 2, 3, 1]), [[0, 1, 2], [3]])
    cb = f.w("codes", codes, dim)
    zz = f.reduce(f.mul(z, z), -1)
    cc = f.drop(f.reduce(f.mul(cb, cb), -1), 1)
    dist = f.sub(f.add(zz, cc), f.muls(f.matmul(z, f.transpose(cb, [1, 0])), 2.0))
    neg = f.ew([dist], "%r = arith.negf %a0 : f32")
    _, i = f.maxdim(neg, -1, keep=False)
    q = f.embed(cb, i)
    diff = f.sub(q, z)
    loss = f.reduce(f.reduce(f.mul(diff, diff), -1), 0)
    st = f.add(z, diff)
    q = f.transpose(f.expand(st, [[0, 1, 2], [3]], [2, s, s, dim]), [0, 3, 1, 2])
    h = f.relu(f.conv(q, "d0", hidden, 3, 1, 1))
    def up(h, name, n):
        b, ci, hh, ww_ = h.shape
        zt = f.fill(0.0, [b, ci, 2 * hh + 3, 2 * ww_ + 3])
        t = T(f.new(), zt.shape, "f32")
        f.out(f"{t.name} = tensor.insert_slice {h.name} into {zt.name}[0, 0, 2, 2] [{b}, {ci}, {hh}, {ww_}] [1, 1, 2, 2] : {h.type} into {zt.type}")
        return f.conv(t, name, n, 4)
    h = f.relu(up(h, "d1", hidden))
    y = f.un("tanh", up(h, "d2", c))
    return f.text(y, loss)


def stylegan(size=8, c=24, n=16, style=32):
    f = F("stylegan")
    x = f.arg("x", [2, c, size, size])
    w = f.arg("styles", [2, style])
    st = f.linear(w, "affine", c)          # b c
    wt = f.w("conv", n, c, 3, 3)
    e = f.expand(wt, [[0, 1], [2], [3], [4]], [1, n, c, 3, 3])
    s5 = f.expand(st, [[0, 1], [2, 3, 4]], [2, 1, c, 1, 1])
    wm = f.mul(e, s5)                      # b n c 3 3
    sq = f.mul(wm, wm)
    d = f.reduce(f.reduce(f.reduce(sq, 2), 3), 4)
    d = f.un("rsqrt", f.adds(d, 1e-8))
    wm = f.mul(wm, d)
    xp = f.pad(x, [0, 0, 1, 1], [0, 0, 1, 1])
    xg = f.expand(xp, [[0, 1], [2], [3], [4]], [1, 2, c, size + 2, size + 2])
    o = f.fill(0.0, [1, 2, n, size, size])
    t = T(f.new(), [1, 2, n, size, size], "f32")
    f.out(f"{t.name} = linalg.conv_2d_ngchw_gfchw {{dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}} ins({xg.name}, {wm.name} : {xg.type}, {wm.type}) outs({o.name} : {o.type}) -> {t.type}")
    y = f.collapse(t, [[0, 1], [2], [3], [4]])
    noise = f.mul(f.arg("noise", [1, 1, size, size]), f.w("strength", 1))
    y = f.add(f.add(y, noise), f.expand(f.w("b", n), [[0, 1, 2]], [n, 1, 1]))
    y = f.ew([y], f"%c = arith.cmpf ogt, %a0, {f.scalar(0.0)} : f32\n%m = arith.mulf %a0, {f.scalar(0.2)} : f32\n%sl = arith.select %c, %a0, %m : f32\n%q = arith.mulf %sl, {f.scalar(math.sqrt(2))} : f32\n%lo = arith.maximumf %q, {f.scalar(-256.0)} : f32\n%r = arith.minimumf %lo, {f.scalar(256.0)} : f32")
    return f.text(y)


if __name__ == "__main__":
    print(globals()[sys.argv[1]]())
