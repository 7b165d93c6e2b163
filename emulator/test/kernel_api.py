"""Checks that the kernel headers of an era declare what the API has in it, and no more.

usage: kernel_api.py TABLE INCLUDE_DIR ERA

The table has a line a function: header, name, whether it is in 2026-03, in 2026-08.
Functions that are macros, or templates, count alike."""

import re
import subprocess
import sys

# What the older headers lacked.
NOT_IN_2025 = {"enable_fp32_dest_acc", "disable_fp32_dest_acc", "add_int_tile", "sub_int_tile", "rsub_int_tile", "mul_int_tile",
               "binary_max_int32_tile_init", "binary_min_int32_tile_init"}
MACROS = {"get_compile_time_arg_val", "get_named_compile_time_arg_val"}


def program(kind, headers, names):
    """A kernel that names each function once, a line each."""
    lines = [f'#include "{h}"' for h in headers]
    lines += ["namespace named {", *(f"using ::{n};" for n in names), "}"]
    return "\n".join(lines) + "\n"


def undeclared(kind, headers, names, include, era):
    old = era == "2025"
    api = {"2025": 202512, "2026-03": 202603, "2026-08": 202608}[era]
    if old:
        headers = [h.replace("api/compute/", "compute_kernel_api/").replace("api/dataflow/", "") for h in headers]
    text = program(kind, headers, names)
    command = ["c++", "-std=c++20", "-fsyntax-only", "-fmax-errors=0", "-x", "c++", "-", f"-I{include}",
               f"-I{include}/kernel/{'2025' if old else '2026'}", f"-DTTEMU_API={api}", "-DTTEMU_COMPILE_ARGS=",
               "-DREDUCE_OP=PoolType::SUM", "-DREDUCE_DIM=ReduceDim::REDUCE_ROW",
               "-DTTEMU_COMPUTE=1" if kind == "compute" else "-DTTEMU_DATA_MOVEMENT=1"]
    result = subprocess.run(command, input=text, text=True, capture_output=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    missing = set(re.findall(r"'(\w+)' has not been declared in '::'", result.stderr))
    others = [line for line in result.stderr.splitlines() if "error:" in line and "has not been declared in '::'" not in line]
    if others:
        print("\n".join(others[:10]))
        sys.exit(1)
    return missing


def main():
    table, include, era = sys.argv[1:]
    column = 3 if era == "2026-08" else 2
    wrong = checked = 0
    for kind in ("compute", "dataflow"):
        headers, wanted = [], {}
        for line in open(table):
            row = line.rstrip("\n").split("\t")
            if line.startswith("#") or f"api/{kind}/" not in row[0] or row[1] in MACROS:
                continue
            if row[0] not in headers and not (era != "2026-08" and row[2] == "-"):
                headers.append(row[0])
            known = wanted.get(row[1], "-")
            wanted[row[1]] = "y" if "y" in (known, row[column]) else row[column]
        missing = undeclared(kind, headers, list(wanted), include, era)
        for name, there in wanted.items():
            if there == "?" or (era == "2025" and (there == "-" or name in NOT_IN_2025)):
                continue
            checked += 1
            if (name not in missing) != (there == "y"):
                print(f"{era}: {name} {'is not declared' if name in missing else 'should not be there'}")
                wrong += 1
    print(f"{era}: {checked} functions, {wrong} wrong")
    sys.exit(wrong != 0)


main()
