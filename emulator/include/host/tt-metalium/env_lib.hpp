// Variables of the environment.
#pragma once
#include <cstdlib>
#include <string>

namespace tt {
// A variable of the environment, or what stands for it.
template <typename T> T parse_env(const char *name, const T &otherwise) {
  const char *text = std::getenv(name);
  if (!text) return otherwise;
  if constexpr (std::is_same_v<T, std::string>) return text;
  else if constexpr (std::is_same_v<T, bool>) return std::atoi(text) != 0;
  else return static_cast<T>(std::strtoull(text, nullptr, 0));
}
} // namespace tt
