// Where trees of the end of 2024 have it.
#pragma once
#include <tt-metalium/program.hpp>
