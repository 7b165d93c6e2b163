"""Values for what an entry leaves open: NAME=VALUE first, then what the file itself passes, then defaults, then, where
there is none, a configuration of @autotune."""

import inspect

from .errors import TileError, meant
from .standins import Anything


#: Names of sizes that are known when the kernel runs, T.dynamic.
open_sizes = set()


def configuration(entry, called):
    """The first configuration of @autotune that agrees with what is given or passed; the first where none does."""
    configs = entry.configs
    if callable(configs) and not isinstance(configs, Anything):
        wanted = inspect.signature(configs).parameters.values()
        values = {p.name: called.get(p.name, p.default) for p in wanted if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
        left = [n for n, v in values.items() if v is inspect.Parameter.empty]
        if left and set(left) <= set(entry.signature.parameters):
            raise open_names(entry, left)
        configs = None if left else configs(**values)
    if not isinstance(configs, (list, tuple)) or not all(isinstance(c, dict) for c in configs):
        return {}
    agree = [c for c in configs if all(c[name] == called[name] for name in c if name in called)]
    first = next(iter(agree or configs), {})
    defaults = {p.name: p.default for p in entry.signature.parameters.values()}
    return {name: v for name, v in first.items() if defaults.get(name, 0) in (None, inspect.Parameter.empty)}


def open_names(entry, names):
    given = " ".join(f"{n}=…" for n in names)
    return TileError(f"{entry.name} leaves open: {', '.join(names)}; give {given} on the command line")


class Sizes:
    def __init__(self, entry, given):
        self.entry, self.given = entry, dict(given)
        self.used, self.missing = set(), []
        called = {**(entry.seen or {}), **given}
        self.known = {**configuration(entry, called), **called}

    def has(self, name):
        return name in self.known

    def find(self, name):
        """Whether a name in T.const has a value, perhaps a constant of the file."""
        self.used.add(name)
        return self.has(name) or isinstance(self.entry.fn.__globals__.get(name), int)

    def take(self, name):
        """The value of a name; a name without one is reported with all others, by check()."""
        self.used.add(name)
        if name in self.known:
            return self.known[name]
        found = self.entry.fn.__globals__.get(name)
        if isinstance(found, int):
            return found
        self.lacks(name)
        self.check()

    def lacks(self, name):
        if name not in self.missing:
            self.missing.append(name)

    def check(self):
        if self.missing:
            raise open_names(self.entry, self.missing)

    def arguments(self):
        """Arguments for a factory."""
        values = {}
        for name, parameter in self.entry.signature.parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            if self.has(name):
                values[name] = self.take(name)
            elif parameter.default is inspect.Parameter.empty:
                self.lacks(name)
        self.check()
        return values

    def finish(self):
        """Every NAME=VALUE must have meant something."""
        known = set(self.used) | open_sizes
        if self.entry.signature:
            known |= set(self.entry.signature.parameters)
        for name in self.given:
            if name not in known:
                takes = ", ".join(sorted(known)) or "no sizes"
                raise TileError(f"{self.entry.name} has nothing named '{name}'; it takes {takes}{meant(name, known)}")
