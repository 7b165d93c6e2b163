// Where trees of 2025 have it.
#pragma once
#include <llrt/tt_memory.h>
