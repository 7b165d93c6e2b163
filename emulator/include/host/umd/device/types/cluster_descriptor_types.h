// As the header was called in 2025.
#pragma once
#include <umd/device/types/cluster_descriptor_types.hpp>
