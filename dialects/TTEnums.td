//===- TTEnums.td - enums, of attributes and of operations -------------------===//
//
// Operations that an op does, and pools that it reduces to, are enums: keywords in
// the text. A word that is none of them does not parse.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TT_ENUMS
#define TILEWRIGHT_TT_ENUMS

include "TTBase.td"

class TT_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilewright::tt";
  let genSpecializedAttr = 0;
}
// An attribute of an op: `$op` in its format is one of the words.
class TT_OpEnum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilewright::tt";
}

// Arch, DType, DataFormat and Sfpu: rows of the tables in lib/Target.
include "TargetEnums.td"

def TT_CBRole : TT_OpEnum<"CBRole", "what a circular buffer is for", [
  I32EnumAttrCase<"input", 0>, I32EnumAttrCase<"output", 1>, I32EnumAttrCase<"intermediate", 2>]>;
def TT_ShardUse : TT_OpEnum<"ShardUse", "what a kernel does with the shard that its core has", [
  I32EnumAttrCase<"read", 0>, I32EnumAttrCase<"written", 1>]>;
def TT_Bcast : TT_OpEnum<"Bcast", "what is taken for the whole of a block", [
  I32EnumAttrCase<"rows", 0>, I32EnumAttrCase<"cols", 1>, I32EnumAttrCase<"scalar", 2>]>;
def TT_Reduce : TT_OpEnum<"Reduce", "which elements become one, and how", [
  I32EnumAttrCase<"sum_row", 0>, I32EnumAttrCase<"sum_col", 1>,
  I32EnumAttrCase<"max_row", 2>, I32EnumAttrCase<"max_col", 3>]>;
def TT_Reuse : TT_OpEnum<"Reuse", "an op of DST and a circular buffer; rsub subtracts DST", [
  I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>, I32EnumAttrCase<"mul", 2>,
  I32EnumAttrCase<"rsub", 3>]>;
def TT_Binary : TT_OpEnum<"Binary", "an op of two circular buffers, perhaps with a broadcast", [
  I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>, I32EnumAttrCase<"mul", 2>,
  I32EnumAttrCase<"add_bcast_rows", 3>, I32EnumAttrCase<"add_bcast_cols", 4>,
  I32EnumAttrCase<"add_bcast_scalar", 5>, I32EnumAttrCase<"sub_bcast_cols", 6>,
  I32EnumAttrCase<"sub_bcast_scalar", 7>, I32EnumAttrCase<"mul_bcast_rows", 8>,
  I32EnumAttrCase<"mul_bcast_cols", 9>, I32EnumAttrCase<"mul_bcast_scalar", 10>,
  I32EnumAttrCase<"add_onto", 11>]>;
def TT_Startup : TT_OpEnum<"Startup", "the first op that runs", [
  I32EnumAttrCase<"matmul", 0>, I32EnumAttrCase<"binary", 1>, I32EnumAttrCase<"copy", 2>]>;
def TT_MathFidelity : TT_Enum<"MathFidelity", "how many passes a product of the FPU takes", [
  I32EnumAttrCase<"LoFi", 0>, I32EnumAttrCase<"HiFi2", 1>, I32EnumAttrCase<"HiFi3", 2>,
  I32EnumAttrCase<"HiFi4", 3>]>;

#endif
