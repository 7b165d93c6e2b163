// Spans, where trees of 2025 have them.
#pragma once
#include <tt_stl/span.hpp>
