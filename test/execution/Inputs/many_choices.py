"""A kernel that finds the largest element of each row of N tensors of several widths, and where it is: numbers of f32 that differ
in their last bit only. The second argument is the folder for the tensors."""
import random
import struct
import sys

random.seed(7)
n, folder = int(sys.argv[1]), sys.argv[2]
args = [f'%X{i}: memref<32x{32 * i}xf32> {{tt.name = "X{i}"}}, %I{i}: memref<32x{32 * i}xf32> {{tt.name = "I{i}"}}' for i in range(1, n + 1)]
print("#id = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (i)>")
print(f"func.func @choices({', '.join(args)}) attributes {{tt.kernel}} {{")
print("  %below = arith.constant 0xFF800000 : f32\n  %zero = arith.constant 0.0 : f32\n  %one = arith.constant 1.0 : f32")
for i in range(1, n + 1):
    type_ = f"memref<32x{32 * i}xf32>"
    print(f"""  %m{i} = memref.alloc() : memref<32xf32>
  linalg.fill ins(%below : f32) outs(%m{i} : memref<32xf32>)
  linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}}
      ins(%X{i} : {type_}) outs(%m{i} : memref<32xf32>) {{
    ^bb0(%x: f32, %o: f32):
      %r = arith.maximumf %x, %o : f32
      linalg.yield %r : f32
  }}
  linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%X{i}, %m{i} : {type_}, memref<32xf32>) outs(%I{i} : {type_}) {{
    ^bb0(%x: f32, %y: f32, %o: f32):
      %c = arith.cmpf oeq, %x, %y : f32
      %s = arith.select %c, %one, %zero : f32
      linalg.yield %s : f32
  }}""")
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': (32, {32 * i}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(f"{folder}/X{i}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for _ in range(32 * 32 * i):
            file.write(struct.pack("<f", 1 + random.randrange(99) * 2.0**-23))
print("  return\n}")
