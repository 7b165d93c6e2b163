//===- TTMoveOps.td - protocol-free data movement --------------------------===//
//
// Verifiers are C (lib/Dialect/verify_*.c); each rule there is numbered as it is here.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TT_MOVE_OPS
#define TILEWRIGHT_TT_MOVE_OPS

include "TTBase.td"
include "TTAttrs.td"
include "TTTypes.td"

def TT_AllocCBOp : TT_ProtocolFreeOp<"alloc_cb", "any"> {
  let summary = "conceptual circular buffer";
  let description = [{
    `depth` is the number of blocks it holds; without it, pass A2's metadata of
    the tensor that is moved through it decides, else 2. Constraints: (C1) the
    depth is at least 1; (C2) the name is not empty.
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<I64Attr>:$depth);
  let results = (outs Res<TT_CBType, "", [MemAlloc]>:$cb);
  let assemblyFormat = "$name (`depth` `=` $depth^)? attr-dict `:` qualified(type($cb))";
  let hasVerifier = 1;
}

def TT_CBViewOp : TT_ProtocolFreeOp<"cb_view", "compute", [Pure]> {
  let does = "view";
  let summary = "a circular buffer's block as a memref";
  let description = [{
    Between C1 and C2 structured ops still work on memrefs; this is the memref.
    Constraints: (C1) the memref has the block's elements.
  }];
  let arguments = (ins TT_CBType:$cb);
  let results = (outs AnyMemRef:$view);
  let assemblyFormat = "$cb attr-dict `:` qualified(type($cb)) `->` type($view)";
  let hasVerifier = 1;
}

class TT_MoveOp<string mnemonic, string r> : TT_ProtocolFreeOp<mnemonic, r,
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let moves = "tensor";
  let hasVerifier = 1;
}

def TT_ReadToCBOp : TT_MoveOp<"read_to_cb", "reader"> {
  let does = "load";
  let fills = "cb";
  let node = "load";
  let summary = "abstract DRAM to CB read of one block";
  let description = [{
    The block starts at `offsets`, in elements. It is a part of one matrix, the last
    two dimensions; of the others it takes one step. A vector is one row, and a
    dimension of one element is padded to a tile. A `partial` block may end behind the
    tensor: what is behind is zero. Constraints: (C1) an offset for
    each dimension; (C2) element types agree; (C3) constant offsets are
    multiples of a tile and the block lies inside the tensor, or starts there if it is
    partial; (C4) the tensor
    has at most eight dimensions.

    With `box` the block is any box of the tensor: `box` elements along each dimension, from any
    offset on. The element that is i[d] further in dimension d is at row sum(i[d] * `rows`[d]) and
    column sum(i[d] * `cols`[d]) of the block; what else its tiles hold is zero. Tiles of the tensor
    come to `scratch`, a circular buffer of the program, and their elements are stored from there.
    With `strides` the elements of the box are so far from each other in the tensor.
    (C5) `box`, `rows` and `cols` have a number for each dimension and keep inside of the block, and
    constant offsets keep the box inside of the tensor; (C6) strides are positive, one for each
    dimension, and go with a box.

    Behind the offsets there may be as many sizes: how many elements a box that is partial has
    along each dimension, at most its own (C7).

    With `first_rows` the first row of each tile is read, and the others hold anything: what takes the
    block broadcasts its first row. It goes with one row of tiles, without a box, of elements that a
    tile holds one by one (C8).

    ```mlir
    // 64 rows of head %h, of 40 elements, of (batch, row, head, element)
    tt.read_to_cb %Q[%b, %m, %h, %c0], %q box = [1, 64, 1, 40] rows = [0, 1, 0, 0] cols = [0, 0, 0, 1]
      : memref<2x128x8x40xbf16>, !tt.cb<2x2xbf16>
    ```
  }];
  let arguments = (ins AnyMemRef:$tensor, Variadic<Index>:$offsets, TT_CBType:$cb, UnitAttr:$partial,
    OptionalAttr<DenseI64ArrayAttr>:$box, OptionalAttr<DenseI64ArrayAttr>:$rows,
    OptionalAttr<DenseI64ArrayAttr>:$cols, OptionalAttr<DenseI64ArrayAttr>:$strides,
    OptionalAttr<FlatSymbolRefAttr>:$scratch, UnitAttr:$first_rows);
  let assemblyFormat = [{
    $tensor `[` $offsets `]` `,` $cb (`partial` $partial^)? (`first_rows` $first_rows^)?
    (`box` `=` $box^ `rows` `=` $rows `cols` `=` $cols)? (`strides` `=` $strides^)? (`through` $scratch^)?
    attr-dict `:` type($tensor) `,` qualified(type($cb))
  }];
}

