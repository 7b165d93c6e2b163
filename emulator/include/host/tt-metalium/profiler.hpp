// The profiler, where trees of 2025 have them.
#pragma once
#include <tt-metalium/tt_metal_profiler.hpp>
