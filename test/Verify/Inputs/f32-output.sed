# Makes B of program.mlir a tensor of floats, and cb_out0 hold its pages; the startup still is to name it.
/tt.cb.B = /{s/2048/4096/;s/= bfloat16/= float32/}
/tt.buffer.B = #tt.buffer/s/bf16>/fp32>/
/accessor.B = #tt.tensor_accessor<type = bound/s/2048/4096/
s/\(@cb_out0 on @all output !tt.cb<1x1x\)bf16\(.*\)2048 format = bfloat16/\1f32\24096 format = float32/
s/@cb_out0 : !tt.cb<1x1xbf16>/@cb_out0 : !tt.cb<1x1xf32>/
/in -> %out/!s/%out\(.*\): !tt.cb<1x1xbf16>/%out\1: !tt.cb<1x1xf32>/
