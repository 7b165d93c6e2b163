#!/usr/bin/env python3
"""Writes models of sequences, as exporters leave them: sequence_models.py MODEL > FILE.

gru      steps in a loop, with all states and the last one
deberta  scores of places, gathered along the last dimension, and a mask of i64
xl       positions shifted by padding, a reshape and a slice; a memory before the tokens
clip     rows at the largest token, unit vectors, a causal mask of infinities
wavenet  dilated causal convolutions, with gates
ssd      a state space in chunks: sums of segments, states from chunk to chunk in a loop
phi      in TOSA: attention beside the MLP, a part of each head turned by angles that it computes
"""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../../examples/models"))
from linalg_text import F, T  # noqa: E402
from make import Function  # noqa: E402
from model_parts import (broadcast, gather_last, largest, put_step, rows_at,  # noqa: E402
                         step_of, steps, window)


def gru(n=4, batch=3, width=20, hidden=28):
    f = F("gru")
    x, h = f.arg("x", [batch, n, width]), f.drop(f.arg("h0", [1, batch, hidden]), 0)
    x = f.transpose(x, [1, 0, 2])
    wi = f.transpose(f.w("i", 3 * hidden, width), [1, 0])
    wh = f.transpose(f.w("h", 3 * hidden, hidden), [1, 0])
    bi, bh, out = f.w("bi", 3 * hidden), f.w("bh", 3 * hidden), f.empty([n, batch, hidden])
    f.scalar(1.0)

    def step():
        old = T("%c0", h.shape, "f32")
        gi = f.add(f.matmul(step_of(f, x, 0, "%i"), wi), bi)
        gh = f.add(f.matmul(old, wh), bh)
        r, z, m = ([f.slice(g, 1, k * hidden, hidden) for g in (gi, gh)] for k in range(3))
        keep = f.sigmoid(f.add(*z))
        new = f.un("tanh", f.add(m[0], f.mul(f.sigmoid(f.add(*r)), m[1])))
        new = f.add(f.mul(keep, f.sub(old, new)), new)
        return [new.name, put_step(f, new, "%c1", out, 0, "%i")]
    last, every = steps(f, n, [h, out], step)
    return f.text(f.transpose(every, [1, 0, 2]), f.unsq(last, 0))


def deberta(tokens=37, width=48, heads=3, span=16):
    f, d = F("deberta"), width // heads
    x = f.arg("x", [1, tokens, width])
    q, k, v = (f.collapse(f.heads(f.linear(x, c, width), heads), [[0, 1], [2], [3]])
               for c in "qkv")
    rel = f.layernorm(f.w("rel", 2 * span, width), "nr")

    def places(name):
        y = f.expand(f.linear(rel, name, width), [[0], [1, 2]], [2 * span, heads, d])
        return f.transpose(y, [1, 2, 0])
    pos, scale = f.iota(tokens), (3 * d) ** 0.5
    s = f.matmul(q, f.transpose(f.muls(k, 1 / scale), [0, 2, 1]))
    at = f.ew([f.unsq(pos, 1), f.unsq(pos, 0)], f"""%d = arith.subi %a0, %a1 : i64
        %e = arith.addi %d, {f.scalar(span, 'i64')} : i64
        %l = arith.maxsi %e, {f.scalar(0, 'i64')} : i64
        %r = arith.minsi %l, {f.scalar(2 * span - 1, 'i64')} : i64""", "i64")
    at = broadcast(f, at, [heads, tokens, tokens], [0])
    by_place = gather_last(f, f.matmul(q, places("pk")), at)
    by_token = f.transpose(gather_last(f, f.matmul(k, places("pq")), at), [0, 2, 1])
    s = f.add(s, f.muls(f.add(by_place, by_token), 1 / scale))
    m = f.arg("mask", [1, tokens], "i64", "tt.range = [0, 1]")
    s = f.ew([f.expand(m, [[0, 1], [2]], [1, 1, tokens]), s],
             f"""%c = arith.cmpi ne, %a0, {f.scalar(0, 'i64')} : i64
             %r = arith.select %c, %a1, {f.scalar(-3.4028235e38)} : f32""", "f32")
    o = f.transpose(f.matmul(f.softmax(s), v), [1, 0, 2])
    o = f.unsq(f.collapse(o, [[0], [1, 2]]), 0)
    return f.text(f.layernorm(f.add(x, f.linear(o, "o", width)), "n"))


