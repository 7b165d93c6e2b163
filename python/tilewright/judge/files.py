"""Random inputs, rounded to their types, and .npy files of float32, int32 and uint8."""

import array
import random
import struct

from ..dtypes import HALVES


def rounded(value, dtype):
    """A float as its type holds it."""
    if dtype == "bfloat16":
        bits = struct.unpack("I", struct.pack("f", value))[0]
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
        return struct.unpack("f", struct.pack("I", bits))[0]
    code = {"float16": "e", "float32": "f"}.get(dtype, "f")
    return struct.unpack(code, struct.pack(code, value))[0]


def random_values(count, dtype, seed, limits=None):
    """Normal floats, or small integers, as tt-run makes them; `limits` is (lowest, highest) of integers."""
    source = random.Random(seed)
    if limits and not dtype.is_float:
        return [source.randint(*limits) for _ in range(count)]
    if dtype.is_float:
        return [rounded(source.gauss(0, 1), dtype) for _ in range(count)]
    low, high = HALVES[dtype][1] if dtype in HALVES else (0, 1) if dtype == "bool" else (-8, 8) if dtype.is_signed else (0, 15)
    return [source.randint(low, high) for _ in range(count)]


def write(path, shape, values, dtype):
    """An .npy file: float32, int32, or bytes for what has 8 bits."""
    if dtype.is_float:
        kind, data = "<f4", array.array("f", values)
    elif dtype.bits <= 8:
        kind, data = "|u1", array.array("B", [v & 255 for v in values])
    else:
        kind, data = "<i4", array.array("i", values)
    sizes = "".join(f"{n}, " for n in shape)
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({sizes}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        data.tofile(file)


def read(path, dtype):
    """The elements of an .npy file, as numbers of a type."""
    with open(path, "rb") as file:
        content = file.read()
    start = 10 + struct.unpack("<H", content[8:10])[0]
    header = content[10:start].decode()
    kind = next(k for k in ("f4", "u1", "i1", "i4") if k in header)
    data = array.array({"f4": "f", "u1": "B", "i1": "b", "i4": "i"}[kind], content[start:])
    if kind == "u1" and dtype.is_signed and not dtype.is_float:
        return [v - 256 if v > 127 else v for v in data]
    return list(data)
