// The chips, and their names.
#pragma once

#include <string>
#include <string_view>

namespace tt {
enum class ARCH {
  Invalid = 0,
  WORMHOLE_B0 = 2,
  BLACKHOLE = 3,
  QUASAR = 4,
#if defined(TTEMU_API) && TTEMU_API < 202603
  GRAYSKULL = 1,
  WORMHOLE = 5,
  JAWBRIDGE = 6,
#endif
};

inline std::string arch_to_str(ARCH arch) {
  switch (arch) {
  case ARCH::WORMHOLE_B0: return "wormhole_b0";
  case ARCH::BLACKHOLE: return "blackhole";
  case ARCH::QUASAR: return "quasar";
  default: return "Invalid";
  }
}
inline ARCH arch_from_str(std::string_view name) {
  for (ARCH arch : {ARCH::WORMHOLE_B0, ARCH::BLACKHOLE, ARCH::QUASAR})
    if (arch_to_str(arch) == name) return arch;
  return ARCH::Invalid;
}
inline ARCH get_arch_from_string(const std::string &name) { return arch_from_str(name); }
} // namespace tt
