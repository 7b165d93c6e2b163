// Where trees before 2025 have it.
#pragma once
#include <tt-metalium/persistent_kernel_cache.hpp>
