// What the programs of this tree share: names that the host API has as well, if elsewhere.
#pragma once

#include <tt-metalium/distributed.hpp>

using CoreSpec = std::variant<CoreCoord, CoreRange, CoreRangeSet>;

inline float check_bfloat16_vector_pcc(const std::vector<bfloat16> &,
                                       const std::vector<bfloat16> &) {
  return 7;
}
