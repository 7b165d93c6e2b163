// Formats of elements, where trees of 2025 have them.
#pragma once
#include <tt-metalium/tt_backend_api_types.hpp>
