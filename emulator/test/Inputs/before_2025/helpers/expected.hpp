// What the sum of the tiles is to be; its source stands beside this header.
#pragma once
#include <vector>
class bfloat16;
bool is_sum(const std::vector<bfloat16> &a, const std::vector<bfloat16> &b,
            const std::vector<bfloat16> &sum);
