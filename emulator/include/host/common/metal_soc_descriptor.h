// Of the runtime's inside, where trees of 2024 have it.
#pragma once
#include <llrt/metal_soc_descriptor.hpp>
