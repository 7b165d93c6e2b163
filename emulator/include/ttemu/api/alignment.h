// Numbers rounded up.
#pragma once

#include <cstdint>

template <typename T> constexpr T align_power_of_2(T value, uint32_t alignment) {
  return (value + static_cast<T>(alignment) - 1) & ~(static_cast<T>(alignment) - 1);
}
