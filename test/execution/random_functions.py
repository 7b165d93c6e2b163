#!/usr/bin/env python3
"""Random kernels of functions that the chip has as one - sigmoid, silu, gelu, tanh, softplus, reciprocals, squares and
their kin - each written in one of the ways in which people write them, alone, gated or one of the other. Each runs on a
random chip in a random era, accurate or fast, and matches its reference.

usage: random_functions.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a kernel, with what it takes to make it again, and a summary. The exit status is 0 if every
kernel matched its reference.
"""
import sys

from random_common import run_all
from random_text import Text, attributes, close, opened, stored, widened

# A function of %x in postfix: numbers, x, and ops of one or two operands; `a;` names what is on top.
WAYS = {
    "sigmoid": ("1 1 x neg exp add div", "1 x neg exp 1 add div", "x exp a; a a 1 add div",
                "x 0.5 mul tanh 0.5 mul 0.5 add"),
    "silu": ("x 1 x neg exp 1 add div mul", "x 1 x neg exp add div"),
    "tanh": ("x tanh", "x x add exp a; a 1 sub a 1 add div", "1 2 x 2 mul exp 1 add div sub"),
    "gelu": ("x 0.5 mul x 0.70710678 mul erf 1 add mul", "x x 1.41421356 div erf 1 add mul 0.5 mul"),
    "gelu by tanh": ("x 0.5 mul x x mul x mul 0.044715 mul x add 0.79788456 mul tanh 1 add mul",),
    "softplus": ("x exp log1p", "x exp 1 add log", "x 0 max x abs neg exp log1p add"),
    "recip": ("1 x x mul 1 add div", "x abs 0.5 add a; 1 a div"),
    "rsqrt": ("1 x x mul 1 add sqrt div", "x x mul 1 add rsqrt", "1 x abs 1 add sqrt div"),
    "square": ("x x mul", "x neg a; a a mul"),
    "mish": ("x x exp log1p tanh mul",),
    "relu6": ("x 0 max 6 min",),
    "hardswish": ("x x 3 add 0 max 6 min mul 6 div",),
    "logsigmoid": ("0 x neg exp log1p sub",),
}
UNARY = {"neg": "arith.negf", "exp": "math.exp", "tanh": "math.tanh", "erf": "math.erf", "log1p": "math.log1p",
         "log": "math.log", "sqrt": "math.sqrt", "rsqrt": "math.rsqrt", "abs": "math.absf"}
BINARY = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf", "div": "arith.divf", "max": "arith.maximumf",
          "min": "arith.minimumf"}


def written(rng, text, name, x):
    """One of the ways of a function, of the number `x`; sums and products in either order."""
    stack, names = [], {"x": x}
    for word in rng.choice(WAYS[name]).split():
        if word.endswith(";"):
            names[word[:-1]] = stack.pop()
        elif word in names:
            stack.append(names[word])
        elif word in UNARY:
            stack.append(text.value(f"{UNARY[word]} {stack.pop()} : f32"))
        elif word in BINARY:
            b, a = stack.pop(), stack.pop()
            if word in ("add", "mul", "max", "min") and rng.random() < 0.5:
                a, b = b, a
            stack.append(text.value(f"{BINARY[word]} {a}, {b} : f32"))
        else:
            stack.append(text.value(f"arith.constant {float(word)} : f32"))
    return stack.pop()


def functions(rng):
    """One function, one gated by another operand, or one of another; of elements, or in a body."""
    rows, cols, element = rng.choice((32, 40)), rng.choice((32, 64, 70)), rng.choice(("f32", "f32", "bf16"))
    first, second = rng.choice(list(WAYS)), rng.choice(("sigmoid", "tanh", "silu", "relu6", "rsqrt"))
    way, matrix, text = rng.choice(("alone", "gated", "nested")), f"memref<{rows}x{cols}x{element}>", Text()
    loops, gated = rng.random() < 0.5, way == "gated"
    tensors = "XUY" if gated else "XY"
    if loops:
        opened(text, f"affine.parallel (%i, %j) = (0, 0) to ({rows}, {cols}) {{")
        values = [text.value(f"affine.load %{t}[%i, %j] : {matrix}") for t in tensors[:-1]]
    else:
        ident, kinds = "affine_map<(i, j) -> (i, j)>", "\"parallel\", \"parallel\""
        inputs = ", ".join(f"%{t}" for t in tensors[:-1])
        maps = ", ".join([ident] * len(tensors))
        opened(text, f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
                     f"ins({inputs} : {', '.join([matrix] * (len(tensors) - 1))}) outs(%Y : {matrix}) {{")
        text.add(f"^bb0({', '.join(f'%e{t}: {element}' for t in tensors)}):")
        values = [f"%e{t}" for t in tensors[:-1]]
    x, *more = widened(text, values, element)
    y = written(rng, text, first, x)
    if way == "nested":
        y = written(rng, text, second, y)
    elif gated:
        y = text.value(f"arith.mulf {y}, {more[0]} : f32")
    y = text.value(f"arith.truncf {y} : f32 to {element}") if element != "f32" else y
    text.add(f"affine.store {y}, %Y[%i, %j] : {matrix}" if loops else f"linalg.yield {y} : {element}")
    close(text)
    fast = rng.random() < 0.2
    args = ", ".join(f"%{t}: {matrix} {attributes(t)}" for t in tensors)
    made = (f"func.func @functions({args}) attributes {{tt.kernel{', tt.math_approx' * fast}}} {{\n" +
            "\n".join(text.lines) + "\n  return\n}\n")
    what = f"{first} {way}{' in ' + second if way == 'nested' else ''}"
    return f"functions {rows}x{cols}x{element} {what}{', loops' * loops}{', fast' * fast}", made


if __name__ == "__main__":
    sys.exit(run_all((functions,), stored))
