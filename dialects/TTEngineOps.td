//===- TTEngineOps.td - the protocol of the compute engine (D4) and DST (D5) ===//
//
// Verifiers are C (lib/Dialect/verify_*.c); each rule there is numbered as it is here.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TT_ENGINE_OPS
#define TILEWRIGHT_TT_ENGINE_OPS

include "TTBase.td"
include "TTAttrs.td"
include "TTTypes.td"

class TT_EngineOp<string mnemonic> : TT_ProtocolOp<mnemonic, "compute",
    [MemoryEffects<[MemRead, MemWrite]>]>;

def TT_EngineInitCommonOp : TT_EngineOp<"engine.init_common"> {
  let does = "startup";
  let fills = "out";
  let summary = "start unpacker, math and packer; once, first";
  let description = [{
    `kind` is the first op that runs: matmul, binary or copy. Constraints:
    (C2) copy has one input, the others two.
  }];
  let arguments = (ins TT_Startup:$kind, Variadic<TT_CBType>:$inputs, TT_CBType:$out);
  let assemblyFormat = "$kind `,` $inputs `->` $out attr-dict `:` qualified(type($inputs)) `->` qualified(type($out))";
  let hasVerifier = 1;
}
// Sets a unit of the engine; circular buffers are read for their formats only.
class TT_InitOp<string mnemonic, string u> : TT_EngineOp<mnemonic> {
  let does = "set";
  let unit = u;
}
def TT_FpuMatmulInitOp : TT_InitOp<"fpu.matmul_init", "fpu"> {
  let mode = "matmul";
  let startup = "matmul";
  let summary = "prepare unpacker and math for matmul";
  let arguments = (ins TT_CBType:$a, TT_CBType:$b, TT_CBType:$out, UnitAttr:$transpose_b);
  let assemblyFormat = [{
    $a `,` $b (`transpose_b` $transpose_b^)? `,` $out attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($out))
  }];
}
def TT_FpuBinaryInitOp : TT_InitOp<"fpu.binary_init", "fpu"> {
  let startup = "binary";
  let summary = "prepare unpacker and math for an elementwise binary op";
  let arguments = (ins TT_Binary:$op, TT_CBType:$a, TT_CBType:$b, TT_CBType:$out);
  let assemblyFormat = "$op `,` $a `,` $b `,` $out attr-dict `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($out))";
}
def TT_FpuReduceInitOp : TT_InitOp<"fpu.reduce_init", "fpu"> {
  let does = "set_to_end"; // metalium.reduce_uninit ends it
  let mode = "reduce";
  let startup = "binary";
  let summary = "prepare unpacker, math and packer for a reduction; `metalium.reduce_uninit` ends it";
  let description = "Constraints: (C1) `op` is max_row or max_col.";
  let arguments = (ins TT_Reduce:$op, TT_CBType:$a, TT_CBType:$scaler, TT_CBType:$out);
  let assemblyFormat = "$op `,` $a `,` $scaler `,` $out attr-dict `:` qualified(type($a)) `,` qualified(type($scaler)) `,` qualified(type($out))";
  let hasVerifier = 1;
}
def TT_SfpuInitOp : TT_InitOp<"sfpu.init", "sfpu"> {
  let summary = "prepare the SFPU for a unary function";
  let arguments = (ins TT_Sfpu:$op);
  let assemblyFormat = "$op attr-dict";
}
def TT_PackInitOp : TT_InitOp<"pack.init", "packer"> {
  let summary = "prepare the packer for a circular buffer of another format";
  let arguments = (ins TT_CBType:$out);
  let assemblyFormat = "$out attr-dict `:` qualified(type($out))";
}

class TT_DstOp<string mnemonic> : TT_EngineOp<"dst." # mnemonic> {
  let does = "dst_" # mnemonic;
  let assemblyFormat = "attr-dict";
}
def TT_DstAcquireOp : TT_DstOp<"acquire"> { let summary = "math reserves a half of DST, all zero"; }
def TT_DstCommitOp : TT_DstOp<"commit"> { let summary = "math hands the half to the packer"; }
def TT_DstWaitOp : TT_DstOp<"wait"> { let summary = "the packer waits for the commit"; }
def TT_DstReleaseOp : TT_DstOp<"release"> { let summary = "the packer zeroes the half and hands it back"; }

#endif
