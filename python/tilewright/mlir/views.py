"""Views of buffers: memref types, and the subviews that regions become."""

from ..affine import never_negative, simplify
from ..errors import TileError
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


def reshape(writer, view, buffer):
    """A whole buffer with other dimensions: dimensions are joined to one piece of memory, or split."""
    if list(view.sizes) == list(buffer.shape):
        return view
    result = base(writer.fresh(buffer.name or "reshaped"), buffer, view.space)
    groups = matching(view.sizes, result.sizes)
    if groups is not None and len(result.sizes) > len(view.sizes):
        sizes = ", ".join(map(str, result.sizes))
        how = f"memref.expand_shape {view.name} {brackets(g for _, g in groups)} output_shape [{sizes}]"
    elif groups is not None:
        how = f"memref.collapse_shape {view.name} {brackets(g for g, _ in groups)}"
    else:
        raise TileError(
            f"T.reshape from {' x '.join(map(str, view.sizes))} to {' x '.join(map(str, result.sizes))} joins and splits "
            "dimensions at once; do one after the other"
        )
    writer.op(f"{result.name} = {how} : {view.type} into {result.type}")
    return result


def matching(a, b):
    """[(dimensions of a, those of b that have as many elements)…], of which one side is always one; None if there are none."""
    groups, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        left, right = [i], [j]
        m, n = a[i], b[j]
        while m != n:
            if m < n and left[-1] + 1 < len(a):
                left.append(left[-1] + 1)
                m *= a[left[-1]]
            elif n < m and right[-1] + 1 < len(b):
                right.append(right[-1] + 1)
                n *= b[right[-1]]
            else:
                return None
        groups.append((left, right))
        i, j = left[-1] + 1, right[-1] + 1
    if i < len(a) or j < len(b):
        return None
    one_way = all(len(g) == 1 for g, _ in groups) if len(b) > len(a) else all(len(h) == 1 for _, h in groups)
    return groups if one_way else None


def brackets(groups):
    return "[" + ", ".join(f"[{', '.join(map(str, g))}]" for g in groups) + "]"


def subview(writer, index, view, starts, extents, keep, steps):
    """The box of a view that starts at `starts` with `extents`, of which the dimensions in `keep` stay; `steps` other than 1."""
    whole = not steps and all(number(s) == 0 for s in starts) and all(
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
    strides = [None if view.strides[d] is None else view.strides[d] * steps.get(d, 1) for d in keep]
    result = View(None, [sizes[d] for d in keep], view.dtype, strides, offset, view.space)
    key = ("view", view.name, tuple(names), tuple(lengths), tuple(keep), tuple(steps.items()))
    known = writer.known(key)
    if known:
        return known
    result.name = writer.fresh(view.name[1:].split("_view")[0] + "_view")
    apart = ", ".join(str(steps.get(d, 1)) for d in range(len(names)))
    writer.op(
        f"{result.name} = memref.subview {view.name}[{', '.join(names)}] [{', '.join(lengths)}] [{apart}] "
        f": {view.type} to {result.type}"
    )
    return writer.remember(key, result)


def fits(start, extent, size):
    """Whether a block that starts at `start` surely ends within a dimension."""
    return never_negative(size - (settle(start) + extent))
