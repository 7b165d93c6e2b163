// Checks and logs, where trees of 2025 have them.
#pragma once
#include <tt-metalium/logger.hpp>
