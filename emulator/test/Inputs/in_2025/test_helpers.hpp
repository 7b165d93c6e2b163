// Arguments, as tests have them themselves since the middle of 2025.
#pragma once
#include <string>
#include <vector>

namespace test_args {
inline bool has_command_option(const std::vector<std::string> &, const std::string &) {
  return true;
}
inline std::string get_command_option(const std::vector<std::string> &args,
                                      const std::string &name) {
  return has_command_option(args, name) ? "own " + args.back() : "";
}
inline std::string get_option(const std::vector<std::string> &args, const std::string &name) {
  return get_command_option(args, name);
}
} // namespace test_args
