"""T.atomic_add and its like: updates of tensors, in place where no two cells of the grid meet."""

from ..affine import key_of, linear
from ..errors import TileError
from ..expr import Load, Var, binary, number, text
from ..regions import match


class Updates:
    """Updates of elements and of regions, and the check that cells stay apart."""

    def update(self, op, buffer, indices, value, name):
        """buffer[indices] = op(what is there, value), of a tensor, where cells do not meet."""
        if buffer.scope == "global":
            loops = {id(v): e for v, e in self.loops}
            self.check_apart(buffer, indices, loops, name)
        self.updating = True
        self.store(buffer, indices, binary(op, self.load(buffer, indices), value))
        self.updating = False

    def update_region(self, op, dst, src, name):
        self.outside_parallel(name)
        src, dst = match(src, dst)
        sizes = [e for e in dst.extents if number(e) != 1] or [1]
        for variables in self.parallel(sizes):
            variables = variables if isinstance(variables, tuple) else (variables,)
            sides = []
            for region in (dst, src):
                free = iter(variables)
                sides.append([s + next(free) if number(e) != 1 else s for s, e in zip(region.starts, region.extents)])
            self.update(op, dst.buffer, sides[0], Load(src.buffer, sides[1]), name)

    def check_apart(self, buffer, indices, loops, name):
        """An error where two cells of the grid may update one element."""
        for var, extent in self.kernel.cells:
            if number(extent) != 1 and not any(apart(var, i, loops, self.kernel.cells) for i in indices):
                quotients = {x.op for i in indices for x in atoms(i) if x.op in ("floordiv", "mod") and x.args[0] is var}
                if quotients != {"floordiv", "mod"}:
                    place = f"{buffer.name}[{', '.join(text(i) for i in indices)}]"
                    raise TileError(
                        f"{name} is for a GPU only where cells meet: cells that differ in {var.name} update the same {place}; "
                        f"let one cell do the whole of it, with {var.name} as a loop inside"
                    )


def atoms(x):
    """What an index is a sum of."""
    return [atom for _, atom in linear(x)[0].values()]


def apart(var, index, loops, cells):
    """Whether cells that differ in `var` alone have different indices: its step is longer than all that is smaller."""
    terms, _ = linear(index)
    step = abs(terms.get(key_of(var), (0,))[0])
    reach, others = 0, {id(v): e for v, e in cells}
    for k, atom in terms.values():
        if atom is var:
            continue
        extent = loops.get(id(atom), others.get(id(atom)))
        size = number(extent) if extent is not None else None
        if size is None:
            # A serial loop's steps follow each other; they count where they are shorter.
            high = atom.high if isinstance(atom, Var) else None
            size = high + 1 if isinstance(high, int) else None
        if size is None:
            return False
        if abs(k) < step or id(atom) in loops:
            reach += abs(k) * (size - 1)
    return step > reach
