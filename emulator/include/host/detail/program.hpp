// Where trees before 2025 have it.
#pragma once
#include <tt-metalium/host_api.hpp>
