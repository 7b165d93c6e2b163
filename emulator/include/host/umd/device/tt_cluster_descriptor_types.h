// As trees of 2024 call it.
#pragma once
#include <umd/device/types/cluster_descriptor_types.hpp>
