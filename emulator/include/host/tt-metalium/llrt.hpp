// Of the runtime's inside, where trees of January 2025 have it.
#pragma once
#include <llrt.hpp>
