# Two tensors of a kernel of level 2 are stored row by row: what is moved says its sides.
s/tt.name = "\([AC]\)"/tt.name = "\1", tt.layout = {storage = "row_major"}/
s/\(%A\[%c0, %c0\], %x\|%z, %C\[%c0, %c0\]\)/\1 box = [64, 96] rows = [1, 0] cols = [0, 1]/
