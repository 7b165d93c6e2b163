// Handles of circular buffers.
#pragma once
#include <tt-metalium/circular_buffer.hpp>
