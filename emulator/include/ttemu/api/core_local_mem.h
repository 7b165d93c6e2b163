// A pointer into this core's L1.
#pragma once

#include <compare>

#include "ttemu/kernel.hpp"

TTEMU_OBJECTS
template <typename T, typename AddressType = uintptr_t> class CoreLocalMem {
public:
  CoreLocalMem(AddressType address) : address_(address) {}
  CoreLocalMem(T *pointer) : address_(reinterpret_cast<AddressType>(pointer)) {}
  T *get_unsafe_ptr() const { return reinterpret_cast<T *>(static_cast<uintptr_t>(address_)); }
  AddressType get_address() const { return address_; }
  T &operator[](uint32_t index) const { return get_unsafe_ptr()[index]; }
  T &operator*() const { return *get_unsafe_ptr(); }
  T *operator->() const { return get_unsafe_ptr(); }
  CoreLocalMem &operator+=(std::ptrdiff_t n) {
    return address_ += static_cast<AddressType>(n * sizeof(T)), *this;
  }
  CoreLocalMem &operator-=(std::ptrdiff_t n) { return *this += -n; }
  CoreLocalMem &operator++() { return *this += 1; }
  CoreLocalMem &operator--() { return *this -= 1; }
  CoreLocalMem operator++(int) {
    const CoreLocalMem old = *this;
    ++*this;
    return old;
  }
  CoreLocalMem operator--(int) {
    const CoreLocalMem old = *this;
    --*this;
    return old;
  }
  CoreLocalMem operator+(std::ptrdiff_t n) const {
    CoreLocalMem sum = *this;
    return sum += n;
  }
  CoreLocalMem operator-(std::ptrdiff_t n) const { return *this + -n; }
  std::ptrdiff_t operator-(const CoreLocalMem &other) const {
    return get_unsafe_ptr() - other.get_unsafe_ptr();
  }
  auto operator<=>(const CoreLocalMem &) const = default;
  explicit operator bool() const { return address_ != 0; }
  [[nodiscard]] auto scoped_lock(std::size_t) { return 0; }

private:
  AddressType address_;
};
TTEMU_OBJECTS_END
