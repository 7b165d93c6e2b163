// As the header was called in September 2025.
#pragma once
#include <umd/device/cluster_descriptor.hpp>
