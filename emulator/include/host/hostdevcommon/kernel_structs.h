// Names of circular buffers.
#pragma once

#include <cstdint>

namespace tt {

enum CBIndex : std::uint8_t {
#include "ttemu/cb_index.def"
};
// The older names of the same.
enum CB : std::uint8_t {
#include "ttemu/cb_purpose.def"
};

enum HlkOperand : std::uint8_t {
#include "ttemu/operands.def"
};

} // namespace tt
