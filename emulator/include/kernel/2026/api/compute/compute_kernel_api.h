// compute_kernel_api.h of 2026.
#pragma once
#include "ttemu/api/compute/compute_kernel_api.h"
