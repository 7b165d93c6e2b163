//===- MetaliumMoveOps.td - circular buffers and data movement -------------===//

#ifndef TILEWRIGHT_METALIUM_MOVE_OPS
#define TILEWRIGHT_METALIUM_MOVE_OPS

include "MetaliumBase.td"

//===----------------------------------------------------------------------===//
// Circular buffers
//===----------------------------------------------------------------------===//

class Metalium_CBOp<string mnemonic, string act> : Metalium_Op<"cb_" # mnemonic, "any"> {
  let does = act;
  let count = "count";
  let description = "Constraints: (C1) a constant count is positive and at most the CB's pages.";
  let arguments = (ins TT_CBType:$cb, Index:$count);
  let assemblyFormat = "$cb `,` $count attr-dict `:` qualified(type($cb))";
  let hasVerifier = 1;
}
def Metalium_CBReserveBackOp : Metalium_CBOp<"reserve_back", "reserve"> { let summary = "wait for free pages"; }
def Metalium_CBPushBackOp : Metalium_CBOp<"push_back", "push"> { let summary = "publish pages"; }
def Metalium_CBWaitFrontOp : Metalium_CBOp<"wait_front", "wait"> { let summary = "wait for published pages"; }
def Metalium_CBPopFrontOp : Metalium_CBOp<"pop_front", "pop"> { let summary = "free pages"; }

