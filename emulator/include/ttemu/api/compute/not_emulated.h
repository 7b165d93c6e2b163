// Functions that the device does not have: a kernel that calls one does not compile.
#pragma once

namespace ttemu {
template <typename...> inline constexpr bool never = false;
} // namespace ttemu

#define TTEMU_NOT_EMULATED(name, why)                                                              \
  template <auto... tValues, typename... Types> inline void name(Types...) {                       \
    static_assert(ttemu::never<Types...>, #name ": " why);                                         \
  }
