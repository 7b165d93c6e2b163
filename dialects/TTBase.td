//===- TTBase.td - the tt dialect and the classes of its ops ---------------===//
//
// Things are declared once, here, and used everywhere:
//
//  * the level of an op. `protocol_free` ops say what a kernel does and live
//    until stage D; `protocol` ops say how the five processors of a core
//    coordinate and live from stage D on; `structure` ops are legal at both.
//  * the role of an op: which of the three kernels D1 moves it to, and which a protocol op may
//    stand in: `mover` is either of the two that move data.
//
// And with them the facts of an op (class Facts): what it does, what it reads and
// writes, and what the engine must be set to for it. The generator of the C API
// (cmake/gen_c_api.py) turns all of this into a table that passes, --tt-verify-ir
// and the emitter read (lib/Dialect/op_info.h); none lists op names by hand.
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

// What an op is to those who do not care which op it is. Operands and attributes are
// given by their names. A name that the op does not have, an init that is no op and a
// word that lib/Dialect/op_info.h does not have stop the build.
class Facts {
  string does = "nothing"; // TtAct
  string unit = "none";    // TtUnit: what runs it, or what it sets

  list<string> reads = []; // circular buffers whose tiles it takes
  list<string> takes = []; // TtTakes, for each of `reads`: which tiles of the block (level 2)
  list<string> tiles = []; // for each of `reads`: the index of its tile (level 3)
  string fills = "";       // the circular buffer that it fills
  string moves = "";       // the tensor that it reads or writes a block of; offsets follow (level 2)
  string count = "";       // pages (level 3)
  string address = "";     // where in L1 it starts (level 3)

  string dst = "";            // a tile of DST: an attribute (level 2) or an operand (level 3)
  string dst_use = "none";    // TtDstUse: what it does with it
  string dst_sources = "";    // attribute: other tiles that it reads (level 2)
  bit unpacks_to_dst = false; // can go past the source registers
  bit takes_integers = false; // or else floats only, from circular buffers

  string init = "";          // the op that sets the unit up for this one
  string mode = "";          // of an init: what the unit is then set to
  string variant = "";       // of an op: the `op` of its init, where it has none itself
  list<string> sources = []; // of `reads`: what goes to source A and to source B ("" for none)
  string startup = "";       // of an init: the startup of a kernel that begins with it
  string node = "";          // its kind in the dataflow graph (level 2)
}

class TT_Op<string mnemonic, list<Trait> traits = []> : Op<TT_Dialect, mnemonic, traits>, Facts;

class TT_ProtocolFreeOp<string mnemonic, string r, list<Trait> traits = []>
    : TT_Op<mnemonic, traits>, Level<"protocol_free">, Role<r>;
class TT_ProtocolOp<string mnemonic, string r, list<Trait> traits = []>
    : TT_Op<mnemonic, traits>, Level<"protocol">, Role<r>;
class TT_StructureOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, traits>, Level<"structure">, Role<"any">;

#endif
