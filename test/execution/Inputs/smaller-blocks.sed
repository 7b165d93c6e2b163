# Blocks of 64x64 elements, whose sums stay in DST, on a grid of 4x4.
s/in (2, 2)/in (4, 4)/
s/\([^0-9]\)128/\164/g
