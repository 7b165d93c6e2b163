// compute_kernel_hw_startup.h of 2026.
#pragma once
#include "ttemu/api/compute/compute_kernel_hw_startup.h"
