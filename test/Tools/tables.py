"""Rows that are added to a copy of the tables of lib/Target: what follows from them, and what is missing.

tables.py <root> <folder to work in>

An era and a function of the vector unit are one row each. The function's enum and calls follow; the emulated
headers are the vendor's, by hand, and what they lack of it is told. The era has what the one before it had.
"""
import os
import re
import shutil
import subprocess
import sys

ROOT, WORK = sys.argv[1:]
SFPU = """#include "Target/eras.h"
#include "Target/sfpu.h"
#include <stdio.h>
#define SAME(call) {call}
#define ERAS(...) {__VA_ARGS__}
#define NONE {0}
#define SFPU(name, inputs, scalar, form, header, init, call, value_call) {#name, header, {init, call, value_call}},
static const struct { const char *name, *header[TT_API_COUNT], *calls[3][TT_API_COUNT]; } rows[] = {
#undef IN_PLACE
#include "Target/sfpu.def"
};
int main(void) {
  for (int era = 0; era < TT_API_COUNT; ++era)
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i)
      for (int j = 0; j < 3; ++j)
        if (rows[i].calls[j][0])
          printf("%s\\t%d\\t%s\\t%s\\t%s\\t%s\\n", tt_eras[era].name, tt_eras[era].number, tt_eras[era].headers,
                 rows[i].name, tt_era_column(rows[i].header, (TtApi)era), tt_era_column(rows[i].calls[j], (TtApi)era));
}
"""
WORDS = {"s": "0", "f": "0.0f", "v": "0", "t": "DataFormat::Float16_b", "d": ""}


def copy_with(changes):
    """A copy of the tables with texts put after others."""
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(f"{ROOT}/lib/Target", f"{WORK}/Target")
    shutil.copytree(f"{ROOT}/include/tilewright", f"{WORK}/tilewright")
    for path, row in changes:
        with open(f"{WORK}/{path}", "a", encoding="utf-8") as file:
            file.write(row + "\n")


def calls():
    """(era, number, headers, function, header, call) of all rows, as the C tables have them."""
    with open(f"{WORK}/calls.c", "w", encoding="utf-8") as file:
        file.write(SFPU)
    subprocess.run(["cc", "-I", WORK, "-o", f"{WORK}/calls", f"{WORK}/calls.c", f"{WORK}/Target/eras.c",
                    f"{WORK}/Target/sfpu.c"], check=True)
    return [line.split("\t") for line in subprocess.check_output([f"{WORK}/calls"], text=True).splitlines()]


def undeclared(rows):
    """Calls that the emulated headers of their era do not have."""
    missing = set()
    for era in dict.fromkeys(row[0] for row in rows):
        own = [row for row in rows if row[0] == era]
        folder = "compute_kernel_api" if era == "2025" else "api/compute"
        headers = dict.fromkeys("compute_kernel_api.h" if (era, row[4]) == ("2025", "compute_kernel_api.h")
                                else f"{folder}/{row[4]}" for row in own)
        there = [h for h in headers if any(os.path.exists(f"{ROOT}/emulator/include/{place}/{h}")
                                           for place in ("ttemu", f"kernel/{own[0][2]}"))]
        missing |= {(era, h) for h in headers if h not in there}
        lines = [f"#include <{folder}/common.h>"] + [f"#include <{h}>" for h in there] + ["void all_calls() {"]
        for row in own:
            call = re.sub(r"\$([a-z])", lambda m: WORDS[m.group(1)], re.sub(r"\$(\d)", r"\1", row[5]))
            lines += [f'#line 1 "{row[3]}"', call]
        source = f"{WORK}/{era}.cpp"
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(lines + ["}"]) + "\n")
        include = f"{ROOT}/emulator/include"
        done = subprocess.run(
            ["c++", "-std=c++20", "-fsyntax-only", "-w", f"-I{include}", f"-I{include}/ttemu",
             f"-I{include}/kernel/{own[0][2]}", f"-DTTEMU_API={own[0][1]}", "-DTTEMU_COMPUTE=1", "-DTTEMU_NOC=0",
             "-DARCH_WORMHOLE=1", "-DTTEMU_COMPILE_ARGS=0", "-DTTEMU_NAMED_ARGS=", '-DTTEMU_KERNEL="all"', source], stderr=subprocess.PIPE, text=True, check=False)
        found = set(re.findall(r"^(\w+):1:\d+: error", done.stderr, re.M))
        missing |= {(era, f) for f in found}
        if done.returncode and not found:
            missing.add((era, done.stderr[:2000]))
    return sorted(missing)


def enum_has(word):
    subprocess.run([sys.executable, f"{ROOT}/cmake/gen_enums.py", f"{WORK}/Target", f"{WORK}/enums.td"], check=True)
    with open(f"{WORK}/enums.td", encoding="utf-8") as file:
        return f'"{word}">' in file.read()


def show(name):
    print(f"{name}: " + (", ".join(f"{what} in {era}" for era, what in undeclared(calls())) or "all is declared"))


copy_with([])
print(f"enum without the row: {enum_has('softer_sign')}")
show("tables")
copy_with([("Target/sfpu.def", 'SFPU(softer_sign, 1, false, IN_PLACE, SAME("eltwise_unary/comp.h"),\n'
            '     SAME("softer_sign_tile_init();"), ERAS("soft($0);", "softer($0);"), NONE)')])
print(f"enum with the row: {enum_has('softer_sign')}")
print("calls:", [row[5] for row in calls() if row[3] == "softer_sign"])
show("a function")
copy_with([("tilewright/eras.def", 'ERA(2027_01, "2027-01", 202701, "2026")')])
rows = calls()
print("eras:", list(dict.fromkeys(row[0] for row in rows)))
newest, before = ([row[3:] for row in rows if row[0] == era] for era in ("2027-01", "2026-08"))
print(f"the new era has what the one before had: {newest == before}")
show("an era")
