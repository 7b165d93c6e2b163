// Kernels, where trees of 2025 have them.
#pragma once
#include <tt-metalium/kernel_types.hpp>
