// What every kernel of a kind has of the standard library, by the headers that come before it: one
// file, which the device compiles once for all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#ifndef TTEMU_COMPUTE
#include <tuple>
#endif
