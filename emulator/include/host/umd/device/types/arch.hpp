// The chips.
#pragma once

namespace tt {
enum class ARCH { Invalid = 0, WORMHOLE_B0 = 2, BLACKHOLE = 3, QUASAR = 4 };
}
