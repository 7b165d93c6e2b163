//===- MetaliumOps.td - ops named as the functions of the kernel API ---------===//
//
// One op is one call. How each is spelled in each API era stands in one table
// (lib/Target/api_table.c). All of them are protocol: none exists before D.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_METALIUM_OPS
#define TILEWRIGHT_METALIUM_OPS

include "TTBase.td"
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

class Metalium_PtrOp<string which> : Metalium_Op<"get_" # which # "_ptr", "any", [MemoryEffects<[MemRead]>]> {
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

class Metalium_TileTransferOp<string which, string r> : Metalium_Op<"noc_async_" # which # "_tile", r> {
  let does = which;
  let address = "addr";
  let arguments = (ins Index:$id, Metalium_TensorAccessorType:$accessor, Metalium_L1AddrType:$addr);
  let assemblyFormat = "$id `,` $accessor `,` $addr attr-dict";
}
def Metalium_NocAsyncReadTileOp : Metalium_TileTransferOp<"read", "reader"> {
  let summary = "start reading a tile to L1";
}
def Metalium_NocAsyncWriteTileOp : Metalium_TileTransferOp<"write", "writer"> {
  let summary = "start writing a tile from L1";
}

def Metalium_FillIndexTileOp : Metalium_Op<"fill_index_tile", "reader"> {
  let does = "fill";
  let address = "addr";
  let summary = "store indices as bf16 to the tile at an L1 address, by a helper of the emitted kernel";
  let arguments = (ins Metalium_L1AddrType:$addr, I64Attr:$rows, I64Attr:$cols);
  let assemblyFormat = "$addr `,` `rows` `=` $rows `cols` `=` $cols attr-dict";
}

def Metalium_FillZerosOp : Metalium_Op<"fill_zeros", "reader"> {
  let does = "fill";
  let address = "addr";
  let summary = "store zeros to the tile at an L1 address, by a helper of the emitted kernel";
  let arguments = (ins Metalium_L1AddrType:$addr, Index:$bytes);
  let assemblyFormat = "$addr `,` $bytes attr-dict";
}

class Metalium_PlainOp<string mnemonic, string r> : Metalium_Op<mnemonic, r> {
  let assemblyFormat = "attr-dict";
}
def Metalium_NocAsyncReadBarrierOp : Metalium_PlainOp<"noc_async_read_barrier", "any"> {
  let does = "read_barrier";
  let summary = "wait until all reads have landed";
}
def Metalium_NocAsyncWriteBarrierOp : Metalium_PlainOp<"noc_async_write_barrier", "any"> {
  let does = "write_barrier";
  let summary = "wait until all writes are acknowledged";
}
def Metalium_NocAsyncWritesFlushedOp : Metalium_PlainOp<"noc_async_writes_flushed", "any"> {
  let does = "flush";
  let summary = "wait until all writes have left";
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
  let arguments = (ins StrAttr:$op, TT_CBType:$a, TT_CBType:$scaler, Index:$ia, Index:$is, Index:$dst);
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
  let description = "Constraints: (C1) `op` is add, sub, mul, or rsub, which subtracts DST.";
  let hasVerifier = 1;
  let dst_use = "changes"; // and goes to the source that the circular buffer does not go to
  let summary = "DST[dst] = DST[dst] op a[ia]";
  let arguments = (ins StrAttr:$op, TT_CBType:$a, Index:$ia, Index:$dst);
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
  let description = "Constraints: (C1) `op` is add, sub, mul, or rsub, which subtracts DST.";
  let hasVerifier = 1;
  let summary = "prepare unpacker and math for an op of DST and a circular buffer";
  let arguments = (ins StrAttr:$op, TT_CBType:$a);
  let assemblyFormat = "$op `,` $a attr-dict `:` qualified(type($a))";
}
class Metalium_SfpuOp<string mnemonic> : Metalium_MathOp<mnemonic, "tt.sfpu.init"> {
  let unit = "sfpu";
  let dst_use = "changes";
}
def Metalium_SfpuTileOp : Metalium_SfpuOp<"sfpu_tile"> {
  let summary = "DST[dst] = op(DST[dst]), as `<op>_tile`";
  let arguments = (ins StrAttr:$op, Index:$dst, OptionalAttr<F32Attr>:$scalar);
  let assemblyFormat = "$op `,` $dst (`scalar` `=` $scalar^)? attr-dict";
}
def Metalium_SfpuScalarTileOp : Metalium_SfpuOp<"sfpu_scalar_tile"> {
  let summary = "as sfpu_tile, with a scalar that is a float argument or an index";
  let arguments = (ins StrAttr:$op, Index:$dst, AnyTypeOf<[F32, BF16, F16, Index]>:$value, OptionalAttr<I64Attr>:$limit);
  let assemblyFormat = "$op `,` $dst `,` $value (`limit` $limit^)? attr-dict `:` type($value)";
}
def Metalium_SfpuTilesOp : Metalium_SfpuOp<"sfpu_tiles"> {
  let dst = "tiles"; // all of them
  let summary = "DST[last] = op(DST[others]...), as `<op>_binary_tile`, `where_tile`, …";
  let arguments = (ins StrAttr:$op, Variadic<Index>:$tiles);
  let assemblyFormat = "$op `,` $tiles attr-dict";
}
def Metalium_PackTileOp : Metalium_Op<"pack_tile", "compute"> {
  let does = "pack";
  let unit = "packer";
  let fills = "out";
  let dst = "dst";
  let dst_use = "reads";
  let init = "tt.pack.init";
  let summary = "pack DST[dst] to the next reserved page";
  let arguments = (ins Index:$dst, TT_CBType:$out);
  let assemblyFormat = "$dst `,` $out attr-dict `:` qualified(type($out))";
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
