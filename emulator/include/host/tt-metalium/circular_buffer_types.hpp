// Circular buffers, where trees of 2025 have them.
#pragma once
#include <tt-metalium/circular_buffer_config.hpp>
