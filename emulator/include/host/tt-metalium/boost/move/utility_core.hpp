// Names of Boost's that are those of the standard library, where that library is not installed.
#pragma once
#include <utility>

namespace boost {
using std::move, std::forward;
}
