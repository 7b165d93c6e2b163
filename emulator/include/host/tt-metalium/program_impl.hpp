// Programs, where trees of 2025 have them.
#pragma once
#include <tt-metalium/program.hpp>
