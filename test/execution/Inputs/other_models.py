#!/usr/bin/env python3
"""Writes models of families that examples/models/ does not have, in TOSA as exporters do: other_models.py MODEL > FILE.

gemma   scores and logits capped by tanh, a window of places computed from integers, norms by 1 + weight, before and after
graph   attention over the neighbours of a node, whose rows are gathered
mobile  an inverted residual with squeeze and excitation, hard swishes and a window of 5
detr    queries that attend to each other and to a memory of ragged length, with two heads of results
mamba   a causal convolution along time, and a selective scan in a loop whose state is a matrix
"""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../examples/models"))
from make import Function, Tensor  # noqa: E402


def gemma(tokens=100, width=128, heads=4, kv=2, hidden=192, window=32, words=300):
    f, d = Function("gemma"), width // heads
    x = f.arg("x", [1, tokens, width], "f32")
    cos, sin = f.arg("cos", [1, 1, tokens, d], "f32"), f.arg("sin", [1, 1, tokens, d], "f32")

    def norm(x, name, elem="bf16"):
        r = f.unary("rsqrt", f.add(f.mean(f.mul(x, x)), 1e-6))
        return f.cast(f.mul(f.mul(x, r), f.add(f.arg("n_" + name, [1, 1, x.shape[2]], "f32"), 1.0)), elem)

    def rotary(t):
        turned = f.concat([f.neg(f.part(t, 3, d // 2, d // 2)), f.part(t, 3, 0, d // 2)], 3)
        return f.cast(f.add(f.mul(t, cos), f.mul(turned, sin)), "bf16")

    def repeat(t):
        t = f.reshape(t, [1, kv, 1, tokens, d])
        t = f.emit("tile", [t, f.shape([1, 1, heads // kv, 1, 1])], [1, kv, heads // kv, tokens, d], t.elem)
        return f.reshape(t, [heads, tokens, d])

    def cap(x, most): return f.mul(f.unary("tanh", f.mul(x, 1 / most)), most)

    places, every = list(range(tokens)), [1, tokens, tokens]
    rows = f.const([[[i] for i in places]], [1, tokens, 1], "i32")
    cols = f.const([[places]], [1, 1, tokens], "i32")
    before = f.emit("greater_equal", [rows, cols], every, "i1")
    near = f.emit("greater", [f.add(cols, f.const(window, [1, 1, 1], "i32")), rows], every, "i1")
    seen = f.emit("logical_and", [before, near], every, "i1")
    h = norm(x, "a")
    q = f.reshape(rotary(f.heads(f.linear(h, "q", width, False), heads)), [heads, tokens, d])
    k = repeat(rotary(f.heads(f.linear(h, "k", kv * d, False), kv)))
    v = repeat(f.heads(f.cast(f.linear(h, "v", kv * d, False), "bf16"), kv))
    s = cap(f.mul(f.matmul(q, f.transpose(k, [0, 2, 1])), d ** -0.5), 50)
    s = f.emit("select", [seen, s, f.const("-1.0e30", [1, 1, 1], "f32")], s.shape, "f32")
    o = f.merge(f.cast(f.matmul(f.cast(f.softmax(s), "bf16"), v), "bf16"))
    y = f.add(norm(f.linear(o, "o", width, False), "after_a", "f32"), x)
    h = norm(y, "m")
    g = f.linear(h, "gate", hidden, False)
    cubic = f.mul(f.add(g, f.mul(f.mul(f.mul(g, g), g), 0.044715)), math.sqrt(2 / math.pi))
    g = f.mul(f.mul(g, 0.5), f.add(f.unary("tanh", cubic), 1.0))
    m = f.linear(f.cast(f.mul(g, f.linear(h, "up", hidden, False)), "bf16"), "down", width, False)
    y = f.add(norm(m, "after_m", "f32"), y)
    return f.text(cap(f.linear(norm(y, "last"), "words", words, False), 30))


def graph(nodes=80, near=8, width=64, heads=2):
    f, d = Function("graph"), width // heads
    x = f.arg("x", [1, nodes, width])
    ids = f.arg("ids", [1, nodes * near], "i32", f"tt.range = [0, {nodes - 1}]")
    keep = f.arg("keep", [1, nodes, near, 1], "f32")
    h = f.linear(x, "in", width, False)

    def score(name):
        each = f.reshape(f.mul(h, f.arg("w_" + name, [1, 1, width], "f32")), [1, nodes * heads, d])
        return f.reshape(f.reduce("sum", each, 2), [1, nodes, heads])

    here, there = f.reshape(score("to"), [1, nodes, 1, heads]), f.gather(score("from"), ids)
    e = f.add(f.reshape(there, [1, nodes, near, heads]), here)
    e = f.add(f.binary("maximum", e, f.mul(e, 0.2)), keep)
    p = f.unary("exp", f.sub(e, f.reduce("max", e, 2)))
    p = f.mul(p, f.unary("reciprocal", f.reduce("sum", p, 2)))
    rows = f.reshape(f.gather(h, ids), [1, nodes, near, heads, d])
    z = f.reshape(f.reduce("sum", f.mul(f.reshape(p, [1, nodes, near, heads, 1]), rows), 2), [1, nodes, width])
    positive = f.emit("greater", [z, f.number(z, 0.0)], z.shape, "i1")
    z = f.emit("select", [positive, z, f.sub(f.unary("exp", z), 1.0)], z.shape, "f32")
    return f.text(f.linear(f.cast(z, "bf16"), "out", 10))


def mobile(height=14, width=14, channels=40, inner=120, squeeze=32):
    f = Function("mobile")

    def gate(x): return f.mul(f.unary("clamp", f.add(x, 3.0), " {min_val = 0.0 : f32, max_val = 6.0 : f32}"), 1 / 6)
    def swish(x): return f.mul(x, gate(x))

    x = f.arg("x", [1, height, width, channels])
    h = f.cast(swish(f.conv(x, "in", inner, 1)), "bf16")
    h = swish(f.conv(h, "depth", inner, 5, depthwise=True))
    s = f.mul(f.reduce("sum", f.reduce("sum", h, 1), 2), 1 / (height * width))
    s = f.relu(f.conv(f.cast(s, "bf16"), "squeeze", squeeze, 1))
    s = gate(f.conv(f.cast(s, "bf16"), "excite", inner, 1))
    return f.text(f.add(f.conv(f.cast(f.mul(h, s), "bf16"), "out", channels, 1), f.cast(x, "f32")))


def detr(queries=30, memory=49, width=64, heads=2, classes=20):
    f = Function("detr")
    x, places = f.arg("query", [1, queries, width], "f32"), f.arg("w_query_places", [1, queries, width], "f32")
    seen, seen_places = f.arg("memory", [1, memory, width], "f32"), f.arg("w_memory_places", [1, memory, width], "f32")

    def attend(name, q, k, v):
        q, k, v = [f.heads(f.cast(f.linear(f.cast(t, "bf16"), name + n, width), "bf16"), heads) for t, n in ((q, "q"), (k, "k"), (v, "v"))]
        return f.linear(f.merge(f.cast(f.attention(q, k, v), "bf16")), name + "o", width)

    placed = f.add(x, places)
    x = f.layer_norm(f.add(x, attend("s", placed, placed, x)), "1", "f32")
    x = f.layer_norm(f.add(x, attend("c", f.add(x, places), f.add(seen, seen_places), seen)), "2", "f32")
    h = f.cast(f.relu(f.linear(f.cast(x, "bf16"), "up", 4 * width)), "bf16")
    x = f.layer_norm(f.add(x, f.linear(h, "down", width)), "3")
    box = f.cast(f.relu(f.linear(x, "box1", width)), "bf16")
    return f.text(f.linear(x, "class", classes + 1), f.unary("sigmoid", f.linear(box, "box2", 4)))


def mamba(tokens=24, width=64, inner=128, state=16, rank=4, kernel=4):
    f = Function("mamba")
    x = f.arg("x", [1, tokens, width], "f32")
    both = f.linear(f.rms_norm(x, "a"), "in", 2 * inner, False)
    u, z = f.part(both, 2, 0, inner), f.part(both, 2, inner, inner)
    zero = f.const("0.0", [1], "f32")
    padded = f.emit("pad", [u, f.shape([0, 0, kernel - 1, 0, 0, 0]), zero], [1, tokens + kernel - 1, inner], "f32")
    weight = f.arg("w_conv", [kernel, 1, inner], "f32")
    terms = [f.mul(f.part(padded, 1, i, tokens), f.part(weight, 0, i, 1)) for i in range(kernel)]
    u = f.arg("b_conv", [1, 1, inner], "f32")
    for term in terms:
        u = f.add(term, u)
    u = f.silu(u)
    chosen = f.linear(f.cast(u, "bf16"), "x", rank + 2 * state, False)
    step = f.linear(f.cast(f.part(chosen, 2, 0, rank), "bf16"), "step", inner)
    step = f.unary("log", f.add(f.unary("exp", step), 1.0))
    b, c = f.part(chosen, 2, rank, state), f.part(chosen, 2, rank + state, state)
    rate = f.neg(f.unary("exp", f.arg("rate", [1, inner, state], "f32")))
    states, rows = f"tensor<1x{inner}x{state}xf32>", f"tensor<1x{tokens}x{inner}xf32>"
    f.body += ["  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index", f"  %end = arith.constant {tokens} : index",
               f"  %none = tensor.empty() : {rows}",
               f'  %first = "tosa.const"() <{{values = dense<0.0> : {states}}}> : () -> {states}',
               f"  %all:2 = scf.for %i = %c0 to %end step %c1 iter_args(%o = %none, %h = %first) -> ({rows}, {states}) {{"]
    outside, f.cache = f.cache, dict(f.cache)

    def at(t, n):
        r = f.new([1, 1, n], "f32")
        f.body.append(f"  {r.name} = tensor.extract_slice {t.name}[0, %i, 0] [1, 1, {n}] [1, 1, 1] : {t.type} to {r.type}")
        return r

    along = f.reshape(at(step, inner), [1, inner, 1])
    taken = f.mul(f.mul(along, f.reshape(at(u, inner), [1, inner, 1])), at(b, state))
    new = f.add(f.mul(f.unary("exp", f.mul(along, rate)), Tensor(f, "%h", [1, inner, state], "f32")), taken)
    y = f.reshape(f.reduce("sum", f.mul(new, at(c, state)), 2), [1, 1, inner])
    f.body += [f"  %put = tensor.insert_slice {y.name} into %o[0, %i, 0] [1, 1, {inner}] [1, 1, 1] : {y.type} into {rows}",
               f"  scf.yield %put, {new.name} : {rows}, {states}", "  }"]
    f.cache = outside
    y = f.add(Tensor(f, "%all#0", [1, tokens, inner], "f32"), f.mul(u, f.arg("skip", [1, 1, inner], "f32")))
    return f.text(f.add(f.linear(f.cast(f.mul(y, f.silu(z)), "bf16"), "out", width, False), x))


if __name__ == "__main__":
    sys.stdout.write({m.__name__: m for m in (gemma, graph, mobile, detr, mamba)}[sys.argv[1]]())
