"""Variables: a T.alloc_var is a name for its value, where no memory is needed."""

from ..errors import TileError
from ..expr import INDEX, Expr, binary, cast, select, settle

#: A variable's value after a loop that was traced once.
UNKNOWN = object()


class Variables:
    """What a variable is after assignments, branches and loops."""

    def keep_element(self, buffer, value):
        """A variable inside of T.Parallel is a name for each element's value, until the loop ends."""
        value = as_kind(value, buffer.dtype)
        self.note(buffer)
        self.elementwise.add(buffer)
        for condition in self.conditions:
            value = merged(condition, value, buffer.known)
        buffer.known = value

    def note(self, buffer):
        """Keeps what a variable was before the branches around, which are about to change it."""
        for before in self.branched[buffer.branches :]:
            before.setdefault(buffer, buffer.known)

    def keep(self, buffer, value):
        """A variable that is set where it was made is a name for its value; no memory is needed."""
        integer = not buffer.dtype.is_float
        if buffer.varies and not integer:
            buffer.stored = True
            return False
        if integer and self.depth > buffer.depth:
            for frame in self.rolled[buffer.depth :]:
                if buffer in frame.read and buffer not in frame.written:
                    raise TileError(
                        f"{buffer.name or 'the variable'} changes from one step of this loop to the next; a variable of "
                        "integers can do that in loops with constant bounds (T.serial, up to 64 steps, not in a macro); "
                        "else write its value as an expression of the loop's variable"
                    )
                frame.written.add(buffer)
            self.note(buffer)
            buffer.known = as_kind(value, buffer.dtype)
            return True
        if self.depth == buffer.depth and not buffer.stored and (integer or len(self.branched) == buffer.branches):
            self.note(buffer)
            buffer.known = as_kind(value, buffer.dtype)
            return True
        if getattr(buffer, "known", None) is not None:
            raise TileError(
                f"{buffer.name or 'the variable'} is set outside of this loop and changed inside; "
                "use a fragment of one element, T.alloc_fragment((1,), dtype)"
            )
        buffer.stored = True
        return False


def merged(condition, a, b):
    """A variable's value after an `if`; where only one side sets it, that one."""
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    if a is None or b is None or a is b:
        return b if a is None else a
    a, b = settle(a), settle(b)
    if all(isinstance(x, bool) or isinstance(x, Expr) and x.dtype == "bool" for x in (a, b)):
        if not isinstance(a, Expr) and not isinstance(b, Expr):
            return a if a == b else condition if a else Expr("not", (condition,), "bool")
        opposite = Expr("not", (condition,), "bool")
        one = condition if a is True else False if a is False else binary("and", condition, a)
        two = opposite if b is True else False if b is False else binary("and", opposite, b)
        return one if two is False else two if one is False else binary("or", one, two)
    return select(condition, a, b)


def as_kind(value, dtype):
    """What a variable of a type holds: a float is cut to an integer, and an integer becomes a float."""
    value = settle(value)
    if isinstance(value, (int, float)) and not isinstance(value, Expr):
        return float(value) if dtype.is_float else bool(value) if dtype == "bool" else int(value)
    kind = value.dtype if isinstance(value, Expr) else None
    if kind is not None and (kind != INDEX and kind.is_float) != dtype.is_float:
        return cast(dtype, value)
    return value
