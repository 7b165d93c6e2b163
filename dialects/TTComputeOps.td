//===- TTComputeOps.td - protocol-free compute -----------------------------===//
//
// A compute op works on whole blocks. Its result is in DST from tile `dst` on;
// `-> %cb` also packs it.
// Verifiers are C (lib/Dialect/verify_*.c); each rule there is numbered as it is here.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TT_COMPUTE_OPS
#define TILEWRIGHT_TT_COMPUTE_OPS

include "TTBase.td"
include "TTAttrs.td"
include "TTTypes.td"

class TT_ComputeOp<string mnemonic> : TT_ProtocolFreeOp<mnemonic, "compute",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let does = "compute";
  let unit = "fpu";
  let fills = "out";
  let dst = "dst";
  let dst_use = "replaces";
  let hasVerifier = 1;
}

def TT_MmMmaOp : TT_ComputeOp<"mm.mma"> {
  let reads = ["a", "b"];
  let takes = ["all", "all"];
  let dst_use = "adds";
  let node = "matmul";
  let summary = "matrix multiply-accumulate of an r x k by a k x c block";
  let description = [{
    Where `accumulate` is false the result replaces DST, else it is added. D1
    names a circular buffer of the program in `spill` where the result has more
    tiles than DST, or other ops use DST before the sum is complete: partial sums
    then wait there between steps. With
    `transpose_b`, b is a c x k block, and each of its tiles is transposed on its
    way to the engine, which costs nothing.
    Constraints: (C1) the blocks' inner sizes agree; (C2) the result block is
    r x c; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, I64Attr:$dst, I1:$accumulate,
    Optional<TT_CBType>:$out, OptionalAttr<FlatSymbolRefAttr>:$spill, UnitAttr:$transpose_b);
  let assemblyFormat = [{
    $a `,` $b (`transpose_b` $transpose_b^)? `,` `dst` `=` $dst `,` `accumulate` `=` $accumulate (`->` $out^)?
    (`spill` $spill^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) (`,` qualified(type($out))^)?
  }];
}

class TT_FpuBinaryOp<string op> : TT_ComputeOp<"fpu." # op> {
  let reads = ["a", "b"];
  let takes = ["all", "bcast"];
  let variant = op;
  let node = "binary";
  let summary = "elementwise binary op of two blocks on the FPU";
  let description = [{
    With `bcast rows`, b is a row of tiles, and the first row of each is taken for
    all rows of the block; with `cols`, a column of tiles, and the first column of
    each for all columns; with `scalar`, one tile, and its first element for all.
    Constraints: (C1) all blocks have one shape, but for b as its broadcast says;
    (C2) sub takes no row; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, OptionalAttr<TT_Bcast>:$bcast, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a `,` $b (`bcast` $bcast^)? `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) (`,` qualified(type($out))^)?
  }];
}
def TT_FpuAddOp : TT_FpuBinaryOp<"add">;
def TT_FpuSubOp : TT_FpuBinaryOp<"sub">;
def TT_FpuMulOp : TT_FpuBinaryOp<"mul"> { let dst_use = "adds"; }

def TT_FpuMulAddOp : TT_ComputeOp<"fpu.mul_add"> {
  let reads = ["a", "b"];
  let takes = ["all", "bcast"];
  let variant = "mul";
  let dst_use = "changes";
  let node = "binary";
  let summary = "products of two blocks on the FPU, added to the block in DST";
  let description = [{
    As `tt.fpu.mul`, onto what a compute op left in DST before this one.
    Constraints: (C1) a compute op left a block in DST before this one, and all blocks have one
    shape, but for b as its broadcast says; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, OptionalAttr<TT_Bcast>:$bcast, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a `,` $b (`bcast` $bcast^)? `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) (`,` qualified(type($out))^)?
  }];
}

def TT_FpuMulSumOp : TT_ComputeOp<"fpu.mul_sum"> {
  let reads = ["a", "b"];
  let takes = ["reduced", "reduced"];
  let variant = "mul";
  let dst_use = "adds";
  let node = "reduce";
  let summary = "products of two blocks on the FPU, tile by tile, and the sum of these tiles";
  let description = [{
    With `sum_row`, the products of the tiles of a row add up to one tile, and the result is a
    column of tiles; with `sum_col`, those of a column, and it is a row of them. The elements of
    such a tile are still to be summed, by `tt.fpu.reduce`.
    Constraints: (C1) a and b have one shape, and the result is r x 1 or 1 x c; (C2) `op` is a sum;
    (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_Reduce:$op, TT_CBType:$a, TT_CBType:$b, I64Attr:$dst, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` $a `,` $b `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) (`,` qualified(type($out))^)?
  }];
}

