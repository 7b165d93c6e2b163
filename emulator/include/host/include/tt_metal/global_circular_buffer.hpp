// Where trees of the end of 2024 have it.
#pragma once
#include <tt-metalium/global_circular_buffer.hpp>
