// Memory for containers that begins at a multiple of a power of two.
#pragma once

#include <cstddef>
#include <new>

namespace ttsl {
template <typename T, std::size_t tAlign> struct aligned_allocator {
  using value_type = T;
  template <typename U> struct rebind {
    using other = aligned_allocator<U, tAlign>;
  };
  aligned_allocator() = default;
  template <typename U> aligned_allocator(const aligned_allocator<U, tAlign> &) {}
  T *allocate(std::size_t n) {
    return static_cast<T *>(::operator new(n * sizeof(T), std::align_val_t(tAlign)));
  }
  void deallocate(T *place, std::size_t) { ::operator delete(place, std::align_val_t(tAlign)); }
  template <typename U> bool operator==(const aligned_allocator<U, tAlign> &) const { return true; }
};
} // namespace ttsl
namespace tt::stl {
using ttsl::aligned_allocator;
}
