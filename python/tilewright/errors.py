"""Errors about the user's program, and where in it we are."""

import difflib
import os
import sys

PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class TileError(Exception):
    """Something that the user's kernel says and that cannot be done; the message says what to do instead."""


def meant(name, there):
    """What a name that is not there may be a misspelling of, as the end of a message; nothing where nothing is like it."""
    found = difflib.get_close_matches(name, list(there), 1)
    return f"; did you mean '{found[0]}'?" if found else ""


def is_ours(filename):
    """Whether a file belongs to this package or to Python, and not to the user's program."""
    return (
        filename.startswith(PACKAGES)
        or filename.startswith("<")
        or filename.startswith(os.path.dirname(os.__file__))
    )


def here():
    """(file, line) of the innermost line of the user's program that is being run."""
    frame = sys._getframe(1)
    while frame:
        if not is_ours(frame.f_code.co_filename):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return "<unknown>", 0
