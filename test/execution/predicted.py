"""Runs kernels, and fails where one takes 15% more or less than was predicted."""
import re
import subprocess
import sys

failed = False
for kernel in sys.argv[1:]:
    run = subprocess.run(["tt-run", "--math=fast", "--no-races", kernel], capture_output=True, text=True, check=True)
    found = re.search(r"(\d+) clk on .*predicted (\d+)", run.stderr)
    took, predicted = map(int, found.groups()) if found else (1, 0)
    good = 0.85 <= predicted / took <= 1.15
    failed |= not good
    print(f"{'ok' if good else 'WRONG'}: {kernel}: {took} clk, {predicted} predicted")
sys.exit(failed)
