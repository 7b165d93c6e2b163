// As trees of 2025 call it.
#pragma once
#include <umd/device/types/xy_pair.hpp>
