// As the header was called in 2025.
#pragma once
#include <llrt/rtoptions.hpp> // which tests find behind it
#include <umd/device/cluster_descriptor.hpp>
