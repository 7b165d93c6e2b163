// Numbers of chips.
#pragma once

namespace tt {
using ChipId = int;
namespace tt_metal {
using ChipId = int;
}
} // namespace tt
using chip_id_t = int;
