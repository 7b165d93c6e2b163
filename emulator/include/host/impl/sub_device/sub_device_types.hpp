// Where trees of 2024 have it.
#pragma once
#include <tt-metalium/sub_device_types.hpp>
