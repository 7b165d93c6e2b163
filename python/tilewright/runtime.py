"""What rewritten code calls: the object that a user's file sees as `__tile__`."""

import math

from . import machine
from .buffers import Buffer
from .errors import TileError
from .expr import FOLD, Expr, Lanes, binary, compare as compare_two, lanewise, logical_not as negate, select, settle
from .standins import Anything

#: Python's own loop is unrolled up to this many steps; with more it is a loop of the kernel.
UNROLLED = 8


def branches(condition):
    if machine.active():
        return machine.current().branches(condition)
    return iter((bool(condition),))


def cells(kernel, names):
    machine.current().names, machine.current().threads = names.split(), kernel.threads
    return machine.current().cells(kernel.extents)


def loop(names, iterable, changed):
    """A loop; what makes it gets to know the names of its variables, and the integers that its body changes."""
    steps = iterable()
    if not machine.active() or machine.numbers():
        return steps
    machine.current().names = names.split()
    machine.current().counters = integers(changed)
    return watched(steps, changed)


def value_now(value):
    try:
        return value()
    except NameError:
        return None


def integers(changed):
    """The variables of integers among names."""
    found = [value_now(v) for v in changed.values()]
    return [b for b in found if isinstance(b, Buffer) and b.scope == "var" and not b.dtype.is_float]


def watched(steps, changed):
    """The steps of a loop; a name that a step changes for the next one is an error where the step stands for all."""
    for step in steps:
        before = {name: value_now(v) for name, v in changed.items()}
        yield step
        parts = step if isinstance(step, tuple) else (step,)
        if any(isinstance(p, Expr) for p in parts):
            for name, value in changed.items():
                if before[name] is not None and value_now(value) is not before[name]:
                    raise TileError(
                        f"'{name}' changes from one step of this loop to the next, which Python's names cannot do in a "
                        f"kernel; make it an expression of the loop's variable, or {name} = T.alloc_var(dtype)"
                    )


def while_loop(condition, changed):
    """`while`: a loop that counts, where one variable is below a bound and goes on by a constant."""
    if not machine.active() or machine.numbers():
        return plain_while(condition)
    return machine.current().while_loop(condition, integers(changed))


def plain_while(condition):
    while condition():
        yield


@lanewise
def divide(a, b):
    """a / b; numbers of a kernel are divided by zero as the chip does it."""
    if machine.active() and machine.numbers():
        x, y = settle(a), settle(b)
        if isinstance(x, (int, float)) and isinstance(y, (int, float)) and y == 0:
            return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1.0, y)
    return a / b


def smallest(function, *values):
    """Python's min and max, of values of the kernel, too."""
    values = [value_of(v) for v in values]
    if not any(isinstance(v, VALUES) for v in values):
        return function(*values)
    total = values[0]
    for v in values[1:]:
        total = binary(function.__name__, total, v)
    return total


def eager(names):
    """Marks a function whose own body opens a T.Kernel, with the names that it declares as tensors."""

    def mark(fn):
        fn.__tile_eager__, fn.__tile_declared__ = True, set(names.split())
        return fn

    return mark


def variable(name, varies, value):
    """`name = T.alloc_var(…)`; `varies` says whether it is set in loops or branches, too."""
    if machine.active():
        machine.current().varies = varies
    return assign(name, value())


def assign(name, value):
    """`name = value`: a new buffer gets its name."""
    if isinstance(value, Buffer) and value.name is None:
        value.name = name
    return value


def set_variable(old, value):
    """`x = value` where x was made by T.alloc_var: a store."""
    if isinstance(old, Buffer) and old.scope in ("var", "local") and old.shape == (1,):
        old[0] = value
        return old
    return value


def declare(name, annotation, old):
    """`A: T.Tensor(…)` in a body: an argument of the kernel."""
    declared = getattr(machine.current(), "declare", None)
    if declared is None or not isinstance(annotation, Buffer):
        return old
    return declared(name, annotation)


#: What Python cannot decide while a kernel is translated, or each thread decides for itself.
VALUES = (Expr, Lanes)


def logical_and(*parts):
    value = True
    for part in parts:
        right = settle(part())
        if not isinstance(value, VALUES):
            value = right if value else value
            if not isinstance(value, VALUES) and not value:
                return value
        elif not isinstance(right, VALUES):
            value = value if right else False
        else:
            value = binary("and", value, right)
        if not isinstance(value, VALUES) and not value:
            return value
    return value


def logical_or(*parts):
    value = False
    for part in parts:
        right = settle(part())
        if not isinstance(value, VALUES):
            value = right if not value else value
        elif not isinstance(right, VALUES):
            value = True if right else value
        else:
            value = binary("or", value, right)
        if not isinstance(value, VALUES) and value:
            return value
    return value


def logical_not(x):
    x = value_of(x)
    return negate(x) if isinstance(x, VALUES) else not x


def value_of(x):
    return settle(x) if isinstance(x, Buffer) and x.shape == (1,) else x


def choose(condition, then, other):
    condition = value_of(condition)
    if isinstance(condition, VALUES):
        return select(condition, then(), other())
    return then() if condition else other()


def number(kind, *args):
    """int(x), float(x), min and max; what they make of a stand-in is one, and an error where a kernel needs its value."""
    if kind in (int, float, min, max):
        for x in args:
            if isinstance(x, Anything):
                return x
    return kind(*args)


PLAIN = {name: FOLD[name] for name in ("lt", "le", "gt", "ge", "eq", "ne")}


def compare(left, *rest):
    """a < b < c, with each side evaluated once."""
    value = True
    for op, right in zip(rest[::2], rest[1::2]):
        a, b = value_of(left), value_of(right)
        if isinstance(a, VALUES) or isinstance(b, VALUES):
            one = compare_two(op, a, b)
            if one is NotImplemented:
                one = op == "ne"
        else:
            one = PLAIN[op](a, b)
        value = logical_and(lambda v=value: v, lambda o=one: o)
        if not isinstance(value, VALUES) and not value:
            return value
        left = right
    return value


def for_range(*bounds):
    bounds = [settle(b) for b in bounds]
    if all(isinstance(b, int) for b in bounds):
        steps = range(*bounds)
        if not machine.active() or len(steps) <= UNROLLED:
            return steps
    low, end = (0, bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = bounds[2] if len(bounds) > 2 else 1
    if not isinstance(step, int) or step < 1:
        raise TileError(f"range with step {step}; a loop of a kernel needs a constant step of at least 1")
    return machine.current().serial(low, end, step)
