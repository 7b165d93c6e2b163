// Circular buffers as structures, where trees of early 2025 have them.
#pragma once
#include "ttemu/api/circular_buffer_interface.h"
