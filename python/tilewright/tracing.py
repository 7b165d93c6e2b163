"""Traces an entry: parameters become tensors and scalars with names, and the body a program."""

from . import entry as entries
from . import beliefs, carries, gathers, matrices, places, threads
from .buffers import Buffer
from .dtypes import DType
from .errors import TileError
from .expr import Var
from .mlir.module import Scalar
from .tracer import Tracer


class Maker:
    """Makes a traced function's parameters."""

    def __init__(self, tracer, tables):
        self.machine, self.tables = tracer, tables

    def tensor(self, name, shape, dtype):
        buffer = Buffer(shape, dtype, "global", name)
        buffer.boolean = buffer.dtype == "bool"
        if buffer.boolean:
            buffer.dtype, buffer.range = DType("uint8"), (0, 1)
        buffer.widen()
        held = self.tables.get(name)
        if held is not None and not buffer.dtype.is_float:
            buffer.range = (min(held), max(held))
        self.machine.function.params.append(buffer)
        return buffer

    def scalar(self, name, dtype):
        is_index = not dtype.is_float
        var = Var(name, None, None, "scalar", "index" if is_index else dtype)
        self.machine.function.params.append(Scalar(name, "index" if is_index else dtype, var))
        return var

    def result(self, shape, dtype):
        return self.tensor(None, shape, dtype)


def trace(entry, given, tables=()):
    """The program of an entry; `tables` is what tensors of integers hold, where that is known."""
    tracer = Tracer(entry.name, entry.at)
    entries.run(entry, given, Maker(tracer, dict(tables)))
    whole = [b.name for b in tracer.function.params if isinstance(b, Buffer) and not b.dtype.is_float]
    for name in tables:
        if name not in whole:
            raise TileError(f"{entry.name} has no tensor of integers '{name}[]'; there are: {', '.join(whole) or 'none'}")
    for i, param in enumerate(tracer.function.params):
        if param.name is None:
            param.name = f"result{i}"
    for kernel in tracer.function.kernels:
        for i, buffer in enumerate(kernel.buffers):
            if buffer.name is None:
                buffer.name = f"buffer{i}"
    for kernel in tracer.function.kernels:
        threads.distribute(kernel)
    beliefs.warn(tracer.function)
    gathers.rewrite(tracer.function)
    carries.rewrite(tracer.function)
    places.rewrite(tracer.function)
    matrices.arrange(tracer.function)
    return tracer.function
