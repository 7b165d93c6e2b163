// Of the runtime's inside, where trees of 2025 have it.
#pragma once
#include <impl/context/metal_context.hpp>
