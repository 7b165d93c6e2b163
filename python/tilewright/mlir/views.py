"""Views of buffers: memref types, and the subviews that regions become."""

from ..affine import never_negative, simplify
from ..expr import Expr, number, settle

SPACE = {"shared": "workgroup", "fragment": "private", "local": "private", "var": "private"}


class View:
    """An SSA value of memref type. Sizes, strides and the offset are numbers, or None where dynamic."""

    def __init__(self, name, sizes, dtype, strides, offset, space):
        self.name, self.sizes, self.dtype = name, sizes, dtype
        self.strides, self.offset, self.space = strides, offset, space

    @property
    def type(self):
        shape = "".join(f"{'?' if s is None else s}x" for s in self.sizes)
        parts = [f"{shape}{self.dtype.mlir}"]
        if not self.identity():
            strides = ", ".join("?" if s is None else str(s) for s in self.strides)
            offset = "" if self.offset == 0 else f", offset: {'?' if self.offset is None else self.offset}"
            parts.append(f"strided<[{strides}]{offset}>")
        if self.space:
            parts.append(f"#gpu.address_space<{self.space}>")
        return f"memref<{', '.join(parts)}>"

    def identity(self):
        return self.offset == 0 and getattr(self, "whole", False)


def base(name, buffer, space):
    """A whole buffer."""
    sizes = [s if isinstance(s, int) else None for s in buffer.shape]
    view = View(name, sizes, buffer.dtype, row_major(sizes), 0, space)
    view.whole = True
    return view


def row_major(sizes):
    strides, step = [], 1
    for s in reversed(sizes):
        strides.append(step)
        step = None if step is None or s is None else step * s
    return strides[::-1]


def subview(writer, index, view, starts, extents, keep):
    """The box of a view that starts at `starts` with `extents`, of which the dimensions in `keep` stay."""
    whole = all(number(s) == 0 for s in starts) and all(
        isinstance(e, int) and e == n for e, n in zip(extents, view.sizes)
    )
    if whole and list(keep) == list(range(len(view.sizes))):
        return view
    starts = [simplify(s) if isinstance(settle(s), Expr) else settle(s) for s in starts]
    offsets = [number(s) for s in starts]
    sizes = [number(e) for e in extents]
    names = [str(o) if o is not None else index.value(s) for o, s in zip(offsets, starts)]
    lengths = [str(n) if n is not None else index.value(e) for n, e in zip(sizes, extents)]
    offset = 0
    for o, stride in zip(offsets, view.strides):
        offset = None if offset is None or o is None or (stride is None and o) else offset + o * (stride or 0)
    result = View(
        None, [sizes[d] for d in keep], view.dtype, [view.strides[d] for d in keep], offset, view.space
    )
    key = ("view", view.name, tuple(names), tuple(lengths), tuple(keep))
    known = writer.known(key)
    if known:
        return known
    result.name = writer.fresh(view.name[1:].split("_view")[0] + "_view")
    ones = ", ".join("1" for _ in names)
    writer.op(
        f"{result.name} = memref.subview {view.name}[{', '.join(names)}] [{', '.join(lengths)}] [{ones}] "
        f": {view.type} to {result.type}"
    )
    return writer.remember(key, result)


def fits(start, extent, size):
    """Whether a block that starts at `start` surely ends within a dimension."""
    return never_negative(size - (settle(start) + extent))
