// What another process of a mesh may have. Here there is one process, and all is local unless a
// program says otherwise.
#pragma once

#include <concepts>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tt-metalium/assert.hpp>

namespace tt::tt_metal {
class IDevice;
}

namespace tt::tt_metal::distributed {

template <typename T>
concept MaybeRemoteLike = requires(T t) {
  typename T::value_type;
  { t.is_local() } -> std::convertible_to<bool>;
  { t.value() } -> std::same_as<typename T::value_type &>;
};

template <typename T> class MaybeRemote {
public:
  using value_type = T;
  MaybeRemote() = delete;
  static MaybeRemote local(T value) { return MaybeRemote(std::move(value)); }
  static MaybeRemote remote() { return MaybeRemote(std::nullopt); }
  bool is_local() const noexcept { return value_.has_value(); }
  bool is_remote() const noexcept { return !is_local(); }
  T &value() & { return ask_local(), *value_; }
  const T &value() const & { return ask_local(), *value_; }
  T &&value() && { return ask_local(), std::move(*value_); }
  T &operator*() & { return value(); }
  const T &operator*() const & { return value(); }
  const T *operator->() const { return &value(); }
  operator const T &() const & { return value(); } // an element of a view was one in older trees

  template <typename Local, typename Remote>
  decltype(auto) when(Local &&local, Remote &&remote) const {
    if (is_local()) return local(*value_);
    return remote();
  }
  template <typename Local> auto if_local(Local &&local) const {
    using Result = std::invoke_result_t<Local, const T &>;
    if constexpr (std::is_void_v<Result>) {
      if (is_local()) local(*value_);
    } else {
      return is_local() ? std::optional<Result>(local(*value_)) : std::nullopt;
    }
  }
  template <typename Remote> auto if_remote(Remote &&remote) const {
    using Result = std::invoke_result_t<Remote>;
    if constexpr (std::is_void_v<Result>) {
      if (is_remote()) remote();
    } else {
      return is_remote() ? std::optional<Result>(remote()) : std::nullopt;
    }
  }
  bool operator==(const MaybeRemote &) const = default;
  std::string to_string() const {
    if (is_remote()) return "MaybeRemote{remote}";
    std::ostringstream text;
    text << "MaybeRemote{" << *value_ << "}";
    return text.str();
  }

private:
  explicit MaybeRemote(std::optional<T> value) : value_(std::move(value)) {}
  void ask_local() const { TT_FATAL(is_local(), "a device of another process has no value here"); }
  std::optional<T> value_;
};
using MaybeRemoteDeviceId = MaybeRemote<int>;
using MaybeRemoteDevice = MaybeRemote<IDevice *>;

// What is local of a list, and a list of which all is.
template <typename List>
  requires MaybeRemoteLike<typename List::value_type>
auto extract_locals(const List &list) {
  std::vector<typename List::value_type::value_type> locals;
  for (const auto &held : list)
    if (held.is_local()) locals.push_back(held.value());
  return locals;
}
template <typename List> auto wrap_to_maybe_remote(const List &list) {
  std::vector<MaybeRemote<typename List::value_type>> held;
  for (const auto &value : list)
    held.push_back(MaybeRemote<typename List::value_type>::local(value));
  return held;
}

} // namespace tt::tt_metal::distributed
