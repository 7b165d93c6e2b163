// What tt-run compiles once for all host programs that include these themselves.
#pragma once

#include <tt-metalium/host_api.hpp>

#include <tt-metalium/distributed.hpp>
