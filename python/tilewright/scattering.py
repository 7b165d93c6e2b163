"""What is written between other elements of a core's buffer: computed by itself, and put where it belongs by a choice.

    for j in T.Parallel(32):                 for j in T.Parallel(32):
        c[2 * j + 1] = f(j)          ->          v[j] = f(j)
                                             for r in T.Parallel(64):
                                                 c[r] = v[r // 2] if r % 2 == 1 else c[r]"""

from . import program as p
from .accesses import in_tiles, replaced, root, same_place, step_of
from .affine import key_of, simplify, split
from .expr import Const, Expr, Load, Var, compare, select, settle
from .reads import elements
from .selection import both, temporary, whole


class Targets:
    """The half of Places that writes."""

    def odd_target(self, s, d):
        """None where a dimension of the target is written as it lies, "folds" where its loops are others, else "part"."""
        ids = {id(v) for v, _ in s.loops}
        parts = split(s.indices[d], [v for v, _ in s.loops])
        if parts is None:
            return None
        if len(parts[0]) > 1 or parts[0] and parts[0][0][0] < 0:
            return "folds"
        if s.buffer.scope in ("global", "var") or len(s.indices) - d > 2:
            return None
        step = step_of(s.indices[d], ids)
        n = next((e for v, e in s.loops if v is step[1]), 1)
        if step[0] in (0, 1) and (self.only_stored(s.buffer) or not isinstance(n, int) or in_tiles(step[2], n, s.buffer.shape[d])):
            return None
        return "part"

    def target(self, s, extents):
        odd = [d for d in range(len(s.indices)) if self.odd_target(s, d) == "part"]
        wide = not s.buffer.dtype.is_float and s.buffer.dtype.bits > 8
        if not odd or wide or getattr(s.buffer, "reducer", None) or s.buffer.shape == (1,):
            return [s]
        return self.scattered(s, odd, extents)

    def scattered(self, s, odd, extents):
        """What is stored, in a buffer of its own, and from there to where it belongs."""
        buffer, out = s.buffer, []
        if root(buffer) not in self.written:
            self.first.append(p.Fill(s.at, whole(buffer), 0))
        steps = [step_of(i, {id(v) for v, _ in s.loops}) for i in s.indices]
        sizes = [extents[id(v)] if v is not None else 1 for _, v, _ in steps]
        own = [v if v is not None else 0 for _, v, _ in steps]
        old = Load(buffer, s.indices)
        value = settle(s.value)
        if isinstance(value, Const) and s.condition is None and not s.sums:
            kept_value = None
        else:
            kept_value = temporary(self.kernel, s.at, f"{buffer.name}_part", sizes, buffer.dtype)
            kept_value.boolean = buffer.boolean
            reads_old = any(same_place(x, old) for x in elements(value)) or s.condition is not None
            if reads_old or s.sums:
                loops = [(v, e) for v, e in s.loops if any(v is w for w in own)]
                before = p.Store(s.at, kept_value, own, old, loops, [])
                out += self.store(before)
                mine = {key_of(x): Load(kept_value, own) for x in elements(value) if same_place(x, old)}
                value = replaced(value, mine)
            out += self.block([p.Store(s.at, kept_value, own, value, s.loops, s.sums, s.condition)])
        rows = [Var("rcxyz"[d], 0, n - 1) if d in odd else steps[d][1] for d, n in enumerate(buffer.shape)]
        hit, at = True, []
        for d, (step, var, rest) in enumerate(steps):
            if d not in odd:
                at.append(own[d])
                continue
            away = rows[d] - rest if isinstance(rows[d], Expr) else rows[d]
            away = simplify(away)
            if var is None:
                hit = both(hit, compare("eq", rows[d], rest))
                at.append(0)
                continue
            hit = both(hit, both(compare("ge", rows[d], rest), compare("lt", away, sizes[d] * step)))
            if step > 1:
                # A whole number of steps more, so that it is not below zero.
                hit = both(hit, compare("eq", (away + step * buffer.shape[d]) % step, 0))
                away = (away + step * buffer.shape[d]) // step - buffer.shape[d]
            at.append(away)
        loops = [(rows[d], n if d in odd else sizes[d]) for d, n in enumerate(buffer.shape) if rows[d] is not None]
        indices = [rows[d] if rows[d] is not None else s.indices[d] for d in range(len(rows))]
        indices = [i if d in odd or rows[d] is None else s.indices[d] for d, i in enumerate(indices)]
        new = value if kept_value is None else Load(kept_value, at)
        result = p.Store(s.at, buffer, indices, select(hit, new, Load(buffer, indices)), loops, [])
        self.reads(result, {id(v): e for v, e in loops}, out)
        return out + [result]
