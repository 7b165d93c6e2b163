//===- MetaliumBase.td - the metalium dialect and classes of its ops -------===//

#ifndef TILEWRIGHT_METALIUM_BASE
#define TILEWRIGHT_METALIUM_BASE

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

#endif
