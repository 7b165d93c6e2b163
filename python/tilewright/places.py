"""Elements at any affine index, and parts of a core's buffer that are no whole tiles.

    for i, j in T.Parallel(64, 64):          T.copy(A[0:64, 0:64], t)
        B[i, j] = A[i, 63 - j]       ->      for i, j in T.Parallel(64, 64):
                                                 B[i, j] = t[i, 63 - j]             a selection (selection.py)

    T.copy(a[8:24, :], b)            ->      for i, j in T.Parallel(16, 64):
                                                 b[i, j] = a[i + 8, j]

Level 1 reads blocks along rows and columns, and parts of what a core computes in whole tiles. What a core only loads, or only
stores, is loaded or stored in parts, and left alone here."""

from . import program as p
from .accesses import apart, covers, diagonal, elements_of, in_tiles, line_inside, plain, replaced, root, step_of, widest
from .affine import bounds, build, depends, key_of, never_negative, simplify, span
from .branches import Edges
from .buffers import Region
from .errors import TileError
from .expr import Const, Expr, Load, Var, binary, compare, number, select, settle, text
from .folding import folded, from_zero, moving, peeled
from .lines import in_lines
from .mlir.statements import kept
from .mlir.views import fits
from .reads import loads
from .scattering import Targets
from .selection import Selection, both, temporary, whole
from .trace.control import high

#: Elements of a tensor's box that a core holds to select from them.
LARGEST = 1 << 18


def rewrite(function):
    """Changes the statements of a traced function."""
    for kernel in function.kernels:
        Places(kernel).run()


