// Stands in test_tiles.hpp.
#pragma once
#include <tt-metalium/test_tiles.hpp>
