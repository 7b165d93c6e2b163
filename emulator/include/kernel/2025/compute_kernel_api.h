// Trees of these years have here what has headers of its own later.
#pragma once

#include "ttemu/api/compute/compute_kernel_api.h"
#include "ttemu/api/compute/eltwise_unary/comp.h"
#include "ttemu/api/compute/eltwise_unary/rsqrt.h"
#include "ttemu/api/compute/eltwise_unary/trigonometry.h"
