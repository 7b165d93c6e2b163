"""What the scripts with random kernels share: their command line, the files of their kernels, and how these run."""
import os
import random
import re
import subprocess
import sys
import tempfile

ARCHS = ("wormhole_b0", "blackhole")
ERAS = ("2025", "2026-03", "2026-08")


def command_line(kinds):
    """Seed, number of kernels, the folder to keep them in or None, and the kinds that --only leaves."""
    options = dict(zip(sys.argv[3::2], sys.argv[4::2]))
    keep, only = options.get("--keep"), options.get("--only")
    if keep:
        os.makedirs(keep, exist_ok=True)
    return int(sys.argv[1]), int(sys.argv[2]), keep, [k for k in kinds if not only or k.__name__ == only]


def write(rng, folder, i, text, canonical=0.5):
    """The file of kernel `i`, canonicalized with that probability: structure decides, canonical or not."""
    path = os.path.join(folder, f"kernel{i}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if rng.random() < canonical:
        subprocess.run(["tt-opt", "--canonicalize", "--cse", path, "-o", path], check=True)
    return path


def equal(output):
    """Whether all results are equal to the reference's in every bit."""
    return output.count(": equal: ok") + output.count("max abs error 0,") == output.count(": ok")


def run_all(kinds, changed=None, exact=False, options=None):
    """Draws kernels of `kinds`, which give what they are, their text and perhaps options of tt-run, and runs each on a
    random chip in a random era. `changed` draws changes to a text, and `options` more options. The exit status."""
    seed, count, keep, kinds = command_line(kinds)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(count):
            rng = random.Random(seed * 1000 + i)
            what, text, *own = rng.choice(kinds)(rng)
            arch, era = rng.choice(ARCHS), rng.choice(ERAS)
            more = options(rng) if options else []
            path = write(rng, keep or scratch, i, changed(rng, text) if changed else text, canonical=0.3)
            command = ["tt-run", path, "--check", "--arch", arch, "--metalium-api", era, "--seed", str(seed)]
            run = subprocess.run(command + more + (own[0] if own else []), capture_output=True, text=True, timeout=300)
            wrong = run.returncode != 0 or not re.search(r": ok$", run.stdout, re.M) or exact and not equal(run.stdout)
            failed += wrong
            verdict = [f"{'FAIL' if wrong else 'ok  '} seed {seed} kernel {i} {arch} {era}"]
            print(" ".join(verdict + more) + f": {what}", flush=True)
            if wrong:
                print(run.stdout + run.stderr)
    print(f"{count - failed} of {count} random kernels match (seed {seed})")
    return failed != 0
