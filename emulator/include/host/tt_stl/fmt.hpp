// How fmt prints cores, meshes and layouts.
#pragma once

#include <tt-metalium/buffer_types.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/mesh_coord.hpp>

#ifdef TTEMU_FMT
template <typename T>
  requires requires(T value) { tt::tt_metal::name_of(value); }
struct fmt::formatter<T> : fmt::formatter<const char *> {
  template <typename Context> auto format(T value, Context &context) const {
    return fmt::formatter<const char *>::format(tt::tt_metal::name_of(value), context);
  }
};
#endif
