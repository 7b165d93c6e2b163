// The chips.
#pragma once

namespace tt {
enum class ARCH {
  Invalid = 0,
  WORMHOLE_B0 = 2,
  BLACKHOLE = 3,
  QUASAR = 4,
#if defined(TTEMU_API) && TTEMU_API < 202603
  GRAYSKULL = 1,
  WORMHOLE = 5,
#endif
};
} // namespace tt
