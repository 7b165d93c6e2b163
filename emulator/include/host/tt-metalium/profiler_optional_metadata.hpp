// Stands in tt_metal_profiler.hpp.
#pragma once
#include <tt-metalium/tt_metal_profiler.hpp>
