"""Prints what the frontend imports that is neither its own nor Python's standard library, nor one of the stand-ins that it makes
before; what Python 3.11 cannot parse is an error."""

import ast
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(folder))
from tilewright.standins import ALWAYS  # noqa: E402

own = {path.name for path in folder.iterdir()} | ALWAYS
files = 0
for path in sorted(folder.rglob("*.py")):
    files += 1
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 11))
    for node in ast.walk(tree):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else [
            node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
        for name in names:
            if name.split(".")[0] not in sys.stdlib_module_names | own:
                print(f"{path}:{node.lineno}: {name}")
print(f"{files} files")
