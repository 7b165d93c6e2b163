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

Elementwise ops are linalg.generic whose maps say 0 where a size is 1; products are named ops; weights are turned
by linalg.transpose; images are NCHW; maxima come with places of 64 bits; positions and tables' rows are of i64.
"""
import math
import sys

PAR, RED = '"parallel"', '"reduction"'


class T:
    def __init__(self, name, shape, elem):
        self.name, self.shape, self.elem = name, list(shape), elem

    @property
    def type(self):
        return "tensor<" + "".join(f"{s}x" for s in self.shape) + self.elem + ">"


def num(v):
    return v if isinstance(v, str) else f"{float(v):.9e}"


class F:
    def __init__(self, name):
        self.name, self.args, self.lines, self.n, self.consts, self.res = name, [], [], 0, {}, []

    def new(self):
        self.n += 1
        return f"%{self.n}"

    def out(self, text):
        self.lines.append("  " + text)

    def arg(self, name, shape, elem="f32", attrs=""):
        t = T("%" + name, shape, elem)
        self.args.append(f'{t.name}: {t.type} {{tt.name = "{name}"{", " + attrs if attrs else ""}}}')
        return t

    def w(self, name, *shape):
        return self.arg("w_" + name, shape)

    def scalar(self, v, elem="f32"):
        key = (v, elem)
        if key not in self.consts:
            n = f"%cst_{len(self.consts)}"
            text = num(v) if elem[0] != "i" else ("true" if v and elem == "i1" else str(v))
            self.consts[key] = n
            self.lines.insert(0, f"  {n} = arith.constant {text} : {elem}" if elem not in ("index",) else f"  {n} = arith.constant {v} : index")
        return self.consts[key]

    def dense(self, values, shape, elem):
        t = T(self.new(), shape, elem)
        self.out(f"{t.name} = arith.constant dense<{values}> : {t.type}")
        return t

    def empty(self, shape, elem="f32"):
        t = T(self.new(), shape, elem)
        self.out(f"{t.name} = tensor.empty() : {t.type}")
        return t

    def fill(self, v, shape, elem="f32"):
        e, t = self.empty(shape, elem), T(self.new(), shape, elem)
        c = self.scalar(v, elem)
        self.out(f"{t.name} = linalg.fill ins({c} : {elem}) outs({e.name} : {e.type}) -> {t.type}")
        return t

    def maps(self, ins, shape):
        r = len(shape)
        dims = ", ".join(f"d{i}" for i in range(r))
        res = []
        for t in ins:
            off = r - len(t.shape)
            ex = ", ".join("0" if s == 1 and shape[i + off] != 1 else f"d{i + off}" for i, s in enumerate(t.shape))
            res.append(f"affine_map<({dims}) -> ({ex})>")
        return res

    def ew(self, ins, body, elem=None, shape=None):
        """body: lines with %a0, %a1 … and the last assigned to %r."""
        elem = elem or ins[0].elem
        if shape is None:
            r = max(len(t.shape) for t in ins)
            shape = [max(t.shape[i - r + len(t.shape)] if i - r + len(t.shape) >= 0 else 1 for t in ins) for i in range(r)]
        o, t = self.empty(shape, elem), T(self.new(), shape, elem)
        dims = ", ".join(f"d{i}" for i in range(len(shape)))
        ms = self.maps(ins, shape) + [f"affine_map<({dims}) -> ({dims})>"]
        ba = ", ".join([f"%a{i}: {x.elem}" for i, x in enumerate(ins)] + [f"%o: {elem}"])
        insx = f" ins({', '.join(x.name for x in ins)} : {', '.join(x.type for x in ins)})" if ins else ""
        self.out(f"{t.name} = linalg.generic {{indexing_maps = [{', '.join(ms)}], iterator_types = [{', '.join([PAR] * len(shape))}]}}{insx} outs({o.name} : {o.type}) {{")
        self.out(f"^bb0({ba}):")
        for line in body.strip().split("\n"):
            self.out("  " + line.strip())
        self.out(f"  linalg.yield %r : {elem}")
        self.out(f"}} -> {t.type}")
        return t

    def add(self, a, b): return self.ew([a, b], f"%r = arith.addf %a0, %a1 : f32")
    def sub(self, a, b): return self.ew([a, b], f"%r = arith.subf %a0, %a1 : f32")
    def mul(self, a, b): return self.ew([a, b], f"%r = arith.mulf %a0, %a1 : f32")
    def div(self, a, b): return self.ew([a, b], f"%r = arith.divf %a0, %a1 : f32")
    def adds(self, a, v): return self.ew([a], f"%r = arith.addf %a0, {self.scalar(v)} : f32")
    def muls(self, a, v): return self.ew([a], f"%r = arith.mulf %a0, {self.scalar(v)} : f32")
    def un(self, f, a): return self.ew([a], f"%r = math.{f} %a0 : f32")

    def sigmoid(self, a):
        return self.ew([a], f"%n = arith.negf %a0 : f32\n%e = math.exp %n : f32\n%s = arith.addf %e, {self.scalar(1.0)} : f32\n%r = arith.divf {self.scalar(1.0)}, %s : f32")

    def silu(self, a): return self.mul(self.sigmoid(a), a)

    def gelu(self, a):
        return self.ew([a], f"%q = arith.divf %a0, {self.scalar(math.sqrt(2))} : f32\n%e = math.erf %q : f32\n%s = arith.addf %e, {self.scalar(1.0)} : f32\n%h = arith.mulf %s, {self.scalar(0.5)} : f32\n%r = arith.mulf %a0, %h : f32")

    def relu(self, a):
        return self.ew([a], f"%c = arith.cmpf ugt, %a0, {self.scalar(0.0)} : f32\n%r = arith.select %c, %a0, {self.scalar(0.0)} : f32")

    def reduce(self, a, dim, kind="sum"):
        dim %= len(a.shape)
        shape = list(a.shape)
        shape[dim] = 1
        init = self.fill(0.0 if kind == "sum" else "0xFF800000", shape)
        t = T(self.new(), shape, "f32")
        r = len(shape)
        dims = ", ".join(f"d{i}" for i in range(r))
        od = ", ".join("0" if i == dim else f"d{i}" for i in range(r))
        it = ", ".join(RED if i == dim else PAR for i in range(r))
        op = "addf" if kind == "sum" else "maximumf"
        self.out(f"{t.name} = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>, affine_map<({dims}) -> ({od})>], iterator_types = [{it}]}} ins({a.name} : {a.type}) outs({init.name} : {init.type}) {{")
        self.out(f"^bb0(%in: f32, %o: f32):")
        self.out(f"  %r = arith.{op} %in, %o : f32")
        self.out(f"  linalg.yield %r : f32")
        self.out(f"}} -> {t.type}")
        return t

    def maxdim(self, a, dim, keep=True):
        """aten.max.dim: values, and places as i64."""
        dim %= len(a.shape)
        r = len(a.shape)
        shape = [1 if i == dim else s for i, s in enumerate(a.shape)]
        if not keep:
            shape = [s for i, s in enumerate(a.shape) if i != dim]
        iv, ii = self.fill("0xFF800000", shape), self.fill(0, shape, "i64")
        n = self.new()
        dims = ", ".join(f"d{i}" for i in range(r))
        od = ", ".join("0" if i == dim else f"d{i}" for i in range(r) if keep or i != dim)
        it = ", ".join(RED if i == dim else PAR for i in range(r))
        self.out(f"{n}:2 = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>, affine_map<({dims}) -> ({od})>, affine_map<({dims}) -> ({od})>], iterator_types = [{it}]}} ins({a.name} : {a.type}) outs({iv.name}, {ii.name} : {iv.type}, {ii.type}) {{")
        self.out("^bb0(%in: f32, %o: f32, %oi: i64):")
        self.out(f"  %i = linalg.index {dim} : index")
        self.out("  %ic = arith.index_cast %i : index to i64")
        self.out("  %m = arith.maximumf %in, %o : f32")
        self.out("  %g = arith.cmpf ogt, %in, %o : f32")
        self.out("  %s = arith.select %g, %ic, %oi : i64")
        self.out("  linalg.yield %m, %s : f32, i64")
        self.out(f"}} -> ({iv.type}, {ii.type})")
        return T(n + "#0", shape, "f32"), T(n + "#1", shape, "i64")

    def softmax(self, a):
        m, _ = self.maxdim(a, -1)
        e = self.un("exp", self.sub(a, m))
        return self.div(e, self.reduce(e, -1))

    def transpose(self, a, perm):
        shape = [a.shape[p] for p in perm]
        o, t = self.empty(shape, a.elem), T(self.new(), shape, a.elem)
        self.out(f"{t.name} = linalg.transpose ins({a.name} : {a.type}) outs({o.name} : {o.type}) permutation = {perm}")
        return t

    def matmul(self, a, b):
        shape = a.shape[:-1] + [b.shape[-1]]
        op = {2: "matmul", 3: "batch_matmul"}[len(a.shape)]
        o, t = self.fill(0.0, shape), T(self.new(), shape, "f32")
        self.out(f"{t.name} = linalg.{op} ins({a.name}, {b.name} : {a.type}, {b.type}) outs({o.name} : {o.type}) -> {t.type}")
        return t

    def bmm(self, a, b):
        """4-D: collapsed to 3-D and back."""
        n = a.shape[0] * a.shape[1]
        r = self.matmul(self.collapse(a, [[0, 1], [2], [3]]), self.collapse(b, [[0, 1], [2], [3]]))
        return self.expand(r, [[0, 1], [2], [3]], a.shape[:2] + r.shape[1:])

    def collapse(self, a, groups):
        shape = []
        for g in groups:
            p = 1
            for d in g: p *= a.shape[d]
            shape.append(p)
        t = T(self.new(), shape, a.elem)
        self.out(f"{t.name} = tensor.collapse_shape {a.name} {groups} : {a.type} into {t.type}")
        return t

    def expand(self, a, groups, shape):
        t = T(self.new(), shape, a.elem)
        self.out(f"{t.name} = tensor.expand_shape {a.name} {groups} output_shape {shape} : {a.type} into {t.type}")
        return t

    def linear(self, a, name, n, bias=True):
        k = a.shape[-1]
        wt = self.transpose(self.w(name, n, k), [1, 0])
        lead = a.shape[:-1]
        if len(lead) == 1:
            y = self.matmul(a, wt)
        else:
            r = len(a.shape)
            flat = self.collapse(a, [list(range(r - 1)), [r - 1]])
            y = self.matmul(flat, wt)
            y = self.expand(y, [list(range(r - 1)), [r - 1]], lead + [n])
        return self.add(y, self.w(name + "_b", n)) if bias else y

    def slice(self, a, dim, at, size, step=1):
        dim %= len(a.shape)
        off = [at if i == dim else 0 for i in range(len(a.shape))]
        sz = [size if i == dim else s for i, s in enumerate(a.shape)]
        st = [step if i == dim else 1 for i in range(len(a.shape))]
        t = T(self.new(), sz, a.elem)
        self.out(f"{t.name} = tensor.extract_slice {a.name}{off} {sz} {st} : {a.type} to {t.type}")
        return t

    def drop(self, a, dim):
        """A unit dimension goes."""
        r = len(a.shape)
        dim %= r
        groups, rest = [], [i for i in range(r)]
        g = []
        for i in range(r):
            g.append(i)
            if i != dim:
                groups.append(g)
                g = []
        if g: groups[-1] += g
        return self.collapse(a, groups)

    def unsq(self, a, dim):
        shape = list(a.shape)
        dim %= len(shape) + 1
        shape.insert(dim, 1)
        groups, k = [], 0
        for i in range(len(a.shape)):
            g = [k]
            if k == dim and i == 0 and dim == 0:
                g = [0, 1]
            elif k + 1 == dim:
                g = [k, k + 1]
            groups.append(g)
            k += len(g)
        return self.expand(a, groups, shape)

    def concat(self, ts, dim):
        dim %= len(ts[0].shape)
        shape = list(ts[0].shape)
        shape[dim] = sum(t.shape[dim] for t in ts)
        t = T(self.new(), shape, ts[0].elem)
        self.out(f"{t.name} = tensor.concat dim({dim}) {', '.join(x.name for x in ts)} : ({', '.join(x.type for x in ts)}) -> {t.type}")
        return t

    def pad(self, a, lo, hi, v=0.0):
        shape = [s + l + h for s, l, h in zip(a.shape, lo, hi)]
        t = T(self.new(), shape, a.elem)
        c = self.scalar(v)
        self.out(f"{t.name} = tensor.pad {a.name} low{lo} high{hi} {{")
        self.out(f"^bb0({', '.join(f'%p{i}: index' for i in range(len(shape)))}):")
        self.out(f"  tensor.yield {c} : f32")
        self.out(f"}} : {a.type} to {t.type}")
        return t

    def conv(self, a, name, n, k, stride=1, pad=0, dil=1, bias=True):
        if pad: a = self.pad(a, [0, 0, pad, pad], [0, 0, pad, pad])
        w = self.w(name, n, a.shape[1], k, k)
        hw = [(s - dil * (k - 1) - 1) // stride + 1 for s in a.shape[2:]]
        shape = [a.shape[0], n] + hw
        if bias:
            o = self.empty(shape)
            b = self.w(name + "_b", n)
            i = T(self.new(), shape, "f32")
            self.out(f"{i.name} = linalg.broadcast ins({b.name} : {b.type}) outs({o.name} : {o.type}) dimensions = [0, 2, 3]")
        else:
            i = self.fill(0.0, shape)
        t = T(self.new(), shape, "f32")
        self.out(f"{t.name} = linalg.conv_2d_nchw_fchw {{dilations = dense<{dil}> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}} ins({a.name}, {w.name} : {a.type}, {w.type}) outs({i.name} : {i.type}) -> {t.type}")
        return t

    def dwconv(self, a, name, k, stride=1, pad=0):
        if pad: a = self.pad(a, [0, 0, pad, pad], [0, 0, pad, pad])
        w = self.w(name, a.shape[1], k, k)
        hw = [(s - k) // stride + 1 for s in a.shape[2:]]
        shape = [a.shape[0], a.shape[1]] + hw
        i, t = self.fill(0.0, shape), T(self.new(), shape, "f32")
        self.out(f"{t.name} = linalg.depthwise_conv_2d_nchw_chw {{dilations = dense<1> : vector<2xi64>, strides = dense<{stride}> : vector<2xi64>}} ins({a.name}, {w.name} : {a.type}, {w.type}) outs({i.name} : {i.type}) -> {t.type}")
        b = self.w(name + "_b", a.shape[1])
        return self.add(t, self.expand(b, [[0, 1, 2]], [a.shape[1], 1, 1]))

    def conv1d(self, a, name, n, k, stride=1, pad=0):
        if pad: a = self.pad(a, [0, 0, pad], [0, 0, pad])
        w = self.w(name, n, a.shape[1], k)
        shape = [a.shape[0], n, (a.shape[2] - k) // stride + 1]
        o = self.empty(shape)
        b = self.w(name + "_b", n)
        i, t = T(self.new(), shape, "f32"), T(self.new(), shape, "f32")
        self.out(f"{i.name} = linalg.broadcast ins({b.name} : {b.type}) outs({o.name} : {o.type}) dimensions = [0, 2]")
        self.out(f"{t.name} = linalg.conv_1d_ncw_fcw {{dilations = dense<1> : vector<1xi64>, strides = dense<{stride}> : vector<1xi64>}} ins({a.name}, {w.name} : {a.type}, {w.type}) outs({i.name} : {i.type}) -> {t.type}")
        return t

    def pool(self, a, k, kind="max"):
        hw = [s // k for s in a.shape[2:]]
        shape = a.shape[:2] + hw
        i = self.fill("0xFF800000" if kind == "max" else 0.0, shape)
        win, t = self.empty([k, k]), T(self.new(), shape, "f32")
        self.out(f"{t.name} = linalg.pooling_nchw_{kind} {{dilations = dense<1> : vector<2xi64>, strides = dense<{k}> : vector<2xi64>}} ins({a.name}, {win.name} : {a.type}, {win.type}) outs({i.name} : {i.type}) -> {t.type}")
        return t

    def layernorm(self, a, name, eps=1e-5):
        n = a.shape[-1]
        nf = self.scalar(float(n))
        mean = self.ew([self.reduce(a, -1)], f"%r = arith.divf %a0, {nf} : f32")
        c = self.sub(a, mean)
        var = self.ew([self.reduce(self.mul(c, c), -1)], f"%r = arith.divf %a0, {nf} : f32")
        r = self.un("rsqrt", self.adds(var, eps))
        return self.add(self.mul(self.mul(c, r), self.w(name + "_g", n)), self.w(name + "_b", n))

    def rmsnorm(self, a, name, eps=1e-6):
        n = a.shape[-1]
        two = self.scalar(2, "i64")
        p = self.ew([a], f"%r = math.fpowi %a0, {two} : f32, i64")
        v = self.ew([self.reduce(p, -1)], f"%r = arith.divf %a0, {self.scalar(float(n))} : f32")
        return self.mul(self.w(name, n), self.mul(a, self.un("rsqrt", self.adds(v, eps))))

    def embed(self, table, ids):
        shape = ids.shape + [table.shape[1]]
        o, t = self.empty(shape), T(self.new(), shape, "f32")
        r = len(shape)
        dims = ", ".join(f"d{i}" for i in range(r))
        ii = ", ".join(f"d{i}" for i in range(r - 1))
        self.out(f"{t.name} = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({ii})>, affine_map<({dims}) -> ({dims})>], iterator_types = [{', '.join([PAR] * r)}]}} ins({ids.name} : {ids.type}) outs({o.name} : {o.type}) {{")
        self.out("^bb0(%in: i64, %o: f32):")
        self.out(f"  %i = arith.index_cast %in : i64 to index")
        self.out(f"  %j = linalg.index {r - 1} : index")
        self.out(f"  %r = tensor.extract {table.name}[%i, %j] : {table.type}")
        self.out("  linalg.yield %r : f32")
        self.out(f"}} -> {t.type}")
        return t

    def iota(self, n):
        o, t = self.empty([n], "i64"), T(self.new(), [n], "i64")
        self.out(f"{t.name} = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [{PAR}]}} outs({o.name} : {o.type}) {{")
        self.out("^bb0(%o: i64):")
        self.out("  %i = linalg.index 0 : index")
        self.out("  %r = arith.index_cast %i : index to i64")
        self.out("  linalg.yield %r : i64")
        self.out(f"}} -> {t.type}")
        return t

    def heads(self, a, h):
        b, t, w = a.shape
        return self.transpose(self.expand(a, [[0], [1], [2, 3]], [b, t, h, w // h]), [0, 2, 1, 3])

    def merge(self, a):
        return self.collapse(self.transpose(a, [0, 2, 1, 3]), [[0], [1], [2, 3]])

    def attention(self, q, k, v, scale=None, bias=None):
        s = self.bmm(q, self.transpose(k, [0, 1, 3, 2]))
        if scale: s = self.muls(s, scale)
        if bias is not None: s = self.add(s, bias)
        return self.merge(self.bmm(self.softmax(s), v))

    def block(self, x, name, h, hidden, act=None):
        w = x.shape[-1]
        y = self.layernorm(x, name + "n1")
        q, k, v = (self.heads(self.linear(y, name + c, w), h) for c in "qkv")
        x = self.add(x, self.linear(self.attention(q, k, v, (w // h) ** -0.5), name + "o", w))
        y = self.layernorm(x, name + "n2")
        return self.add(x, self.linear((act or self.gelu)(self.linear(y, name + "up", hidden)), name + "down", w))

    def text(self, *res):
        rt = ", ".join(r.type for r in res)
        rets = f"({rt})" if len(res) > 1 else rt
        return "\n".join([f"func.func @{self.name}({', '.join(self.args)}) -> {rets} attributes {{tt.model}} {{"] + self.lines +
                         [f"  return {', '.join(r.name for r in res)} : {rt}", "}"])


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


def roberta(tokens=40, width=64, words=120):
    """Positions are counts of the tokens that are no padding: a cumulative sum of i64, as a sum in windows of a padded tensor."""
    f = F("roberta")
    ids = f.arg("ids", [2, tokens], "i64", f"tt.range = [0, {words - 1}]")
    m = f.ew([ids], f"%c = arith.cmpi ne, %a0, {f.scalar(1, 'i64')} : i64\n%r = arith.extui %c : i1 to i64", "i64")
    # cumsum along dim 1
    p = T(f.new(), [2, 2 * tokens - 1], "i64")
    f.out(f"{p.name} = tensor.pad {m.name} low[0, {tokens - 1}] high[0, 0] {{")
    f.out("^bb0(%i: index, %j: index):")
    f.out(f"  tensor.yield {f.scalar(0, 'i64')} : i64")
    f.out(f"}} : {m.type} to {p.type}")
    win, z, c = f.empty([tokens], "i64"), f.fill(0, [2, tokens], "i64"), T(f.new(), [2, tokens], "i64")
    f.out(f"{c.name} = linalg.generic {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1 + d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [{PAR}, {PAR}, {RED}]}} ins({p.name}, {win.name} : {p.type}, {win.type}) outs({z.name} : {z.type}) {{")
    f.out("^bb0(%a: i64, %b: i64, %o: i64):")
    f.out("  %r = arith.addi %o, %a : i64")
    f.out("  linalg.yield %r : i64")
    f.out(f"}} -> {c.type}")
    pos = f.ew([c, m], f"%t = arith.muli %a0, %a1 : i64\n%r = arith.addi %t, {f.scalar(1, 'i64')} : i64", "i64")
    x = f.add(f.embed(f.w("words", words, width), ids), f.embed(f.w("places", tokens + 2, width), pos))
    return f.text(f.layernorm(x, "n"))


if __name__ == "__main__":
    print(globals()[sys.argv[1]]())
