// As tests that search the runtime's folders include it.
#pragma once
#include <impl/context/metal_context.hpp>
