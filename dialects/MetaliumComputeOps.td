//===- MetaliumComputeOps.td - the compute engine --------------------------===//

#ifndef TILEWRIGHT_METALIUM_COMPUTE_OPS
#define TILEWRIGHT_METALIUM_COMPUTE_OPS

include "MetaliumBase.td"

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
def Metalium_AddTilesOntoOp : Metalium_TwoTilesOp<"add_tiles_onto", "add_onto"> {
  let dst_use = "adds";
  let summary = "DST[dst] += a[ia] + b[ib]";
}
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
def Metalium_ReduceBlockMaxRowOp
    : Metalium_MathOp<"reduce_block_max_row", "metalium.reduce_block_max_row_init"> {
  let reads = ["a", "scaler"];
  let tiles = ["ia", ""];
  let sources = ["a", "scaler"];
  let summary = "DST[dst] = the largest elements of rows of a[ia], …, a[ia + ct - 1]";
  let description = [{
    Tiles of a row in one call, with the first tile of ones of `scaler`. What DST[dst] held is lost.
    Constraints: (C1) `ct` is positive, and less than 128. (C2) both circular buffers are of bf16.
  }];
  let arguments = (ins TT_CBType:$a, TT_CBType:$scaler, Index:$ia, Index:$dst, I64Attr:$ct);
  let assemblyFormat = [{
    $a `,` $scaler `,` $ia `,` $dst `ct` `=` $ct attr-dict
    `:` qualified(type($a)) `,` qualified(type($scaler))
  }];
  let hasVerifier = 1;
}
def Metalium_ReduceBlockMaxRowUninitOp : Metalium_Op<"reduce_block_max_row_uninit", "compute"> {
  let does = "end";
  let unit = "fpu";
  let summary = "end reductions of blocks: unpack and the packer take whole tiles again";
  let arguments = (ins TT_CBType:$a);
  let assemblyFormat = "$a attr-dict `:` qualified(type($a))";
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
def Metalium_ReduceBlockMaxRowInitOp : Metalium_Op<"reduce_block_max_row_init", "compute"> {
  let does = "set_to_end"; // metalium.reduce_block_max_row_uninit ends it
  let unit = "fpu";
  let mode = "reduce blocks";
  let startup = "binary";
  let summary = "prepare unpacker, math and packer for largest elements of rows of blocks";
  let description = [{
    Constraints: (C1) `ct` is positive, and less than 128. (C2) both circular buffers are of bf16.
  }];
  let arguments = (ins TT_CBType:$a, TT_CBType:$scaler, TT_CBType:$out, I64Attr:$ct);
  let assemblyFormat = [{
    $a `,` $scaler `,` $out `ct` `=` $ct attr-dict
    `:` qualified(type($a)) `,` qualified(type($scaler)) `,` qualified(type($out))
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
