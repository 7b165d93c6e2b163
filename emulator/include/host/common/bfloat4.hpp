// Where trees before 2025 have it.
#pragma once
#include <tt-metalium/bfloat4.hpp>
// Their header opens the namespace, and programs count on it.
using namespace std;
