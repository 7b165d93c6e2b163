//===- MetaliumOps.td - ops named as the functions of the kernel API ---------===//
//
// One op is one call. How each is spelled in each API era stands in one table
// (lib/Target/api_table.c). All of them are protocol: none exists before D.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_METALIUM_OPS
#define TILEWRIGHT_METALIUM_OPS

include "TTEnums.td"
include "TTTypes.td"

def Metalium_Dialect : Dialect {
  let name = "metalium";
  let cppNamespace = "::tilewright::metalium";
  let summary = "The TT-Metalium kernel API";
  let description = [{
    Ops are named exactly as the functions of the kernel API that they become.
    Circular buffers, tensor accessors and L1 addresses are SSA values.
  }];
  let dependentDialects = ["::tilewright::tt::TTDialect"];
  let useDefaultTypePrinterParser = 1;
}

class Metalium_Type<string name, string typeMnemonic> : TypeDef<Metalium_Dialect, name> {
  let mnemonic = typeMnemonic;
}
def Metalium_TensorAccessorType : Metalium_Type<"TensorAccessor", "tensor_accessor"> {
  let summary = "what turns the index of a tile into an address in a bank";
}
def Metalium_L1AddrType : Metalium_Type<"L1Addr", "l1_addr"> {
  let summary = "an address in the L1 memory of this core";
}
def Metalium_NocAddrType : Metalium_Type<"NocAddr", "noc_addr"> {
  let summary = "an address in the L1 memory of another core, or of a rectangle of cores";
}

