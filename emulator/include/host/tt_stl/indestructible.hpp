// An object that is never destroyed, as of a static whose users may outlive it.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace ttsl {
template <typename T> class Indestructible {
public:
  template <typename... Args> explicit Indestructible(Args &&...args) {
    ::new (static_cast<void *>(place_)) T(std::forward<Args>(args)...);
  }
  Indestructible(const Indestructible &) = delete;
  Indestructible &operator=(const Indestructible &) = delete;
  T &get() { return *std::launder(reinterpret_cast<T *>(place_)); }
  const T &get() const { return *std::launder(reinterpret_cast<const T *>(place_)); }

private:
  alignas(T) std::byte place_[sizeof(T)];
};
} // namespace ttsl
namespace tt::stl {
using ttsl::Indestructible;
}
