// Block floats, by format, where trees of 2025 have them.
#pragma once
#include <impl/data_format/blockfloat_common.hpp>
