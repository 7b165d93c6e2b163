#pragma once

#include "ttemu/api/compute/compute_kernel_api.h"
#include "ttemu/api/compute/eltwise_unary/rsqrt.h"
