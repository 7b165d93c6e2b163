// Where trees before 2025 have it.
#pragma once
#include <tt-metalium/blockfloat_common.hpp>
// Its tree opens the namespace, and programs count on it.
using namespace std;
