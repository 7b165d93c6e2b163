"""Writes a .npy file of 64x96 integers from 0 to 65535: halfwords.py FILE"""
import struct
import sys

header = "{'descr': '<i4', 'fortran_order': False, 'shape': (64, 96), }".ljust(117) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack("<6144i", *[i * 65535 // 6143 for i in range(6144)]))
