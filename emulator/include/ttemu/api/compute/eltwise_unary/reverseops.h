// SFPU: a scalar minus the value.
#pragma once
#include "ttemu/api/compute/eltwise_unary/rsub.h"
#include "ttemu/api/compute/sfpu.h"

namespace ckernel {
// rsub_tile stands in rsub.h.
} // namespace ckernel
using namespace ckernel;
