"""Breaks facts of ops in a copy of dialects/, and prints what the generator says.

op_facts.py <root> <folder of llvm-tblgen> <folder to work in>
"""
import glob
import os
import shutil
import subprocess
import sys

ROOT, LLVM_BIN, WORK = sys.argv[1:]
COPY_TILE = 'def Metalium_CopyTileOp : Metalium_OneTileOp<"copy_tile", "metalium.copy_tile_init"> {'
CHANGES = [
    ("as it is", "", ""),
    ("tile", COPY_TILE, COPY_TILE + ' let tiles = ["q"];'),
    ("init", COPY_TILE, COPY_TILE.replace("copy_tile_init", "copy_init")),
    ("operand of an init", COPY_TILE, COPY_TILE.replace("metalium.copy_tile_init", "tt.fpu.matmul_init")),
    ("variant", "let variant = op;", ""),
    ("sources", 'let sources = ["b", "a"];', 'let sources = ["b", "out"];'),
    ("two tiles", 'let tiles = ["ia", "ib"];\n  let sources = ["b", "a"];',
     'let tiles = ["ia"];\n  let sources = ["b", "a"];'),
]


def generate(what, old, new):
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(f"{ROOT}/dialects", WORK)
    for path in sorted(glob.glob(f"{WORK}/Metalium*.td")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if old in text:
            break
    else:
        return f"the test does not know the ops of metalium any more: {old}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new, 1))
    subprocess.run([sys.executable, f"{ROOT}/cmake/gen_enums.py", f"{ROOT}/lib/Target",
                    f"{WORK}/TargetEnums.td"], check=True)
    json = f"{WORK}/ops.json"
    subprocess.run([f"{LLVM_BIN}/llvm-tblgen", "--dump-json", "-I", f"{LLVM_BIN}/../include", "-I", WORK,
                    f"{WORK}/Tilewright.td", "-o", json], check=True)
    done = subprocess.run([sys.executable, f"{ROOT}/cmake/gen_c_api.py", json, "--table", os.devnull],
                          stderr=subprocess.PIPE, text=True, check=False)
    return done.stderr.strip() if done.returncode else "fine"


for change in CHANGES:
    print(f"{change[0]}: {generate(*change)}")
