// As the header was called to the middle of 2025.
#pragma once
#include <umd/device/cluster_descriptor.hpp>
