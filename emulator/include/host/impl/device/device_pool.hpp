// Where trees before 2025 have it.
#pragma once
#include <tt-metalium/device_pool.hpp>
