// Options of the runtime, of which the emulated device has none.
#pragma once
#include <impl/context/metal_context.hpp>