class Metalium_Op<string mnemonic, string r, list<Trait> traits = [MemoryEffects<[MemRead, MemWrite]>]>
    : Op<Metalium_Dialect, mnemonic, traits>, Level<"protocol">, Role<r>, Facts;

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
class Metalium_LoadedOp<string mnemonic, string r, dag operand> : Metalium_Op<mnemonic, r> {
  let does = "learn";
  let arguments = !con(operand, (ins I64Attr:$bytes, I64Attr:$id, I64Attr:$lo, I64Attr:$hi, UnitAttr:$ranged));
  let results = (outs Index:$value);
}
def Metalium_LoadWordOp : Metalium_LoadedOp<"load_word", "mover", (ins Metalium_L1AddrType:$addr)> {
  let summary = "an integer of 1, 2 or 4 bytes at an L1 address, not below zero where it has less than 4";
  let assemblyFormat = "$id $addr `bytes` `=` $bytes `in` $lo `to` $hi (`ranged` $ranged^)? attr-dict";
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

//===----------------------------------------------------------------------===//
// Between cores
//===----------------------------------------------------------------------===//
//
// Coordinates are those of the NoC: what the host converts logical ones to, or those of the own
// core. A rectangle goes from its least to its largest logical corner; on NoC 1, which runs the
// other way, the emitted call has them the other way round.

class Metalium_CoordinateOp<string mnemonic> : Metalium_Op<mnemonic, "mover", [Pure]> {
  let results = (outs Index:$coordinate);
  let assemblyFormat = "attr-dict";
}
def Metalium_MyXOp : Metalium_CoordinateOp<"my_x"> { let summary = "the own core's x on the kernel's NoC"; }
def Metalium_MyYOp : Metalium_CoordinateOp<"my_y"> { let summary = "the own core's y on the kernel's NoC"; }
def Metalium_GetAbsoluteLogicalXOp : Metalium_CoordinateOp<"get_absolute_logical_x"> {
  let summary = "the own core's logical x, counted on the whole worker grid";
}
def Metalium_GetAbsoluteLogicalYOp : Metalium_CoordinateOp<"get_absolute_logical_y"> {
  let summary = "the own core's logical y, counted on the whole worker grid";
}

def Metalium_GetNocAddrOp : Metalium_Op<"get_noc_addr", "mover", [Pure]> {
  let summary = "an L1 address of the core at (x, y)";
  let arguments = (ins Index:$x, Index:$y, Metalium_L1AddrType:$l1);
  let results = (outs Metalium_NocAddrType:$addr);
  let assemblyFormat = "$x `,` $y `,` $l1 attr-dict";
}
def Metalium_GetNocMulticastAddrOp : Metalium_Op<"get_noc_multicast_addr", "mover", [Pure]> {
  let summary = "an L1 address of all cores of the rectangle from (x0, y0) to (x1, y1), inclusive";
  let arguments = (ins Index:$x0, Index:$y0, Index:$x1, Index:$y1, Metalium_L1AddrType:$l1);
  let results = (outs Metalium_NocAddrType:$addr);
  let assemblyFormat = "$x0 `,` $y0 `,` $x1 `,` $y1 `,` $l1 attr-dict";
}

def Metalium_NocAsyncReadOp : Metalium_Op<"noc_async_read", "mover"> {
  let summary = "start reading bytes of another core's L1";
  let arguments = (ins Metalium_NocAddrType:$from, Metalium_L1AddrType:$to, Index:$bytes);
  let assemblyFormat = "$from `,` $to `,` $bytes attr-dict";
}
def Metalium_NocAsyncWriteOp : Metalium_Op<"noc_async_write", "mover"> {
  let summary = "start writing bytes to another core's L1";
  let arguments = (ins Metalium_L1AddrType:$from, Metalium_NocAddrType:$to, Index:$bytes);
  let assemblyFormat = "$from `,` $to `,` $bytes attr-dict";
}
class Metalium_WriteMulticastOp<string mnemonic> : Metalium_Op<mnemonic, "mover"> {
  let arguments = (ins Metalium_L1AddrType:$from, Metalium_NocAddrType:$to, Index:$bytes, Index:$dests);
  let assemblyFormat = "$from `,` $to `,` $bytes `,` $dests attr-dict";
}
def Metalium_NocAsyncWriteMulticastOp : Metalium_WriteMulticastOp<"noc_async_write_multicast"> {
  let summary = "start writing bytes to `dests` cores, this one excluded";
}
def Metalium_NocAsyncWriteMulticastLoopbackSrcOp
    : Metalium_WriteMulticastOp<"noc_async_write_multicast_loopback_src"> {
  let summary = "start writing bytes to `dests` cores, this one among them";
}

def Metalium_GetSemaphoreOp : Metalium_Op<"get_semaphore", "mover", [Pure]> {
  let summary = "the L1 address of a semaphore, the same on each core that has it";
  let description = "Constraints: (C1) the symbol names a semaphore of the program.";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs Metalium_L1AddrType:$addr);
  let assemblyFormat = "$name attr-dict";
  let hasVerifier = 1;
}
class Metalium_SemaphoreOp<string mnemonic> : Metalium_Op<mnemonic, "mover"> {
  let arguments = (ins Metalium_L1AddrType:$semaphore, Index:$value);
  let assemblyFormat = "$semaphore `,` $value attr-dict";
}
def Metalium_NocSemaphoreSetOp : Metalium_SemaphoreOp<"noc_semaphore_set"> {
  let summary = "set this core's semaphore";
}
def Metalium_NocSemaphoreWaitOp : Metalium_SemaphoreOp<"noc_semaphore_wait"> {
  let summary = "wait until this core's semaphore is exactly `value`";
}
def Metalium_NocSemaphoreWaitMinOp : Metalium_SemaphoreOp<"noc_semaphore_wait_min"> {
  let summary = "wait until this core's semaphore is `value` or more";
}
def Metalium_NocSemaphoreIncOp : Metalium_Op<"noc_semaphore_inc", "mover"> {
  let summary = "add to the semaphore of a core";
  let arguments = (ins Metalium_NocAddrType:$to, Index:$value);
  let assemblyFormat = "$to `,` $value attr-dict";
}
def Metalium_NocSemaphoreIncMulticastOp : Metalium_Op<"noc_semaphore_inc_multicast", "mover"> {
  let summary = "add to the semaphores of `dests` cores, this one excluded";
  let arguments = (ins Metalium_NocAddrType:$to, Index:$value, Index:$dests);
  let assemblyFormat = "$to `,` $value `,` $dests attr-dict";
}
def Metalium_NocSemaphoreSetRemoteOp : Metalium_Op<"noc_semaphore_set_remote", "mover"> {
  let summary = "set the semaphore of a core to the value of one of this core";
  let arguments = (ins Metalium_L1AddrType:$semaphore, Metalium_NocAddrType:$to);
  let assemblyFormat = "$semaphore `,` $to attr-dict";
}
class Metalium_SetMulticastOp<string mnemonic> : Metalium_Op<mnemonic, "mover"> {
  let arguments = (ins Metalium_L1AddrType:$semaphore, Metalium_NocAddrType:$to, Index:$dests);
  let assemblyFormat = "$semaphore `,` $to `,` $dests attr-dict";
}
def Metalium_NocSemaphoreSetMulticastOp : Metalium_SetMulticastOp<"noc_semaphore_set_multicast"> {
  let summary = "set the semaphores of `dests` cores to the value of one of this core, which is excluded";
}
def Metalium_NocSemaphoreSetMulticastLoopbackSrcOp
    : Metalium_SetMulticastOp<"noc_semaphore_set_multicast_loopback_src"> {
  let summary = "set the semaphores of `dests` cores, this one among them, to the value of one of this core";
}

