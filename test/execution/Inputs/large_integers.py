"""Writes a .npy file of 40x64 integers of 64 bits, all of them the argument: large_integers.py NUMBER FILE"""
import struct
import sys

number, path = int(sys.argv[1]), sys.argv[2]
header = "{'descr': '<i8', 'fortran_order': False, 'shape': (40, 64), }".ljust(117) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack("<2560q", *[number] * 2560))
