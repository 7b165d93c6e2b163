// Circular buffers across cores, where trees of 2025 have them.
#pragma once
#include <tt-metalium/global_circular_buffer.hpp>
