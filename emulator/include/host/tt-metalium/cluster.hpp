// Kinds of machines: the emulated one is a card with one chip, as far as a program asks.
#pragma once

#include <cstdint>

namespace tt::tt_metal {

enum class ClusterType : std::uint8_t {
  INVALID,
  N150,
  N300,
  T3K,
  GALAXY,
  TG,
  P100,
  P150,
  P150_X2,
  P150_X4,
  SIMULATOR_WORMHOLE_B0,
  SIMULATOR_BLACKHOLE,
  N300_2x2,
  P150_X8,
  P300,
  SIMULATOR_QUASAR,
  BLACKHOLE_GALAXY,
  P300_X2,
  CUSTOM
};

} // namespace tt::tt_metal