def Metalium_CommentOp : Metalium_Op<"comment", "any"> {
  let summary = "a line of the emitted file that says what follows";
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
}

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

// Math: tiles of circular buffers go through the source registers to a tile of DST.
class Metalium_MathOp<string mnemonic, string i> : Metalium_Op<mnemonic, "compute"> {
  let does = "math";
  let unit = "fpu";
  let init = i;
  let dst = "dst";
  let dst_use = "replaces";
}
class Metalium_TwoTilesOp<string mnemonic, string op> : Metalium_MathOp<mnemonic, "tt.fpu.binary_init"> {
  let reads = ["a", "b"];
  let tiles = ["ia", "ib"];
  let sources = ["a", "b"];
  let variant = op;
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, Index:$ia, Index:$ib, Index:$dst);
  let assemblyFormat = "$a `,` $b `,` $ia `,` $ib `,` $dst attr-dict `:` qualified(type($a)) `,` qualified(type($b))";
}
def Metalium_MatmulTilesOp : Metalium_MathOp<"matmul_tiles", "tt.fpu.matmul_init"> {
  let reads = ["a", "b"];
  let tiles = ["ia", "ib"];
  let sources = ["b", "a"];
  let dst_use = "adds";
  let summary = "DST[dst] += a[ia] . b[ib]";
  let description = "With `transpose_b`, b[ib] is transposed, as the engine's setting says.";
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, Index:$ia, Index:$ib, Index:$dst, UnitAttr:$transpose_b);
  let assemblyFormat = [{
    $a `,` $b (`transpose_b` $transpose_b^)? `,` $ia `,` $ib `,` $dst attr-dict
    `:` qualified(type($a)) `,` qualified(type($b))
  }];
}
def Metalium_MatmulBlockOp : Metalium_MathOp<"matmul_block", "metalium.matmul_block_init"> {
  let reads = ["a", "b"];
  let tiles = ["ia", "ib"];
  let sources = ["b", "a"];
  let dst_use = "adds";
  let summary = "DST[dst + r * ct + c] += a[ia + r * kt] . b[ib + c], for r below rt and c below ct";
  let description = [{
    One step along K of an `rt` x `ct` block of results: `kt` is the number of tiles in a row of a.
    Constraints: (C1) `ct`, `rt` and `kt` are positive.
  }];
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, Index:$ia, Index:$ib, Index:$dst, UnitAttr:$transpose_b,
    I64Attr:$ct, I64Attr:$rt, I64Attr:$kt);
  let assemblyFormat = [{
    $a `,` $b (`transpose_b` $transpose_b^)? `,` $ia `,` $ib `,` $dst `ct` `=` $ct `rt` `=` $rt `kt` `=` $kt
    attr-dict `:` qualified(type($a)) `,` qualified(type($b))
  }];
  let hasVerifier = 1;
}
def Metalium_AddTilesOp : Metalium_TwoTilesOp<"add_tiles", "add"> { let summary = "DST[dst] = a[ia] + b[ib]"; }
def Metalium_SubTilesOp : Metalium_TwoTilesOp<"sub_tiles", "sub"> { let summary = "DST[dst] = a[ia] - b[ib]"; }
def Metalium_MulTilesOp : Metalium_TwoTilesOp<"mul_tiles", "mul"> { let dst_use = "adds"; let summary = "DST[dst] = a[ia] * b[ib]"; }
class Metalium_BcastTilesOp<string name, string shape>
    : Metalium_TwoTilesOp<name # "_tiles_bcast_" # shape, name # "_bcast_" # shape> {
  let dst_use = !if(!eq(name, "mul"), "adds", "replaces");
  let summary = "as " # name # "_tiles, with b[ib] broadcast";
}
foreach shape = ["rows", "cols", "scalar"] in
  foreach name = ["add", "mul"] in
    def Metalium_#name#shape#Op : Metalium_BcastTilesOp<name, shape>;
