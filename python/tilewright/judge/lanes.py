"""A number for each thread of a block: what a kernel that asks for its thread computes with in the judge.

Threads go in lockstep, one statement after the other, as the tracer has it; a branch that only some of them take is
run with a mask."""

from .. import expr
from ..expr import Lanes


def each(function, *values):
    """function of the values of each thread."""
    count = next(len(v.values) for v in values if isinstance(v, Lanes))
    columns = [v.values if isinstance(v, Lanes) else [v] * count for v in values]
    return Lanes([function(*row) for row in zip(*columns)])


def coordinates(threads, dim):
    """The thread's index along a dimension of the block; the first one runs fastest."""
    total, before = 1, 1
    for d, n in enumerate(threads):
        before *= n if d < dim else 1
        total *= n
    return Lanes([i // before % threads[dim] for i in range(total)])


def any_of(values):
    return any(isinstance(v, Lanes) for v in values)


def load(machine, buffer, indices):
    """An element for each thread; those that do not run here read nothing."""
    count = next(len(v.values) for v in indices if isinstance(v, Lanes)) if any_of(indices) else None
    if count is None:
        return buffer.data[buffer.at(indices)]
    result = []
    for lane in range(count):
        place = buffer.at([of(i, lane) for i in indices]) if runs(machine, lane) else None
        if place is None and runs(machine, lane) and buffer.scope != "global":
            raise expr.TileError(f"{buffer.name or 'a buffer'}[{', '.join(str(of(i, lane)) for i in indices)}] is outside of it")
        result.append(0 if place is None else of(buffer.data[place], lane))
    return Lanes(result)


def store(machine, buffer, indices, value):
    """Each thread that runs here stores its value: into its own copy of a local buffer, or one after the other."""
    for lane in range(machine.lanes):
        if not runs(machine, lane):
            continue
        place = buffer.at([of(i, lane) for i in indices])
        if place is None:
            if buffer.scope != "global":
                raise expr.TileError(f"{buffer.name or 'a buffer'}[{', '.join(str(of(i, lane)) for i in indices)}] is outside of it")
            continue
        kept = buffer.keep(of(value, lane))
        if buffer.scope in ("local", "var"):
            old = buffer.data[place]
            if not isinstance(old, Lanes):
                old = buffer.data[place] = Lanes([old] * machine.lanes)
            old.values = old.values[:lane] + [kept] + old.values[lane + 1 :]
        else:
            buffer.data[place] = kept


def update(machine, op, buffer, indices, value):
    """Each thread that runs here adds its value."""
    for lane in range(machine.lanes):
        if runs(machine, lane):
            at = [of(i, lane) for i in indices]
            place = buffer.at(at)
            if place is not None:
                buffer.data[place] = buffer.keep(expr.FOLD[op](buffer.data[place], of(value, lane)))


def of(x, lane):
    return x.values[lane] if isinstance(x, Lanes) else x


def runs(machine, lane):
    return machine.mask is None or bool(machine.mask[lane])


def masked(machine, condition):
    """The sides of a branch that threads take apart: True and False, with a mask each; none where no thread goes."""
    outer = machine.mask
    for outcome in (True, False):
        mask = [bool(c) == outcome and (outer is None or outer[i]) for i, c in enumerate(condition.values)]
        if any(mask):
            machine.mask = mask
            yield outcome
            machine.mask = outer
