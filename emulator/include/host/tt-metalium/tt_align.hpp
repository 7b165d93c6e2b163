// The next multiple of a power of two.
#pragma once

#include <type_traits>

namespace tt {
template <typename A, typename B> constexpr std::common_type_t<A, B> align(A value, B to) {
  static_assert(std::is_integral_v<A> && std::is_integral_v<B>, "align takes integers");
  using T = std::common_type_t<A, B>;
  const T mask = static_cast<T>(to) - 1;
  return (static_cast<T>(value) + mask) & ~mask;
}
} // namespace tt
