"""Writes a module: a function for each T.Kernel, and a host function where there is more than one."""

from ..errors import TileError
from ..expr import Var, number, settle, text
from ..reads import uses
from . import views
from .statements import Statements
from .writer import Writer


def write(function):
    """The text of a traced function."""
    maps, places = {}, {}
    bodies = []
    if not function.kernels:
        raise TileError(f"{function.name} has no `with T.Kernel(…)`")
    names = unique_names(function)
    for kernel, name in zip(function.kernels, names):
        bodies.append(write_kernel(function, kernel, name, maps, places))
    if len(function.kernels) > 1:
        bodies.append(write_host(function, names, places))
    lines = [f"{name} = {text_}" for text_, name in maps.items()]
    lines += [line for body in bodies for line in body]
    lines += [f'{name} = loc("{file}":{line}:1)' for (file, line), name in places.items()]
    return "\n".join(lines) + "\n"


def unique_names(function):
    if len(function.kernels) == 1:
        return [function.name]
    return [f"{function.name}_{i}" for i in range(len(function.kernels))]


class Scalar:
    """A scalar parameter of a kernel."""

    def __init__(self, name, dtype, var):
        self.name, self.dtype, self.var = name, dtype, var


def used_params(function, kernel):
    """The parameters that a kernel touches, in order; all of them if it is the only one."""
    if len(function.kernels) == 1:
        return list(function.params) + list(function.globals)
    read, written = uses(kernel.body)
    seen = read | written
    return [x for x in list(function.params) + list(function.globals) if isinstance(x, Scalar) or id(x) in seen]


def write_kernel(function, kernel, name, maps, places):
    w = Writer(maps, places)
    out = Statements(w)
    params = []
    for param in used_params(function, kernel):
        ssa = w.fresh(param.name or "tensor")
        if isinstance(param, Scalar):
            kind = "index" if param.dtype == "index" else param.dtype.mlir
            out.names[id(param.var)] = ssa
        else:
            view = views.base(ssa, param, None)
            out.buffers[id(param)] = view
            kind = view.type
        held = getattr(param, "range", None)
        bounds = f", tt.range = [{held[0]}, {held[1]}]" if held else ""
        params.append(f'{ssa}: {kind} {{tt.name = "{param.name or ssa[1:]}"{bounds}}}')
    w.at = kernel.at
    write_sizes(function, kernel, out)
    write_grid(kernel, out)
    w.at = function.at
    header = f"func.func @{name}(" + (",\n    ".join(params)) + ") attributes {tt.kernel} {"
    return [header] + w.constant_lines() + w.lines + ["  return", "}" + w.place()]


def write_sizes(function, kernel, out):
    """memref.dim of each size that the tensors' types leave open."""
    w = out.w
    for param in used_params(function, kernel):
        if isinstance(param, Scalar):
            continue
        for d, size in enumerate(param.shape):
            if isinstance(settle(size), Var) and id(size) not in out.names:
                name = w.fresh(size.name)
                w.op(f"{name} = memref.dim {out.buffers[id(param)].name}, {w.index(d)} : {out.buffers[id(param)].type}")
                out.names[id(size)] = name


def write_grid(kernel, out):
    w = out.w
    cells = [(v, e) for v, e in kernel.cells]
    while cells and number(cells[-1][1]) == 1:
        cells.pop()
    if cells:
        extents = [str(number(e)) if number(e) is not None else out.index.value(e) for _, e in reversed(cells)]
        names = []
        for var, _ in reversed(cells):
            ssa = w.fresh(var.name)
            out.names[id(var)] = ssa
            names.append(ssa)
        w.open(f"scf.forall ({', '.join(names)}) in ({', '.join(extents)}) {{")
    for buffer in kernel.buffers:
        if buffer.scope == "var" and not getattr(buffer, "stored", False):
            continue
        w.at = buffer.at
        out.alloc(buffer)
    out.body(kernel.body)
    w.at = kernel.at
    if cells:
        w.close()


def write_host(function, names, places):
    """tt.host: allocates what lies in DRAM between the kernels, and calls them in order."""
    w = Writer({}, places)
    ssa, kinds, params = {}, {}, []
    for param in function.params:
        ssa[id(param)] = w.fresh(param.name)
        if isinstance(param, Scalar):
            kinds[id(param)] = param.dtype.mlir
        else:
            kinds[id(param)] = views.base("", param, None).type
        params.append(f'{ssa[id(param)]}: {kinds[id(param)]} {{tt.name = "{param.name}"}}')
    w.at = function.at
    for buffer in function.globals:
        ssa[id(buffer)] = w.fresh(buffer.name or "tensor")
        kinds[id(buffer)] = views.base("", buffer, None).type
        w.op(f"{ssa[id(buffer)]} = memref.alloc() : {kinds[id(buffer)]}")
    for kernel, name in zip(function.kernels, names):
        w.at = kernel.at
        used = used_params(function, kernel)
        arguments = ", ".join(ssa[id(x)] for x in used)
        w.op(f"func.call @{name}({arguments}) : ({', '.join(kinds[id(x)] for x in used)}) -> ()")
    header = f"func.func @{function.name}(" + (",\n    ".join(params)) + ") attributes {tt.host} {"
    return [header] + w.lines + ["  return", "}" + w.place()]


__all__ = ["write", "Scalar", "text"]