class Places(Targets, Edges):
    def __init__(self, kernel):
        self.kernel, self.first, self.matrices = kernel, [], {}
        self.guards = []  # what the branches around say: (condition, whether it holds)
        self.writers, self.readers, self.written = {}, {}, set()
        self.look(kernel.body)

    def run(self):
        body = self.block(self.kernel.body)
        self.kernel.body = self.first + body

    # Which buffers are only loaded, or only stored.

    def look(self, statements):
        for s in statements:
            target = s.buffer if isinstance(s, p.Store) else getattr(getattr(s, "dst", None) or getattr(s, "c", None), "buffer", None)
            if target is not None:
                self.writers.setdefault(root(target), []).append(s)
            sources = [getattr(s, n).buffer for n in ("src", "a", "b", "c") if isinstance(getattr(s, n, None), Region)]
            if isinstance(s, p.Store):
                sources += [x.buffer for v in (s.value, s.condition) if v is not None for x in loads(v)]
            for buffer in sources:
                self.readers.setdefault(root(buffer), []).append(s)
            self.look(getattr(s, "body", []))
            self.look(getattr(s, "other", []))

    def only_loaded(self, buffer):
        """Whether level 1 may load parts of a buffer where ops read them. Of one that hangs over its tensor's end, it may not."""
        writers = self.writers.get(root(buffer), [])
        return bool(writers) and all(
            isinstance(s, p.Copy) and s.src.buffer.scope == "global" and s.src.dtype == s.dst.dtype and not self.hangs_over(s.src)
            for s in writers)

    @staticmethod
    def hangs_over(region):
        sizes = zip(region.starts, region.extents, region.buffer.shape)
        return any(isinstance(e, int) and isinstance(n, int) and not any(True for _ in loads(start)) and not fits(start, e, n)
                   for start, e, n in sizes)

    def only_stored(self, buffer):
        return all(isinstance(s, p.Copy) and s.dst.buffer.scope == "global" and s.src.dtype == s.dst.dtype
                   for s in self.readers.get(root(buffer), [])) and not any(
                       covers(s, buffer) for s in self.writers.get(root(buffer), []))

    # Statements.

    def block(self, statements):
        result = []
        for s in statements:
            try:
                result += self.statement(s)
            except TileError as error:
                error.at = getattr(error, "at", None) or s.at
                raise
        return result

    def statement(self, s):
        for name in ("body", "other"):
            if getattr(s, name, None):
                branch = [(s.condition, name == "body")] if isinstance(s, p.If) else []
                self.guards += branch
                setattr(s, name, self.block(getattr(s, name)))
                del self.guards[len(self.guards) - len(branch) :]
        if isinstance(s, p.Store):
            result = self.store(s)
        elif isinstance(s, p.Copy):
            result = self.copy(s)
        elif isinstance(s, p.Fill):
            result = self.fill(s)
        elif isinstance(s, (p.Gemm, p.Reduce, p.Cumsum)):
            result = self.operation(s)
        else:
            return [s]
        for target in [x.buffer if isinstance(x, p.Store) else getattr(x, "dst", None) or getattr(x, "c", None) for x in result]:
            if target is not None:
                self.written.add(root(getattr(target, "buffer", target)))
        return result

    def store(self, s):
        s = from_zero(s)
        if any(self.odd_target(s, d) == "folds" for d in range(len(s.indices))):
            before = s
            s, outer = folded(s)
            if outer is None and any(self.deep(x, s) for x in elements_of(s)) and not any(self.deep(x, before) for x in elements_of(before)):
                s, outer = before, widest(before)
            if outer is not None:
                loop = peeled(s, outer)
                loop.body = self.block(loop.body)
                return [loop]
        out = []
        extents = {id(v): e for v, e in s.loops} | {id(v): end - low for v, low, end, _ in s.sums}
        if not all(isinstance(e, int) for e in extents.values()) and not self.all_plain(s, extents):
            raise TileError(
                f"'{text(Load(s.buffer, s.indices))}' takes steps other than 1 in loops of sizes that are open; give the size as "
                "NAME=VALUE"
            )
        outer = self.too_many(s, extents)
        if outer is not None:
            loop = peeled(s, outer)
            loop.body = self.block(loop.body)
            return [loop]
        self.check_own(s, extents)
        self.check_begin(s.buffer, s.indices, set(extents))
        inside = self.cells_inside(s.buffer, [(step_of(i, set(extents)) or (0, None, 0))[2] for i in s.indices])
        if inside is not True:
            return self.block([p.If(s.at, inside, [s])])
        self.reads(s, extents, out)
        return out + self.target(s, extents)

    def deep(self, load, s):
        """Whether elements lie anywhere in more than two dimensions of a tensor."""
        ids = {id(v) for v, _ in s.loops}
        moved = [moving(i, ids)[0] for i in load.indices]
        return load.buffer.scope == "global" and not all(plain(i, ids) for i in load.indices) and sum(bool(m) for m in moved) > 2

    # What is read.

    def all_plain(self, s, extents):
        found = [(s.buffer, s.indices)] + [(x.buffer, x.indices) for x in elements_of(s)]
        return all(plain(i, set(extents)) for _, indices in found for i in indices)

    def too_many(self, s, extents):
        """A loop to go in turn: one of two that an index of a tensor's or core's matrix has together."""
        for load in elements_of(s):
            for index in load.indices:
                mine, _, _ = moving(index, set(extents))
                serial = {id(q[0]) for q in s.sums}
                both_loops = [((abs(k), id(v) in serial, -extents[id(v)]), v) for k, v in mine.values() if isinstance(v, Var)]
                if len(both_loops) > 1 and len(both_loops) == len(mine) and not self.vector(load, extents):
                    var = max(both_loops, key=lambda t: t[0])[1]
                    if any(depends(i, {id(var)}) for i in s.indices) or any(q[0] is var for q in s.sums):
                        return var
        return None

    def vector(self, load, extents):
        """Whether an element lies along one dimension, and two loops lead to it, each element once."""
        moved = [moving(i, set(extents))[0] for i in load.indices]
        if len([m for m in moved if m]) != 1:
            return False
        terms = sorted(((abs(k), v) for m in moved for k, v in m.values()), key=lambda t: t[0])
        return len(terms) == 2 and terms[0][0] * (extents[id(terms[0][1])] - 1) < terms[1][0]

    def reads(self, s, extents, out):
        """Replaces the elements of a store that level 1 does not read where they lie."""
        new = {}
        use = Selection(self.kernel, s.at, out, self.first, self.matrices)
        for load in elements_of(s):
            steps = [step_of(i, set(extents)) for i in load.indices]
            if self.cells_inside(load.buffer, [step[2] if step else 0 for step in steps]) is not True:
                raise TileError(f"'{text(load)}' lies wholly behind its tensor in some cells or steps; copy it into a buffer first")
            if key_of(load) in new or not (self.out_of_line(load, extents) or self.ends_elsewhere(load, s, extents)):
                continue
            self.check_race(s, load, extents)
            if not load.dtype.is_float and load.dtype.bits > 8:
                raise TileError(
                    f"'{text(load)}', of {load.dtype}: integers of more than 8 bits are read and written along rows and columns only, "
                    "in whole tiles of a core's buffer; use int8, or floats"
                )
            local, there = self.staged(load, extents, out, s.at) if load.buffer.scope == "global" else (load, True)
            odd = self.odd_dims(local, extents)
            found = use.read(local, extents, odd) if odd or diagonal(local, extents) else local
            new[key_of(load)] = found if there is True else select(there, found, Const(0.0 if load.dtype.is_float else 0, load.dtype))
        if new:
            s.value = replaced(s.value, new)
            s.condition = None if s.condition is None else replaced(s.condition, new)

    def out_of_line(self, load, extents):
        if load.buffer.scope == "var" or load.buffer.scope != "global" and self.left_alone(load):
            return False
        return bool(self.odd_dims(load, extents)) or diagonal(load, extents)

    def ends_elsewhere(self, load, s, extents):
        """Whether a tensor that is read ends before the one that is written does; the rest is zero, and written as well."""
        if load.buffer.scope != "global" or s.buffer.scope != "global" or not load.dtype.is_float and load.dtype.bits > 8:
            return False
        rooms = {}
        for index, size in zip(s.indices, s.buffer.shape):
            step = step_of(index, set(extents))
            if step is not None and step[0] == 1:
                rooms[id(step[1])] = size - settle(step[2])
        for index, size in zip(load.indices, load.buffer.shape):
            k, var, start = step_of(index, set(extents))
            if k != 1 or id(var) not in rooms or any(True for _ in loads(start)) or fits(start, extents[id(var)], size):
                continue
            if key_of(simplify(size - settle(start))) != key_of(simplify(rooms[id(var)])):
                return True
        return False

    def left_alone(self, load):
        """Elements that are written otherwise: a vector's at a constant place, narrow integers at quotients (mlir/spread.py)."""
        return len(load.indices) == 1 and (number(load.indices[0]) is not None or not load.dtype.is_float and load.dtype.bits > 8)

    def odd_dims(self, load, extents):
        """Dimensions in which elements do not lie as a loop reaches them."""
        buffer, odd = load.buffer, []
        rank = len(load.indices)
        for d, index in enumerate(load.indices):
            step = step_of(index, set(extents))
            if buffer.scope == "global":
                apart = step is not None and step[0] > 1
                if step is None or step[0] < 0 or apart and (not self.inside(load, d, extents) or self.before(step[2])):
                    odd.append(d)
                elif step[0] < 2 and (load.dtype.is_float or load.dtype.bits <= 8) and self.before(step[2]):
                    odd.append(d)
            elif step is None or step[0] not in (0, 1):
                odd.append(d)
            elif d >= rank - 2:
                n = extents[id(step[1])] if step[1] is not None else 1
                outside = isinstance(n, int) and number(step[2]) is not None and not 0 <= number(step[2]) <= buffer.shape[d] - n
                outside = outside or getattr(buffer, "shifted", False) and self.before(step[2])
                if outside or isinstance(n, int) and not self.only_loaded(buffer) and not in_tiles(step[2], n, buffer.shape[d]):
                    odd.append(d)
        return odd

    def inside(self, load, d, extents):
        """Whether elements some apart surely lie inside of a tensor, each reached by a loop of its own."""
        step, var, rest = step_of(load.indices[d], set(extents))
        n = extents[id(var)]
        others = [i for e, i in enumerate(load.indices) if e != d]
        return isinstance(n, int) and fits(rest, (n - 1) * step + 1, load.buffer.shape[d]) and not any(
            step_of(i, set(extents)) is None or depends(i, {id(var)}) for i in others)

    def staged(self, load, extents, out, at):
        """(the same element of a buffer of the core that holds the box of the tensor in which all of them lie, whether it is
        there). What lies before the tensor is outside of the box, which begins where the tensor does."""
        starts, sizes, local, there = [], [], [], True
        for index, size in zip(load.indices, load.buffer.shape):
            mine, rest, constant = moving(index, set(extents))
            if not mine:
                known = self.before(index)
                there = both(there, compare("ge", index, 0)) if known else there
                starts.append(binary("max", index, 0) if known else index)
                sizes.append(1)
                continue
            low, top = span({key: t for key, t in mine.items()}, 0)
            if low is None or top is None:
                raise TileError(f"'{text(load)}': how far '{text(index)}' reaches is not known")
            start, place = simplify(build(rest, constant + low)), build(mine, -low)
            extent = top - low + 1
            if number(start) is not None and number(start) < 0:
                place, extent, start = place + number(start), extent + number(start), 0
            elif number(start) is None and bounds(start)[0] is not None and not never_negative(start):
                place, start = place + start - binary("max", start, 0), binary("max", start, 0)
            elif number(start) is None and not never_negative(start):
                raise TileError(f"'{text(load)}' may begin before its tensor; where it does is not known")
            if number(start) is not None and isinstance(size, int):
                extent = min(extent, size - number(start))
            if extent < 1:
                raise TileError(f"'{text(load)}' is outside of its tensor")
            starts.append(start)
            sizes.append(extent)
            local.append((place, extent))
        if len(local) > 2:
            raise TileError(f"'{text(load)}': a box of {len(local)} dimensions of which elements are selected; at most two")
        count = 1
        for _, extent in local:
            count *= extent
        if count > LARGEST:
            raise TileError(
                f"'{text(load)}' lies anywhere in {count} elements of {load.buffer.name}, more than a core holds; take smaller blocks"
            )
        box = temporary(self.kernel, at, f"{load.buffer.name}_box", [e for _, e in local], load.dtype, "shared")
        out.append(p.Copy(at, Region(load.buffer, starts, sizes), whole(box)))
        self.writers[box] = [out[-1]]
        box.shifted = any(number(place) is None and self.before(place) for place, _ in local)
        return Load(box, [place for place, _ in local]), there

    def check_own(self, s, extents):
        """The same of elements that lie as loops reach them, in a core's buffer and where no condition chooses steps."""
        if s.buffer.scope not in ("global", "var") and s.condition is None:
            for load in elements_of(s):
                self.check_race(s, load, extents)

    def check_race(self, s, load, extents):
        """An error where steps read what other steps of the same loops write."""
        if root(load.buffer) is not root(s.buffer) or not s.loops:
            return
        if [key_of(i) for i in load.indices] == [key_of(i) for i in s.indices] or apart(load.indices, s.indices, extents):
            return
        raise TileError(
            f"'{text(load)}' is read while other steps of the parallel loop write {text(Load(s.buffer, s.indices))}; copy "
            f"{s.buffer.name} to another buffer first"
        )

    # Whole-tile operations on parts.

    def part(self, region):
        """Whether a region of a core's buffer is no whole tiles of it."""
        buffer = region.buffer
        if buffer.scope in ("global", "var") or not buffer.dtype.is_float and buffer.dtype.bits > 8:
            return False
        last = list(zip(region.starts, region.extents, buffer.shape))[-2:]
        return any(isinstance(n, int) and not in_tiles(start, n, size) for start, n, size in last)

    def elements(self, region, dims):
        loops = [(Var("ijklmnpq"[n], 0, high(region.extents[d])), region.extents[d]) for n, d in enumerate(dims)]
        return loops

    def moved(self, at, src, a, dst, b):
        """A store of each element of a region to its place in another one."""
        loops = self.elements(src, a)
        sides = []
        for region, dims in ((src, a), (dst, b)):
            place = list(region.starts)
            for (v, _), d in zip(loops, dims):
                place[d] = place[d] + v
            sides.append(place)
        value = Load(src.buffer, sides[0])
        if value.dtype != dst.dtype:
            value = Expr("cast", (value,), dst.dtype)
        return p.Store(at, dst.buffer, sides[1], value, loops, [])

    def copy(self, s):
        src, dst = s.src, s.dst
        read = self.part(src) and not self.only_loaded(src.buffer)
        write = self.part(dst) and not self.only_stored(dst.buffer)
        write = write and not (src.buffer.scope == "global" and self.only_loaded(dst.buffer))
        before = src.buffer.scope == "global" and src.dtype.is_float and any(self.before(start) for start in src.starts)
        self.check_begin(dst.buffer, dst.starts, set())
        inside = both(self.cells_inside(src.buffer, src.starts), self.cells_inside(dst.buffer, dst.starts))
        if inside is not True:
            first = [p.Fill(s.at, dst, 0)] if dst.buffer.scope != "global" else []
            return self.block(first + ([p.If(s.at, inside, [s])] if isinstance(inside, Expr) else []))
        if not before and (not read and not write or not read and line_inside(src, dst)):
            return [s]
        a, b = kept(src, dst)
        if not all(isinstance(src.extents[d], int) for d in a):
            return [s]
        out = []
        if write and src.buffer.scope == "global" and not before:
            box = temporary(self.kernel, s.at, f"{src.buffer.name}_box", [src.extents[d] for d in a], src.dtype, "shared")
            out.append(p.Copy(s.at, src, whole(box)))
            self.writers[box] = [out[0]]
            src, a = whole(box), list(range(len(a)))
        return out + self.block([self.moved(s.at, src, a, dst, b)])

    def fill(self, s):
        if not self.part(s.dst) or self.only_stored(s.dst.buffer) or not isinstance(settle(s.value), (int, float, Const)):
            return [s]
        loops = self.elements(s.dst, range(len(s.dst.extents)))
        value = settle(s.value)
        if not isinstance(value, Const):
            value = Const(float(value) if s.dst.dtype.is_float else int(value), s.dst.dtype)
        place = [start + v for start, (v, _) in zip(s.dst.starts, loops)]
        return self.block([p.Store(s.at, s.dst.buffer, place, value, loops, [])])

    def operation(self, s):
        """A product, a reduction or running sums, with parts in buffers of their own."""
        before, after = [], []
        if isinstance(s, p.Reduce) and (lines := in_lines(self.kernel, s)):
            return self.block(lines)
        for name in ("src", "a", "b", "c", "dst"):
            region = getattr(s, name, None)
            if not isinstance(region, Region) or not self.part(region):
                continue
            written = name in ("c", "dst")
            if not written and self.only_loaded(region.buffer):
                continue
            own = temporary(self.kernel, s.at, f"{region.buffer.name}_part", region.extents, region.dtype)
            dims = list(range(len(region.extents)))
            if not written or not isinstance(s, p.Cumsum):
                before += self.block([self.moved(s.at, region, dims, whole(own), dims)])
            if written:
                after.append(self.moved(s.at, whole(own), dims, region, dims))
            setattr(s, name, whole(own))
        return before + [s] + self.block(after)
