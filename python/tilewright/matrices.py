"""Gives tensors shapes of which each block is a part of one matrix, the last two dimensions.

    Q[b, s, h, d], blocks of s and d    ->  Q[b, s, h * d]       memory is the same: d follows h
    x[b, c, k], blocks of k alone       ->  x[b, c, 1, k]        one row a matrix

A kernel's blocks may lie across any dimensions of a tensor that is stored row-major; level 1 wants the rows in the
dimension before the last. Where all blocks of a tensor agree, its type is changed; the bytes stay as they are."""

import math

from . import program as p
from .affine import split
from .buffers import Region
from .expr import Expr, Load, number, settle
from .mlir.views import fits
from .reads import elements, loads


def arrange(function):
    """Changes the shapes of a traced function's tensors, and all that refers to them."""
    tensors = [t for t in list(function.params) + list(function.globals) if hasattr(t, "shape")]
    boxes = {id(t): [] for t in tensors}
    for kernel in function.kernels:
        collect(kernel.body, boxes)
    plans = {}
    for t in tensors:
        plan = choose(t, boxes[id(t)])
        if plan is not None:
            plans[id(t)] = plan
    for t in tensors:
        if id(t) in plans:
            t.shape = plans[id(t)].shape
    for kernel in function.kernels:
        rewrite(kernel.body, plans)


class Plan:
    """Dimensions up to `last` stay; those behind become one; with `unit`, a row of its own comes before it."""

    def __init__(self, tensor, last, unit):
        sizes = tensor.shape[last + 1 :]
        self.last, self.steps = last, [math.prod(sizes[i + 1 :]) for i in range(len(sizes))]
        self.unit = unit
        self.shape = tensor.shape[: last + 1] + ((1,) if unit else ()) + (math.prod(sizes),)

    def starts(self, indices):
        total = 0
        for i, step in zip(indices[self.last + 1 :], self.steps):
            total = i * step + total
        return list(indices[: self.last + 1]) + ([0] if self.unit else []) + [total]

    def extents(self, extents):
        behind = extents[self.last + 1 :]
        # 1, …, 1, n, all, all: one piece of memory.
        return list(extents[: self.last + 1]) + ([1] if self.unit else []) + [math.prod(behind)]


def choose(tensor, boxes):
    """The plan for a tensor, or None where its shape does, or no plan would."""
    rank = len(tensor.shape)
    if rank < 2 or not boxes or any(b is None for b in boxes):
        return None
    rows = {d for _, extents in boxes for d in range(rank - 1) if number(extents[d]) != 1}
    if not rows:
        if number(tensor.shape[-2]) == 1:
            return None
        plan = Plan(tensor, rank - 2, True) if all(isinstance(s, int) for s in tensor.shape[-1:]) else None
        return plan if rank < 8 else None
    last = min(rows)
    if last == rank - 2 or not all(isinstance(s, int) for s in tensor.shape[last + 1 :]):
        return None
    if not all(contiguous(tensor, starts, extents, last) for starts, extents in boxes):
        return None
    return Plan(tensor, last, False)


def contiguous(tensor, starts, extents, last):
    """Whether a box is one piece of memory in the dimensions behind `last`, and inside of them."""
    inner = range(last + 1, len(tensor.shape))
    if not all(isinstance(extents[d], int) and fits(starts[d], extents[d], tensor.shape[d]) for d in inner):
        return False
    # The other side of a copy has no dimensions that became one.
    large = [d for d in inner if extents[d] != 1]
    return len(large) <= 1 and all(extents[d] == tensor.shape[d] for d in inner if large and d > large[0])


def collect(statements, boxes):
    """Notes the (starts, extents) of every access; None for one that is no box."""
    for s in statements:
        for name in ("src", "dst", "a", "b", "c"):
            region = getattr(s, name, None)
            if isinstance(region, Region) and id(region.buffer) in boxes:
                boxes[id(region.buffer)].append((region.starts, region.extents))
        if isinstance(s, p.Store):
            loops = {id(v): e for v, e in s.loops}
            loops.update({id(v): end - low for v, low, end, _ in s.sums})
            variables = [v for v, _ in s.loops] + [q[0] for q in s.sums]
            for buffer, indices in [(s.buffer, s.indices)] + [(x.buffer, x.indices) for x in all_loads(s)]:
                if id(buffer) in boxes:
                    boxes[id(buffer)].append(box(indices, variables, loops))
        collect(getattr(s, "body", []), boxes)
        collect(getattr(s, "other", []), boxes)


def all_loads(s):
    yield from elements(s.value)
    if s.condition is not None:
        yield from elements(s.condition)


def box(indices, variables, loops):
    starts, extents = [], []
    for i in indices:
        found = split(i, variables)
        if found is None or len(found[0]) > 1 or (found[0] and found[0][0][0] != 1):
            return None
        starts.append(found[1])
        extents.append(loops[id(found[0][0][1])] if found[0] else 1)
    return starts, extents


def rewrite(statements, plans):
    def new(x):
        return replaced(x, plans)

    for s in statements:
        for name in ("src", "dst", "a", "b", "c"):
            region = getattr(s, name, None)
            if isinstance(region, Region):
                starts, extents = [new(x) for x in region.starts], [new(x) for x in region.extents]
                plan = plans.get(id(region.buffer))
                if plan:
                    starts, extents = plan.starts(starts), plan.extents(extents)
                setattr(s, name, Region(region.buffer, starts, extents))
        if isinstance(s, p.Store):
            s.indices = [new(i) for i in s.indices]
            if id(s.buffer) in plans:
                s.indices = plans[id(s.buffer)].starts(s.indices)
            s.value = new(s.value)
            s.condition = new(s.condition) if s.condition is not None else None
            s.loops = [(v, new(e)) for v, e in s.loops]
        if isinstance(s, p.For):
            s.low, s.high = new(s.low), new(s.high)
        if isinstance(s, p.If):
            s.condition = new(s.condition)
        rewrite(getattr(s, "body", []), plans)
        rewrite(getattr(s, "other", []), plans)


def replaced(x, plans):
    """An expression in which loads of changed tensors have their new indices."""
    x = settle(x)
    if not isinstance(x, Expr) or not any(True for _ in loads(x)):
        return x
    if isinstance(x, Load):
        indices = [replaced(i, plans) for i in x.indices]
        new = Load(x.buffer, plans[id(x.buffer)].starts(indices) if id(x.buffer) in plans else indices)
        new.version = x.version
        return new
    return Expr(x.op, [replaced(a, plans) for a in x.args], x.dtype)
