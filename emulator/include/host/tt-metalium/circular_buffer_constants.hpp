// How many circular buffers there are.
#pragma once
#include <tt-metalium/circular_buffer_constants.h>
