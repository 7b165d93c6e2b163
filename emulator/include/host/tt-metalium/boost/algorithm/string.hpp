// What host tests take of Boost's functions on strings, where that library is not installed.
#pragma once
#include <algorithm>
#include <cctype>
#include <string>

namespace boost::algorithm {

template <typename Parts> std::string join(const Parts &parts, const std::string &between) {
  std::string all;
  bool is_first = true;
  for (const auto &part : parts) {
    if (!is_first) all += between;
    all += part, is_first = false;
  }
  return all;
}
inline void trim_left(std::string &text) {
  text.erase(text.begin(), std::find_if(text.begin(), text.end(),
                                        [](unsigned char c) { return !std::isspace(c); }));
}
inline void trim_right(std::string &text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
}
inline void trim(std::string &text) { trim_right(text), trim_left(text); }
inline std::string trim_copy(std::string text) { return trim(text), text; }
inline void to_lower(std::string &text) {
  for (char &c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
}
inline void to_upper(std::string &text) {
  for (char &c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
}
inline std::string to_lower_copy(std::string text) { return to_lower(text), text; }
inline std::string to_upper_copy(std::string text) { return to_upper(text), text; }
inline bool starts_with(const std::string &text, const std::string &start) {
  return text.starts_with(start);
}
inline bool ends_with(const std::string &text, const std::string &end) {
  return text.ends_with(end);
}
inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != text.npos;
}
inline void replace_all(std::string &text, const std::string &old, const std::string &now) {
  for (std::size_t at = 0; (at = text.find(old, at)) != text.npos; at += now.size())
    text.replace(at, old.size(), now);
}
// Characters at which a string is split.
inline auto is_any_of(std::string any) {
  return [any = std::move(any)](char c) { return any.find(c) != any.npos; };
}
template <typename Parts, typename Is>
Parts &split(Parts &parts, const std::string &text, const Is &is) {
  parts.clear();
  parts.emplace_back();
  for (const char c : text)
    if (is(c)) parts.emplace_back();
    else parts.back() += c;
  return parts;
}

} // namespace boost::algorithm

namespace boost {
using namespace algorithm;
}
