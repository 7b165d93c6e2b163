// As the header was called to the middle of 2025.
#pragma once
#include <llrt/metal_soc_descriptor.hpp>
