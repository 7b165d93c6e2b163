"""Ops of models in linalg that linalg_text.py does not have, as importers of PyTorch leave them."""
from linalg_text import PAR, RED, T


def dims(n):
    return ", ".join(f"d{i}" for i in range(n))


def identity(n, *maps):
    """Maps from n loops; a map is a list of loops, or None for all of them."""
    texts = (dims(n) if m is None else ", ".join(f"d{i}" for i in m) for m in maps)
    return ", ".join(f"affine_map<({dims(n)}) -> ({t})>" for t in texts)


def generic(f, maps, kinds, ins, outs, body):
    """A linalg.generic whose body is given with its block's arguments; tensors for its results."""
    name, types = f.new(), ", ".join(o.type for o in outs)
    given = f" ins({', '.join(i.name for i in ins)} : {', '.join(i.type for i in ins)})"
    f.out(f"{name}{':%d' % len(outs) if len(outs) > 1 else ''} = linalg.generic "
          f"{{indexing_maps = [{maps}], iterator_types = [{', '.join(kinds)}]}}"
          f"{given if ins else ''} outs({', '.join(o.name for o in outs)} : {types}) {{")
    for line in body.strip().split("\n"):
        f.out("  " + line.strip())
    f.out(f"}} -> ({types})" if len(outs) > 1 else f"}} -> {types}")
    if len(outs) == 1:
        return T(name, outs[0].shape, outs[0].elem)
    return [T(f"{name}#{i}", o.shape, o.elem) for i, o in enumerate(outs)]


def window(f, op, ins, start, stride=1, dilation=1, rank=2):
    """A convolution or pooling; `start` is what it adds to."""
    t = T(f.new(), start.shape, "f32")
    f.out(f"{t.name} = linalg.{op} {{dilations = dense<{dilation}> : vector<{rank}xi64>, "
          f"strides = dense<{stride}> : vector<{rank}xi64>}} "
          f"ins({', '.join(i.name for i in ins)} : {', '.join(i.type for i in ins)}) "
          f"outs({start.name} : {start.type}) -> {t.type}")
    return t


def broadcast(f, a, shape, along):
    o, t = f.empty(shape, a.elem), T(f.new(), shape, a.elem)
    f.out(f"{t.name} = linalg.broadcast ins({a.name} : {a.type}) outs({o.name} : {o.type}) "
          f"dimensions = {along}")
    return t


def affine(f, x, n, name, more):
    """Scale and shift of channels; a batch norm, folded."""
    g, b = f.w(name + "_g", n), f.w(name + "_b", n)
    g, b = (f.expand(t, [list(range(more))], [n] + [1] * (more - 1)) for t in (g, b))
    return f.add(f.mul(x, g), b)


def divided(f, x, n):
    return f.ew([x], f"%r = arith.divf %a0, {f.scalar(float(n))} : f32")


def bordered(f, x, by, value=0.0):
    return f.pad(x, [0, 0, by, by], [0, 0, by, by], value)