foreach shape = ["cols", "scalar"] in
  def Metalium_sub#shape#Op : Metalium_BcastTilesOp<"sub", shape>;
class Metalium_OneTileOp<string mnemonic, string i> : Metalium_MathOp<mnemonic, i> {
  let reads = ["a"];
  let tiles = ["ia"];
  let sources = ["a", ""];
}
def Metalium_TransposeWhTileOp : Metalium_OneTileOp<"transpose_wh_tile", "metalium.transpose_wh_init_short"> {
  let takes_integers = true;
  let summary = "DST[dst] = a[ia], transposed";
  let arguments = (ins TT_CBType:$a, Index:$ia, Index:$dst);
  let assemblyFormat = "$a `,` $ia `,` $dst attr-dict `:` qualified(type($a))";
}
def Metalium_ReduceTileOp : Metalium_MathOp<"reduce_tile", "tt.fpu.reduce_init"> {
  let reads = ["a", "scaler"];
  let tiles = ["ia", "is"];
  let sources = ["a", "scaler"];
  let dst_use = "adds";
  let summary = "DST[dst] = the reduction of a[ia] and DST[dst], with a tile of ones";
  let description = "`op` is max_row or max_col.";
  let arguments = (ins TT_Reduce:$op, TT_CBType:$a, TT_CBType:$scaler, Index:$ia, Index:$is, Index:$dst);
  let assemblyFormat = "$op `,` $a `,` $scaler `,` $ia `,` $is `,` $dst attr-dict `:` qualified(type($a)) `,` qualified(type($scaler))";
}
def Metalium_ReduceUninitOp : Metalium_PlainOp<"reduce_uninit", "compute"> {
  let does = "end";
  let unit = "fpu";
  let summary = "end a reduction: the packer packs whole tiles again";
}
def Metalium_CopyTileOp : Metalium_OneTileOp<"copy_tile", "metalium.copy_tile_init"> {
  let takes_integers = true;
  let unpacks_to_dst = true;
  let summary = "DST[dst] = a[ia]";
  let arguments = (ins TT_CBType:$a, Index:$ia, Index:$dst);
  let assemblyFormat = "$a `,` $ia `,` $dst attr-dict `:` qualified(type($a))";
}
def Metalium_BinaryDestReuseTilesOp
    : Metalium_OneTileOp<"binary_dest_reuse_tiles", "metalium.binary_dest_reuse_tiles_init"> {
  let dst_use = "changes"; // and goes to the source that the circular buffer does not go to
  let summary = "DST[dst] = DST[dst] op a[ia]";
  let arguments = (ins TT_Reuse:$op, TT_CBType:$a, Index:$ia, Index:$dst);
  let assemblyFormat = "$op `,` $a `,` $ia `,` $dst attr-dict `:` qualified(type($a))";
}
// Sets a unit of the engine.
class Metalium_SetOp<string mnemonic, string u> : Metalium_Op<mnemonic, "compute"> {
  let does = "set";
  let unit = u;
}
class Metalium_CopyInitOp<string mnemonic, string m> : Metalium_SetOp<mnemonic, "fpu"> {
  let mode = m;
  let startup = "copy";
}
def Metalium_BinaryDestReuseTilesInitOp
    : Metalium_CopyInitOp<"binary_dest_reuse_tiles_init", "reuse of DST"> {
  let summary = "prepare unpacker and math for an op of DST and a circular buffer";
  let arguments = (ins TT_Reuse:$op, TT_CBType:$a);
  let assemblyFormat = "$op `,` $a attr-dict `:` qualified(type($a))";
}
class Metalium_SfpuOp<string mnemonic> : Metalium_MathOp<mnemonic, "tt.sfpu.init"> {
  let unit = "sfpu";
  let dst_use = "changes";
}
def Metalium_SfpuTileOp : Metalium_SfpuOp<"sfpu_tile"> {
  let summary = "DST[dst] = op(DST[dst]), as `<op>_tile`";
  let arguments = (ins TT_Sfpu:$op, Index:$dst, OptionalAttr<F32Attr>:$scalar);
  let assemblyFormat = "$op `,` $dst (`scalar` `=` $scalar^)? attr-dict";
}
def Metalium_SfpuScalarTileOp : Metalium_SfpuOp<"sfpu_scalar_tile"> {
  let summary = "as sfpu_tile, with a scalar that is a float argument or an index";
  let arguments = (ins TT_Sfpu:$op, Index:$dst, AnyTypeOf<[F32, BF16, F16, Index]>:$value, OptionalAttr<I64Attr>:$limit);
  let assemblyFormat = "$op `,` $dst `,` $value (`limit` $limit^)? attr-dict `:` type($value)";
}
def Metalium_SfpuTilesOp : Metalium_SfpuOp<"sfpu_tiles"> {
  let dst = "tiles"; // all of them
  let summary = "DST[last] = op(DST[others]...), as `<op>_binary_tile`, `where_tile`, …";
  let arguments = (ins TT_Sfpu:$op, Variadic<Index>:$tiles);
  let assemblyFormat = "$op `,` $tiles attr-dict";
}
def Metalium_PackTileOp : Metalium_Op<"pack_tile", "compute"> {
  let does = "pack";
  let unit = "packer";
  let fills = "out";
  let dst = "dst";
  let dst_use = "reads";
  let init = "tt.pack.init";
  let summary = "pack DST[dst] to the next reserved page, or to that at `place`";
  let arguments = (ins Index:$dst, TT_CBType:$out, Optional<Index>:$place);
  let assemblyFormat = "$dst `,` $out (`at` $place^)? attr-dict `:` qualified(type($out))";
}
def Metalium_PackReconfigL1AccOp : Metalium_Op<"pack_reconfig_l1_acc", "compute"> {
  let summary = "from here on the packer adds to what the pages hold, or replaces it";
  let arguments = (ins I1:$on);
  let assemblyFormat = "$on attr-dict";
}
def Metalium_PackReluConfigOp : Metalium_Op<"pack_relu_config", "compute"> {
  let summary = "from here on the packer makes negative values zero, or packs them as they are";
  let arguments = (ins I1:$on);
  let assemblyFormat = "$on attr-dict";
}
def Metalium_MatmulBlockInitOp : Metalium_Op<"matmul_block_init", "compute"> {
  let does = "set";
  let unit = "fpu";
  let mode = "matmul of blocks";
  let startup = "matmul";
  let summary = "prepare unpacker and math for products of blocks";
  let description = "Constraints: (C1) `ct`, `rt` and `kt` are positive.";
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, UnitAttr:$transpose_b, I64Attr:$ct, I64Attr:$rt, I64Attr:$kt);
  let assemblyFormat = [{
    $a `,` $b (`transpose_b` $transpose_b^)? `ct` `=` $ct `rt` `=` $rt `kt` `=` $kt
    attr-dict `:` qualified(type($a)) `,` qualified(type($b))
  }];
  let hasVerifier = 1;
}
def Metalium_CopyTileInitOp : Metalium_CopyInitOp<"copy_tile_init", "copy"> {
  let summary = "prepare unpacker and math for copies to DST";
  let arguments = (ins TT_CBType:$a);
  let assemblyFormat = "$a attr-dict `:` qualified(type($a))";
}
def Metalium_TransposeWhInitShortOp : Metalium_CopyInitOp<"transpose_wh_init_short", "transpose"> {
  let summary = "prepare unpacker and math for transposed copies to DST";
  let arguments = (ins TT_CBType:$a);
  let assemblyFormat = "$a attr-dict `:` qualified(type($a))";
}
class Metalium_ReconfigOp<string source> : Metalium_SetOp<"reconfig_data_format_src" # source, "source_" # source> {
  let arguments = (ins TT_CBType:$cb);
  let assemblyFormat = "$cb attr-dict `:` qualified(type($cb))";
}
def Metalium_ReconfigDataFormatSrcAOp : Metalium_ReconfigOp<"a"> {
  let summary = "source A reads circular buffers of this one's format from here on";
}
def Metalium_ReconfigDataFormatSrcBOp : Metalium_ReconfigOp<"b"> {
  let summary = "source B reads circular buffers of this one's format from here on";
}

#endif