def TT_FpuAddSumOp : TT_ComputeOp<"fpu.add_sum"> {
  let reads = ["a"];
  let takes = ["reduced"];
  let dst_use = "adds";
  let node = "reduce";
  let summary = "sum of the tiles of a block on the FPU";
  let description = [{
    With `sum_row`, the tiles of a row add up to one tile, and the result is a column of tiles; with
    `sum_col`, those of a column, and it is a row of them. The elements of such a tile are still to
    be summed, by `tt.fpu.reduce`. DST takes two tiles at a time.
    Constraints: (C1) the result is r x 1 or 1 x c; (C2) `op` is a sum; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_Reduce:$op, TT_CBType:$a, I64Attr:$dst, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` $a `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) (`,` qualified(type($out))^)?
  }];
}

def TT_FpuReuseOp : TT_ComputeOp<"fpu.reuse"> {
  let reads = ["a"];
  let takes = ["all"];
  let dst_use = "changes";
  let node = "binary";
  let summary = "elementwise binary op of the block in DST and another, on the FPU, in place";
  let description = [{
    `op` is `add`, `mul`, `sub`, which subtracts the block from DST, or `rsub`, which
    subtracts DST from the block. The FPU takes what is in DST as bf16, so this is for
    DST of 16 bits, unless that much precision will do.
    Constraints: (C1) a compute op left a block in DST before this one, of the shape of
    the operand; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_Reuse:$op, TT_CBType:$a, I64Attr:$dst, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` $a `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) (`,` qualified(type($out))^)?
  }];
}

def TT_CopyToDstOp : TT_ComputeOp<"copy_to_dst"> {
  let reads = ["a"];
  let takes = ["turned"];
  let takes_integers = true;
  let node = "copy";
  let summary = "copy a block to DST";
  let description = [{
    With `transpose`, the block is turned: its tiles change places, and so do the
    elements of each. With `repeat`, a is one tile, which is taken for each of the
    block. Constraints: (C1) all blocks have one shape, or turned ones, or a has one
    tile; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, UnitAttr:$transpose, UnitAttr:$repeat, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a (`transpose` $transpose^)? (`repeat` $repeat^)? `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) (`,` qualified(type($out))^)?
  }];
}

def TT_PartToDstOp : TT_ComputeOp<"part_to_dst"> {
  let reads = ["a"];
  let takes = ["part"];
  let takes_integers = true;
  let node = "copy";
  let summary = "copy a part of a block to DST";
  let description = [{
    The part starts at tile (`row`, `col`) of a and is as large as the result, whose block must lie
    inside of a. Constraints: (C1) the result has no more rows or columns of tiles than a, and a
    constant place keeps it inside; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, Index:$row, Index:$col, I64Attr:$dst, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a `[` $row `,` $col `]` `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) (`,` qualified(type($out))^)?
  }];
}

def TT_InsetToDstOp : TT_ComputeOp<"inset_to_dst"> {
  let reads = ["a", "part"];
  let takes = ["all", "inset"];
  let takes_integers = true;
  let node = "copy";
  let summary = "copy a block to DST, with another one in the place of a part of it";
  let description = [{
    Tiles of `part` take the places from tile (`row`, `col`) on.
    Constraints: (C1) a is as large as the result, and the part no larger; a constant place keeps it
    inside; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, TT_CBType:$part, Index:$row, Index:$col, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a `,` $part `at` `[` $row `,` $col `]` `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($part)) (`,` qualified(type($out))^)?
  }];
}

def TT_BcastToDstOp : TT_ComputeOp<"bcast_to_dst"> {
  let reads = ["a", "zeros"];
  let takes = ["bcast", "one"];
  let node = "copy";
  let summary = "copy a block to DST, broadcast";
  let description = [{
    The broadcast is that of `tt.fpu.add`; the block is added to `zeros`, a tile of
    zeros, which is the one form that every era of the API has.
    Constraints: (C1) `zeros` is one tile, and the result as large as the broadcast
    says; (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_CBType:$a, TT_Bcast:$bcast, TT_CBType:$zeros, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $a `bcast` $bcast `onto` $zeros `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) `onto` qualified(type($zeros)) (`,` qualified(type($out))^)?
  }];
}

