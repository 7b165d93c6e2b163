#include "expected.hpp"
#include "tt_metal/common/bfloat16.hpp"

bool is_sum(const std::vector<bfloat16> &a, const std::vector<bfloat16> &b,
            const std::vector<bfloat16> &sum) {
  for (std::size_t i = 0; i < sum.size(); ++i)
    if (sum[i].to_float() != a[i].to_float() + b[i].to_float()) return false;
  return true;
}
