// Where trees before 2025 have it.
#pragma once
#include <tt-metalium/test_tiles.hpp>
// Their header opens the namespace, and programs count on it.
using namespace std;
