// Where trees before 2025 have it. Their headers bring along names of std.
#pragma once
#include <common/base.hpp>
#include <tt-metalium/tilize_untilize.hpp>
