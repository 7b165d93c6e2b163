// Kinds of buffers and of shards, where trees of 2025 have them.
#pragma once
#include <tt-metalium/buffer_types.hpp>
