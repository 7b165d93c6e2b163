// Vectors whose elements begin where whole vector registers do.
#pragma once

#include <cstdint>
#include <vector>

#include <tt_stl/aligned_allocator.hpp>

namespace tt::tt_metal {
inline constexpr uint32_t MEMCPY_ALIGNMENT = 16;
template <typename T>
using vector_aligned = std::vector<T, ttsl::aligned_allocator<T, MEMCPY_ALIGNMENT>>;
} // namespace tt::tt_metal
