// Where trees before 2025 have it. Their headers bring along names of std.
#pragma once
#include <common/base.hpp>
#include <tt-metalium/tt_metal.hpp>
#if defined(TTEMU_API) && TTEMU_API < 202603
#include <impl/context/metal_context.hpp> // which they bring along, too
#endif
