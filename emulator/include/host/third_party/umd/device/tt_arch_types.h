// Where trees before 2025 have it.
#pragma once
#include <umd/device/types/arch.hpp>
