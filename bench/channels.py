#!/usr/bin/env python3
"""Convolutional networks with channels first (NCHW), as torch-mlir writes them in linalg, and with channels last.

`channels.py NAME nchw|nhwc` writes one; without arguments, each is compiled and run in both, and a table of Markdown says
what they take; `--write FILE` puts it between its two marks there. Weights are constants beside the IR, or with
`--arguments` arguments.
"""
import argparse
import os
import random
import re
import struct
import subprocess
import tempfile

MARKS = "<!-- bench/channels.py -->", "<!-- end of bench/channels.py -->"


class Net:
    """A function on tensors, op by op. Shapes are (n, c, h, w), whatever the order of dimensions is."""

    def __init__(self, layout, arguments):
        self.last, self.as_arguments = layout == "nhwc", arguments
        self.lines, self.args, self.resources, self.n = [], [], [], 0
        self.random = random.Random(1)
        self.maps = {}

    def shape(self, s):
        return [s[0], s[2], s[3], s[1]] if self.last and len(s) == 4 else list(s)

    def type(self, s, ordered=True):
        return f"tensor<{'x'.join(map(str, self.shape(s) if ordered else s))}xf32>"

    def name(self):
        self.n += 1
        return f"%v{self.n}"

    def op(self, text):
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def weight(self, shape, scale, at=0.0):
        """A tensor of weights, whose dimensions are in this order. Those of norms are constants always, since variances are
        positive."""
        kind = f"tensor<{'x'.join(map(str, shape))}xf32>"
        if self.as_arguments and len(shape) > 1:
            name = f"%w{len(self.args)}"
            self.args.append((name, kind, f"w{len(self.args)}"))
            return name, kind
        count = 1
        for size in shape:
            count *= size
        data = b"".join(struct.pack("<f", at + self.random.uniform(-scale, scale)) for _ in range(count))
        key = f"w{len(self.resources)}"
        self.resources.append(f'{key}: "0x04000000{data.hex().upper()}"')
        return self.op(f"arith.constant dense_resource<{key}> : {kind}"), kind

    def input(self, s):
        self.args.append(("%x", self.type(s), "x"))
        return "%x", s

    def generic(self, inputs, s, body):
        """Elementwise; inputs are (value, whether it is one number a channel)."""
        d = "(d0, d1, d2, d3)" if len(s) == 4 else "(d0, d1)"
        channel = "(d3)" if self.last and len(s) == 4 else "(d1)"
        maps = ", ".join(f"affine_map<{d} -> {channel if c else d}>" for _, c in inputs + [(None, False)])
        kinds = ", ".join(['"parallel"'] * len(s))
        empty = self.op(f"tensor.empty() : {self.type(s)}")
        names = ", ".join(v for v, _ in inputs)
        types = ", ".join(f"tensor<{s[1]}xf32>" if c else self.type(s) for _, c in inputs)
        args = ", ".join(f"%a{i}: f32" for i in range(len(inputs)))
        return self.op(f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({names} : {types}) "
                       f"outs({empty} : {self.type(s)}) {{\n  ^bb0({args}, %out: f32):\n{body}  }} -> {self.type(s)}"), s

    def filled(self, s, number):
        c = self.op(f"arith.constant {number} : f32")
        e = self.op(f"tensor.empty() : {self.type(s)}")
        return self.op(f"linalg.fill ins({c} : f32) outs({e} : {self.type(s)}) -> {self.type(s)}")

    def pad(self, x, s, p, number="0.0"):
        if not p:
            return x, s
        t = [s[0], s[1], s[2] + 2 * p, s[3] + 2 * p]
        low = [0, p, p, 0] if self.last else [0, 0, p, p]
        c = self.op(f"arith.constant {number} : f32")
        return self.op(f"tensor.pad {x} low{low} high{low} {{\n  ^bb0(%i: index, %j: index, %k: index, %l: index):\n"
                       f"    tensor.yield {c} : f32\n  }} : {self.type(s)} to {self.type(t)}"), t

    def conv(self, xs, features, k, stride=1, depthwise=False):
        x, s = self.pad(*xs, k // 2)
        t = [s[0], features, (s[2] - k) // stride + 1, (s[3] - k) // stride + 1]
        scale = (3.0 / (k * k * (1 if depthwise else s[1]))) ** 0.5
        if depthwise:
            shape = [k, k, features] if self.last else [features, k, k]
            name = "depthwise_conv_2d_nhwc_hwc" if self.last else "depthwise_conv_2d_nchw_chw"
        else:
            shape = [features, k, k, s[1]] if self.last else [features, s[1], k, k]
            name = "conv_2d_nhwc_fhwc" if self.last else "conv_2d_nchw_fchw"
        w, wt = self.weight(shape, scale)
        f = self.filled(t, "0.0")
        return self.op(f"linalg.{name} {{dilations = dense<1> : tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}} "
                       f"ins({x}, {w} : {self.type(s)}, {wt}) outs({f} : {self.type(t)}) -> {self.type(t)}"), t

    def norm(self, xs):
        """Batch norm of inference."""
        x, s = xs
        parts = [self.weight([s[1]], r, a)[0] for r, a in ((0.2, 1.0), (0.1, 0.0), (0.1, 0.0), (0.2, 1.0))]
        e = self.op("arith.constant 1.0e-05 : f32")
        body = f"""    %0 = arith.subf %a0, %a3 : f32
    %1 = arith.addf %a4, {e} : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %a1 : f32
    %5 = arith.addf %4, %a2 : f32
    linalg.yield %5 : f32
"""
        return self.generic([(x, False)] + [(p, True) for p in parts], s, body)

    def relu(self, xs, most=None):
        z = self.op("arith.constant 0.0 : f32")
        body = f"    %0 = arith.cmpf ugt, %a0, {z} : f32\n    %1 = arith.select %0, %a0, {z} : f32\n"
        if most:
            m = self.op(f"arith.constant {most} : f32")
            body += f"    %2 = arith.minimumf %1, {m} : f32\n"
        return self.generic([(xs[0], False)], xs[1], body + f"    linalg.yield %{2 if most else 1} : f32\n")

    def add(self, a, b):
        return self.generic([(a[0], False), (b[0], False)], a[1], "    %0 = arith.addf %a0, %a1 : f32\n    linalg.yield %0 : f32\n")

    def pool(self, xs, k, stride, pad=0, kind="max"):
        x, s = self.pad(*xs, pad, "0xFF800000")
        t = [s[0], s[1], (s[2] - k) // stride + 1, (s[3] - k) // stride + 1]
        f = self.filled(t, "0xFF800000" if kind == "max" else "0.0")
        w = self.op(f"tensor.empty() : tensor<{k}x{k}xf32>")
        return self.op(f"linalg.pooling_{'nhwc' if self.last else 'nchw'}_{kind} {{dilations = dense<1> : tensor<2xi64>, "
                       f"strides = dense<{stride}> : tensor<2xi64>}} ins({x}, {w} : {self.type(s)}, tensor<{k}x{k}xf32>) "
                       f"outs({f} : {self.type(t)}) -> {self.type(t)}"), t

    def concat(self, a, b):
        s = [a[1][0], a[1][1] + b[1][1], *a[1][2:]]
        return self.op(f"tensor.concat dim({3 if self.last else 1}) {a[0]}, {b[0]} : ({self.type(a[1])}, {self.type(b[1])}) -> "
                       f"{self.type(s)}"), s

    def head(self, xs, classes):
        """Mean over the image, and a linear layer."""
        x, s = self.pool(xs, xs[1][2], 1, kind="sum")
        c = self.op(f"arith.constant {float(xs[1][2] * xs[1][3])} : f32")
        x, s = self.generic([(x, False)], s, f"    %0 = arith.divf %a0, {c} : f32\n    linalg.yield %0 : f32\n")
        flat = [s[0], s[1]]
        x = self.op(f"tensor.collapse_shape {x} [[0], [1, 2, 3]] : {self.type(s)} into {self.type(flat)}")
        w, wt = self.weight([s[1], classes], (3.0 / s[1]) ** 0.5)
        t = [s[0], classes]
        f = self.filled(t, "0.0")
        return self.op(f"linalg.matmul ins({x}, {w} : {self.type(flat)}, {wt}) outs({f} : {self.type(t)}) -> {self.type(t)}"), t

    def finish(self, name, result):
        args = ", ".join(f'{n}: {t} {{tt.name = "{a}"}}' for n, t, a in self.args)
        text = f"func.func @{name}({args}) -> {self.type(result[1])} attributes {{tt.model}} {{\n" + "\n".join(self.lines)
        text += f"\n  return {result[0]} : {self.type(result[1])}\n}}\n"
        if self.resources:
            text += "{-#\n  dialect_resources: { builtin: {\n    " + ",\n    ".join(self.resources) + "\n  } }\n#-}\n"
        return text


def resnet(net, n=1, size=16, wide=64):
    """Two basic blocks, the second with a stride and a projection."""
    x = net.input([n, wide, size, size])
    y = net.relu(net.norm(net.conv(x, wide, 3)))
    x = net.relu(net.add(net.norm(net.conv(y, wide, 3)), x))
    y = net.relu(net.norm(net.conv(x, 2 * wide, 3, 2)))
    return net.relu(net.add(net.norm(net.conv(y, 2 * wide, 3)), net.norm(net.conv(x, 2 * wide, 1, 2))))


def vgg(net, n=1, size=32, wide=32):
    """Convolutions and poolings from an image on, and a linear layer."""
    x = net.input([n, 3, size, size])
    x = net.relu(net.conv(net.relu(net.conv(x, wide, 3)), wide, 3))
    x = net.pool(x, 2, 2)
    x = net.relu(net.conv(net.relu(net.conv(x, 2 * wide, 3)), 2 * wide, 3))
    return net.head(net.pool(x, 2, 2), 10)


def mobilenet(net, n=1, size=16, wide=32):
    """Two inverted residuals, of which the first one adds its input."""
    x = net.input([n, wide, size, size])
    y = net.relu(net.norm(net.conv(x, 4 * wide, 1)), "6.0")
    y = net.relu(net.norm(net.conv(y, 4 * wide, 3, depthwise=True)), "6.0")
    x = net.add(net.norm(net.conv(y, wide, 1)), x)
    y = net.relu(net.norm(net.conv(x, 4 * wide, 1)), "6.0")
    y = net.relu(net.norm(net.conv(y, 4 * wide, 3, 2, depthwise=True)), "6.0")
    return net.norm(net.conv(y, 2 * wide, 1))


def dense(net, n=1, size=16, wide=32):
    """Features that are put beside those before, and halved."""
    x = net.input([n, wide, size, size])
    x = net.concat(x, net.conv(net.relu(net.norm(x)), 32, 3))
    x = net.concat(x, net.conv(net.relu(net.norm(x)), 32, 3))
    return net.pool(net.conv(net.relu(net.norm(x)), wide, 1), 2, 2, kind="sum")


NETS = {"resnet": resnet, "vgg": vgg, "mobilenet": mobilenet, "dense": dense}


def text_of(name, layout, arguments=False, **sizes):
    net = Net(layout, arguments)
    return net.finish(name, NETS[name](net, **sizes))


def measured(name, layout, arch, arguments, folder):
    path = os.path.join(folder, f"{name}-{layout}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text_of(name, layout, arguments))
    done = subprocess.run(["tt-run", path, "--no-races", "--check", "--arch", arch], capture_output=True, text=True)
    found = re.search(r"(\d+) launch(?:es)?\s+(\d+)\s+(\d+%|-)\s+([\d.]+)", done.stdout + done.stderr)
    error = re.search(r"relative RMS ([\d.e-]+)", done.stdout)
    if not found:
        return ["failed", "", "", ""]
    return [found[1], found[2], found[4], error[1] if error else ""]


def table(arch, folder):
    yield ("| network | weights | kernels | clk | DRAM MB | error | channels last: kernels | clk | DRAM MB | error | "
           "times the clk |")
    yield "|---" * 11 + "|"
    for name in NETS:
        for arguments in (False, True):
            first = measured(name, "nchw", arch, arguments, folder)
            last = measured(name, "nhwc", arch, arguments, folder)
            times = f"{int(first[1]) / int(last[1]):.2f}" if first[1] and last[1] else ""
            yield "| " + " | ".join([name, "arguments" if arguments else "constants", *first, *last, times]) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arch", default="wormhole_b0")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--arguments", action="store_true")
    parser.add_argument("net", nargs="?", choices=sorted(NETS))
    parser.add_argument("layout", nargs="?", choices=["nchw", "nhwc"], default="nchw")
    parser.add_argument("sizes", nargs="*", metavar="NAME=NUMBER")
    options = parser.parse_args()
    if options.net:
        sizes = {key: int(value) for key, value in (size.split("=") for size in options.sizes)}
        print(text_of(options.net, options.layout, options.arguments, **sizes), end="")
        return
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for row in table(options.arch, folder):
            print(row, flush=True)
            rows.append(row)
    if options.write:
        with open(options.write, encoding="utf-8") as file:
            before, rest = file.read().split(MARKS[0])
        after = rest.split(MARKS[1])[1]
        with open(options.write, "w", encoding="utf-8") as file:
            file.write("\n".join([before + MARKS[0], *rows, MARKS[1]]) + after)


if __name__ == "__main__":
    main()
