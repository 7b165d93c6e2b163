"""The command tt-tilelang."""

import argparse
import ast
import os
import sys
import traceback

from . import loader, run, show, tracing
from .errors import TileError, is_ours, meant
from .lang import types
from .mlir import module


def parser():
    p = argparse.ArgumentParser(
        prog="tt-tilelang",
        usage="tt-tilelang kernel.py [ENTRY] [NAME=VALUE…] [-o out.mlir]",
        description="Writes a TileLang kernel as level-1 MLIR. The file is run as the program that it is; "
        "what it imports and a translation does not need (torch, tvm) is replaced by stand-ins.",
    )
    p.add_argument("file", help="the Python file")
    p.add_argument("rest", nargs="*", metavar="ENTRY NAME=VALUE", help="which kernel, and its sizes")
    p.add_argument("-o", metavar="FILE", default="-", help="where the MLIR goes; standard output without it")
    p.add_argument("--run", metavar="TT-RUN", help=argparse.SUPPRESS)
    p.add_argument("--show", nargs="?", const="all", choices=show.NAMES, metavar="LEVEL",
                   help="print the lines of the kernel, with what becomes of them in each stage, or in one (level1, level2, level3)")
    p.add_argument("--list", action="store_true", help="list the entries of the file")
    return p


def split(rest):
    """(entry's name or None, {NAME: value}, {NAME: what a tensor of integers holds}) of the words after the file."""
    name, given, tables = None, {}, {}
    for word in rest:
        key, sign, value = word.partition("=")
        if sign and key.endswith("[]"):
            tables[key[:-2]] = table(word, value)
            continue
        if not sign:
            if name is not None:
                raise TileError(f"two entries, '{name}' and '{word}'; a size is NAME=VALUE")
            name = word
            continue
        if not key.isidentifier() or not value:
            raise TileError(f"'{word}' is no NAME=VALUE")
        try:
            given[key] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            given[key] = types.TYPES.get(value, value)
    return name, given, tables


def table(word, value):
    """What a tensor of integers holds: (lowest, highest) of LOW..HIGH, or the list of its elements."""
    try:
        if ".." in value:
            low, high = (int(v) for v in value.split(".."))
            if low <= high:
                return low, high
        return [int(v) for v in value.split(",")]
    except ValueError:
        pass
    raise TileError(f"'{word}': a tensor of integers holds NAME[]=LOW..HIGH, or NAME[]=1,2,3,…")


def choose(entries, name, filename):
    """The entry that is meant."""
    there = ", ".join(entries) or "none"
    if name is not None:
        if name not in entries:
            raise TileError(f"{os.path.basename(filename)} has no kernel '{name}'; there are: {there}{meant(name, entries)}")
        return entries[name]
    if len(entries) == 1:
        return next(iter(entries.values()))
    if not entries:
        raise TileError(f"{os.path.basename(filename)} has no kernel: no function with @T.prim_func or @tilelang.jit")
    raise TileError(f"{os.path.basename(filename)} has several kernels; name one of: {there}")


def report(error, entry, given):
    """Python's traceback, cut to the user's files, and the message as compilers write it.

    What has no line of its own is said of the entry, if it has been chosen."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not is_ours(f.filename)]
    place = getattr(error, "at", None)
    if place is None and frames:
        place = (frames[-1].filename, frames[-1].lineno)
    if isinstance(error, SyntaxError) and error.filename:
        place, frames = (error.filename, error.lineno), []
        error = SyntaxError(error.msg)
    if place is None and entry is not None:
        place = entry.at
    if len(frames) > 1 or frames and not isinstance(error, TileError):
        sys.stderr.write("Traceback (most recent call last):\n")
        sys.stderr.write("".join(traceback.format_list(frames)))
    kind = "" if isinstance(error, TileError) else f"{type(error).__name__}: "
    where = f"{place[0]}:{place[1]}: " if place else "tt-tilelang: "
    if place:
        where = f"{os.path.relpath(place[0]) if place[0].startswith(os.getcwd()) else place[0]}:{place[1]}: "
    sys.stderr.write(f"{where}error: {kind}{error}\n")
    if isinstance(error, TypeError):
        for name, value in given.items():
            if isinstance(value, str) and value not in types.TYPES:
                sys.stderr.write(f"note: {name} is the text '{value}'\n")


def main(arguments=None):
    words = list(sys.argv[1:] if arguments is None else arguments)
    folder = os.path.dirname(os.path.abspath(sys.argv[0]))  # of the other tools
    # What stands behind `--` are tt-run's own options.
    split_at = words.index("--") if "--" in words else len(words)
    entry, given = None, {}
    options, others = parser().parse_intermixed_args(words[:split_at]), words[split_at + 1 :]
    try:
        name, given, tables = split(options.rest)
        entries = loader.load(options.file)
        if options.list:
            print("\n".join(entries))
            return 0
        entry = choose(entries, name, options.file)
        function = tracing.trace(entry, given, tables)
        if options.run:
            return run.run(options.run, entry, given, tables, function, others)
        if options.show:
            text = show.show(os.path.join(folder, "tt-opt"), function, options.file, options.show)
        else:
            text = module.write(function)
    except (Exception, SystemExit) as error:
        if isinstance(error, SystemExit) and not error.code:
            error = TileError("the file ended the program while it was loaded")
        report(error, entry, given)
        return 1
    if options.o == "-":
        sys.stdout.write(text)
        return 0
    try:
        with open(options.o, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        sys.stderr.write(f"tt-tilelang: error: cannot write {options.o}: {error.strerror}\n")
        return 1
    return 0
