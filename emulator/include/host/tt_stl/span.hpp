// Spans.
#pragma once
#include <span>
#include <vector>
namespace ttsl {
template <typename T> using Span = std::span<T>;
template <typename T> std::span<const T> make_const_span(const std::vector<T> &v) { return v; }
template <typename T> std::span<T> make_span(std::vector<T> &v) { return v; }
} // namespace ttsl
namespace tt::stl {
using ttsl::Span, ttsl::make_const_span, ttsl::make_span;
}
