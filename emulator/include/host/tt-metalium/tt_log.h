// What host programs log, where trees of 2025 have it.
#pragma once
#include <tt-metalium/logger.hpp>
