// Where trees before 2025 have it.
#pragma once
#include <array>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <tt-metalium/assert.hpp>
#include <unordered_map>
#include <vector>
// Its tree opens the namespace, and programs count on it.
using namespace std;
