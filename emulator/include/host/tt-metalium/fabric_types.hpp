// Where trees of 2025 have it.
#pragma once
#include <tt-metalium/experimental/fabric/fabric_types.hpp>

#if defined(TTEMU_API) && TTEMU_API < 202603
namespace tt::tt_metal {
using tt_fabric::FabricConfig;
using tt_fabric::FabricReliabilityMode;
namespace detail {
using tt_fabric::SetFabricConfig;
}
} // namespace tt::tt_metal
#endif
