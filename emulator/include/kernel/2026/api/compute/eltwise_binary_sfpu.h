// eltwise_binary_sfpu.h of 2026.
#pragma once
#include "ttemu/api/compute/eltwise_binary_sfpu.h"
