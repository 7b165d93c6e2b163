// How fmt prints cores, meshes, layouts and other enums, by their names.
#pragma once

#include <type_traits>

#include <enchantum/enchantum.hpp>
#include <tt-metalium/buffer_types.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/mesh_coord.hpp>
#include <umd/device/types/arch.hpp>

#ifdef TTEMU_FMT
template <typename T>
  requires(std::is_enum_v<T> && !std::is_convertible_v<T, int>)
struct fmt::formatter<T> : fmt::formatter<std::string_view> {
  template <typename Context> auto format(T value, Context &context) const {
    std::string text;
    if constexpr (requires { tt::tt_metal::name_of(value); }) text = tt::tt_metal::name_of(value);
    else text = enchantum::to_string(value);
    if (text.empty()) text = std::to_string(static_cast<long long>(value));
    return fmt::formatter<std::string_view>::format(text, context);
  }
};
#endif
