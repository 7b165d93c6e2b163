// As trees of 2025 call it.
#pragma once
#include <umd/device/types/core_coordinates.hpp>
