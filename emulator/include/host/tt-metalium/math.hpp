// Quotients that are rounded up, and multiples.
#pragma once

namespace tt {
template <typename A, typename B> constexpr auto div_up(A a, B b) { return (a + b - 1) / b; }
template <typename A, typename B> constexpr auto round_up(A a, B b) { return b * div_up(a, b); }
template <typename A, typename B> constexpr auto round_down(A a, B b) { return a / b * b; }
} // namespace tt
