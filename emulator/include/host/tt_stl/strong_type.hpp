// A value with a type of its own: an index of one kind is none of another.
#pragma once

#include <compare>
#include <functional>
#include <ostream>
#include <tuple>
#include <utility>

namespace ttsl {
template <typename T, typename Tag = decltype([] {})> class StrongType {
public:
  using value_type = T;
  using tag_type = Tag;
  constexpr StrongType() noexcept
    requires std::default_initializable<T>
      : value_() {}
  constexpr explicit StrongType(T value) noexcept : value_(std::move(value)) {}
  constexpr const T &operator*() const { return value_; }
  constexpr const T &get() const { return value_; }
  auto operator<=>(const StrongType &) const = default;

  static constexpr auto attribute_names = std::forward_as_tuple("value");
  constexpr auto attribute_values() const { return std::forward_as_tuple(value_); }

private:
  T value_;
};
template <typename T> inline constexpr bool is_strong_type_v = false;
template <typename T, typename Tag>
inline constexpr bool is_strong_type_v<StrongType<T, Tag>> = true;
template <typename T, typename Tag>
std::ostream &operator<<(std::ostream &out, const StrongType<T, Tag> &value) {
  return out << *value;
}
} // namespace ttsl

namespace tt::stl {
using ttsl::StrongType;
}

template <typename T, typename Tag> struct std::hash<ttsl::StrongType<T, Tag>> {
  std::size_t operator()(const ttsl::StrongType<T, Tag> &value) const noexcept {
    return std::hash<T>{}(*value);
  }
};
