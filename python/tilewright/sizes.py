"""Values for what an entry leaves open: NAME=VALUE first, then what the file itself passes, then defaults."""

import inspect

from .errors import TileError, meant


#: Names of sizes that are known when the kernel runs, T.dynamic.
open_sizes = set()


class Sizes:
    def __init__(self, entry, given):
        self.entry, self.given = entry, dict(given)
        self.used, self.missing = set(), []
        self.known = {}
        for source in (entry.seen, entry.tuned, given):
            self.known.update(source or {})

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
            names = " ".join(f"{n}=…" for n in self.missing)
            raise TileError(f"{self.entry.name} leaves open: {', '.join(self.missing)}; give {names} on the command line")

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