def xl(tokens=21, memory=11, width=48, heads=2):
    f, d, n = F("xl"), width // heads, tokens + memory
    x, mem = f.arg("x", [2, tokens, width]), f.arg("mem", [2, memory, width])
    c = f.concat([mem, x], 1)
    q = f.heads(f.linear(x, "q", width, False), heads)
    k, v = (f.heads(f.linear(c, i, width, False), heads) for i in "kv")
    r = f.expand(f.linear(f.w("places", n, width), "r", width, False), [[0], [1, 2]],
                 [n, heads, d])
    u, w = (f.expand(f.w(i, heads, d), [[0, 1], [2]], [heads, 1, d]) for i in ("u", "v_bias"))
    ac = f.bmm(f.add(q, u), f.transpose(k, [0, 1, 3, 2]))
    qv = f.collapse(f.transpose(f.add(q, w), [1, 0, 2, 3]), [[0], [1, 2], [3]])
    bd = f.expand(f.matmul(qv, f.transpose(r, [1, 2, 0])), [[0], [1, 2], [3]],
                  [heads, 2, tokens, n])
    bd = f.pad(f.transpose(bd, [1, 0, 2, 3]), [0, 0, 0, 1], [0, 0, 0, 0])
    split = [[0], [1], [2, 3]]
    bd = f.expand(f.collapse(bd, split), split, [2, heads, n + 1, tokens])
    bd = f.expand(f.collapse(f.slice(bd, 2, 1, n), split), split, [2, heads, tokens, n])
    s = f.muls(f.add(ac, bd), d ** -0.5)
    hidden = [[int(j > i + memory) for j in range(n)] for i in range(tokens)]
    s = f.ew([f.dense(hidden, [tokens, n], "i8"), s],
             f"""%c = arith.cmpi ne, %a0, {f.scalar(0, 'i8')} : i8
             %r = arith.select %c, {f.scalar(-1e30)}, %a1 : f32""", "f32")
    o = f.linear(f.merge(f.bmm(f.softmax(s), v)), "o", width, False)
    return f.text(f.layernorm(f.add(x, o), "n"))


