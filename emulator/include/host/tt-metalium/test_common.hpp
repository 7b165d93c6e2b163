// Where trees before 2025 have it.
#pragma once
#include <common/test_common.hpp>
