// Sizes of tiles; they stand in host_api.hpp.
#pragma once
#include <tt-metalium/host_api.hpp>