class Metalium_PtrOp<string which> : Metalium_Op<"get_" # which # "_ptr", "mover", [MemoryEffects<[MemRead]>]> {
  let does = which # "_pointer";
  let arguments = (ins TT_CBType:$cb);
  let results = (outs Metalium_L1AddrType:$addr);
  let assemblyFormat = "$cb attr-dict `:` qualified(type($cb))";
}
def Metalium_GetWritePtrOp : Metalium_PtrOp<"write"> {
  let summary = "this processor's write pointer";
}
def Metalium_GetReadPtrOp : Metalium_PtrOp<"read"> {
  let summary = "this processor's read pointer";
}
def Metalium_GetTileSizeOp : Metalium_Op<"get_tile_size", "any", [Pure]> {
  let summary = "bytes of a tile of a circular buffer";
  let arguments = (ins TT_CBType:$cb);
  let results = (outs Index:$bytes);
  let assemblyFormat = "$cb attr-dict `:` qualified(type($cb))";
}
def Metalium_L1OffsetOp : Metalium_Op<"l1_offset", "any", [Pure]> {
  let does = "offset";
  let address = "base";
  let summary = "an L1 address `bytes` further on";
  let arguments = (ins Metalium_L1AddrType:$base, Index:$bytes);
  let results = (outs Metalium_L1AddrType:$addr);
  let assemblyFormat = "$base `,` $bytes attr-dict";
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

def Metalium_TensorAccessorOp : Metalium_Op<"tensor_accessor", "any", [Pure]> {
  let summary = "the accessor of a tensor argument";
  let description = [{
    Constraints: (C1) the function has a `tt.tensor_accessor.<name>` for it; (C2) the
    tensor is the argument of that `tt.name`.
  }];
  let arguments = (ins StrAttr:$name, AnyMemRef:$tensor);
  let results = (outs Metalium_TensorAccessorType:$accessor);
  let assemblyFormat = "$name `,` $tensor attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

class Metalium_TileTransferOp<string which> : Metalium_Op<"noc_async_" # which # "_tile", "mover"> {
  let does = which;
  let address = "addr";
  let arguments = (ins Index:$id, Metalium_TensorAccessorType:$accessor, Metalium_L1AddrType:$addr);
  let assemblyFormat = "$id `,` $accessor `,` $addr attr-dict";
}
def Metalium_NocAsyncReadTileOp : Metalium_TileTransferOp<"read"> {
  let summary = "start reading a tile to L1";
}
def Metalium_NocAsyncWriteTileOp : Metalium_TileTransferOp<"write"> {
  let summary = "start writing a tile from L1";
}

def Metalium_FillIndexTileOp : Metalium_Op<"fill_index_tile", "mover"> {
  let does = "fill";
  let address = "addr";
  let summary = "store indices as bf16, or f16, to the tile at an L1 address, by a helper of the emitted kernel";
  let arguments = (ins Metalium_L1AddrType:$addr, I64Attr:$rows, I64Attr:$cols, UnitAttr:$f16);
  let assemblyFormat = "$addr `,` `rows` `=` $rows `cols` `=` $cols (`f16` $f16^)? attr-dict";
}

// Integers that steer kernels. `id` says which load of the kernels' source it is: all that have it see
// the same integers, in the same order, each of `lo` to `hi`.
class Metalium_LoadedOp<string mnemonic, string r, dag operand, dag more = (ins)> : Metalium_Op<mnemonic, r> {
  let does = "learn";
  let arguments = !con(operand, (ins I64Attr:$bytes, I64Attr:$id, I64Attr:$lo, I64Attr:$hi, UnitAttr:$ranged), more);
  let results = (outs Index:$value);
}
def Metalium_LoadWordOp : Metalium_LoadedOp<"load_word", "mover", (ins Metalium_L1AddrType:$addr), (ins OptionalAttr<I64Attr>:$plus)> {
  let address = "addr";
  let summary = "an integer of 1, 2 or 4 bytes at an L1 address, and `plus`; without that, not below zero where it has less than 4";
  let assemblyFormat = "$id $addr (`plus` $plus^)? `bytes` `=` $bytes `in` $lo `to` $hi (`ranged` $ranged^)? attr-dict";
}
def Metalium_ReadTileValueOp : Metalium_LoadedOp<"read_tile_value", "compute", (ins TT_CBType:$cb)> {
  let summary = "the first word of the page at the front of a circular buffer, for all that compute";
  let assemblyFormat = [{
    $id $cb `bytes` `=` $bytes `in` $lo `to` $hi (`ranged` $ranged^)? attr-dict `:` qualified(type($cb))
  }];
}
def Metalium_StoreWordOp : Metalium_Op<"store_word", "mover"> {
  let does = "fill";
  let address = "addr";
  let summary = "store an integer of 4 bytes at an L1 address";
  let arguments = (ins Metalium_L1AddrType:$addr, Index:$value);
  let assemblyFormat = "$addr `,` $value attr-dict";
}

def Metalium_FillZerosOp : Metalium_Op<"fill_zeros", "mover"> {
  let does = "fill";
  let address = "addr";
  let summary = "store zeros to the tile at an L1 address, by a helper of the emitted kernel";
  let arguments = (ins Metalium_L1AddrType:$addr, Index:$bytes);
  let assemblyFormat = "$addr `,` $bytes attr-dict";
}

// Between a tile of a tensor in L1 and a block of tiles, `width` tiles wide, of elements of `bytes`
// bytes. Element (row + i, col + j) of the tile, for i < rows and j < cols, is the block's
// (at_row + i * steps[0] + j * steps[2], at_col + i * steps[1] + j * steps[3]). With two steps more,
// element (row + i * steps[4], col + j * steps[5]) of the tile is that.
def Metalium_CopyPartOp : Metalium_Op<"copy_part", "mover"> {
  let does = "copy";
  let address = "tile";
  let summary = "copy elements of a tile to a block, or `back`, by a helper of the emitted kernel";
  let arguments = (ins Metalium_L1AddrType:$tile, Metalium_L1AddrType:$block, Index:$row, Index:$col,
    Index:$rows, Index:$cols, Index:$at_row, Index:$at_col, I64Attr:$bytes, I64Attr:$width,
    DenseI64ArrayAttr:$steps, UnitAttr:$back, UnitAttr:$flat);
  let description = [{
    With `flat` the tile is 32 rows of 32 elements, one after the other, and not four faces.
  }];
  let assemblyFormat = [{
    (`back` $back^)? (`flat` $flat^)? $tile `[` $row `,` $col `]` `,` $rows `x` $cols `,` $block `[` $at_row `,` $at_col `]`
    `bytes` `=` $bytes `width` `=` $width `steps` `=` $steps attr-dict
  }];
}

// Rows `row` to `row` + `rows` of what would be tile `id` of a tensor that is stored row by row, a page
// each, `across` tiles wide. In L1 they lie one after the other, `bytes` each, row 0 at `addr`.
class Metalium_RowsTransferOp<string which> : Metalium_Op<"noc_async_" # which # "_rows", "mover"> {
  let does = which;
  let address = "addr";
  let arguments = (ins Index:$id, Metalium_TensorAccessorType:$accessor, Metalium_L1AddrType:$addr,
    Index:$across, Index:$row, Index:$rows, I64Attr:$bytes);
  let assemblyFormat = [{
    $id `across` $across `rows` $row `,` $rows `,` $accessor `,` $addr `bytes` `=` $bytes attr-dict
  }];
}
def Metalium_NocAsyncReadRowsOp : Metalium_RowsTransferOp<"read"> {
  let summary = "start reading rows of a tensor that is stored row by row, by a helper of the emitted kernel";
}
def Metalium_NocAsyncWriteRowsOp : Metalium_RowsTransferOp<"write"> {
  let summary = "start writing rows of a tensor that is stored row by row, by a helper of the emitted kernel";
}

