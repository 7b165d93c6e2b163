// eltwise_binary_sfpu.h of 2025.
#pragma once
#include "ttemu/api/compute/eltwise_binary_sfpu.h"
