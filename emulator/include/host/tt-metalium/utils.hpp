// What programs take from the runtime: lists from text, and hashes.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>
using std::string, std::cout, std::endl;

namespace tt::utils {
template <typename T> void hash_combine(std::size_t &seed, const T &value) {
  seed ^= std::hash<T>{}(value) + 0x9e3779b9 + (seed << 6) + (seed >> 2);
}
inline std::vector<std::string> strsplit(const std::string &text, char at) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == at) parts.emplace_back();
    else parts.back() += c;
  return parts;
}
inline const std::string &get_reports_dir() {
  static const std::string folder = "generated/reports/";
  return folder;
}
} // namespace tt::utils
