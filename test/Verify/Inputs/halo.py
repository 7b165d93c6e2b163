"""Prints a program of W x H cores that exchange tiles with their neighbours, K times.

usage: halo.py W H K [ARCH]

Core (x, y) adds to its tile that of the core on its right, and that of the core below: where there is
none, its own. It reads them from the other core's L1, after that one has said that its tile is there,
and says when it has. `line` tags say what a line does.
"""
import sys

W, H, K = map(int, sys.argv[1:4])
ARCH = sys.argv[4] if len(sys.argv) > 4 else "wormhole_b0"
GRID = {"wormhole_b0": "8x8", "blackhole": "13x10"}[ARCH]
CB = "!tt.cb<1x1xbf16>"
N = W * H
A, C = f"memref<{32 * N}x{32 * K}xbf16>", f"memref<{64 * N}x{32 * K}xbf16>"


def accessor(name, index):
    return (f'tt.tensor_accessor.{name} = #tt.tensor_accessor<type = bound, buffer_name = "{name}", layout_ref = "tt.buffer.{name}", '
            f"stride_mode = tiled, runtime_binding = <runtime_arg_idx = {index}, base_offset = 0, tile_size_bytes = 2048>>")


def tensor(name, cb_id, pages):
    return (f"tt.buffer.{name} = #tt.buffer<memory = DRAM, layout = interleaved, tile_shape = [32, 32], dtype = bf16>, "
            f"tt.cb.{name} = #tt.cb<cb_id = {cb_id}, page_size = 2048, depth = {pages}, data_format = bfloat16>, "
            f'tt.tensor_accessor.{name} = #tt.tensor_accessor<type = abstract, buffer_name = "{name}", layout_ref = "tt.buffer.{name}", '
            "stride_mode = tiled>")


def neighbour(name, cb, has, x, y):
    """The tile of the core on one side, to a circular buffer of this one."""
    return f"""
        metalium.cb_reserve_back %{cb}, %c1 : {CB}
        %{name}_to = metalium.get_write_ptr %{cb} : {CB}
        scf.if %{has} {{
          metalium.noc_semaphore_wait_min %{name}_there, %n // {name}-wait-there
          %from = metalium.get_noc_addr %{x}, %{y}, %own // {name}-address
          metalium.noc_async_read %from, %{name}_to, %bytes // {name}-fetch
          metalium.noc_async_read_barrier // {name}-barrier
          %done = metalium.get_noc_addr %{x}, %{y}, %{name}_taken
          metalium.noc_semaphore_inc %done, %c1 // {name}-say-taken
        }} else {{
          metalium.noc_async_read_tile %tile, %A_acc, %{name}_to
          metalium.noc_async_read_barrier
        }}
        metalium.cb_push_back %{cb}, %c1 : {CB}"""


def tell(name, has, x, y):
    return f"""
        scf.if %{has} {{
          %to = metalium.get_noc_addr %{x}, %{y}, %{name}_there
          metalium.noc_semaphore_inc %to, %c1 // {name}-say-there
        }}"""


def wait(name, has):
    return f"""
        scf.if %{has} {{
          metalium.noc_semaphore_wait_min %{name}_taken, %n // {name}-wait-taken
        }}"""


WORK = ", ".join(f"#tt.work<core = [{i % W}, {i // W}], start_id = {i}, count = 1>" for i in range(N))
SEMAPHORES = ["right_there", "right_taken", "below_there", "below_taken"]
NAMES = ["start_id", "count", "x", "y", "left_x", "right_x", "own_x", "above_y", "below_y", "own_y"]
BINARY = "".join(f"""
          metalium.cb_wait_front %{cb}, %c1 : {CB}
          metalium.add_tiles %in0, %{cb}, %c0, %c0, %c{i} : {CB}, {CB}
          metalium.cb_pop_front %{cb}, %c1 : {CB}""" for i, cb in enumerate(["in1", "in2"]))
