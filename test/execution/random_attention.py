#!/usr/bin/env python3
"""Random attentions over an open number of keys, as models in linalg: batches, heads and groups of
heads that see the same keys, masks that are added or that hide later keys, in f32, bf16 and f16,
weights divided by their sums in two ways. Each is one kernel, but for that of a single query of one
head, whose scores are a vector, and matches its reference.

usage: random_attention.py SEED COUNT [--keep DIR]

Prints a line a model, with what it takes to make it again, and a summary. The exit status is 0 if
every model matched.
"""
import random
import re
import subprocess
import sys
import tempfile

from random_common import ARCHS, command_line, write


class Attention:
    """Scores have the dimensions `batches`, which keys share as far as `shared`, and i and j."""

    def __init__(self, rng):
        self.rng = rng
        self.element = rng.choice(["bf16", "bf16", "f32", "f16"])
        self.result = rng.choice([self.element, "f32"])
        self.depth, self.width = rng.choice([32, 64, 40, 128]), rng.choice([32, 64, 48])
        self.shared = rng.choice([[1], [2], [3], [2, 2]])
        self.batches = self.shared + rng.choice([[], [], [2], [3]])
        self.queries = rng.choice([1, 2, 31, 32, 33, 64, rng.randint(1, 200)])
        self.keys = rng.choice([self.queries, 127, 128, 129, rng.randint(1, 400)])
        self.mask = rng.choice([None, None, "i, j", "j"])
        self.divided = len(self.batches) == 1 and rng.random() < 0.5  # two heads read one
        if self.divided:
            self.batches = [2 * self.shared[0]]
        self.first = self.mask and rng.random() < 0.5  # the mask before the scores
        self.causal = rng.random() < 0.4
        if self.causal:
            self.keys = max(self.keys, self.queries)
        self.known = rng.random() < 0.3  # how many queries there are
        self.reciprocal = rng.random() < 0.5
        self.lines = []

    def what(self):
        names = ("element", "result", "batches", "shared", "queries", "keys", "depth", "width")
        return (", ".join(f"{n} {getattr(self, n)}" for n in names) + f", mask {self.mask}"
                + ", first" * bool(self.first) + ", divided" * self.divided
                + ", causal" * self.causal + ", known queries" * self.known)

    def dims(self, dims):
        """Sizes of dimensions: `q` and `k` are those of queries and keys, `b` and `s` batches."""
        queries = self.queries if self.known else "?"
        sizes = {"q": queries, "k": "?", "d": self.depth, "v": self.width}
        lists = {"b": self.batches, "s": self.shared}
        return [x for d in dims for x in lists.get(d, [sizes.get(d)])]

    def type(self, dims, element):
        return f"tensor<{''.join(f'{n}x' for n in self.dims(dims))}{element}>"

    def map(self, loops, *results):
        names = {"b": [f"b{n}" for n in range(len(self.batches))],
                 "s": [f"b{n}" + " floordiv 2" * self.divided for n in range(len(self.shared))]}
        lists = [", ".join(x for d in dims for x in names.get(d, [d]))
                 for dims in (loops,) + results]
        return ", ".join(f"affine_map<({lists[0]}) -> ({result})>" for result in lists[1:])

    def empty(self, name, dims, element):
        sizes = [f"%n{d}" for d in dims if d == "k" or d == "q" and not self.known]
        self.lines.append(f"{name} = tensor.empty({', '.join(sizes)}) : {self.type(dims, element)}")

    def fill(self, name, value, dims):
        self.empty(name + "_e", dims, "f32")
        t = self.type(dims, "f32")
        self.lines.append(f"{name} = linalg.fill ins({value} : f32) outs({name}_e : {t}) -> {t}")

    def generic(self, name, maps, kinds, ins, out, body):
        """`ins` are names and types, `out` a name, a type and the type of elements."""
        kinds = (["parallel"] * (len(self.batches) + kinds.count("p"))
                 + ["reduction"] * kinds.count("r"))
        args = ", ".join(f"%a{n}: {t[1].split('x')[-1][:-1]}" for n, t in enumerate(ins))
        names, types = ", ".join(x[0] for x in ins), ", ".join(x[1] for x in ins)
        self.lines.append(f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["
                          + ", ".join(f'"{k}"' for k in kinds) + f"]}} ins({names} : {types}) outs("
                          f"{out[0]} : {out[1]}) {{\n^bb0({args}, %o: {out[2]}):\n"
                          + "\n".join(body) + f"\nlinalg.yield %r : {out[2]}\n}} -> {out[1]}")

    def contract(self, name, maps, x, y, dims):
        self.fill(name + "_0", "%zero", dims)
        t = self.type(dims, "f32")
        if self.divided:
            wide = [] if self.element == "f32" else [
                f"%w{n} = arith.extf %a{n} : {self.element} to f32" for n in range(2)]
            a = "%w" if wide else "%a"
            self.generic(name, maps, "ppr", [x, y], (name + "_0", t, "f32"),
                         wide + [f"%y = arith.mulf {a}0, {a}1 : f32",
                                 "%r = arith.addf %o, %y : f32"])
            return
        self.lines.append(f"{name} = linalg.contract indexing_maps = [{maps}] ins({x[0]}, {y[0]} : "
                          f"{x[1]}, {y[1]}) outs({name}_0 : {t}) -> {t}")

    def scores(self, scores):
        """Scaled, and masked: `t`."""
        ins, maps = [("%s", scores)], self.map("bij", "bij")
        body = ["%x0 = arith.mulf %a0, %scale : f32"]
        if self.mask:
            ins.append(("%mask", self.type("qk" if "i" in self.mask else "k", "f32")))
            maps += ", " + self.map("bij", self.mask.replace(", ", ""))
            body.append("%x1 = arith.addf %x0, %a1 : f32")
        last = "%x1" if self.mask else "%x0"
        n = len(self.batches)
        if self.causal:
            body += [f"%i = linalg.index {n} : index", f"%j = linalg.index {n + 1} : index",
                     "%more = arith.subi %nk, %nq : index", "%at = arith.addi %i, %more : index",
                     "%seen = arith.cmpi sge, %at, %j : index",
                     f"%r = arith.select %seen, {last}, %hidden : f32"]
        else:
            body[-1] = body[-1].replace(last, "%r")
        self.empty("%te", "bqk", "f32")
        if self.first:
            ins.reverse()
            maps = self.map("bij", self.mask.replace(", ", ""), "bij")
            body = [line.replace("%a0", "%z").replace("%a1", "%a0").replace("%z", "%a1")
                    for line in body]
        maps += ", " + self.map("bij", "bij")
        self.generic("%t", maps, "pp", ins, ("%te", scores, "f32"), body)

    def softmax(self, scores, rows):
        """Weights, `w`, of `t`."""
        self.fill("%m0", "%lowest", "bq")
        self.fill("%l0", "%zero", "bq")
        two = self.map("bij", "bij", "bi")
        self.generic("%m", two, "pr", [("%t", scores)], ("%m0", rows, "f32"),
                     ["%r = arith.maximumf %a0, %o : f32"])
        self.empty("%ee", "bqk", "f32")
        three = two + ", " + self.map("bij", "bij")
        self.generic("%e", three, "pp", [("%t", scores), ("%m", rows)], ("%ee", scores, "f32"),
                     ["%d = arith.subf %a0, %a1 : f32", "%r = math.exp %d : f32"])
        self.generic("%l", two, "pr", [("%e", scores)], ("%l0", rows, "f32"),
                     ["%r = arith.addf %o, %a0 : f32"])
        body = ["%y = arith.divf %a0, %a1 : f32"]
        if self.reciprocal:
            body = ["%i = arith.divf %one, %a1 : f32", "%y = arith.mulf %a0, %i : f32"]
        self.empty("%we", "bqk", self.element)
        weights = self.type("bqk", self.element)
        self.generic("%w", three, "pp", [("%e", scores), ("%l", rows)],
                     ("%we", weights, self.element), self.rounded(body, self.element))

    def rounded(self, body, element):
        if element == "f32":
            return body[:-1] + [body[-1].replace("%y =", "%r =")]
        return body + [f"%r = arith.truncf %y : f32 to {element}"]

    def text(self):
        q, k, v = (self.type(d, self.element) for d in ("bqd", "skd", "skv"))
        scores, result = self.type("bqk", "f32"), self.type("bqv", self.result)
        n, s = len(self.batches), len(self.shared)
        self.lines = ["%zero = arith.constant 0.0 : f32", "%one = arith.constant 1.0 : f32",
                      "%lowest = arith.constant 0xFF800000 : f32",
                      "%hidden = arith.constant -1.0e9 : f32", "%scale = arith.constant 0.17 : f32",
                      f"%dq = arith.constant {n} : index", f"%dk = arith.constant {s} : index",
                      f"%nq = tensor.dim %q, %dq : {q}", f"%nk = tensor.dim %k, %dk : {k}"]
        self.contract("%s", self.map("bijx", "bix", "sjx", "bij"), ("%q", q), ("%k", k), "bqk")
        self.scores(scores)
        self.softmax(scores, self.type("bq", "f32"))
        self.contract("%p", self.map("bixj", "bij", "sjx", "bix"),
                      ("%w", self.type("bqk", self.element)), ("%v", v), "bqv")
        self.empty("%ze", "bqv", self.result)
        if self.result != "f32":
            self.generic("%z", self.map("bix", "bix", "bix"), "pp",
                         [("%p", self.type("bqv", "f32"))], ("%ze", result, self.result),
                         [f"%r = arith.truncf %a0 : f32 to {self.result}"])
        args = f'%q: {q} {{tt.name = "q"}}, %k: {k} {{tt.name = "k"}}, %v: {v} {{tt.name = "v"}}'
        if self.mask:
            dims = "qk" if "i" in self.mask else "k"
            args += f', %mask: {self.type(dims, "f32")} {{tt.name = "mask"}}'
        body = "\n".join(self.lines)
        return (f"func.func @attention({args}) -> {result} attributes {{tt.model}} {{\n{body}\n"
                f"return {'%p' if self.result == 'f32' else '%z'} : {result}\n}}\n")

    def shapes(self):
        sizes = {"q": self.queries, "k": self.keys, "d": self.depth, "v": self.width}
        tensors = {"q": "bqd", "k": "skd", "v": "skv"}
        if self.mask:
            tensors["mask"] = "qk" if "i" in self.mask else "k"
        for name, dims in tensors.items():
            shape = [x for d in dims
                     for x in {"b": self.batches, "s": self.shared}.get(d, [sizes.get(d)])]
            yield "--shape"
            yield f"{name}={'x'.join(str(x) for x in shape)}"


def main():
    seed, count, keep, _ = command_line(())
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(count):
            rng = random.Random(seed * 1000 + i)
            model = Attention(rng)
            path, arch = write(rng, keep or scratch, i, model.text()), rng.choice(ARCHS)
            # On a larger grid few queries would leave most cores without work, and be
            # several kernels.
            command = ["tt-run", path, "--check", "--strict", "--grid=2x2", "--arch", arch,
                       *model.shapes()]
            run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
            single = model.known and model.queries == 1 and model.batches == [1]
            one = single or re.search(r"^ +1 launches", run.stdout, re.M)
            wrong = run.returncode != 0 or not one
            failed += wrong
            print(f"{'FAIL' if wrong else 'ok  '} seed {seed} model {i} {arch}: {model.what()}",
                  flush=True)
            if wrong:
                print(" ".join(command), run.stdout, run.stderr)
    print(f"{count - failed} of {count} random models match (seed {seed})")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