def TT_FpuReduceOp : TT_ComputeOp<"fpu.reduce"> {
  let reads = ["a", "ones"];
  let takes = ["reduced", "one"];
  let dst_use = "adds";
  let node = "reduce";
  let summary = "sums or largest elements of the rows or columns of a block";
  let description = [{
    `op` is `sum_row`, `max_row`, `sum_col` or `max_col`, named as the API names its
    dimensions: `row` reduces each row to its first element and gives a column of
    tiles, `col` each column and gives a row of tiles. `ones` is a tile of ones, or,
    where a sum is to be scaled, of its scale. Sums are products with it, which keep the precision of DST over all tiles.
    Constraints: (C1) the result is r x 1 or 1 x c, `ones` one tile;
    (C3) `dst` is not negative.
  }];
  let arguments = (ins TT_Reduce:$op, TT_CBType:$a, TT_CBType:$ones, I64Attr:$dst, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` $a `,` $ones `,` `dst` `=` $dst (`->` $out^)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($ones)) (`,` qualified(type($out))^)?
  }];
}

class TT_SfpuBlockOp<string mnemonic> : TT_ComputeOp<"sfpu." # mnemonic> { let unit = "sfpu"; }

def TT_SfpuUnaryOp : TT_SfpuBlockOp<"unary"> {
  let dst_use = "changes";
  let node = "unary";
  let summary = "elementwise unary op on the block in DST, in place";
  let description = [{
    Functions with a scalar (`add_scalar`, `fill`, …) take it as `scalar`.
    Constraints: (C1) a compute op left a block in DST before this one, in the
    same region; (C2) `op` is a function of one tile; (C3) `dst` is not
    negative; (C4) there is a scalar exactly if the function takes one.
  }];
  let arguments = (ins TT_Sfpu:$op, I64Attr:$dst, OptionalAttr<F32Attr>:$scalar, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` `dst` `=` $dst (`scalar` `=` $scalar^)? (`->` $out^)? attr-dict (`:` qualified(type($out))^)?
  }];
}

def TT_SfpuScalarOp : TT_SfpuBlockOp<"scalar"> {
  let dst_use = "changes";
  let node = "unary";
  let summary = "as tt.sfpu.unary, with a scalar that is known when the kernel runs";
  let description = [{
    An index is taken as a float, and limited to plus and minus `limit`; with `steps`,
    tile (i, j) of the block takes `value` + i * steps[0] + j * steps[1].
    Constraints: (C2) `op` is a function with a scalar; (C3) `dst` is not
    negative; (C4) `steps` and `limit` go with an index, there are two steps, and the
    limit is positive.
  }];
  let arguments = (ins TT_Sfpu:$op, AnyTypeOf<[F32, BF16, F16, Index]>:$value,
    OptionalAttr<DenseI64ArrayAttr>:$steps, OptionalAttr<I64Attr>:$limit, I64Attr:$dst,
    Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` $value (`steps` $steps^)? (`limit` $limit^)? `,` `dst` `=` $dst (`->` $out^)?
    attr-dict `:` type($value) (`,` qualified(type($out))^)?
  }];
}

def TT_SfpuCombineOp : TT_SfpuBlockOp<"combine"> {
  let dst_sources = "sources";
  let node = "binary";
  let summary = "elementwise op on several blocks in DST: DST[dst] = op(DST[sources]...)";
  let description = [{
    Constraints: (C2) `op` is a function of as many tiles as `sources` names;
    (C3) no tile is negative.
  }];
  let arguments = (ins TT_Sfpu:$op, DenseI64ArrayAttr:$sources, I64Attr:$dst, Optional<TT_CBType>:$out);
  let assemblyFormat = [{
    $op `,` $sources `,` `dst` `=` $dst (`->` $out^)? attr-dict (`:` qualified(type($out))^)?
  }];
}

def TT_PackToCBOp : TT_ComputeOp<"pack_to_cb"> {
  let does = "pack_block";
  let unit = "packer";
  let dst_use = "reads";
  let init = "tt.pack.init";
  let node = "pack";
  let summary = "pack the block in DST, from tile `dst` on, to a circular buffer";
  let description = [{
    `tiles` is how many; without it, the whole block. They go to the pages that follow, or,
    with `place`, to those of the reservation from there on. D3 puts the reservation and the
    publication around it, D5 replaces it by the calls of the packer.
    Constraints: (C1) `tiles` is positive and no more than the block; (C3) `dst` is
    not negative.
  }];
  let arguments = (ins I64Attr:$dst, OptionalAttr<I64Attr>:$tiles, TT_CBType:$out, Optional<Index>:$place);
  let assemblyFormat = [{
    `dst` `=` $dst (`tiles` `=` $tiles^)? `->` $out (`at` $place^)? attr-dict `:` qualified(type($out))
  }];
}

class TT_HoldOp<string mnemonic> : TT_ProtocolFreeOp<mnemonic, "compute",
    [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins TT_CBType:$cb);
  let assemblyFormat = "$cb attr-dict `:` qualified(type($cb))";
}
def TT_CBOpenOp : TT_HoldOp<"cb_open"> {
  let does = "open";
  let summary = "from here on the block at the front is in use";
  let description = [{
    D1 brackets the uses of a block with `tt.cb_open` and `tt.cb_close` where
    more than one op reads it, or one reads it more than once; an op that is the
    only reader of its block needs neither.
  }];
}
def TT_CBCloseOp : TT_HoldOp<"cb_close"> {
  let does = "close";
  let summary = "the block at the front is not used any more";
}

#endif
