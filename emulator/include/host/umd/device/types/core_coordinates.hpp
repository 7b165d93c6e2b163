// Kinds of cores.
#pragma once

namespace tt {
enum class CoreType {
  ARC,
  DRAM,
  ACTIVE_ETH,
  IDLE_ETH,
  PCIE,
  TENSIX,
  ROUTER_ONLY,
  ETH,
  WORKER,
  COUNT
};
}
using tt::CoreType;
