// All of the IR in one file: what the generator of the C API reads.
include "TTOps.td"
include "MetaliumOps.td"
