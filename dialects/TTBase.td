//===- TTBase.td - the tt dialect and the classes of its ops ---------------===//
//
// Two things are declared once, here, and used everywhere:
//
//  * the level of an op. `protocol_free` ops say what a kernel does and live
//    until stage D; `protocol` ops say how the five processors of a core
//    coordinate and live from stage D on; `structure` ops are legal at both.
//  * the role of an op: which of the three kernels D1 moves it to.
//
// The generator of the C API (cmake/gen_c_api.py) turns both into a table that
// D1 and --tt-verify-ir read; no pass lists op names by hand.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TT_BASE
#define TILEWRIGHT_TT_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tilewright::tt";
  let summary = "Tile kernels for Tenstorrent cores, before and after the protocol";
  let description = [{
    The `tt` dialect holds what a tile kernel does, in tiles and circular
    buffers (CBs), and the few ops of the compute protocol that the pipeline
    specification names with the prefix `tt`. Its attributes carry the metadata
    that stages A and B leave on a kernel.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
}

// Fields that the generator reads; they mean nothing to mlir-tblgen.
class Level<string value> { string level = value; }
class Role<string value> { string role = value; }

class TT_Op<string mnemonic, list<Trait> traits = []> : Op<TT_Dialect, mnemonic, traits>;

class TT_ProtocolFreeOp<string mnemonic, string r, list<Trait> traits = []>
    : TT_Op<mnemonic, traits>, Level<"protocol_free">, Role<r>;
class TT_ProtocolOp<string mnemonic, string r, list<Trait> traits = []>
    : TT_Op<mnemonic, traits>, Level<"protocol">, Role<r>;
class TT_StructureOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, traits>, Level<"structure">, Role<"any">;

#endif
