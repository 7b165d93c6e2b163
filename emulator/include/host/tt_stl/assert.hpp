// Checks of host programs.
#pragma once
#include <tt-metalium/assert.hpp>
