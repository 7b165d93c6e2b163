// Vectors of few elements; here they are as all others.
#pragma once

#include <cstddef>
#include <vector>

namespace ttsl {
template <typename T, std::size_t = 8> using SmallVector = std::vector<T>;
}
namespace tt::stl {
using ttsl::SmallVector;
}
