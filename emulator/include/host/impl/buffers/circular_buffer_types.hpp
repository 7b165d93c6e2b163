// Where trees before 2025 have it.
#pragma once
#include <tt-metalium/circular_buffer_config.hpp>
