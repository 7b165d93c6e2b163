// Of the driver, as trees of 2024 have it.
#pragma once
#include <umd/device/cluster_descriptor.hpp>

inline tt::ARCH detect_arch(int = 0) { return tt::get_arch_from_string(ttemu_arch()); }
