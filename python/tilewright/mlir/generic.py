"""Writes a store of elements as a linalg.generic: which blocks it reads, along which loops, and its body."""

from ..affine import depends, key_of, split
from ..dtypes import DType
from ..errors import TileError
from ..expr import INDEX, Const, Expr, Load, Var, as_index, binary, number, select, settle, text
from ..reads import elements
from . import views
from .element import Body
from .guards import trim
from .index import COMPARE
from .spread import spread
from .stage import staged


class Generic:
    """One Store: the loops become dimensions, each element a view of a buffer with a map."""

    def __init__(self, out, store):
        self.out, self.store = out, store
        self.w = out.w
        self.loops = [v for v, _ in store.loops] + [s[0] for s in store.sums]
        self.extents = {id(v): e for v, e in store.loops}
        self.lows = {}
        for var, low, end, step in store.sums:
            if step != 1:
                raise TileError(f"a serial loop with step {step} inside of T.Parallel; only step 1 is supported")
            self.extents[id(var)] = end - low
            self.lows[id(var)] = low
        self.reductions = set()
        self.parts_kept = {}  # of expressions, by key: what stands for them
        self.limits = {}  # extents of loops that end where a tensor does

    def write(self):
        store = self.store
        value = store.value
        target = list(store.indices)
        if not self.loops:
            target = self.pretend_loops(target)
        value = staged(self, spread(self, value))
        used = {id(v) for i in target for k, v in self.parts(i)[0]}
        sums = {id(s[0]) for s in store.sums}
        for v in self.loops:
            if id(v) not in used:
                if id(v) not in sums and not self.reduces(store):
                    raise TileError(
                        f"all steps of the parallel loop over {v.name} write the same {text_of(store.buffer, target)}; "
                        "use T.reduce_sum, T.reduce_max, or a serial loop"
                    )
                self.reductions.add(id(v))
        old_key = ("load", id(store.buffer), tuple(key_of(i) for i in store.indices))
        condition = self.trim(target)
        if condition is not None:
            old = Load(store.buffer, store.indices)
            value = select(condition, value, old)
        value = settle(value)
        if value.dtype != store.buffer.dtype:
            value = Expr("cast", (value,), store.buffer.dtype) if not isinstance(value, Const) else value
        value = self.uniform(value)
        outside = self.limit(target, value)
        if outside and store.buffer.scope != "global" and condition is None:
            self.fill_outside(target, value, old_key, outside)
        self.extents.update(self.limits)
        self.emit(target, value, old_key)

    def trim(self, target):
        """Ends loops where a condition with an element of a table does; returns what is left of the condition."""
        store = self.store
        moved = [parts[0][0][1] for parts in map(self.parts, target) if len(parts[0]) == 1]
        if store.condition is None or store.buffer.scope != "global" or len(moved) != len(self.loops):
            return store.condition
        ends, rest = trim(store, self.loops, self.fixed)
        for key, end in ends.items():
            self.extents[key] = binary("max", 0, binary("min", self.extents[key], end))
        return rest

    def limit(self, target, value):
        """Ends loops where a tensor ends; returns the elements that are read behind it.

        What is outside of a tensor is zero where it is read, and lost where it is written."""
        found = []
        for buffer, indices, load in [(self.store.buffer, target, None)] + [(x.buffer, x.indices, x) for x in elements(value)]:
            if buffer.scope != "global":
                continue
            for index, size in zip(indices, buffer.shape):
                mine, rest = self.parts(index)
                if len(mine) != 1 or mine[0][0] != 1:
                    continue
                key = id(mine[0][1])
                old = self.limits.get(key, self.extents[key])
                start = rest + self.lows.get(key, 0)
                if views.fits(start, self.extents[key], size):
                    continue
                new = self.out.clip(buffer, start, self.extents[key], size)
                if key not in self.limits:
                    self.limits[key] = new
                elif key_of(new) != key_of(old):
                    self.limits[key] = binary("min", old, new)
                if load is not None:
                    found.append(load)
        return found

    def fill_outside(self, target, value, old_key, outside):
        """Writes what the elements behind a tensor's end give, which are zero, before those inside are written."""
        reads_old = any(("load", id(x.buffer), tuple(key_of(i) for i in x.indices)) == old_key for x in elements(value))
        adds = value.op in ("add", "sub") and settle(value.args[1]) in outside and isinstance(settle(value.args[0]), Load)
        if adds and reads_old:
            return
        if reads_old or self.reductions:
            raise TileError(
                f"'{text(outside[0])}' ends behind its tensor, where it is zero; copy it into a buffer first (T.copy), or put "
                "an `if` around"
            )
        keys = {key_of(x) for x in outside}
        self.emit(target, without(value, keys), old_key)

    def uniform(self, x):
        """x with integers that are the same for all of its elements as indices: loads of tables, one by one."""
        x = settle(x)
        if not isinstance(x, Expr) or not x.args or x.op == "scalar":
            return x
        if x.op in COMPARE and any(a.dtype != INDEX and not a.dtype.is_float for a in x.args):
            sides = [as_index(a, self.fixed) for a in x.args]
            if None not in sides:
                return Expr(x.op, sides, "bool")
        if x.op == "cast" and x.dtype.is_float and x.args[0].dtype != INDEX and not x.args[0].dtype.is_float:
            side = as_index(x.args[0], self.fixed)
            if side is not None:
                return Expr("cast", (side,), x.dtype)
        return Expr(x.op, [self.uniform(a) for a in x.args], x.dtype)

    def fixed(self, load):
        ids = {id(v) for v in self.loops}
        return not any(depends(i, ids) for i in load.indices)

    def reduces(self, store):
        """Whether a store adds to a T.alloc_reducer, which all steps of a parallel loop may do."""
        op = {"sum": "add", "max": "max", "min": "min"}.get(getattr(store.buffer, "reducer", None))
        value = settle(store.value)
        if op is None or value.op != op:
            return False
        here = ("load", id(store.buffer), tuple(key_of(i) for i in store.indices))
        return any(isinstance(a, Load) and ("load", id(a.buffer), tuple(key_of(i) for i in a.indices)) == here
                   for a in value.args)

    def pretend_loops(self, target):
        """A store without loops: each of the target's dimensions becomes a loop of one step."""
        result = []
        for i, t in enumerate(target):
            var = Var("ijklmnpq"[i], 0, 0)
            self.loops.append(var)
            self.extents[id(var)] = 1
            result.append(var + t if number(t) != 0 else var)
        return result

    def parts(self, index):
        found = split(index, self.loops)
        if found is None:
            raise TileError(
                f"the index '{text(index)}' is no sum of loops; blocks are read along their rows and columns, "
                "so a quotient or remainder of a loop cannot be one"
            )
        return found

    def view(self, buffer, indices):
        """(view, map's results) of the elements that the loops reach."""
        starts, extents, keep, results, steps = [], [], [], [], {}
        seen = set()
        for d, index in enumerate(indices):
            mine, rest = self.parts(index)
            if mine and mine[0][0] > 1 and len(mine) == 1 and buffer.scope == "global":
                steps[d] = mine[0][0]
            elif len(mine) > 1 or (mine and mine[0][0] != 1):
                raise TileError(
                    f"the index '{text(index)}' of {buffer.name} takes steps other than 1, or two loops at once; "
                    "level 1 reads blocks row by row"
                )
            if mine:
                var = mine[0][1]
                if id(var) in seen:
                    raise TileError(f"{text_of(buffer, indices)}: a diagonal; level 1 reads whole rows and columns")
                seen.add(id(var))
                starts.append(rest + self.lows.get(id(var), 0))
                extents.append(self.extents[id(var)])
                keep.append(d)
                results.append(f"d{self.position(var)}")
            else:
                starts.append(rest)
                extents.append(1)
                if number(buffer.shape[d]) == 1 and (buffer.scope != "global" or d >= len(indices) - 2):
                    keep.append(d)
                    results.append("0")
        limited = [d for d, i in enumerate(indices) if self.parts(i)[0]]
        view = self.out.region(buffer, starts, extents, keep, limited, steps)
        return view, results

    def widened(self, load, view):
        """A block of narrow integers as floats: only those may be broadcast."""
        buffer = self.out.temporary(f"{load.buffer.name}_wide", view.sizes, DType("float32"))
        wide = self.out.buffers[id(buffer)]
        letters = [f"d{i}" for i in range(len(view.sizes))]
        same = self.w.map(len(letters), letters)
        kinds = ", ".join(['"parallel"'] * len(letters))
        self.w.line(f"linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{kinds}]}}")
        self.w.line(f"    ins({view.name} : {view.type})")
        self.w.open(f"    outs({wide.name} : {wide.type}) {{")
        narrow, old, result = (self.w.fresh(n) for n in ("narrow", "old", "wide"))
        self.w.lines.append(" " * (self.w.indent - 2) + f"^bb0({narrow}: {view.dtype.mlir}, {old}: f32):")
        op = "sitofp" if view.dtype.is_signed else "uitofp"
        self.w.op(f"{result} = arith.{op} {narrow} : {view.dtype.mlir} to f32")
        self.w.op(f"linalg.yield {result} : f32")
        self.w.close()
        return wide

    def position(self, var):
        return [id(v) for v in self.loops].index(id(var))

    def emit(self, target, value, old_key):
        out_view, out_results = self.view(self.store.buffer, target)
        inputs, arguments = [], {}
        names, floats = {}, {}
        for load in elements(value):
            key = key_of(load)
            if key in names or key in floats:
                continue
            if ("load", id(load.buffer), tuple(key_of(i) for i in load.indices)) == old_key:
                names[key] = None
                continue
            view, results = self.view(load.buffer, load.indices)
            if 1 < load.dtype.bits <= 16 and not load.dtype.is_float and [
                r for r in results if r != "0"
            ] != [f"d{i}" for i in range(len(self.loops))]:
                view = self.widened(load, view)
                floats[key] = self.w.fresh(f"{load.buffer.name}_f")
                inputs.append((view, results, floats[key]))
                continue
            names[key] = self.w.fresh(f"{load.buffer.name}_e")
            inputs.append((view, results, names[key]))
        old = self.w.fresh("old")
        arguments = {key: name or old for key, name in names.items()}
        body = Body(self.w, self.out.index, arguments, {v: i for i, v in enumerate(self.loops)})
        body.floats = floats
        body.prepare(value)
        rank = len(self.loops)
        maps = ", ".join(self.w.map(rank, r) for _, r, _ in inputs + [(None, out_results, None)])
        kinds = ", ".join('"reduction"' if id(v) in self.reductions else '"parallel"' for v in self.loops)
        self.w.line(f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}")
        if inputs:
            views = [v for v, _, _ in inputs]
            self.w.line(f"    ins({', '.join(v.name for v in views)} : {', '.join(v.type for v in views)})")
        self.w.open(f"    outs({out_view.name} : {out_view.type}) {{")
        arguments_text = [f"{name}: {v.dtype.mlir}" for v, _, name in inputs] + [f"{old}: {out_view.dtype.mlir}"]
        self.w.lines.append(" " * (self.w.indent - 2) + f"^bb0({', '.join(arguments_text)}):")
        body.write_indices()
        if isinstance(value, Const):
            result = self.w.number(value.value, self.store.buffer.dtype)
        else:
            result = body.value(value)
        self.w.op(f"linalg.yield {result} : {out_view.dtype.mlir}")
        self.w.close()


def without(x, keys):
    """x with zeros for some elements."""
    x = settle(x)
    if not isinstance(x, Expr):
        return x
    if isinstance(x, Load):
        return Const(0.0 if x.dtype.is_float else 0, x.dtype) if key_of(x) in keys else x
    return Expr(x.op, [without(a, keys) for a in x.args], x.dtype) if x.args else x


def text_of(buffer, indices):
    return f"{buffer.name}[{', '.join(text(i) for i in indices)}]"