def TT_WriteFromCBOp : TT_MoveOp<"write_from_cb", "writer"> {
  let does = "store";
  let reads = ["cb"];
  let takes = ["all"];
  let node = "store";
  let summary = "abstract CB to DRAM write of one block";
  let description = [{
    What a `partial` block has behind the tensor's end is not written. With `box` only its elements
    are written: runs of the tensor's rows, which are multiples of what the NoC writes, or, with
    `scratch`, whole tiles that come there before, so that no other core may write parts of them.
    Constraints as for `tt.read_to_cb`.
  }];
  let arguments = (ins TT_CBType:$cb, AnyMemRef:$tensor, Variadic<Index>:$offsets, UnitAttr:$partial,
    OptionalAttr<DenseI64ArrayAttr>:$box, OptionalAttr<DenseI64ArrayAttr>:$rows,
    OptionalAttr<DenseI64ArrayAttr>:$cols, OptionalAttr<DenseI64ArrayAttr>:$strides,
    OptionalAttr<FlatSymbolRefAttr>:$scratch);
  let assemblyFormat = [{
    $cb `,` $tensor `[` $offsets `]` (`partial` $partial^)?
    (`box` `=` $box^ `rows` `=` $rows `cols` `=` $cols)? (`strides` `=` $strides^)? (`through` $scratch^)?
    attr-dict `:` qualified(type($cb)) `,` type($tensor)
  }];
}

// Between D1 and D3, for circular buffers that lie on a shard.
class TT_ShardOp<string mnemonic, string r> : TT_ProtocolFreeOp<mnemonic, r,
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins TT_CBType:$cb);
  let assemblyFormat = "$cb attr-dict `:` qualified(type($cb))";
}

def TT_ShardToCBOp : TT_ShardOp<"shard_to_cb", "reader"> {
  let summary = "publish the next block of the shard that a circular buffer lies on";
  let description = "What `tt.read_to_cb` is where its block is in place already: nothing moves.";
}

def TT_ShardFromCBOp : TT_ShardOp<"shard_from_cb", "writer"> {
  let summary = "take back the next block of the shard that a circular buffer lies on";
  let description = "What `tt.write_from_cb` is where its block is in place already: nothing moves.";
}

def TT_IndexToCBOp : TT_ProtocolFreeOp<"index_to_cb", "reader", [MemoryEffects<[MemRead, MemWrite]>]> {
  let does = "load";
  let fills = "cb";
  let node = "load";
  let summary = "fill a tile with the indices of its elements";
  let description = [{
    Element (r, c) is r * `rows` + c * `cols`. Constraints: (C1) the circular buffer
    has one tile, of bf16 or f16; (C2) no value is beyond 256, up to which both hold integers.
  }];
  let arguments = (ins I64Attr:$rows, I64Attr:$cols, TT_CBType:$cb);
  let assemblyFormat = "`rows` `=` $rows `cols` `=` $cols `->` $cb attr-dict `:` qualified(type($cb))";
  let hasVerifier = 1;
}

def TT_RelayOp : TT_ProtocolFreeOp<"relay", "writer", [MemoryEffects<[MemRead, MemWrite]>]> {
  let does = "load";
  let reads = ["from"];
  let takes = ["all"];
  let fills = "to";
  let node = "load";
  let summary = "a block that the reader's processor fetched, brought on by the writer's";
  let description = [{
    Each core takes its block of `from`, and fills `to` with it. Where several cores fetch the same, `--tt-share-operands`
    has one of them fetch it, and relay it to all.
    Constraints: (C1) both are blocks of one type.

    ```mlir
    tt.read_to_cb %A[%m, %k], %fetched : memref<64x64xbf16>, !tt.cb<2x2xbf16>
    tt.relay %fetched -> %a : !tt.cb<2x2xbf16>, !tt.cb<2x2xbf16>
    ```
  }];
  let arguments = (ins TT_CBType:$from, TT_CBType:$to);
  let assemblyFormat = "$from `->` $to attr-dict `:` qualified(type($from)) `,` qualified(type($to))";
  let hasVerifier = 1;
}

