// Options of the runtime, where trees of 2025 have them.
#pragma once
#include <llrt/rtoptions.hpp>