print(f"""module attributes {{tt.target = #tt.target<arch = {ARCH}, grid = {GRID}>}} {{
  tt.program @halo : ({A}, {C}) -> () attributes {{
      tt.args = ["A", "C"], tt.partition_mode = "global", tt.grid = array<i64: {W}, {H}, 1>,
      tt.grid_tiles = array<i64: {N}, {K}>, tt.core_grid = array<i64: {W}, {H}>, tt.fp32_dest_acc = false,
      tt.core_ranges = [#tt.core_range<start = [0, 0], end = [{W - 1}, {H - 1}]>], tt.work_partition = [{WORK}],
      tt.runtime_args = ["start_id", "count"], {tensor("A", 0, 2)}, {tensor("C", 16, 4)}}} {{
    tt.core_set @all = [#tt.core_range<start = [0, 0], end = [{W - 1}, {H - 1}]>]
    tt.circular_buffer @cb_in0 on @all "input" {CB} id = 0 pages = 2 page_bytes = 2048 format = bfloat16 buffer = "A"
    tt.circular_buffer @cb_in1 on @all "input" {CB} id = 1 pages = 2 page_bytes = 2048 format = bfloat16
    tt.circular_buffer @cb_in2 on @all "input" {CB} id = 2 pages = 2 page_bytes = 2048 format = bfloat16
    tt.circular_buffer @cb_out0 on @all "output" {CB} id = 16 pages = 4 page_bytes = 2048 format = bfloat16 buffer = "C"
    {" ".join(f"tt.semaphore @{s} on @all init 0" for s in SEMAPHORES)}
    tt.core_args (%x, %y) -> [{", ".join(f'"{n}"' for n in NAMES)}] {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %cw = arith.constant {W} : index
      %mx = arith.constant {W - 1} : index
      %my = arith.constant {H - 1} : index
      %rows = arith.muli %y, %cw : index
      %start = arith.addi %rows, %x : index
      %x1 = arith.addi %x, %c1 : index
      %right = arith.minui %x1, %mx : index
      %x2 = arith.maxui %x, %c1 : index
      %left = arith.subi %x2, %c1 : index
      %y1 = arith.addi %y, %c1 : index
      %below = arith.minui %y1, %my : index
      %y2 = arith.maxui %y, %c1 : index
      %above = arith.subi %y2, %c1 : index
      %left_x, %above_y = tt.worker_core %left, %above
      %right_x, %below_y = tt.worker_core %right, %below
      %own_x, %own_y = tt.worker_core %x, %y
      tt.yield %start, %c1, %x, %y, %left_x, %right_x, %own_x, %above_y, %below_y, %own_y : {", ".join(["index"] * len(NAMES))}
    }}
    tt.kernel @reader(%A: {A} {{tt.name = "A"}}) on @all processor = dm1 noc = 0 attributes {{tt.kernel_role = "reader", {accessor("A", 0)}}} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %ck = arith.constant {K} : index
      %mx = arith.constant {W - 1} : index
      %my = arith.constant {H - 1} : index
      {" ".join(f'%{n} = tt.runtime_arg "{n}" : index' for n in NAMES if n != "count")}
      %A_acc = metalium.tensor_accessor "A", %A : {A}
      {" ".join(f"%in{i} = tt.get_cb @cb_in{i} : {CB}" for i in range(3))}
      %bytes = metalium.get_tile_size %in0 : {CB}
      {" ".join(f"%{s} = metalium.get_semaphore @{s}" for s in SEMAPHORES)}
      %has_left = arith.cmpi ne, %x, %c0 : index
      %has_right = arith.cmpi ne, %x, %mx : index
      %has_above = arith.cmpi ne, %y, %c0 : index
      %has_below = arith.cmpi ne, %y, %my : index
      %first = arith.muli %start_id, %ck : index
      scf.for %k = %c0 to %ck step %c1 {{
        %n = arith.addi %k, %c1 : index
        %tile = arith.addi %first, %k : index
        metalium.cb_reserve_back %in0, %c1 : {CB}
        %own = metalium.get_write_ptr %in0 : {CB}
        metalium.noc_async_read_tile %tile, %A_acc, %own
        metalium.noc_async_read_barrier // own-barrier{tell("right", "has_left", "left_x", "own_y")}{tell("below", "has_above", "own_x", "above_y")}{neighbour("right", "in1", "has_right", "right_x", "own_y")}{neighbour("below", "in2", "has_below", "own_x", "below_y")}{wait("right", "has_left")}{wait("below", "has_above")}
        metalium.cb_push_back %in0, %c1 : {CB} // own-push
      }}
      tt.return
    }}
    tt.kernel @compute() on @all processor = compute config = <math_fidelity = HiFi4, fp32_dest_acc = false, math_approx = false> attributes {{tt.kernel_role = "compute"}} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %ck = arith.constant {K} : index
      {" ".join(f"%in{i} = tt.get_cb @cb_in{i} : {CB}" for i in range(3))}
      %out = tt.get_cb @cb_out0 : {CB}
      tt.engine.init_common binary, %in0, %in1 -> %out : {CB}, {CB} -> {CB}
      tt.fpu.binary_init add, %in0, %in1, %out : {CB}, {CB}, {CB}
      scf.for %k = %c0 to %ck step %c1 {{
        tt.dst.acquire
        metalium.cb_wait_front %in0, %c1 : {CB}{BINARY}
        metalium.cb_pop_front %in0, %c1 : {CB}
        tt.dst.commit
        metalium.cb_reserve_back %out, %c2 : {CB}
        tt.dst.wait
        metalium.pack_tile %c0, %out : {CB}
        metalium.pack_tile %c1, %out : {CB}
        tt.dst.release
        metalium.cb_push_back %out, %c2 : {CB}
      }}
      tt.return
    }}
    tt.kernel @writer(%C: {C} {{tt.name = "C"}}) on @all processor = dm0 noc = 1 attributes {{tt.kernel_role = "writer", {accessor("C", 0)}}} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %ck = arith.constant {K} : index
      %start = tt.runtime_arg "start_id" : index
      %C_acc = metalium.tensor_accessor "C", %C : {C}
      %out = tt.get_cb @cb_out0 : {CB}
      %bytes = metalium.get_tile_size %out : {CB}
      %rows = arith.muli %start, %c2 : index
      %first = arith.muli %rows, %ck : index
      scf.for %k = %c0 to %ck step %c1 {{
        metalium.cb_wait_front %out, %c2 : {CB}
        %l1 = metalium.get_read_ptr %out : {CB}
        %next = metalium.l1_offset %l1, %bytes
        %tile = arith.addi %first, %k : index
        %tile2 = arith.addi %tile, %ck : index
        metalium.noc_async_write_tile %tile, %C_acc, %l1
        metalium.noc_async_write_tile %tile2, %C_acc, %next
        metalium.noc_async_write_barrier
        metalium.cb_pop_front %out, %c2 : {CB}
      }}
      tt.return
    }}
  }}
}}""")
