// Pairs of coordinates.
#pragma once
#include <umd/device/types/xy_pair.hpp>
