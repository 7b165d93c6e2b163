"""What check-sdk has found is there for the next run, though a run was stopped while it wrote.

usage: check_sdk_state.py SCRIPT FILE"""

import pathlib
import sys

script, file = map(pathlib.Path, sys.argv[1:])
names = {"__file__": str(script), "__name__": "check_sdk"}
exec(compile(script.read_text().rsplit("\nmain()", 1)[0], str(script), "exec"), names)  # noqa: S102

file.unlink(missing_ok=True)
first = names["State"](file)
first["kernel"] = [["math", None]]
first["kernel"] = [["math", "an error"]]
first["program"] = [None, []]
with open(file, "a") as half:
    half.write('["stopped", [["ma')

second = names["State"](file)
print("again:", "kernel" in second, second["kernel"], second["program"], "stopped" in second)
second.open = False  # the run is over: its compilers may still be at work
second["late"] = []
print("late:", "late" in names["State"](file))

verdict = names["Verdict"]()
verdict.left = 2
print("left:", verdict.end())
