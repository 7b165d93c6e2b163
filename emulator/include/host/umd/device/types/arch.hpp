// The chips.
#pragma once

namespace tt {
enum class ARCH { Invalid = 0, WORMHOLE_B0 = 2, BLACKHOLE = 3, QUASAR = 4 };
constexpr const char *name_of(ARCH arch) {
  return arch == ARCH::BLACKHOLE     ? "BLACKHOLE"
         : arch == ARCH::WORMHOLE_B0 ? "WORMHOLE_B0"
         : arch == ARCH::QUASAR      ? "QUASAR"
                                     : "Invalid";
}
} // namespace tt
