// compute_kernel_api.h of 2025.
#pragma once
#include "ttemu/api/compute/compute_kernel_api.h"
