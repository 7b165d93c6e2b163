// Where trees before 2025 have it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Arguments of a program, as `--name value`. Tests of 2025 have functions of their own of these
// names, which hide these.
namespace ttemu_test_args {
using Args = std::vector<std::string>;
inline bool has_command_option(const Args &args, const std::string &name) {
  return std::find(args.begin(), args.end(), name) != args.end();
}
inline std::string get_command_option(const Args &args, const std::string &name) {
  const auto at = std::find(args.begin(), args.end(), name);
  if (at == args.end() || at + 1 == args.end())
    throw std::runtime_error("expected the argument " + name);
  return *(at + 1);
}
inline std::string get_command_option(const Args &args, const std::string &name,
                                      const std::string &otherwise) {
  return has_command_option(args, name) ? get_command_option(args, name) : otherwise;
}
template <typename T> T get_number(const Args &args, const std::string &name, T otherwise) {
  if (!has_command_option(args, name)) return otherwise;
  const std::string text = get_command_option(args, name);
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(std::stod(text));
  else return static_cast<T>(std::stoll(text, nullptr, 0));
}
inline uint32_t get_command_option_uint32(const Args &args, const std::string &name,
                                          uint32_t otherwise = 0) {
  return get_number(args, name, otherwise);
}
inline int32_t get_command_option_int32(const Args &args, const std::string &name,
                                        int32_t otherwise = 0) {
  return get_number(args, name, otherwise);
}
inline double get_command_option_double(const Args &args, const std::string &name,
                                        double otherwise = 0) {
  return get_number(args, name, otherwise);
}

// The same, and the arguments without it.
inline Args without(const Args &args, const std::string &name, int words) {
  Args left = args;
  const auto at = std::find(left.begin(), left.end(), name);
  if (at != left.end()) left.erase(at, at + std::min<std::ptrdiff_t>(words, left.end() - at));
  return left;
}
inline std::pair<std::string, Args>
get_command_option_and_remaining_args(const Args &args, const std::string &name,
                                      const std::string &otherwise) {
  return {get_command_option(args, name, otherwise), without(args, name, 2)};
}
inline std::pair<uint32_t, Args>
get_command_option_uint32_and_remaining_args(const Args &args, const std::string &name,
                                             uint32_t otherwise = 0) {
  return {get_number(args, name, otherwise), without(args, name, 2)};
}
inline std::pair<uint64_t, Args>
get_command_option_uint64_and_remaining_args(const Args &args, const std::string &name,
                                             uint64_t otherwise = 0) {
  return {get_number(args, name, otherwise), without(args, name, 2)};
}
inline std::pair<int32_t, Args> get_command_option_int32_and_remaining_args(const Args &args,
                                                                            const std::string &name,
                                                                            int32_t otherwise = 0) {
  return {get_number(args, name, otherwise), without(args, name, 2)};
}
inline std::pair<double, Args> get_command_option_double_and_remaining_args(const Args &args,
                                                                            const std::string &name,
                                                                            double otherwise = 0) {
  return {get_number(args, name, otherwise), without(args, name, 2)};
}
inline std::pair<bool, Args> has_command_option_and_remaining_args(const Args &args,
                                                                   const std::string &name) {
  return {has_command_option(args, name), without(args, name, 1)};
}
inline void validate_remaining_args(const Args &args) {
  if (args.size() > 1) throw std::runtime_error("the argument " + args[1] + " is not known");
}
} // namespace ttemu_test_args

namespace test_args {
using namespace ttemu_test_args;
}
