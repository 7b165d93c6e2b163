// Spans.
#pragma once
#include <span>
namespace ttsl {
template <typename T> using Span = std::span<T>;
}
namespace tt::stl {
template <typename T> using Span = std::span<T>;
}
