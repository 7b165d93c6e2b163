"""Buffers, and elements that are read and written."""

from .. import program as p
from ..affine import key_of
from ..buffers import Buffer, Reshaped
from ..dtypes import DType
from ..errors import TileError, here
from ..expr import Const, Expr, Load, binary, cast, compare, select, settle
from ..reads import loads
from .variables import UNKNOWN


class Stores:
    """Makes buffers, and notes each assignment to an element with the loops and conditions around it."""

    def alloc(self, shape, dtype, scope):
        buffer = Buffer(shape, dtype, scope)
        buffer.at, buffer.depth = here(), self.depth
        if buffer.dtype == "bool" and scope not in ("var", "global") and buffer.shape != (1,):
            # The vector unit compares floats, and keeps no truth values.
            buffer.boolean, buffer.dtype = True, DType("float32")
        buffer.widen()
        if scope == "global":
            self.function.globals.append(buffer)
            return buffer
        if not self.kernel:
            raise TileError("a buffer of a core belongs inside of `with T.Kernel(…)`")
        for size in buffer.shape:
            if not isinstance(size, int):
                raise TileError(f"a buffer of a core needs constant sizes, not {size}")
        if scope == "local" and buffer.shape == (1,) and not buffer.dtype.is_float:
            buffer.scope = "var"
        buffer.varies, self.varies = self.varies, False
        buffer.known, buffer.stored, buffer.branches = None, False, len(self.branched)
        self.kernel.buffers.append(buffer)
        return buffer

    def reshape(self, base, shape):
        if base.scope in ("global", "var"):
            raise TileError("T.reshape of a tensor or a variable; declare the tensor with that shape")
        buffer = Reshaped(base.base if isinstance(base, Reshaped) else base, shape)
        self.kernel.buffers.append(buffer)
        return buffer

    def load(self, buffer, indices):
        if buffer.scope == "var" and not buffer.stored:
            for frame in self.rolled[buffer.depth :]:
                frame.read.add(buffer)
            if buffer.known is None or buffer.known is UNKNOWN:
                raise TileError(f"{buffer.name or 'the variable'} has no value here; set it before, outside of the loop")
            return buffer.known
        if buffer.table and not self.loops:
            return self.table_element(buffer, indices)
        element = Load(buffer, indices)
        return compare("ne", element, 0) if buffer.boolean else element

    def store(self, buffer, indices, value):
        if buffer.scope == "var":
            if self.loops and not buffer.stored:
                return self.keep_element(buffer, value)
            if not self.loops and self.keep(buffer, value):
                return
        if buffer.narrow and not (isinstance(value, Load) and value.buffer.narrow == buffer.narrow):
            raise TileError(f"a value stored in {buffer.name}, of {buffer.narrow}: numbers of 4 bits are read and copied; store int8")
        self.note_table(buffer, indices, value)
        if buffer.boolean and isinstance(settle(value), Expr):
            value = select(value, Const(1.0, "float32"), Const(0.0, "float32"))
        value = value if isinstance(value, Expr) else number_of(value, buffer.dtype)
        condition = None
        for c in self.conditions:
            condition = c if condition is None else binary("and", condition, c)
        self.check_fresh(value, buffer)
        if any(load.buffer is buffer for load in loads(value)) and not self.conditions:
            self.holds_something(buffer, "this reads")
        store = p.Store(here(), buffer, list(indices), value, list(self.loops), list(self.sums), condition)
        store.conditions = list(self.conditions)
        store.meets = self.updating
        if not (self.loops and store.conditions and self.other_side(store)):
            self.add(store)
        if not self.loops:
            buffer.version += 1
        else:
            buffer.version += 1
            buffer.parallel_write = (id(self.loops[0][0]), tuple(key_of(i) for i in indices))

    def other_side(self, store):
        """Joins `else: x = b` to the `if c: x = a` before it, as x = a if c else b, where nothing between needs x."""
        read = {id(x.buffer) for x in loads(store.value)}
        for s in reversed(self.lists[-1]):
            if not isinstance(s, p.Store) or [id(v) for v, _ in s.loops] != [id(v) for v, _ in store.loops] or s.sums:
                return False
            if s.buffer is store.buffer:
                same = [key_of(i) for i in s.indices] == [key_of(i) for i in store.indices]
                outer, condition = store.conditions[:-1], store.conditions[-1]
                mine = len(s.conditions) == len(store.conditions) and all(a is b for a, b in zip(s.conditions, outer))
                if not (same and mine and condition.op == "not" and condition.args[0] is s.conditions[-1]):
                    return False
                if id(store.buffer) in read | {id(x.buffer) for x in loads(s.value)}:
                    return False
                s.value = select(s.conditions[-1], cast(s.buffer.dtype, s.value), cast(s.buffer.dtype, store.value))
                s.conditions, s.condition = outer, None
                for c in outer:
                    s.condition = c if s.condition is None else binary("and", s.condition, c)
                return True
            if id(s.buffer) in read or store.buffer in [x.buffer for x in loads(s.value)]:
                return False
        return False

    def check_fresh(self, value, target):
        """An element that was read into a Python name before its buffer was written has its old value there."""
        for load in loads(value):
            if load.version != load.buffer.version:
                raise TileError(
                    f"'{load!r}' was read before {load.buffer.name} was written again, and is used after; "
                    "read it where it is used, or keep it in a fragment"
                )


def number_of(value, dtype):
    if not isinstance(value, (int, float)):
        raise TileError(f"'{value}' of Python type {type(value).__name__} is no element of a buffer")
    return Const(float(value) if dtype.is_float else int(value), dtype)