def Metalium_NocAsyncReadPartOp : Metalium_Op<"noc_async_read_part", "mover"> {
  let does = "read";
  let address = "addr";
  let summary = "start reading elements of a tile to where they are in it, in L1, by a helper of the emitted kernel";
  let description = [{
    What is read are faces' rows, from multiples of `unit` bytes on, to such multiples.
  }];
  let arguments = (ins Index:$id, Metalium_TensorAccessorType:$accessor, Metalium_L1AddrType:$addr,
    Index:$row, Index:$col, Index:$rows, Index:$cols, I64Attr:$bytes, I64Attr:$unit);
  let assemblyFormat = [{
    $id `[` $row `,` $col `]` `,` $rows `x` $cols `,` $accessor `,` $addr
    `bytes` `=` $bytes `unit` `=` $unit attr-dict
  }];
}

def Metalium_NocAsyncReadRunOp : Metalium_Op<"noc_async_read_run", "mover"> {
  let does = "read";
  let address = "addr";
  let summary = "start reading a row of a face of a tile to another place in a tile, in L1, by a helper of the emitted kernel";
  let description = [{
    16 elements of `bytes` each, from (`row`, `col`) of the tensor's tile on, go to (`at_row`, `at_col`) of the one at `addr`.
    Both columns are multiples of 16, so that a run is one transfer. To the protocol the first row of the first face makes
    its page a written one: who reads the others is what the pass that makes such reads has shown.
  }];
  let arguments = (ins Index:$id, Metalium_TensorAccessorType:$accessor, Metalium_L1AddrType:$addr,
    Index:$row, Index:$col, Index:$at_row, Index:$at_col, I64Attr:$bytes);
  let assemblyFormat = [{
    $id `[` $row `,` $col `]` `,` $accessor `,` $addr `[` $at_row `,` $at_col `]` `bytes` `=` $bytes attr-dict
  }];
}

def Metalium_NocAsyncWritePartOp : Metalium_Op<"noc_async_write_part", "mover"> {
  let does = "write";
  let address = "addr";
  let summary = "start writing elements of a block to a tile of a tensor, run by run, by a helper of the emitted kernel";
  let description = [{
    As `metalium.copy_part` back; `steps` is [a, b, 0, 1], so that runs of the tile are runs of the
    block.
  }];
  let arguments = (ins Index:$id, Metalium_TensorAccessorType:$accessor, Metalium_L1AddrType:$addr,
    Index:$row, Index:$col, Index:$rows, Index:$cols, Index:$at_row, Index:$at_col, I64Attr:$bytes,
    I64Attr:$width, DenseI64ArrayAttr:$steps);
  let assemblyFormat = [{
    $id `[` $row `,` $col `]` `,` $rows `x` $cols `,` $accessor `,` $addr `[` $at_row `,` $at_col `]`
    `bytes` `=` $bytes `width` `=` $width `steps` `=` $steps attr-dict
  }];
}

class Metalium_PlainOp<string mnemonic, string r> : Metalium_Op<mnemonic, r> {
  let assemblyFormat = "attr-dict";
}
def Metalium_NocAsyncReadBarrierOp : Metalium_PlainOp<"noc_async_read_barrier", "mover"> {
  let does = "read_barrier";
  let summary = "wait until all reads have landed";
}
def Metalium_NocAsyncWriteBarrierOp : Metalium_PlainOp<"noc_async_write_barrier", "mover"> {
  let does = "write_barrier";
  let summary = "wait until all writes are acknowledged";
}
def Metalium_NocAsyncWritesFlushedOp : Metalium_PlainOp<"noc_async_writes_flushed", "mover"> {
  let does = "flush";
  let summary = "wait until all writes have left";
}

#endif
