//===- TTOps.td - ops of the tt dialect -------------------------------------===//

include "TTProgramOps.td"
include "TTMoveOps.td"
include "TTComputeOps.td"
include "TTEngineOps.td"
