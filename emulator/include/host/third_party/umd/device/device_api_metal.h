// Where trees before 2025 have it.
#pragma once
#include <umd/device/device_api_metal.h>
#include <umd/device/tt_xy_pair.h>
#include <umd/device/types/arch.hpp>
