"""Runs kernels, each argument one with the options of its run, and fails where one takes 15% more
or less than was predicted, or has no prediction. With --all FOLDER, those of a folder on both
chips."""
import glob
import os
import re
import subprocess
import sys

OPEN = {"dynamic_gemm.mlir": "--shape A=1000x700 --shape B=700x900"}
LAUNCH = r"(\d+) clk on .*?math busy [\d.]+%(?:, predicted (\d+))?"


def run(command):
    """Whether all kernels of a run come as they were predicted."""
    done = subprocess.run(["tt-run", "--math=fast", "--no-races", *command.split()],
                          capture_output=True, text=True, check=True)
    launches = re.findall(LAUNCH, done.stderr)
    good = len(launches) > 0
    for took, predicted in ((int(t), int(p or 0)) for t, p in launches):
        right = 0.85 <= predicted / took <= 1.15
        good &= right
        print(f"{'ok' if right else 'WRONG'}: {command}: {took} clk, {predicted} predicted")
    return good


commands = sys.argv[1:]
if commands[0] == "--all":
    commands = [f"{file} --arch={arch} {OPEN.get(os.path.basename(file), '')}"
                for file in sorted(glob.glob(commands[1] + "/*.mlir"))
                for arch in ("wormhole_b0", "blackhole")]
sys.exit(not all([run(command) for command in commands]))
