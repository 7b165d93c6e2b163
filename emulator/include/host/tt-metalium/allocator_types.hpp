// Where trees of 2025 have it.
#pragma once
#include <tt-metalium/allocator.hpp>
