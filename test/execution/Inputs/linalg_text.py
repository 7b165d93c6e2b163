"""Text of functions in linalg on tensors, op by op, as importers of PyTorch leave them (linalg_models.py)."""
import math

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
