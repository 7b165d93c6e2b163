// Where older trees, and tests of the newest, have it.
#pragma once
#include <tt-metalium/allocator.hpp>