def clip(batch=3, tokens=17, width=48, heads=3, words=90, image=40, out=24):
    f = F("clip")
    ids = f.arg("ids", [batch, tokens], "i64", f"tt.range = [0, {words - 1}]")
    im = f.arg("image", [batch, image])
    x = f.add(f.embed(f.w("words", words, width), ids), f.w("pos", tokens, width))
    y = f.layernorm(x, "n1")
    q, k, v = (f.heads(f.linear(y, c, width), heads) for c in "qkv")
    rows = (", ".join("0xFF800000" if j > i else "0.0" for j in range(tokens))
            for i in range(tokens))
    m = f.dense("[" + ", ".join(f"[{r}]" for r in rows) + "]", [tokens, tokens], "f32")
    a = f.attention(q, k, v, (width // heads) ** -0.5, m)
    x = f.add(x, f.linear(a, "o", width))
    y = f.linear(f.layernorm(x, "n2"), "up", 2 * width)
    x = f.add(x, f.linear(f.mul(y, f.sigmoid(f.muls(y, 1.702))), "down", width))
    e = rows_at(f, f.layernorm(x, "nf"), largest(f, ids, -9223372036854775808))
    t, i = f.linear(e, "tp", out, False), f.linear(im, "ip", out, False)

    def unit(a): return f.div(a, f.un("sqrt", f.reduce(f.mul(a, a), -1)))
    return f.text(f.muls(f.matmul(unit(i), f.transpose(unit(t), [1, 0])), 14.2857))


def wavenet(time=40, c=12, layers=2):
    f = F("wavenet")
    x, skip = f.arg("x", [1, c, time]), None
    for i in range(layers):
        y = f.pad(x, [0, 0, 2 ** i], [0, 0, 0])
        start = broadcast(f, f.w(f"d{i}_b", 2 * c), [1, 2 * c, time], [0, 2])
        y = window(f, "conv_1d_ncw_fcw", [y, f.w(f"d{i}", 2 * c, c, 2)], start, 1, 2 ** i, 1)
        g = f.mul(f.un("tanh", f.slice(y, 1, 0, c)), f.sigmoid(f.slice(y, 1, c, c)))
        s = f.conv1d(g, f"s{i}", c, 1)
        skip = s if skip is None else f.add(skip, s)
        x = f.add(x, f.conv1d(g, f"r{i}", c, 1))
    return f.text(f.conv1d(f.relu(f.conv1d(f.relu(skip), "o1", c, 1)), "o2", 30, 1))


def ssd(chunk=16, chunks=3, heads=2, d=20, state=12):
    f = F("ssd")
    x, a = f.arg("x", [heads, chunks, chunk, d]), f.arg("a", [heads, chunks, chunk])
    b, c = (f.arg(n, [heads, chunks, chunk, state]) for n in "bc")
    a = f.ew([a], f"""%s = math.absf %a0 : f32
        %r = arith.mulf %s, {f.scalar(-0.1)} : f32""")
    low = [[1.0 if j <= i else 0.0 for j in range(chunk)] for i in range(chunk)]
    tri = f.dense(low, [chunk, chunk], "f32")
    total = f.matmul(f.collapse(a, [[0, 1], [2]]), f.transpose(tri, [1, 0]))
    total = f.expand(total, [[0, 1], [2]], [heads, chunks, chunk])
    part = f.ew([tri, f.sub(f.unsq(total, 3), f.unsq(total, 2))],
                f"""%e = math.exp %a1 : f32
                %none = arith.cmpf oeq, %a0, {f.scalar(0.0)} : f32
                %r = arith.select %none, {f.scalar(0.0)}, %e : f32""", "f32")
    inside = f.bmm(f.mul(f.bmm(c, f.transpose(b, [0, 1, 3, 2])), part), x)
    last = f.slice(total, 2, chunk - 1, 1)
    left = f.unsq(f.un("exp", f.sub(last, total)), 3)
    states = f.bmm(f.transpose(f.mul(b, left), [0, 1, 3, 2]), x)
    into, through = f.un("exp", total), f.un("exp", last)
    h0, before = f.fill(0.0, [heads, state, d]), f.empty([heads, chunks, chunk, d])

    def step():
        h = T("%c0", h0.shape, "f32")
        y = f.mul(f.matmul(step_of(f, c, 1, "%i"), h), f.unsq(step_of(f, into, 1, "%i"), 2))
        new = f.mul(h, f.unsq(step_of(f, through, 1, "%i"), 2))
        new = f.add(new, step_of(f, states, 1, "%i"))
        return [new.name, put_step(f, y, "%c1", before, 1, "%i")]
    h, before = steps(f, chunks, [h0, before], step)
    return f.text(f.collapse(f.add(inside, before), [[0], [1, 2], [3]]), h)


def phi(tokens=45, width=96, heads=3, part=16, hidden=160):
    f, d = Function("phi"), width // heads
    x = f.arg("x", [1, tokens, width], "f32")
    h = f.layer_norm(x, "n", "bf16")
    ids = f.const([[list(range(tokens))]], [1, 1, tokens], "i32")
    rates = [[10000 ** (-2 * i / part)] for i in range(part // 2)]
    rates = f.const([rates], [1, part // 2, 1], "f32")
    angles = f.transpose(f.matmul(rates, f.cast(ids, "f32")), [0, 2, 1])
    angles = f.reshape(f.concat([angles, angles], 2), [1, 1, tokens, part])
    cos, sin = f.unary("cos", angles), f.unary("sin", angles)

    def turn(t):
        a = f.cast(f.part(t, 3, 0, part), "f32")
        half = part // 2
        b = f.concat([f.neg(f.part(a, 3, half, half)), f.part(a, 3, 0, half)], 3)
        a = f.cast(f.add(f.mul(a, cos), f.mul(b, sin)), "bf16")
        return f.concat([a, f.part(t, 3, part, d - part)], 3)
    q, k, v = (f.cast(f.heads(f.linear(h, c, width), heads), "bf16") for c in "qkv")
    seen = [[0.0 if j <= i else -1e9 for j in range(tokens)] for i in range(tokens)]
    a = f.attention(turn(q), turn(k), v, f.const([seen], [1, tokens, tokens], "f32"))
    a = f.linear(f.merge(f.cast(a, "bf16")), "o", width)

    def gelu(x):
        c = f.emit("pow", [x, f.number(x, 3.0)], x.shape, "f32")
        c = f.mul(f.add(x, f.mul(c, 0.044715)), math.sqrt(2 / math.pi))
        return f.mul(f.mul(x, 0.5), f.add(f.unary("tanh", c), 1.0))
    m = f.linear(f.cast(gelu(f.linear(h, "up", hidden)), "bf16"), "down", width)
    return f.text(f.add(f.add(a, m), x))


if __name__ == "__main__":
    print(globals()[sys.argv[1]]())
