// Where trees before 2025 have it.
#pragma once
#include <magic_enum/magic_enum.hpp>