def TT_GatherPartsOp : TT_ProtocolFreeOp<"gather_parts", "writer", [MemoryEffects<[MemRead, MemWrite]>]> {
  let does = "load";
  let reads = ["part"];
  let takes = ["all"];
  let fills = "all";
  let node = "load";
  let summary = "the blocks that the cores of a group have, each its own, on all of them";
  let description = [{
    A group is cores of one row of the grid, or of one column with `down`, `apart` from each other, as many
    as `all` has blocks like `part`; `apart` groups stand side by side in as many cores of the row as they
    have, which is whole. The blocks of `all` are what the cores of the group have in `part`: the own one
    first, then those to its right (below it), then those to its left (above it). Cores of a group do the same steps, and wait for each other here.
    Constraints: (C1) `all` is two or more blocks like `part`, of its element type: tiles in a row, or
    blocks one below the other; (C2) `apart` is at least 1.

    ```mlir
    tt.fpu.reduce sum_row, %x, %ones, dst = 0 -> %part : !tt.cb<1x4xbf16>, !tt.cb<1x1xbf16>, !tt.cb<1x1xf32>
    tt.gather_parts %part -> %all apart = 1 : !tt.cb<1x1xf32>, !tt.cb<1x8xf32>
    ```
  }];
  let arguments = (ins TT_CBType:$part, TT_CBType:$all, I64Attr:$apart, UnitAttr:$down);
  let assemblyFormat = [{
    $part `->` $all `apart` `=` $apart (`down` $down^)? attr-dict `:` qualified(type($part)) `,` qualified(type($all))
  }];
  let hasVerifier = 1;
}

def TT_LoadIndexOp : TT_ProtocolFreeOp<"load_index", "any", [Pure]> {
  let summary = "an integer of a tensor, as an index";
  let description = [{
    Offsets, bounds and conditions may depend on it. The kernel does not write the tensor. With `plus`, that
    much is added, so that what may be below zero is an index.
    Constraints: (C1) the tensor has integers of 8, 16, 32 or 64 bits; (C2) an index for each dimension.
  }];
  let arguments = (ins AnyMemRef:$tensor, Variadic<Index>:$at, OptionalAttr<I64Attr>:$id, OptionalAttr<I64Attr>:$plus);
  let results = (outs Index:$value);
  let assemblyFormat = "($id^)? $tensor `[` $at `]` (`plus` $plus^)? attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

// Between D1 and D3: what tt.load_index is in the kernel that reads the integer, and in those that
// learn it.
def TT_FetchIndexOp : TT_ProtocolFreeOp<"fetch_index", "reader", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "read an integer of a tensor through a page of a circular buffer";
  let description = [{
    The other kernels of the core get it through the circular buffers in `to`. The
    integer, with `plus`, is one of `lo` to `hi`, which the tensor's `tt.range` says if it is `ranged`.
  }];
  let arguments = (ins AnyMemRef:$tensor, Variadic<Index>:$at, TT_CBType:$cb, I64Attr:$id, I64Attr:$lo, I64Attr:$hi,
                   UnitAttr:$ranged, OptionalAttr<ArrayAttr>:$to, OptionalAttr<I64Attr>:$plus);
  let results = (outs Index:$value);
  let assemblyFormat = [{
    $id $tensor `[` $at `]` (`plus` $plus^)? `,` $cb (`to` $to^)? `in` $lo `to` $hi (`ranged` $ranged^)? attr-dict
    `:` type($tensor) `,` qualified(type($cb))
  }];
}

def TT_TakeIndexOp : TT_ProtocolFreeOp<"take_index", "any", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the next integer that the reader has loaded";
  let description = "`id` is that of the `tt.fetch_index` that loads it.";
  let arguments = (ins TT_CBType:$cb, I64Attr:$id, I64Attr:$lo, I64Attr:$hi, UnitAttr:$ranged);
  let results = (outs Index:$value);
  let assemblyFormat = [{
    $id $cb `in` $lo `to` $hi (`ranged` $ranged^)? attr-dict `:` qualified(type($cb))
  }];
}

#endif
