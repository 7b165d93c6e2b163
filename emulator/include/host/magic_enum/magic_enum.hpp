// Names of enums, as trees of 2025 have them from a library: of values from 0 to 63.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <enchantum/enchantum.hpp>

namespace magic_enum {
template <typename E> constexpr auto enum_integer(E value) {
  return enchantum::to_underlying(value);
}
template <typename E> constexpr std::string_view enum_name(E value) {
  return enchantum::to_string(value);
}
template <auto tValue> constexpr std::string_view enum_name() {
  return enchantum::to_string(tValue);
}
template <typename E> std::vector<E> enum_values() {
  std::vector<E> values;
  for (int i = 0; i < 64; ++i)
    if (!enchantum::to_string(static_cast<E>(i)).empty()) values.push_back(static_cast<E>(i));
  return values;
}
template <typename E> std::size_t enum_count() { return enum_values<E>().size(); }
template <typename E> std::optional<E> enum_cast(std::string_view name) {
  for (const E value : enum_values<E>())
    if (enchantum::to_string(value) == name) return value;
  return std::nullopt;
}
} // namespace magic_enum
