"""Traces an entry: parameters become tensors and scalars with names, and the body a program."""

from . import entry as entries
from . import matrices
from .buffers import Buffer
from .expr import Var
from .mlir.module import Scalar
from .tracer import Tracer


class Maker:
    """Makes a traced function's parameters."""

    def __init__(self, tracer):
        self.machine = tracer

    def tensor(self, name, shape, dtype):
        buffer = Buffer(shape, dtype, "global", name)
        self.machine.function.params.append(buffer)
        return buffer

    def scalar(self, name, dtype):
        is_index = not dtype.is_float
        var = Var(name, None, None, "scalar", "index" if is_index else dtype)
        self.machine.function.params.append(Scalar(name, "index" if is_index else dtype, var))
        return var

    def result(self, shape, dtype):
        return self.tensor(None, shape, dtype)


def trace(entry, given):
    """The program of an entry."""
    tracer = Tracer(entry.name, entry.at)
    entries.run(entry, given, Maker(tracer))
    for i, param in enumerate(tracer.function.params):
        if param.name is None:
            param.name = f"result{i}"
    for kernel in tracer.function.kernels:
        for i, buffer in enumerate(kernel.buffers):
            if buffer.name is None:
                buffer.name = f"buffer{i}"
    matrices.arrange(tracer.function)
    return tracer.function
