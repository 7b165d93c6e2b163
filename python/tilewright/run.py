"""tt-run of a Python file: translates it, lets tt-run do the rest, and with --check asks the second judge."""

import math
import os
import subprocess
import sys
import tempfile

from . import entry as entries
from .buffers import Buffer
from .dtypes import DType
from .errors import TileError
from .judge import compare, files, machine
from .machine import Using
from .mlir import module
from .reads import uses


class NumberMaker:
    """Makes the parameters of an evaluation: random inputs, which are kept."""

    def __init__(self, seed, tables, typed):
        self.machine, self.seed, self.tables, self.params = machine.Machine(typed), seed, tables, []

    def tensor(self, name, shape, dtype):
        buffer = machine.Numbers([machine.evaluate(s) for s in shape], dtype, "global", name)
        self.machine.spend(buffer.size)
        held = self.tables.get(name)
        if isinstance(held, list):
            if len(held) != buffer.size:
                raise TileError(f"{name} has {buffer.size} elements, and {name}[]=… gives {len(held)}")
            buffer.data = held
        else:
            buffer.data = files.random_values(buffer.size, buffer.dtype, f"{self.seed}/{len(self.params)}", held)
            if buffer.dtype.is_float:
                buffer.data = as_stored(buffer.data, str(buffer.dtype))
        if not buffer.dtype.is_float:
            # Objects of their own, so that it is seen which elements the kernel writes, with whatever number.
            buffer.data = [machine.IntCell(v) for v in buffer.data]
        buffer.first = list(buffer.data)
        self.params.append(buffer)
        return buffer

    def result(self, shape, dtype):
        return self.tensor(None, shape, dtype)

    def scalar(self, name, dtype):
        value = 0.5 if dtype.is_float else 1
        self.params.append((name, value))
        return value


def evaluate(entry, given, tables, function, seed):
    """The parameters after an evaluation, named as those of the traced function; None if it is too much work."""
    for typed in (False, True):
        maker = NumberMaker(seed, tables, typed)
        try:
            entries.run(entry, given, maker)
            break
        except machine.TooLarge:
            return None
        except (AttributeError, AssertionError):
            # Python's numbers have no types, for which this kernel asks.
            if typed:
                raise
    read, written = (set().union(*sides) for sides in zip(*(uses(kernel.body) for kernel in function.kernels)))
    for param, traced in zip(maker.params, function.params):
        if isinstance(param, machine.Numbers):
            param.name, param.written = traced.name, id(traced) in written or param.data != param.first
            # Of a tensor that is written, what no cell writes stays as it was.
            kept = param.written and any(new is old for new, old in zip(param.data, param.first))
            param.read = id(traced) in read or kept
            with Using(maker.machine):
                param.file_shape = [machine.evaluate(s) for s in traced.shape]
    return maker.params


def shapes(function, given):
    """--shape of each tensor with sizes that are open, where NAME=VALUE gives them."""
    words = []
    judge = machine.Machine()
    judge.sizes = Known(given)
    with Using(judge):
        for param in function.params:
            if isinstance(param, Buffer) and not all(isinstance(s, int) for s in param.shape):
                sizes = "x".join(str(machine.evaluate(s)) for s in param.shape)
                words += ["--shape", f"{param.name}={sizes}"]
    return words


def listed(function, given, tables, folder, options):
    """--input of each tensor of integers that NAME[]=1,2,3 says, where nobody evaluates the kernel to give all of them."""
    words, judge = [], machine.Machine()
    judge.sizes = Known(given)
    own = [o.split("=", 1)[1] if o.startswith("--input=") else o for o in options]
    with Using(judge):
        for param in function.params:
            held = tables.get(param.name) if isinstance(param, Buffer) else None
            if not isinstance(held, list) or any(o.startswith(f"{param.name}=") for o in own):
                continue
            try:
                shape = [machine.evaluate(s) for s in param.shape]
            except machine.TooLarge:
                continue  # tt-run says what it is given for this size
            if math.prod(shape) != len(held):
                raise TileError(f"{param.name} has {math.prod(shape)} elements, and {param.name}[]=… gives {len(held)}")
            path = os.path.join(folder, f"{param.name}.npy")
            files.write(path, shape, held, param.dtype)
            words += ["--input", f"{param.name}={path}"]
    return words


class Known:
    """Sizes that are given."""

    def __init__(self, known):
        self.known = known


def run(tt_run, entry, given, tables, function, options):
    """Runs a traced function with tt-run's own options; returns its exit status."""
    with tempfile.TemporaryDirectory(prefix="tt-tilelang-") as folder:
        path = os.path.join(folder, f"{function.name}.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(module.write(function))
        sized = any(o.split("=")[0] in ("--input", "--shape") for o in options)
        judged = "--check" in options and not sized
        params = evaluate(entry, given, tables, function, seed_of(options)) if judged else None
        words = [tt_run, path] + options
        if not sized:
            try:
                words += shapes(function, given)
            except machine.TooLarge as missing:
                raise TileError(f"{entry.name} leaves open: {missing}; give {missing}=… on the command line") from None
        if params is None:
            if "--check" in options:
                print("note: compared with MLIR's JIT only, not with Python: the kernel is large, or its inputs are given",
                      file=sys.stderr)
            return subprocess.call(words + listed(function, given, tables, folder, options))
        results = add_files(words, params, folder, options)
        status = subprocess.call(words)
        return status or judge(params, results)


def seed_of(options):
    for i, o in enumerate(options):
        if o.startswith("--seed="):
            return o[7:]
        if o == "--seed":
            return options[i + 1]
    return "0"


def add_files(words, params, folder, options):
    """Adds inputs and outputs to tt-run's words; returns {name: file of the result}."""
    results = {}
    for param in params:
        if not isinstance(param, machine.Numbers):
            words += ["--input", f"{param[0]}={param[1]}"]
            continue
        path = os.path.join(folder, f"{param.name}.npy")
        if param.read:
            files.write(path, param.file_shape, param.first, param.dtype)
            words += ["--input", f"{param.name}={path}"]
        given = [o for o in options if o.startswith(f"{param.name}=") or o.startswith(f"--output={param.name}=")]
        if param.written and not given:
            results[param.name] = os.path.join(folder, f"{param.name}.out.npy")
            words += ["--output", f"{param.name}={results[param.name]}"]
    return results


def as_stored(numbers, dtype):
    """The chip has no subnormal numbers: nothing between 0 and 2^-14 in f16, and 2^-126 in other floats; nor infinities in f16, for
    which its largest number stands, that a host takes for NaN (docs/accuracy.md)."""
    half = dtype == "float16"
    numbers = [0.0 if abs(x) < (2**-14 if half else 2**-126) else x for x in numbers]
    return [math.copysign(math.inf, x) if abs(x) > 65504 else x for x in numbers] if half else numbers


def as_read(numbers, dtype):
    """What the device has for such a number is that, as a host reads it."""
    return as_stored([math.copysign(math.inf, x) if dtype == "float16" and math.isnan(x) else x for x in numbers], dtype)


def judge(params, results):
    status = 0
    for param in params:
        if isinstance(param, machine.Numbers) and param.name in results:
            got, wanted = files.read(results[param.name], DType(param.dtype)), param.data
            got, wanted = as_read(got, str(param.dtype)), as_stored(wanted, str(param.dtype))
            text, well = compare.compare(f"{param.name} against Python", got, wanted)
            print(f"{text}: {'ok' if well else 'WRONG'}")
            status |= not well
    if not results:
        raise TileError("the kernel writes none of its tensors")
    return int(status)
