// Calls a function when it goes out of scope.
#pragma once

namespace experimental {
template <typename Release> class Lock {
public:
  explicit Lock(Release release) : release_(release) {}
  ~Lock() { release_(); }
  Lock(const Lock &) = delete;
  Lock &operator=(const Lock &) = delete;

private:
  Release release_;
};
} // namespace experimental
