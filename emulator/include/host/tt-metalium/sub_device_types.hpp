// Names of sub-devices.
#pragma once

#include <cstdint>

namespace tt::tt_metal {

struct SubDeviceId {
  uint8_t id = 0;
  constexpr SubDeviceId() = default;
  constexpr explicit SubDeviceId(uint8_t n) : id(n) {}
  constexpr uint8_t operator*() const { return id; }
  constexpr bool operator==(const SubDeviceId &) const = default;
  constexpr auto operator<=>(const SubDeviceId &) const = default;
};
struct SubDeviceManagerId {
  uint64_t id = 0;
  constexpr uint64_t operator*() const { return id; }
  constexpr bool operator==(const SubDeviceManagerId &) const = default;
};

} // namespace tt::tt_metal
