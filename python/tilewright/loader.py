"""Loads the user's file: rewritten, with stand-ins, as the program that it is, but not as `__main__`."""

import ast
import contextlib
import importlib.abc
import importlib.util
import os
import sys
import traceback
import types

from . import entry, rewrite, runtime, standins
from .errors import TileError


class Neighbours(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads modules from the user's folder, rewritten as the file itself is."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        for folder in path or [self.folder]:
            base = os.path.join(folder, name.rsplit(".", 1)[-1])
            for place, package in ((base + ".py", False), (os.path.join(base, "__init__.py"), True)):
                if os.path.isfile(place) and place.startswith(self.folder):
                    return importlib.util.spec_from_file_location(
                        name, place, loader=self, submodule_search_locations=[base] if package else None
                    )
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        execute(module.__spec__.origin, module.__dict__)


def execute(filename, names):
    """Runs a file's rewritten code in a dictionary of names; returns its tree."""
    with open(filename, encoding="utf-8") as file:
        source = file.read()
    tree = rewrite.rewrite(source, filename)
    names["__tile__"] = runtime
    names["__file__"] = filename
    code = compile(tree, filename, "exec")
    # What the program prints is no part of what we write.
    with contextlib.redirect_stdout(sys.stderr):
        exec(code, names)
    return tree


def load(filename):
    """The program of a file; returns its entries by name, in the order of the file."""
    if not os.path.isfile(filename):
        raise TileError(f"no file {filename}")
    filename = os.path.abspath(filename)
    standins.install()
    sys.meta_path.insert(0, Neighbours(os.path.dirname(filename)))
    module = types.ModuleType("tile_program")
    sys.modules["tile_program"] = module
    sys.argv = [filename]
    try:
        tree = execute(filename, module.__dict__)
    except TileError:
        raise
    except Exception as error:
        # A program that goes on after its kernels may want what stand-ins are not.
        tree = rewrite.parse(filename)
        if not entries(tree, module):
            raise
        line = next((f.lineno for f in reversed(traceback.extract_tb(error.__traceback__)) if f.filename == filename), 0)
        print(f"{filename}:{line}: note: the file stopped here ({type(error).__name__}: {error}); "
              "kernels before this line can be translated", file=sys.stderr)
    return entries(tree, module)


def entries(tree, module):
    found = {}
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        value = getattr(module, node.name, None)
        if isinstance(value, (entry.PrimFunc, entry.Jitted)):
            found[node.name] = value
        elif isinstance(value, types.FunctionType) and (makes_kernel(node) or hasattr(value, "configs")):
            found[node.name] = entry.Factory(value)
    return found


def makes_kernel(node):
    """Whether a plain function defines a kernel inside."""
    stack = list(node.body)
    while stack:
        n = stack.pop()
        if isinstance(n, ast.FunctionDef):
            if any(rewrite.last_name(d) == "prim_func" for d in n.decorator_list):
                return True
        else:
            stack += ast.iter_child_nodes(n)
    return False
