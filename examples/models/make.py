#!/usr/bin/env python3
"""Writes models in TOSA, as exporters do: values in order, weights as arguments.

    examples/models/make.py llama tokens=128 width=2048 heads=32 kv=8 hidden=8192 > llama.mlir

Names of arguments say what they are: w_ weights, b_ biases, g_ and n_ scale and shift of norms.
Random weights of a sensible size: tt-run llama.mlir --input 'w_*=~0.02'. Without sizes each model
is as in the file beside this one. With --constants, weights are seeded values that stand beside the
IR, which the host program loads from a file.
"""
import inspect
import math
import random
import struct
import sys


class Tensor:
    def __init__(self, f, name, shape, elem):
        self.f, self.name, self.shape, self.elem = f, name, list(shape), elem

    @property
    def type(self):
        return "tensor<" + "x".join(map(str, self.shape)) + ("x" if self.shape else "") + self.elem + ">"


class Function:
    def __init__(self, name):
        self.name, self.args, self.body, self.n, self.cache = name, [], [], 0, {}
        self.beside = []

    constants = False  # weights are

    def stored(self, name, shape, elem):
        """A weight whose values stand beside the IR."""
        draw = random.Random(name)
        mean, scale = (1.0, 0.1) if name.startswith("g_") else (0.0, shape[-1] ** -0.5)
        values = [mean + scale * draw.uniform(-1, 1) for _ in range(math.prod(shape))]
        words = [struct.unpack("<I", struct.pack("<f", v))[0] for v in values]
        if elem == "bf16":
            data = b"".join(struct.pack("<H", w + 0x8000 >> 16) for w in words)
        else:
            data = b"".join(struct.pack("<I", w) for w in words)
        r = self.new(shape, elem)
        self.body.append(f'  {r.name} = "tosa.const"() <{{values = dense_resource<{name}> : {r.type}}}> : () -> {r.type}')
        self.beside.append(f'    {name}: "0x04000000{data.hex().upper()}"')
        return r

    def arg(self, name, shape, elem="bf16", more=""):
        if self.constants and name[:2] in ("w_", "b_", "g_", "n_") and elem in ("bf16", "f32"):
            return self.stored(name, shape, elem)
        t = Tensor(self, "%" + name, shape, elem)
        self.args.append(f'{t.name}: {t.type} {{tt.name = "{name}"{", " + more if more else ""}}}')
        return t

    def new(self, shape, elem):
        self.n += 1
        return Tensor(self, f"%{self.n}", shape, elem)

    def emit(self, op, ins, shape, elem, attrs=""):
        r = self.new(shape, elem)
        types = ", ".join(i.type if isinstance(i, Tensor) else i[1] for i in ins)
        names = ", ".join(i.name if isinstance(i, Tensor) else i[0] for i in ins)
        self.body.append(f"  {r.name} = tosa.{op} {names}{attrs} : ({types}) -> {r.type}")
        return r

    def const(self, values, shape, elem):
        key = (str(values), tuple(shape), elem)
        if key not in self.cache:
            r = self.new(shape, elem)
            self.body.append(f'  {r.name} = "tosa.const"() <{{values = dense<{values}> : {r.type}}}> : () -> {r.type}')
            self.cache[key] = r
        return self.cache[key]

    def shape(self, dims):
        key = ("shape", tuple(dims))
        if key not in self.cache:
            self.n += 1
            t = f"!tosa.shape<{len(dims)}>"
            self.body.append(f"  %{self.n} = tosa.const_shape {{values = dense<{list(dims)}> : tensor<{len(dims)}xindex>}} : () -> {t}")
            self.cache[key] = (f"%{self.n}", t)
        return self.cache[key]

    # elementwise, of equal ranks
    def number(self, like, value):
        return self.const(f"{value:e}", [1] * len(like.shape), like.elem)

    def pair(self, x, y):
        if not isinstance(y, Tensor):
            y = self.number(x, y)
        if not isinstance(x, Tensor):
            x = self.number(y, x)
        return x, y, [max(a, b) for a, b in zip(x.shape, y.shape)]

    def binary(self, op, x, y):
        x, y, s = self.pair(x, y)
        return self.emit(op, [x, y], s, x.elem)

    def add(self, x, y): return self.binary("add", x, y)
    def sub(self, x, y): return self.binary("sub", x, y)

    def mul(self, x, y):
        x, y, s = self.pair(x, y)
        return self.emit("mul", [x, y, self.const(0, [1], "i8")], s, x.elem)

    def unary(self, op, x, attrs=""): return self.emit(op, [x], x.shape, x.elem, attrs)
    def cast(self, x, elem): return x if x.elem == elem else self.emit("cast", [x], x.shape, elem)

    def neg(self, x):
        z = self.const("0.0", [1], x.elem)
        return self.emit("negate", [x, z, z], x.shape, x.elem)

    def reduce(self, op, x, axis):
        s = list(x.shape)
        s[axis] = 1
        return self.emit("reduce_" + op, [x], s, x.elem, f" {{axis = {axis} : i32}}")

    # shapes
    def reshape(self, x, shape): return self.emit("reshape", [x, self.shape(shape)], shape, x.elem)

    def transpose(self, x, perms):
        return self.emit("transpose", [x], [x.shape[p] for p in perms], x.elem,
                         f" {{perms = array<i32: {', '.join(map(str, perms))}>}}")

    def slice(self, x, start, size): return self.emit("slice", [x, self.shape(start), self.shape(size)], size, x.elem)

    def part(self, x, axis, at, n):
        start = [0] * len(x.shape)
        size = list(x.shape)
        start[axis], size[axis] = at, n
        return self.slice(x, start, size)

    def concat(self, xs, axis):
        s = list(xs[0].shape)
        s[axis] = sum(x.shape[axis] for x in xs)
        return self.emit("concat", xs, s, xs[0].elem, f" {{axis = {axis} : i32}}")

    def gather(self, table, ids):
        """Rows of a table (N, K, C) that ids (N, W) name."""
        return self.emit("gather", [table, ids], [ids.shape[0], ids.shape[1], table.shape[2]], table.elem)

    # products
    def matmul(self, x, y):
        z = self.const("0.0", [1], x.elem)
        return self.emit("matmul", [x, y, z, z], [x.shape[0], x.shape[1], y.shape[2]], "f32")

    def linear(self, x, name, n, bias=True):
        """x (1, T, K) times a weight that is stored (n, K)."""
        w = self.arg("w_" + name, [n, x.shape[2]], x.elem)
        w = self.reshape(self.transpose(w, [1, 0]), [1, x.shape[2], n])
        y = self.matmul(x, w)
        return self.add(y, self.arg("b_" + name, [1, 1, n], "f32")) if bias else y

    def conv(self, x, name, n, window, depthwise=False, stride=1):
        """x (1, H, W, C) with a window around each pixel or every second one, padded with zeros; in f32."""
        if window == 1 and stride == 2:  # the last ones are in no window
            x = self.part(self.part(x, 1, 0, x.shape[1] - 1), 2, 0, x.shape[2] - 1)
        _, h, w, c = x.shape
        z, pad = self.const("0.0", [1], x.elem), (window - 1) // 2
        low = 0 if stride == 2 else pad
        bias = self.arg("b_" + name, [n], "f32")
        weight = self.arg("w_" + name, [window, window, c, 1] if depthwise else [n, window, window, c], x.elem)
        attrs = f"acc_type = f32, pad = array<i64: {pad}, {low}, {pad}, {low}>, stride = array<i64: {stride}, {stride}>, dilation = array<i64: 1, 1>"
        op = "depthwise_conv2d" if depthwise else "conv2d"
        return self.emit(op, [x, weight, bias, z, z], [1, -(-h // stride), -(-w // stride), n], "f32", f" {{{attrs}}}")

    def relu(self, x): return self.unary("clamp", x, " {min_val = 0.0 : f32, max_val = 3.4e38 : f32}")

    # common blocks
    def mean(self, x): return self.mul(self.reduce("sum", x, len(x.shape) - 1), 1.0 / x.shape[-1])

    def layer_norm(self, x, name, elem="bf16"):
        d = self.sub(x, self.mean(x))
        r = self.unary("rsqrt", self.add(self.mean(self.mul(d, d)), 1e-5))
        y = self.mul(self.mul(d, r), self.arg("g_" + name, [1, 1, x.shape[2]], "f32"))
        return self.cast(self.add(y, self.arg("n_" + name, [1, 1, x.shape[2]], "f32")), elem)

    def rms_norm(self, x, name, elem="bf16"):
        r = self.unary("rsqrt", self.add(self.mean(self.mul(x, x)), 1e-5))
        return self.cast(self.mul(self.mul(x, r), self.arg("g_" + name, [1, 1, x.shape[2]], "f32")), elem)

    def softmax(self, x):
        a = len(x.shape) - 1
        e = self.unary("exp", self.sub(x, self.reduce("max", x, a)))
        return self.mul(e, self.unary("reciprocal", self.reduce("sum", e, a)))

    def gelu(self, x):
        return self.mul(self.mul(x, self.add(self.unary("erf", self.mul(x, math.sqrt(0.5))), 1.0)), 0.5)

    def silu(self, x): return self.mul(x, self.unary("sigmoid", x))

    def heads(self, x, n):
        """(1, T, n * d) -> (1, n, T, d)"""
        _, t, w = x.shape
        return self.transpose(self.reshape(x, [1, t, n, w // n]), [0, 2, 1, 3])

    def merge(self, x):
        """(n, T, d) -> (1, T, n * d)"""
        n, t, d = x.shape
        return self.reshape(self.transpose(self.reshape(x, [1, n, t, d]), [0, 2, 1, 3]), [1, t, n * d])

    def attention(self, q, k, v, mask=None, scale=None):
        """(1, n, T, d) each; returns (n, T, d) in f32."""
        q, k, v = [self.reshape(x, [x.shape[0] * x.shape[1]] + x.shape[2:]) for x in (q, k, v)]
        s = self.mul(self.matmul(q, self.transpose(k, [0, 2, 1])), scale or q.shape[2] ** -0.5)
        if mask is not None:
            s = self.add(s, mask)
        return self.matmul(self.cast(self.softmax(s), q.elem), v)

    def text(self, *results):
        head = f"func.func @{self.name}({', '.join(self.args)}) -> ({', '.join(r.type for r in results)}) attributes {{tt.model}} {{"
        tail = f"  return {', '.join(r.name for r in results)} : {', '.join(r.type for r in results)}\n}}"
        beside = "{-#\n  dialect_resources: { builtin: {\n" + ",\n".join(self.beside) + "\n  } }\n#-}\n"
        return "\n".join([head] + self.body + [tail]) + "\n" + (beside if self.beside else "")


def weights(f, x, name, n, bias=True):
    """The same for a batch: (B, T, K) -> (B, T, n)."""
    b, t, k = x.shape
    return f.reshape(f.linear(f.reshape(x, [1, b * t, k]), name, n, bias), [b, t, n])


def mlp(rows=128, width=256, hidden=512, out=64):
    f = Function("mlp")
    x = f.arg("x", [1, rows, width])
    return f.text(f.linear(f.cast(f.relu(f.linear(x, "1", hidden)), "bf16"), "2", out))


def gpt(tokens=128, width=256, heads=4):
    """A decoder block: layer norms before, causal attention, gelu."""
    f = Function("gpt")
    x, mask = f.arg("x", [1, tokens, width], "f32"), f.arg("mask", [1, tokens, tokens], "f32")
    h = f.layer_norm(x, "a")
    q, k, v = [f.heads(f.cast(f.linear(h, n, width), "bf16"), heads) for n in "qkv"]
    o = f.merge(f.cast(f.attention(q, k, v, mask), "bf16"))
    y = f.add(f.linear(o, "o", width), x)
    h = f.gelu(f.linear(f.layer_norm(y, "m"), "up", 4 * width))
    return f.text(f.add(f.linear(f.cast(h, "bf16"), "down", width), y))


def llama(tokens=128, width=256, heads=4, kv=2, hidden=512):
    """RMS norms, rotary embeddings, heads of keys that several heads of queries share, a gated MLP."""
    f, d = Function("llama"), width // heads
    x, mask = f.arg("x", [1, tokens, width], "f32"), f.arg("mask", [1, tokens, tokens], "f32")
    cos, sin = f.arg("cos", [1, 1, tokens, d], "f32"), f.arg("sin", [1, 1, tokens, d], "f32")

    def rotary(t):
        turned = f.concat([f.neg(f.part(t, 3, d // 2, d // 2)), f.part(t, 3, 0, d // 2)], 3)
        return f.cast(f.add(f.mul(t, cos), f.mul(turned, sin)), "bf16")

    def repeat(t):
        if kv == heads:
            return t
        all_heads = [1, kv, heads // kv, tokens, d]
        t = f.emit("tile", [f.reshape(t, [1, kv, 1, tokens, d]), f.shape([1, 1, heads // kv, 1, 1])], all_heads, t.elem)
        return f.reshape(t, [1, heads, tokens, d])

    h = f.rms_norm(x, "a")
    q = rotary(f.heads(f.linear(h, "q", width, False), heads))
    k = rotary(f.heads(f.linear(h, "k", kv * d, False), kv))
    v = f.heads(f.cast(f.linear(h, "v", kv * d, False), "bf16"), kv)
    o = f.merge(f.cast(f.attention(q, repeat(k), repeat(v), mask), "bf16"))
    y = f.add(f.linear(o, "o", width, False), x)
    h = f.rms_norm(y, "m")
    gate = f.mul(f.silu(f.linear(h, "gate", hidden, False)), f.linear(h, "up", hidden, False))
    return f.text(f.add(f.linear(f.cast(gate, "bf16"), "down", width, False), y))


def encoder(batch=2, tokens=50, width=128, heads=2, hidden=256, layers=2, words=1000, elem="bf16"):
    """Tokens become rows of a table, plus what says where they stand; then layers of an encoder: attention and
    MLP, each with a layer norm after it. The last rows of a batch fill no tile."""
    f, d = Function("encoder"), width // heads
    ids = f.arg("ids", [batch, tokens], "i32", f"tt.range = [0, {words - 1}]")

    def split(x):
        return f.transpose(f.reshape(f.cast(x, elem), [batch, tokens, heads, d]), [0, 2, 1, 3])

    def norm(x, name):
        e = f.sub(x, f.mean(x))
        y = f.mul(e, f.unary("rsqrt", f.add(f.mean(f.mul(e, e)), 1e-5)))
        return f.add(f.mul(y, f.arg("g_" + name, [1, 1, width], "f32")), f.arg("n_" + name, [1, 1, width], "f32"))

    # One list of rows for all of the batch, as TOSA's gather wants the table.
    rows = f.gather(f.arg("w_words", [1, words, width], "f32"), f.reshape(ids, [1, batch * tokens]))
    x = f.reshape(rows, [batch, tokens, width])
    x = norm(f.add(x, f.arg("w_places", [1, tokens, width], "f32")), "e")
    for i in range(layers):
        h = f.cast(x, elem)
        q, k, v = [split(weights(f, h, f"{n}{i}", width)) for n in "qkv"]
        o = f.reshape(f.cast(f.attention(q, k, v), elem), [batch, heads, tokens, d])
        o = f.reshape(f.transpose(o, [0, 2, 1, 3]), [batch, tokens, width])
        y = norm(f.add(weights(f, o, f"o{i}", width), x), f"a{i}")
        h = f.cast(f.gelu(weights(f, f.cast(y, elem), f"up{i}", hidden)), elem)
        x = norm(f.add(weights(f, h, f"down{i}", width), y), f"m{i}")
    return f.text(x)


def decode(steps=3, context=64, width=128, heads=4, kv=2, hidden=256):
    """Decoding with a Llama's block, a token a step: keys, turned by the step's position, and values go into caches there,
    and attention goes over what the caches have up to there. The run says at which position it starts."""
    f, d = Function("decode"), width // heads
    x = f.arg("x", [steps, 1, 1, width], "f32")
    caches = [f.arg(n + "_cache", [kv, context, d]) for n in "kv"]
    angles = [f.arg(n, [context, 1, d], "f32") for n in ("cos", "sin")]
    f.args.append('%start: index {tt.name = "start"}')
    weights = {n: f.arg("w_" + n, [rows, cols]) for n, rows, cols in [
        ("q", width, width), ("k", kv * d, width), ("v", kv * d, width), ("o", width, width),
        ("gate", hidden, width), ("up", hidden, width), ("down", width, hidden)]}
    norms = {n: f.arg("g_" + n, [1, 1, width], "f32") for n in "am"}
    f.arg = lambda name, shape, elem="bf16": weights.get(name[2:]) or norms[name[2:]]

    def put(x, into, where):
        r = f.new(into.shape, into.elem)
        sizes = ", ".join(str(n) for n in [1] * (len(into.shape) - len(x.shape)) + x.shape)
        f.body.append(f"  {r.name} = tensor.insert_slice {x.name} into {into.name}[{where}] [{sizes}] "
                      f"[{', '.join('1' for _ in into.shape)}] : {x.type} into {into.type}")
        return r

    out = f.new(x.shape, "f32")
    f.body.append(f"  {out.name} = tensor.empty() : {out.type}")
    for name, value in ("first", 0), ("next", 1), ("steps", steps):
        f.body.append(f"  %{name} = arith.constant {value} : index")
    f.body += ["  %low = arith.constant -1.0e9 : f32", "  %zero = arith.constant 0.0 : f32"]
    carried = [out] + caches
    inside = [Tensor(f, n, t.shape, t.elem) for n, t in zip(["%out", "%ks", "%vs"], carried)]
    pairs = ", ".join(f"{a.name} = {b.name}" for a, b in zip(inside, carried))
    types = ", ".join(t.type for t in carried)
    f.body.append(f"  %all:3 = scf.for %i = %first to %steps step %next iter_args({pairs}) -> ({types}) {{")
    f.body.append("  %at = arith.addi %start, %i : index")
    token, mask = f.new([1, 1, width], "f32"), f.new([1, 1, context], "f32")
    f.body.append(f"  {token.name} = tensor.extract_slice {x.name}[%i, 0, 0, 0] [1, 1, 1, {width}] [1, 1, 1, 1] : "
                  f"{x.type} to {token.type}")
    f.body.append(f"""  %none = tensor.empty() : {mask.type}
  {mask.name} = linalg.generic {{indexing_maps = [affine_map<(a, b, j) -> (a, b, j)>], iterator_types = ["parallel", "parallel", "parallel"]}} outs(%none : {mask.type}) {{
    ^bb0(%old: f32):
      %j = linalg.index 2 : index
      %seen = arith.cmpi ule, %j, %at : index
      %m = arith.select %seen, %zero, %low : f32
      linalg.yield %m : f32
  }} -> {mask.type}""")
    here = []
    for angle in angles:
        here.append(f.new([1, 1, d], "f32"))
        f.body.append(f"  {here[-1].name} = tensor.extract_slice {angle.name}[%at, 0, 0] [1, 1, {d}] [1, 1, 1] : "
                      f"{angle.type} to {here[-1].type}")

    def rotary(t):
        turned = f.concat([f.neg(f.part(t, 2, d // 2, d // 2)), f.part(t, 2, 0, d // 2)], 2)
        return f.cast(f.add(f.mul(t, here[0]), f.mul(turned, here[1])), "bf16")

    def repeat(t):
        t = f.emit("tile", [f.reshape(t, [kv, 1, context, d]), f.shape([1, heads // kv, 1, 1])], [kv, heads // kv, context, d], t.elem)
        return f.reshape(t, [heads, context, d])

    h = f.rms_norm(token, "a")
    q = rotary(f.reshape(f.linear(h, "q", width, False), [heads, 1, d]))
    k = rotary(f.reshape(f.linear(h, "k", kv * d, False), [kv, 1, d]))
    v = f.reshape(f.cast(f.linear(h, "v", kv * d, False), "bf16"), [kv, 1, d])
    ks, vs = put(k, inside[1], "0, %at, 0"), put(v, inside[2], "0, %at, 0")
    scores = f.mul(f.matmul(q, f.transpose(repeat(ks), [0, 2, 1])), d ** -0.5)
    o = f.matmul(f.cast(f.softmax(f.add(scores, mask)), "bf16"), repeat(vs))
    y = f.add(f.linear(f.reshape(f.cast(o, "bf16"), [1, 1, width]), "o", width, False), token)
    h = f.rms_norm(y, "m")
    h = f.mul(f.silu(f.linear(h, "gate", hidden, False)), f.linear(h, "up", hidden, False))
    y = f.add(f.linear(f.cast(h, "bf16"), "down", width, False), y)
    left = [put(y, inside[0], "%i, 0, 0, 0"), ks, vs]
    f.body.append(f"  scf.yield {', '.join(t.name for t in left)} : {types}\n  }}")
    return f.text(*[Tensor(f, f"%all#{i}", t.shape, t.elem) for i, t in enumerate(carried)])


def vit(image=224, patch=16, width=128, heads=2, hidden=256, classes=10):
    """Patches of an image become rows by a convolution with steps as long as its window; a class token before
    them, an encoder block, and what the class token says."""
    f, n, d = Function("vit"), (image // patch) ** 2, width // heads
    x = f.transpose(f.arg("x", [1, 3, image, image]), [0, 2, 3, 1])
    w = f.transpose(f.arg("w_patches", [width, 3, patch, patch]), [0, 2, 3, 1])
    z, side = f.const("0.0", [1], "bf16"), image // patch
    attrs = f"acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: {patch}, {patch}>, dilation = array<i64: 1, 1>"
    x = f.emit("conv2d", [x, w, f.arg("b_patches", [width], "f32"), z, z], [1, side, side, width], "f32", f" {{{attrs}}}")
    x = f.concat([f.arg("w_class", [1, 1, width], "f32"), f.reshape(x, [1, n, width])], 1)
    x = f.add(x, f.arg("w_places", [1, n + 1, width], "f32"))
    h = f.layer_norm(x, "a")
    q, k, v = [f.heads(f.cast(f.linear(h, name, width), "bf16"), heads) for name in "qkv"]
    y = f.add(f.linear(f.merge(f.cast(f.attention(q, k, v), "bf16")), "o", width), x)
    h = f.gelu(f.linear(f.layer_norm(y, "m"), "up", hidden))
    y = f.add(f.linear(f.cast(h, "bf16"), "down", width), y)
    return f.text(f.linear(f.layer_norm(f.part(y, 1, 0, 1), "c"), "head", classes))


def experts(tokens=64, width=64, hidden=128, n=4):
    """A mixture of experts: each token goes to the two that its gate likes most, which are computed densely and
    weighted with what the gate says."""
    f = Function("experts")
    x = f.arg("x", [1, tokens, width])

    def largest(g):
        return f.emit("greater_equal", [g, f.reduce("max", g, 2)], g.shape, "i1")

    def select(flags, a, b):
        return f.emit("select", [flags, a, b], a.shape, a.elem)

    gate = f.softmax(f.linear(x, "gate", n, False))
    others = select(largest(gate), f.const("0.0", gate.shape, "f32"), gate)
    chosen = f.emit("greater_equal", [gate, f.reduce("max", others, 2)], gate.shape, "i1")
    gate = select(chosen, gate, f.const("0.0", gate.shape, "f32"))
    gate = f.mul(gate, f.unary("reciprocal", f.reduce("sum", gate, 2)))
    all_of_it = f.emit("tile", [x, f.shape([n, 1, 1])], [n, tokens, width], x.elem)
    h = f.silu(f.matmul(all_of_it, f.arg("w_up", [n, width, hidden])))
    y = f.matmul(f.cast(h, "bf16"), f.arg("w_down", [n, hidden, width]))
    y = f.mul(y, f.transpose(gate, [2, 1, 0]))
    return f.text(f.reduce("sum", y, 0))


def bottleneck(height=8, width=32, channels=128, inner=64, stride=2):
    """A residual block of three convolutions, into which the batch norms are folded, with strides."""
    f = Function("bottleneck")
    x = f.arg("x", [1, height, width, channels])
    h = f.cast(f.relu(f.conv(x, "in", inner, 1)), "bf16")
    h = f.cast(f.relu(f.conv(h, "mid", inner, 3, stride=stride)), "bf16")
    skip = f.cast(x, "f32") if stride == 1 else f.conv(x, "skip", channels, 1, stride=stride)
    return f.text(f.relu(f.add(f.conv(h, "out", channels, 1), skip)))


def depthwise(height=8, width=32, channels=64, out=96):
    """A depthwise convolution and one of single pixels, each with relu, and the mean of all pixels."""
    f = Function("depthwise")
    x = f.arg("x", [1, height, width, channels])
    h = f.cast(f.relu(f.conv(x, "depth", channels, 3, depthwise=True)), "bf16")
    h = f.relu(f.conv(h, "point", out, 1))
    h = f.reshape(h, [1, height * width, out])
    return f.text(f.mul(f.reduce("sum", h, 1), 1.0 / (height * width)))


def speech(frames=96, mels=80, width=64, heads=2):
    """The encoder of a speech model: two convolutions along time, the second of which takes every other place, and a
    block of attention and MLP."""
    f = Function("speech")
    z = f.const("0.0", [1], "bf16")

    def along_time(x, name, stride):
        _, _, t, c = x.shape
        low = 2 - stride
        attrs = f"acc_type = f32, pad = array<i64: 0, 0, 1, {low}>, stride = array<i64: 1, {stride}>, dilation = array<i64: 1, 1>"
        ins = [x, f.arg("w_" + name, [width, 1, 3, c]), f.arg("b_" + name, [width], "f32"), z, z]
        return f.gelu(f.emit("conv2d", ins, [1, 1, (t + low - 2) // stride + 1, width], "f32", f" {{{attrs}}}"))

    h = along_time(f.cast(along_time(f.arg("x", [1, 1, frames, mels]), "first", 1), "bf16"), "second", 2)
    t = h.shape[2]
    x = f.add(f.reshape(h, [1, t, width]), f.arg("w_places", [1, t, width], "f32"))
    h = f.layer_norm(x, "a")
    q, k, v = [f.heads(f.cast(f.linear(h, n, width, n != "k"), "bf16"), heads) for n in "qkv"]
    y = f.add(f.linear(f.merge(f.cast(f.attention(q, k, v), "bf16")), "o", width), x)
    h = f.gelu(f.linear(f.layer_norm(y, "m"), "up", 4 * width))
    return f.text(f.layer_norm(f.add(f.linear(f.cast(h, "bf16"), "down", width), y), "f", "f32"))


def ranking(batch=64, dense=13, words=500, width=32, tables=3):
    """A model that ranks: rows of several tables and an MLP of what is no row, the products of each two of these, and
    an MLP on all of it."""
    f = Function("ranking")

    def layers(x, name, n, last):
        return f.linear(f.cast(f.relu(f.linear(x, name + "1", n)), "bf16"), name + "2", last)

    h = f.cast(f.relu(layers(f.arg("x", [1, batch, dense]), "dense", 64, width)), "f32")
    features = [f.reshape(h, [batch, 1, width])]
    for i in range(tables):
        ids = f.arg(f"ids{i}", [1, batch], "i32", f"tt.range = [0, {words - 1}]")
        features.append(f.reshape(f.gather(f.arg(f"w_table{i}", [1, words, width], "f32"), ids), [batch, 1, width]))
    all_of_them = f.cast(f.concat(features, 1), "bf16")
    crosses = f.matmul(all_of_them, f.transpose(all_of_them, [0, 2, 1]))
    below = [f.reshape(f.slice(crosses, [0, i, 0], [batch, 1, i]), [batch, i]) for i in range(1, tables + 1)]
    taken = f.concat([f.reshape(h, [batch, width]), f.concat(below, 1)], 1)
    taken = f.reshape(f.cast(taken, "bf16"), [1] + taken.shape)
    return f.text(f.unary("sigmoid", layers(taken, "top", 64, 1)))


MODELS = {m.__name__: m for m in (mlp, gpt, llama, encoder, decode, vit, experts, bottleneck, depthwise, speech, ranking)}


def main(args):
    Function.constants = "--constants" in args
    args = [a for a in args if a != "--constants"]
    if not args or args[0] not in MODELS:
        known = "\n".join(f"  {n} {' '.join(map(str, inspect.signature(m).parameters.values()))}" for n, m in MODELS.items())
        sys.exit(f"usage: make.py MODEL [NAME=NUMBER...] [--constants]\n{known}")
    sizes = dict(a.split("=", 1) for a in args[1:] if "=" in a)
    unknown = [a for a in args[1:] if a.split("=")[0] not in inspect.signature(MODELS[args[0]]).parameters or "=" not in a]
    if unknown:
        sys.exit(f"make.py: {args[0]} has no size '{unknown[0]}'; it has {inspect.signature(MODELS[args[0]])}")
    model = MODELS[args[0]](**{k: int(v) if v.isdigit() else v for k, v in sizes.items()})
    doc = inspect.getdoc(MODELS[args[0]])
    sys.stdout.write((f"// {' '.join(doc.split())}\n" if doc else "") + "// Written by examples/models/make.py.\n" + model)


if __name__ == "__main__":
    main(sys.argv[1:])
