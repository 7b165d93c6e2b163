"""Runs both.mlir of the folder on flags and numbers made here, and counts the results that are what arithmetic says."""
import array
import random
import subprocess
import sys

ROWS, COLS = 40, 64


def write(path, descr, data):
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({ROWS}, {COLS}), }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + data.tobytes())


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    return data[10 + int.from_bytes(data[8:10], "little"):]


folder, rng = sys.argv[1], random.Random(3)
x = [rng.randrange(-20, 21) / 4 for _ in range(ROWS * COLS)]
flags = [rng.random() < 0.5 for _ in x]
write(f"{folder}/x.npy", "<f4", array.array("f", x))
write(f"{folder}/f.npy", "|b1", array.array("B", flags))
subprocess.run(["tt-run", f"{folder}/both.mlir", f"--input=X={folder}/x.npy", f"--input=F={folder}/f.npy",
                "--output", f"M={folder}/m.npy", "--output", f"Q={folder}/q.npy"], check=True, stdout=subprocess.DEVNULL)
masks, numbers = read(f"{folder}/m.npy"), array.array("b", read(f"{folder}/q.npy"))
same = sum(m == (f and v > 0) for m, f, v in zip(masks, flags, x))
near = sum(q == max(-8, min(7, round(3 * v))) for q, v in zip(numbers, x))
print(f"{same} of {len(x)} flags, {near} of {len(x)} numbers")
