//===- MetaliumOps.td - ops named as the functions of the kernel API ---------===//
//
// One op is one call. How each is spelled in each API era stands in one table
// (lib/Target/api_table.c). All of them are protocol: none exists before D.
//
//===----------------------------------------------------------------------===//

include "MetaliumMoveOps.td"
include "MetaliumCoreOps.td"
include "MetaliumComputeOps.td"
