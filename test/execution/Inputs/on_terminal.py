#!/usr/bin/env python3
"""on_terminal.py COMMAND…: runs it with a terminal for its errors, and prints what stands there,
a line for each time that the cursor goes back to the first column; its status is the command's."""
import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
text = b""
while True:
    try:
        part = os.read(ours, 4096)
    except OSError:  # the other side is closed
        break
    if not part:
        break
    text += part
for line in text.decode().replace("\n", "\r").split("\r"):
    print(line.replace("\033[K", "").rstrip())
sys.exit(child.wait())
