#!/usr/bin/env python3
"""Random models of integers of 8 bits with zero points: products of any length, batches, convolutions with edges, strides and
dilations, depthwise ones, with biases, and scaled back to 8 bits or not. Each runs on a random chip in a random era, and is equal
to its reference in every bit.

usage: random_quantized.py SEED COUNT [--keep DIR] [--only KIND]

Prints a line a model, with what it takes to make it again, and a summary. The exit status is 0 if every model matched its
reference.
"""
import sys

from random_common import run_all
from random_text import Text


def shape(*sizes):
    return "x".join(map(str, sizes))


def argument(name, type, limits=None):
    return f'%{name}: {type} {{tt.name = "{name}"' + (f", tt.range = [{limits[0]}, {limits[1]}]" if limits else "") + "}"


def number(text, value, element="i8"):
    return text.value(f'"tosa.const"() <{{values = dense<{value}> : tensor<1x{element}>}}> : () -> tensor<1x{element}>')


def zero_points(rng, text):
    both = [rng.choice((0, 0, 3, -128, 127, rng.randint(-128, 127))) for _ in range(2)]
    return both, [number(text, z) for z in both]


def model(rng, text, name, args, value, sizes):
    """Ends it, with what is summed or, scaled, 8 bits of that."""
    element = "i32"
    if rng.random() < 0.5:
        scale, shift, zero, to = (number(text, rng.randint(1 << 30, (1 << 31) - 1), "i32"), number(text, rng.randint(36, 44)),
                                  number(text, 0, "i32"), number(text, rng.randint(-128, 127)))
        element = "i8"
        value = text.value(f"tosa.rescale {value}, {scale}, {shift}, {zero}, {to} {{scale32 = true, rounding_mode = SINGLE_ROUND, "
                           "per_channel = false, input_unsigned = false, output_unsigned = false} : "
                           f"(tensor<{shape(*sizes)}xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> "
                           f"tensor<{shape(*sizes)}xi8>")
    type = f"tensor<{shape(*sizes)}x{element}>"
    text.add(f"return {value} : {type}")
    return f"func.func @{name}({', '.join(args)}) -> {type} attributes {{tt.model}} {{\n" + "\n".join(text.lines) + "\n}\n"


def products(rng):
    """Matrices, of several batches."""
    batches, m, n = rng.choice((1, 1, 2, 3)), rng.choice((1, 8, 24, 32, 50)), rng.choice((8, 16, 40, 64))
    k = rng.choice((7, 32, 64, 100, 128, 200, 300, 520, 1100))
    text = Text()
    x, w, y = (batches, m, k), (batches, k, n), (batches, m, n)
    zeros, points = zero_points(rng, text)
    v = text.value(f"tosa.matmul %x, %w, {points[0]}, {points[1]} : (tensor<{shape(*x)}xi8>, tensor<{shape(*w)}xi8>, "
                   f"tensor<1xi8>, tensor<1xi8>) -> tensor<{shape(*y)}xi32>")
    args = [argument("x", f"tensor<{shape(*x)}xi8>"), argument("w", f"tensor<{shape(*w)}xi8>")]
    if rng.random() < 0.5:
        args.append(argument("b", f"tensor<1x1x{n}xi32>", (-10000, 10000)))
        v = text.value(f"tosa.add {v}, %b : (tensor<{shape(*y)}xi32>, tensor<1x1x{n}xi32>) -> tensor<{shape(*y)}xi32>")
    return f"products {shape(*x)} by {shape(*w)}, zero points {zeros}", model(rng, text, "products", args, v, y)


def convolution(rng, depthwise):
    """An image by weights that have no zero point, or, depthwise, perhaps one."""
    h, w, c, o = rng.choice((5, 8, 9, 14)), rng.choice((5, 8, 9, 14)), rng.choice((3, 8, 16, 40)), rng.choice((8, 16, 40))
    kernel, pad, stride, dilation = rng.choice((1, 2, 3, 3)), rng.choice((0, 1, 1)), rng.choice((1, 1, 2)), rng.choice((1, 1, 2))
    span = (kernel - 1) * dilation + 1
    pad = min(pad, span - 1)
    after = [pad, pad]
    for i, size in enumerate((h, w)):  # a convolution ends where its image does
        after[i] += -(size + 2 * pad - span) % stride
    sizes = [(size + pad + a - span) // stride + 1 for size, a in zip((h, w), after)]
    text = Text()
    zeros, points = zero_points(rng, text)
    if not depthwise:
        zeros[1], points[1] = 0, number(text, 0)
    weights = (kernel, kernel, c, 1) if depthwise else (o, kernel, kernel, c)
    channels = c if depthwise else o
    y = (1, *sizes, channels)
    name = "depthwise_conv2d" if depthwise else "conv2d"
    v = text.value(f"tosa.{name} %x, %w, %b, {points[0]}, {points[1]} {{acc_type = i32, dilation = array<i64: {dilation}, {dilation}>, "
                   f"pad = array<i64: {pad}, {after[0]}, {pad}, {after[1]}>, stride = array<i64: {stride}, {stride}>}} : "
                   f"(tensor<1x{h}x{w}x{c}xi8>, tensor<{shape(*weights)}xi8>, tensor<{channels}xi32>, tensor<1xi8>, tensor<1xi8>) -> "
                   f"tensor<{shape(*y)}xi32>")
    args = [argument("x", f"tensor<1x{h}x{w}x{c}xi8>"), argument("w", f"tensor<{shape(*weights)}xi8>"),
            argument("b", f"tensor<{channels}xi32>", (-10000, 10000))]
    what = f"{name} {h}x{w}x{c}, window {kernel}, pad {pad} and {after}, stride {stride}, dilation {dilation}, zero points {zeros}"
    return what, model(rng, text, name, args, v, y)


def images(rng):
    return convolution(rng, False)


def channels(rng):
    return convolution(rng, True)


if __name__ == "__main__":
    sys.exit(run_all((products, images, channels), exact=True))
