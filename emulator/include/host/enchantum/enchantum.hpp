// Names of enums, as the SDK's headers have them from a library: of values from 0 to 63.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace enchantum {
namespace detail {
// "… [with auto V = tt::ARCH::BLACKHOLE; …]"; a value without a name stands as a cast.
template <auto V> constexpr std::string_view name_of_value() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("V = ") + 4);
  text = text.substr(0, text.find_first_of(";]"));
  if (text.find(')') != std::string_view::npos) return {};
  const std::size_t colon = text.rfind(':');
  return colon == std::string_view::npos ? text : text.substr(colon + 1);
}
// The same with a zero at its end, which programs count on.
template <auto V>
inline constexpr auto text_of_value = [] {
  constexpr std::string_view name = name_of_value<V>();
  std::array<char, name.size() + 1> text{};
  for (std::size_t i = 0; i < name.size(); ++i) text[i] = name[i];
  return text;
}();
template <typename E, std::size_t... I>
constexpr std::array<std::string_view, sizeof...(I)> names_of(std::index_sequence<I...>) {
  return {std::string_view(text_of_value<static_cast<E>(I)>.data(),
                           text_of_value<static_cast<E>(I)>.size() - 1)...};
}
} // namespace detail

template <typename E> constexpr auto to_underlying(E value) {
  return static_cast<std::underlying_type_t<E>>(value);
}
// Empty where it has no name.
template <typename E> constexpr std::string_view to_string(E value) {
  constexpr auto names = detail::names_of<E>(std::make_index_sequence<64>());
  const auto at = static_cast<unsigned long long>(to_underlying(value));
  return at < names.size() ? names[at] : std::string_view();
}
} // namespace enchantum
