//===- MetaliumCoreOps.td - what cores tell each other ---------------------===//
//
// Coordinates are those of the NoC: what the host converts logical ones to, or those of the own
// core. A rectangle goes from its least to its largest logical corner; on NoC 1, which runs the
// other way, the emitted call has them the other way round.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWRIGHT_METALIUM_CORE_OPS
#define TILEWRIGHT_METALIUM_CORE_OPS

include "MetaliumBase.td"

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

#endif
