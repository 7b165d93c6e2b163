// Where trees before 2025 have it.
#pragma once
#include <chrono>
#include <iostream>
#include <string>
#include <utility>

// Prints how long it lived, in a unit of std::chrono.
template <typename Unit> class ScopedTimer {
public:
  explicit ScopedTimer(std::string name) : name_(std::move(name)) {}
  ~ScopedTimer() {
    const auto now = std::chrono::high_resolution_clock::now();
    std::cout << name_ << ": " << std::chrono::duration_cast<Unit>(now - start_).count() << '\n';
  }

private:
  std::string name_;
  std::chrono::time_point<std::chrono::high_resolution_clock> start_ =
      std::chrono::high_resolution_clock::now();
};
