"""The second judge: evaluates a kernel's Python itself, on numbers, and compares with what the device computed."""
