// Where trees before 2025 have it.
#pragma once
#include <set>
#include <string>
#include <tt-metalium/core_coord.hpp>
#include <vector>
using std::pair;