def grouped(f, a, name, n, groups, k=1):
    b, c, h, w = a.shape
    x = f.expand(a, [[0], [1, 2], [3], [4]], [b, groups, c // groups, h, w])
    wt = f.expand(f.w(name, n, c // groups, k, k), [[0, 1], [2], [3], [4]],
                  [groups, n // groups, c // groups, k, k])
    start = f.fill(0.0, [b, groups, n // groups, h, w])
    return f.collapse(window(f, "conv_2d_ngchw_gfchw", [x, wt], start), [[0], [1, 2], [3], [4]])


def pool(f, a, k, stride, by, kind):
    least = "0xFF800000" if kind == "max" else 0.0
    a = bordered(f, a, by, least)
    size = [(s - k) // stride + 1 for s in a.shape[2:]]
    start = f.fill(least, a.shape[:2] + size)
    return window(f, "pooling_nchw_" + kind, [a, f.empty([k, k])], start, stride)


def transposed(f, a, name, n):
    """conv_transpose2d of 2x2 in steps of 2: put among zeros, weights turned."""
    b, c, h, w = a.shape
    z = f.fill(0.0, [b, c, 2 * h + 1, 2 * w + 1])
    among = T(f.new(), z.shape, "f32")
    f.out(f"{among.name} = tensor.insert_slice {a.name} into {z.name}[0, 0, 1, 1] "
          f"[{b}, {c}, {h}, {w}] [1, 1, 2, 2] : {a.type} into {z.type}")
    given, one = f.w(name, c, n, 2, 2), f.scalar(1, "index")
    turned = generic(f, identity(4, None), [PAR] * 4, [], [f.empty([n, c, 2, 2])], f"""
        ^bb0(%o: f32):
        %i0 = linalg.index 0 : index
        %i1 = linalg.index 1 : index
        %i2 = linalg.index 2 : index
        %i3 = linalg.index 3 : index
        %j2 = arith.subi {one}, %i2 : index
        %j3 = arith.subi {one}, %i3 : index
        %r = tensor.extract {given.name}[%i1, %i0, %j2, %j3] : {given.type}
        linalg.yield %r : f32""")
    start = broadcast(f, f.w(name + "_b", n), [b, n, 2 * h, 2 * w], [0, 2, 3])
    return window(f, "conv_2d_nchw_fchw", [among, turned], start)


def group_norm(f, x, groups, name):
    b, c, h, w = x.shape
    whole = [b, groups, c // groups, h, w]
    y = f.expand(x, [[0], [1, 2], [3], [4]], whole)
    y = f.collapse(y, [[0], [1], [2, 3, 4]])
    n = y.shape[-1]
    d = f.sub(y, divided(f, f.reduce(y, -1), n))
    v = divided(f, f.reduce(f.mul(d, d), -1), n)
    y = f.expand(f.mul(d, f.un("rsqrt", f.adds(v, 1e-5))), [[0], [1], [2, 3, 4]], whole)
    return affine(f, f.collapse(y, [[0], [1, 2], [3], [4]]), c, name, 3)


def roll(f, x, dim, by):
    n = x.shape[dim]
    return f.concat([f.slice(x, dim, by, n - by), f.slice(x, dim, 0, by)], dim)


def gather_last(f, a, at):
    """torch.gather along the last dimension."""
    n = len(at.shape)
    body = "^bb0(%in: i64, %o: f32):\n%g = arith.index_cast %in : i64 to index\n"
    for i in range(n - 1):
        body += f"%j{i} = linalg.index {i} : index\n"
    body += f"%r = tensor.extract {a.name}[{', '.join(f'%j{i}' for i in range(n - 1))}, %g]"
    body += f" : {a.type}\nlinalg.yield %r : f32"
    return generic(f, identity(n, None, None), [PAR] * n, [at], [f.empty(at.shape)], body)


def largest(f, ids, least):
    """aten.max.dim of integers: where each row has its largest one."""
    n = ids.shape[0]
    starts = [f.fill(least, [n], "i64"), f.fill(0, [n], "i64")]
    return generic(f, identity(2, None, [0], [0]), [PAR, RED], [ids], starts, """
        ^bb0(%in: i64, %o: i64, %oi: i64):
        %i = linalg.index 1 : index
        %ic = arith.index_cast %i : index to i64
        %m = arith.maxsi %in, %o : i64
        %g = arith.cmpi sgt, %in, %o : i64
        %s = arith.select %g, %ic, %oi : i64
        linalg.yield %m, %s : i64, i64""")[1]


def rows_at(f, x, at):
    """x[arange, at]: a row of each of the matrices."""
    out = f.empty([x.shape[0], x.shape[2]])
    return generic(f, identity(2, [0], None), [PAR, PAR], [at], [out], f"""
        ^bb0(%in: i64, %o: f32):
        %b = linalg.index 0 : index
        %i = arith.index_cast %in : i64 to index
        %j = linalg.index 1 : index
        %r = tensor.extract {x.name}[%b, %i, %j] : {x.type}
        linalg.yield %r : f32""")


def step_of(f, v, dim, i):
    """One step of a dimension, which goes."""
    n = len(v.shape)
    t = T(f.new(), [s for d, s in enumerate(v.shape) if d != dim], v.elem)
    at = ", ".join(i if d == dim else "0" for d in range(n))
    size = ", ".join("1" if d == dim else str(s) for d, s in enumerate(v.shape))
    f.out(f"{t.name} = tensor.extract_slice {v.name}[{at}] [{size}] [{', '.join(['1'] * n)}] "
          f": {v.type} to {t.type}")
    return t


def put_step(f, part, name, whole, dim, i):
    n = len(whole.shape)
    at = ", ".join(i if d == dim else "0" for d in range(n))
    size = ", ".join("1" if d == dim else str(s) for d, s in enumerate(whole.shape))
    r = f.new()
    f.out(f"{r} = tensor.insert_slice {part.name} into {name}[{at}] [{size}] "
          f"[{', '.join(['1'] * n)}] : {part.type} into {whole.type}")
    return r


def steps(f, n, starts, body):
    """An scf.for that carries `starts`, by names %c0, %c1 …; `body` gives the next ones."""
    r, types = f.new(), ", ".join(s.type for s in starts)
    lo, up, by = (f.scalar(v, "index") for v in (0, n, 1))
    args = ", ".join(f"%c{i} = {s.name}" for i, s in enumerate(starts))
    f.out(f"{r}:{len(starts)} = scf.for %i = {lo} to {up} step {by} iter_args({args}) "
          f"-> ({types}) {{")
    f.out(f"scf.yield {', '.join(body())} : {types}\n  }}")
    return [T(f"{r}#{i}", s.shape, s.elem) for i, s in enumerate(starts)]
