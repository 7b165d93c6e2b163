// The chip, where trees of 2025 have them.
#pragma once
#include <tt-metalium/hal.hpp>
