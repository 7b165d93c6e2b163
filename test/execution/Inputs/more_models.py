#!/usr/bin/env python3
"""Writes models in linalg, as importers of PyTorch leave them: more_models.py MODEL > FILE.

swin        windows that are shifted by rolling, a bias from a table of relative places
unet        transposed convolutions, and features of the way down beside those of the way up
convnext    depthwise windows of 7, norms over channels behind a transposition
shufflenet  grouped convolutions, channels shuffled, pools of every second place
diffusion   group norms, a step's sines in each channel, attention over pixels
yolo        pools side by side, boxes as expected values of distributions
espcn       pixels from channels
"""
import math
import sys

from linalg_text import F
from model_parts import (affine, divided, group_norm, grouped, pool, roll, transposed)


def partition(f, x, n, window):
    """(B, n w, n w, C) -> (B n n, w w, C)"""
    b, _, _, c = x.shape
    x = f.expand(x, [[0], [1, 2], [3, 4], [5]], [b, n, window, n, window, c])
    return f.collapse(f.transpose(x, [0, 1, 3, 2, 4, 5]), [[0, 1, 2], [3, 4], [5]])


def swin(size=14, window=7, width=48, heads=3, shift=3):
    f = F("swin")
    x0 = f.arg("x", [2, size * size, width])
    x = f.expand(f.layernorm(x0, "n1"), [[0], [1, 2], [3]], [2, size, size, width])
    n, t, d = size // window, window * window, width // heads
    x = partition(f, roll(f, roll(f, x, 1, shift), 2, shift), n, window)
    p = f.expand(f.linear(x, "qkv", 3 * width), [[0], [1], [2, 3, 4]],
                 [2 * n * n, t, 3, heads, d])
    p = f.transpose(p, [2, 0, 3, 1, 4])
    q, k, v = (f.drop(f.slice(p, 0, i, 1), 0) for i in range(3))
    s = f.bmm(f.muls(q, d ** -0.5), f.transpose(k, [0, 1, 3, 2]))

    def relative(i, j):
        y, x = i // window - j // window + window - 1, i % window - j % window + window - 1
        return y * (2 * window - 1) + x
    at = f.dense([relative(i, j) for i in range(t) for j in range(t)], [t * t], "i64")
    b = f.embed(f.w("bias", (2 * window - 1) ** 2, heads), at)
    b = f.transpose(f.expand(b, [[0, 1], [2]], [t, t, heads]), [2, 0, 1])
    s = f.add(s, f.unsq(b, 0))

    def region(i): return (i >= size - window) + (i >= size - shift)
    regions = [[region(wy * window + i // window) * 3 + region(wx * window + i % window)
                for i in range(t)] for wy in range(n) for wx in range(n)]
    mask = [[[0.0 if i == j else -100.0 for j in r] for i in r] for r in regions]
    s = f.expand(s, [[0, 1], [2], [3], [4]], [2, n * n, heads, t, t])
    s = f.add(s, f.unsq(f.unsq(f.dense(mask, [n * n, t, t], "f32"), 1), 0))
    s = f.collapse(s, [[0, 1], [2], [3], [4]])
    o = f.linear(f.merge(f.bmm(f.softmax(s), v)), "proj", width)
    o = f.expand(o, [[0, 1, 2], [3, 4], [5]], [2, n, n, window, window, width])
    o = f.collapse(f.transpose(o, [0, 1, 3, 2, 4, 5]), [[0], [1, 2], [3, 4], [5]])
    o = roll(f, roll(f, o, 1, size - shift), 2, size - shift)
    x = f.add(x0, f.collapse(o, [[0], [1, 2], [3]]))
    y = f.gelu(f.linear(f.layernorm(x, "n2"), "up", 2 * width))
    return f.text(f.add(x, f.linear(y, "down", width)))


def unet(size=12, c=10):
    f = F("unet")

    def double(x, name, n):
        for i in range(2):
            x = f.conv(x, f"{name}{i}", n, 3, 1, 1, bias=False)
            x = f.relu(affine(f, x, n, f"{name}{i}bn", 3))
        return x
    a = double(f.arg("x", [1, 3, size, size]), "d1", c)
    b = double(f.pool(a, 2), "d2", 2 * c)
    y = double(f.concat([a, transposed(f, b, "up", c)], 1), "u1", c)
    return f.text(f.conv(y, "out", 2, 1))


def convnext(size=13, width=40):
    f = F("convnext")
    x0 = f.arg("x", [1, width, size, size])
    x = f.layernorm(f.transpose(f.dwconv(x0, "dw", 7, 1, 3), [0, 2, 3, 1]), "n", 1e-6)
    x = f.linear(f.gelu(f.linear(x, "up", 4 * width)), "down", width)
    return f.text(f.add(x0, f.transpose(f.mul(x, f.w("gamma", width)), [0, 3, 1, 2])))


def shufflenet(size=10, c=12, inner=12, n=24, groups=3):
    f = F("shufflenet")
    x = f.arg("x", [1, c, size, size])
    y = f.relu(affine(f, grouped(f, x, "g1", inner, groups), inner, "bn1", 3))
    y = f.expand(y, [[0], [1, 2], [3], [4]], [1, groups, inner // groups, size, size])
    y = f.collapse(f.transpose(y, [0, 2, 1, 3, 4]), [[0], [1, 2], [3], [4]])
    y = affine(f, f.dwconv(y, "dw", 3, 2, 1), inner, "bn2", 3)
    y = affine(f, grouped(f, y, "g2", n - c, groups), n - c, "bn3", 3)
    return f.text(f.relu(f.concat([divided(f, pool(f, x, 3, 2, 1, "sum"), 9), y], 1)))


def diffusion(size=6, c=24, given=16, freqs=16):
    f = F("diffusion")
    x, t = f.arg("x", [2, given, size, size]), f.arg("t", [2], "f32")
    rates = [math.exp(-math.log(10000) * i / freqs) for i in range(freqs)]
    e = f.mul(f.unsq(t, 1), f.unsq(f.dense(rates, [freqs], "f32"), 0))
    e = f.concat([f.un("cos", e), f.un("sin", e)], 1)
    e = f.linear(f.silu(f.linear(e, "t1", 64)), "t2", 64)
    y = f.conv(f.silu(group_norm(f, x, 8, "gn1")), "c1", c, 3, 1, 1)
    step = f.linear(f.silu(e), "tp", c)
    y = f.add(y, f.expand(step, [[0], [1, 2, 3]], [2, c, 1, 1]))
    y = f.conv(f.silu(group_norm(f, y, 8, "gn2")), "c2", c, 3, 1, 1)
    x = f.add(f.conv(x, "skip", c, 1), y)
    h = group_norm(f, x, 8, "gn3")
    q, k, v = (f.collapse(f.conv(h, n, c, 1), [[0], [1], [2, 3]]) for n in "qkv")
    s = f.softmax(f.muls(f.matmul(f.transpose(q, [0, 2, 1]), k), c ** -0.5))
    o = f.expand(f.matmul(v, f.transpose(s, [0, 2, 1])), [[0], [1], [2, 3]], [2, c, size, size])
    return f.text(f.add(x, f.conv(o, "proj", c, 1)))


def yolo(size=6, c=24, reg=16, classes=7):
    f = F("yolo")
    x = f.arg("x", [1, c, size, size])

    def cv(x, name, n, k=1):
        return f.silu(affine(f, f.conv(x, name, n, k, 1, k // 2, bias=False), n, name + "bn", 3))
    y = cv(x, "c1", c)
    a, b = f.slice(y, 1, 0, c // 2), f.slice(y, 1, c // 2, c // 2)
    d = f.add(b, cv(cv(b, "m1", c // 2, 3), "m2", c // 2, 3))
    pools = [cv(cv(f.concat([a, b, d], 1), "c2", c), "s1", c // 2)]
    for _ in range(2):
        pools.append(pool(f, pools[-1], 5, 1, 2, "max"))
    y = cv(f.concat(pools, 1), "s2", c)
    n = size * size
    o = f.concat([f.conv(y, "box", 4 * reg, 1), f.conv(y, "cls", classes, 1)], 1)
    o = f.collapse(o, [[0], [1], [2, 3]])
    box, cls = f.slice(o, 1, 0, 4 * reg), f.slice(o, 1, 4 * reg, classes)
    b = f.softmax(f.transpose(f.expand(box, [[0], [1, 2], [3]], [1, 4, reg, n]), [0, 3, 1, 2]))
    w = f.expand(f.dense([float(i) for i in range(reg)], [reg], "f32"), [[0, 1, 2, 3]],
                 [1, 1, 1, reg])
    b = f.transpose(f.collapse(f.reduce(f.mul(b, w), -1), [[0], [1], [2, 3]]), [0, 2, 1])
    places = [[i % size + 0.5 for i in range(n)], [i // size + 0.5 for i in range(n)]]
    at = f.dense([places], [1, 2, n], "f32")
    low, high = f.sub(at, f.slice(b, 1, 0, 2)), f.add(at, f.slice(b, 1, 2, 2))
    boxes = f.concat([f.muls(f.add(low, high), 0.5), f.sub(high, low)], 1)
    return f.text(f.concat([f.muls(boxes, 8.0), f.sigmoid(cls)], 1))


def espcn(size=9, c=12, r=3):
    f = F("espcn")
    x = f.un("tanh", f.conv(f.arg("x", [2, 1, size, size]), "c1", c, 5, 1, 2))
    x = f.conv(x, "c2", 3 * r * r, 3, 1, 1)
    x = f.expand(x, [[0], [1, 2, 3], [4], [5]], [2, 3, r, r, size, size])
    x = f.transpose(x, [0, 1, 4, 2, 5, 3])
    return f.text(f.sigmoid(f.collapse(x, [[0], [1], [2, 3], [4, 5]])))


if __name__ == "__main__":
    print(globals()[sys.argv[1]]())
