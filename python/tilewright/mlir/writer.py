"""Text of one function: lines, fresh names, constants at its top, places in the source."""

import math
import os
import struct

from ..expr import Const


class Writer:
    """Collects a function's ops. `maps` and `places` are the module's aliases, shared by its functions."""

    def __init__(self, maps, places):
        self.maps, self.places = maps, places
        self.lines, self.indent = [], 2
        self.used, self.constants = {}, {}
        self.scopes = [{}]
        self.at = None

    def fresh(self, base):
        """An SSA name that is not used yet: %base, %base_1, …"""
        base = "".join(c if c.isalnum() or c == "_" else "_" for c in str(base)) or "v"
        if base[0].isdigit():
            base = "v" + base
        count = self.used.get(base, 0)
        self.used[base] = count + 1
        return f"%{base}" if count == 0 else self.fresh(f"{base}_{count}")

    def line(self, text):
        self.lines.append(" " * self.indent + text)

    def op(self, text):
        """An op on a line of its own, with its place."""
        self.line(text + self.place())

    def place(self):
        if not self.at:
            return ""
        filename, line = self.at
        key = (os.path.basename(filename), line)
        name = self.places.setdefault(key, f"#line{line}" if not any(
            k[1] == line for k in self.places) else f"#line{line}_{len(self.places)}")
        return f" loc({name})"

    def open(self, text):
        self.line(text)
        self.indent += 2
        self.scopes.append({})

    def close(self, text="}"):
        self.scopes.pop()
        self.indent -= 2
        self.op(text)

    def known(self, key):
        """The name of a value that was computed before, here or around."""
        for scope in reversed(self.scopes):
            if key in scope:
                return scope[key]
        return None

    def remember(self, key, name):
        self.scopes[-1][key] = name
        return name

    def index(self, value):
        """A constant index."""
        return self.constant(f"c{value}" if value >= 0 else f"cm{-value}", f"{value} : index", "index")

    def number(self, value, dtype):
        """A constant of an element type."""
        kind = dtype if dtype in ("index",) else dtype.mlir
        if kind == "index" or not dtype.is_float:
            if kind == "i1":
                return self.constant("true" if value else "false", "true" if value else "false", kind)
            name = f"c{value}" if value >= 0 else f"cm{-value}"
            return self.constant(f"{name}_{kind}", f"{int(value)} : {kind}", kind)
        return self.constant("cst", f"{float_text(value, kind)} : {kind}", kind)

    def constant(self, base, text, kind):
        if (text, kind) not in self.constants:
            self.constants[(text, kind)] = self.fresh(base)
        return self.constants[(text, kind)]

    def constant_lines(self):
        return [f"  {name} = arith.constant {text}" for (text, _), name in self.constants.items()]

    def map(self, dims, results):
        """The alias of an affine map."""
        letters = [f"d{i}" for i in range(dims)]
        text = f"affine_map<({', '.join(letters)}) -> ({', '.join(results)})>"
        return self.maps.setdefault(text, f"#map{len(self.maps)}")


#: Bits of an infinity and of what is no number, for each type.
SPECIAL = {
    "f32": ("0x7F800000", "0xFF800000", "0x7FC00000"),
    "f64": ("0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000"),
    "f16": ("0x7C00", "0xFC00", "0x7E00"),
    "bf16": ("0x7F80", "0xFF80", "0x7FC0"),
}


def float_text(value, kind):
    value = float(value)
    if math.isnan(value):
        return SPECIAL[kind][2]
    if math.isinf(value) or (kind == "f32" and abs(value) > 3.4028235e38):
        return SPECIAL[kind][0 if value > 0 else 1]
    if kind == "f32":
        value = struct.unpack("f", struct.pack("f", value))[0]
    text = repr(value)
    if "e" in text:
        mantissa, exponent = text.split("e")
        return (mantissa if "." in mantissa else mantissa + ".0") + "e" + exponent
    return text


def is_const(x):
    return isinstance(x, Const)
