// Which cores launch programs. The emulated device needs none, so nothing depends on it.
#pragma once

#include <cstdint>
#include <optional>

namespace tt::tt_metal {

enum class DispatchCoreType : uint32_t { WORKER, ETH, COUNT };
enum class DispatchCoreAxis { ROW, COL, COUNT };

class DispatchCoreConfig {
public:
  DispatchCoreConfig(DispatchCoreType type = DispatchCoreType::WORKER) : type_(type) {}
  DispatchCoreConfig(DispatchCoreType type, DispatchCoreAxis axis) : type_(type), axis_(axis) {}
  DispatchCoreType get_dispatch_core_type() const { return type_; }
  void set_dispatch_core_type(DispatchCoreType type) { type_ = type; }
  DispatchCoreAxis get_dispatch_core_axis() const { return axis_.value_or(DispatchCoreAxis::ROW); }
  void set_dispatch_core_axis(DispatchCoreAxis axis) { axis_ = axis; }
  bool operator==(const DispatchCoreConfig &) const = default;

private:
  DispatchCoreType type_;
  std::optional<DispatchCoreAxis> axis_;
};

} // namespace tt::tt_metal
