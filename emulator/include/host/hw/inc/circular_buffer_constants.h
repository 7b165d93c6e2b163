// Where trees of 2024 have it.
#pragma once
#include <tt-metalium/circular_buffer_constants.h>
