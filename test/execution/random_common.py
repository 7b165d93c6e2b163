"""What the scripts with random kernels share: their command line, and the files of their kernels."""
import os
import subprocess
import sys

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
