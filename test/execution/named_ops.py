#!/usr/bin/env python3
"""A kernel for each named op of linalg that is a product, a convolution, a pooling or a map of floats, with strides and
dilations, as a module for tt-opt: each op's layout as it comes, on whole tensors.

usage: named_ops.py > kernels.mlir
"""

BF16, F32 = "bf16", "f32"
FILLS = {"sum": "%zero", "max": "%low", "min": "%high"}
PRODUCTS = {  # the shapes of both operands and of the result
    "matmul": ("64x32", "32x64", "64x64"), "batch_matmul": ("2x64x32", "2x32x64", "2x64x64"),
    "batch_reduce_matmul": ("2x64x32", "2x32x64", "64x64"), "matvec": ("64x32", "32", "64"),
    "vecmat": ("32", "32x64", "64"), "batch_matvec": ("2x64x32", "2x32", "2x64"),
    "batch_vecmat": ("2x32", "2x32x64", "2x64"), "dot": ("64", "64", ""), "conv_1d": ("34", "3", "32"),
    "conv_2d": ("34x34", "3x3", "32x32"), "mmt4d": ("2x2x32x32",) * 3,
    "batch_mmt4d": ("2x2x1x32x32", "2x2x1x32x32", "2x2x2x32x32"),
}
WINDOWS = {  # the number of dimensions with windows, and shapes with h and w for those of the image
    "conv_1d_nwc_wcf": (1, "1x{w}x32", "3x32x32", "1x32x32"), "conv_1d_ncw_fcw": (1, "1x32x{w}", "32x32x3", "1x32x32"),
    "conv_2d_nhwc_hwcf": (2, "1x{h}x{w}x32", "3x3x32x32", "1x4x32x32"),
    "conv_2d_nhwc_fhwc": (2, "1x{h}x{w}x32", "32x3x3x32", "1x4x32x32"),
    "conv_2d_nchw_fchw": (2, "1x32x{h}x{w}", "32x32x3x3", "1x32x4x32"),
    "conv_2d_nhwgc_gfhwc": (2, "1x{h}x{w}x2x32", "2x32x3x3x32", "1x4x32x2x32"),
    "conv_3d_ndhwc_dhwcf": (3, "1x{h}x{h}x{w}x32", "3x3x3x32x32", "1x4x4x32x32"),
    "depthwise_conv_1d_nwc_wc": (1, "1x{w}x32", "3x32", "1x32x32"),
    "depthwise_conv_2d_nhwc_hwc": (2, "1x{h}x{w}x32", "3x3x32", "1x4x32x32"),
    "depthwise_conv_2d_nchw_chw": (2, "1x2x{h}x{w}", "2x3x3", "1x2x4x32"),
}
UNARY = "exp log abs ceil floor negf reciprocal sqrt rsqrt square tanh erf".split()
BINARY = "add sub mul div max min powf".split()


def memref(shape, element):
    return f"memref<{shape}x{element}>" if shape else f"memref<{element}>"


def kernel(name, op, inputs, output, attributes="", fill=""):
    args = {f"%i{n}": t for n, t in enumerate(inputs)} | {"%o": output}
    lines = [f"func.func @{name}({', '.join(f'{a}: {t}' for a, t in args.items())}) attributes {{tt.kernel}} {{"]
    for value, bits in (("%zero", "0.0"), ("%low", "0xFF800000"), ("%high", "0x7F800000")):
        lines.append(f"  {value} = arith.constant {bits} : f32")
    if fill:
        lines.append(f"  linalg.fill ins({fill} : f32) outs(%o : {output})")
    names = list(args)[:-1]
    lines.append(f"  linalg.{op} {attributes} ins({', '.join(names)} : {', '.join(inputs)}) outs(%o : {output})")
    print("\n".join(lines + ["  return", "}"]))


def windows(stride, dilation):
    extent = {k: (n - 1) * stride + 2 * dilation + 1 for k, n in (("h", 4), ("w", 32))}

    def numbers(n):
        return "{" + ", ".join(f"{k} = dense<{v}> : tensor<{n}xi64>"
                               for k, v in (("strides", stride), ("dilations", dilation))) + "}"

    for op, (n, image, weights, out) in WINDOWS.items():
        kernel(f"{op}_{stride}_{dilation}", op, [memref(image.format(**extent), BF16), memref(weights, BF16)],
               memref(out, F32), numbers(n), "%zero")
    for layout, n, image, out in (("nwc", 1, "1x{w}x32", "1x32x32"), ("nhwc", 2, "1x{h}x{w}x32", "1x4x32x32"),
                                  ("nchw", 2, "1x2x{h}x{w}", "1x2x4x32")):
        for kind in ("sum", "max") if layout == "nchw" else FILLS:
            kernel(f"pooling_{layout}_{kind}_{stride}_{dilation}", f"pooling_{layout}_{kind}",
                   [memref(image.format(**extent), F32), memref("x".join("3" * n), F32)], memref(out, F32), numbers(n),
                   FILLS[kind])


for name, (a, b, c) in PRODUCTS.items():
    kernel(name, name, [memref(a, BF16), memref(b, BF16)], memref(c, F32), "", "%zero")
for stride, dilation in ((1, 1), (2, 1), (1, 2)):
    windows(stride, dilation)
for name in UNARY + BINARY:
    kernel(name + "_map", name, [memref("32x32", F32)] * (1 if name in UNARY else 2), memref("32x32", F32))
