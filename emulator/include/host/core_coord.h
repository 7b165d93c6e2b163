// As trees of early 2024 include it.
#pragma once
#include <common/core_coord.h>
