"""Tries each optimization alone, and leaves each out of all, and checks the results.

usage: each_optimization.py PASSES.def KERNEL...: PASSES.def has the names. A form that is the same
program as one before it has been checked. Alone, the pass is also run by its flag, at its place
among those that always run: the program is the same.
"""
import re
import subprocess
import sys

ROW = r"""^(PASS|OPTIMIZATION)\(\w+, "(tt-[a-z0-9-]+)", (?:"[^"]*", )?'(\w)'"""


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def program(kernel, names):
    done = run("tt-opt", "--tt-pipeline=optimize=" + names, kernel)
    if done.returncode:
        sys.exit(f"WRONG: optimize={names} {kernel}: {done.stderr}")
    return done.stdout


def program_by_flags(kernel, passes, name):
    flags = [flag for kind, flag in passes if kind == "PASS" or flag == "--tt-" + name]
    done = run("tt-opt", *flags, kernel)
    return done.stdout if done.returncode == 0 else done.stderr


def check(kernel, names):
    done = run("tt-run", "--check", "--strict", "--optimize=" + names, kernel)
    if done.returncode or ": ok" not in done.stdout:
        sys.exit(f"WRONG: optimize={names} {kernel}: {done.stdout}{done.stderr}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = re.findall(ROW, file.read(), re.M)
    passes = [(kind, "--" + flag) for kind, flag, stage in rows if stage != "M"]
    names = [flag[len("--tt-"):] for kind, flag in passes if kind == "OPTIMIZATION"]
    works, runs = set(), 0
    for kernel in sys.argv[2:]:
        forms = set()
        plain, full = program(kernel, "none"), program(kernel, "all")
        every = [("none", plain, None), ("all", full, None)]
        every += [(name, plain, name) for name in names]
        every += [(",".join(n for n in names if n != name), full, name) for name in names]
        for choice, base, name in every:
            text = program(kernel, choice)
            if name and text != base:
                works.add(name)
            if choice == name and text != program_by_flags(kernel, passes, name):
                sys.exit(f"WRONG: {kernel}: --tt-{name} is not optimize={name}")
            if text not in forms:
                forms.add(text)
                check(kernel, choice)
                runs += 1
    print(f"{len(names)} optimizations, each alone and left out: {runs} programs, all ok")
    print("of these without effect:", " ".join(n for n in names if n not in works) or "none")


if __name__ == "__main__":
    main()
