// A mesh of devices, which programs and buffers are spread over.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tt-metalium/device.hpp>
#include <tt-metalium/dispatch_core_common.hpp>
#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/mesh_device_view.hpp>

namespace tt::tt_metal::distributed {

class MeshCommandQueue;
struct MeshState;

#if defined(TTEMU_API) && TTEMU_API < 202603
// Its parts were members, named where it is made, to March 2025, and are functions since.
struct MeshDeviceConfig {
  template <typename T> struct Part {
    Part() = default;
    template <typename From>
      requires std::is_constructible_v<T, From>
    Part(From &&from) : value(std::forward<From>(from)) {}
    const T &operator()() const { return value; }
    operator const T &() const { return value; }
    T value;
  };
  Part<std::optional<MeshShape>> mesh_shape;
  Part<std::optional<MeshCoordinate>> offset{};
  Part<std::vector<int>> physical_device_ids{};
};
#else
class MeshDeviceConfig {
public:
  MeshDeviceConfig(const std::optional<MeshShape> &shape,
                   const std::optional<MeshCoordinate> &offset = std::nullopt,
                   const std::vector<int> &ids = {})
      : shape_(shape), offset_(offset), ids_(ids) {}
  const std::optional<MeshShape> &mesh_shape() const { return shape_; }
  const std::optional<MeshCoordinate> &offset() const { return offset_; }
  const std::vector<int> &physical_device_ids() const { return ids_; }

private:
  std::optional<MeshShape> shape_;
  std::optional<MeshCoordinate> offset_;
  std::vector<int> ids_;
};
#endif

struct MeshTraceId {
  uint32_t id = 0;
  uint32_t operator*() const { return id; }
  bool operator==(const MeshTraceId &) const = default;
};

class MeshDevice : public IDevice, public std::enable_shared_from_this<MeshDevice> {
public:
  static std::shared_ptr<MeshDevice> create(const MeshDeviceConfig &config,
                                            std::size_t = DEFAULT_L1_SMALL_SIZE,
                                            std::size_t = DEFAULT_TRACE_REGION_SIZE,
                                            std::size_t queues = 1, const DispatchCoreConfig & = {},
                                            std::span<const uint32_t> = {},
                                            std::size_t = DEFAULT_WORKER_L1_SIZE);
  static std::shared_ptr<MeshDevice>
  create_unit_mesh(int device_id, std::size_t = DEFAULT_L1_SMALL_SIZE,
                   std::size_t = DEFAULT_TRACE_REGION_SIZE, std::size_t queues = 1,
                   const DispatchCoreConfig & = {}, std::span<const uint32_t> = {},
                   std::size_t = DEFAULT_WORKER_L1_SIZE);
  static std::map<int, std::shared_ptr<MeshDevice>>
  create_unit_meshes(const std::vector<int> &ids, std::size_t = DEFAULT_L1_SMALL_SIZE,
                     std::size_t = DEFAULT_TRACE_REGION_SIZE, std::size_t queues = 1,
                     const DispatchCoreConfig & = {}, std::span<const uint32_t> = {},
                     std::size_t = DEFAULT_WORKER_L1_SIZE) {
    std::map<int, std::shared_ptr<MeshDevice>> meshes;
    for (int id : ids) meshes[id] = create_unit_mesh(id, 0, 0, queues);
    return meshes;
  }
  ~MeshDevice() override { close(); }

  // What the runtime keeps behind a mesh has the functions of the mesh.
  MeshDevice &impl() { return *this; }
  const MeshDevice &impl() const { return *this; }

  const MeshShape &shape() const { return shape_; }
  std::size_t num_devices() const { return devices_.size(); }
  std::size_t num_rows() const { return shape_[0]; }
  std::size_t num_cols() const { return shape_[1]; }
  void reshape(const MeshShape &shape) {
    TT_FATAL(shape.mesh_size() == num_devices(), "{} devices have no shape of {}", num_devices(),
             shape.str());
    shape_ = shape;
  }
  std::vector<IDevice *> get_devices() const {
    std::vector<IDevice *> all;
    for (const auto &device : devices_) all.push_back(device.get());
    return all;
  }
  std::vector<int> get_device_ids() const {
    std::vector<int> all;
    for (const auto &device : devices_) all.push_back(device->id());
    return all;
  }
  IDevice *get_device(const MeshCoordinate &at) const {
    return devices_.at(at.to_linear_index(shape_)).get();
  }
  IDevice *get_device(std::size_t row, std::size_t col) const {
    return get_device(MeshCoordinate(uint32_t(row), uint32_t(col)));
  }
  IDevice *get_device(int id) const {
    for (const auto &device : devices_)
      if (device->id() == id) return device.get();
    TT_THROW("the mesh has no device {}", id);
    return nullptr;
  }
  MeshDeviceView get_view() const { return MeshDeviceView(shape_, get_devices()); }
  bool is_local(const MeshCoordinate &) const { return true; }
  bool is_parent_mesh() const { return !parent_; }
  const std::shared_ptr<MeshDevice> &get_parent_mesh() const { return parent_; }
  std::vector<std::shared_ptr<MeshDevice>> get_submeshes() const {
    std::vector<std::shared_ptr<MeshDevice>> all;
    for (const auto &part : parts_)
      if (auto held = part.lock()) all.push_back(held);
    return all;
  }
  std::shared_ptr<MeshDevice> get_mesh_device() { return shared_from_this(); }
  std::string to_string() const { return "MeshDevice(" + shape_.str() + ")"; }

  // A part of this mesh: the same devices.
  std::shared_ptr<MeshDevice>
  create_submesh(const MeshShape &shape,
                 const std::optional<MeshCoordinate> &offset = std::nullopt);
  std::vector<std::shared_ptr<MeshDevice>> create_submeshes(const MeshShape &shape);

  MeshCommandQueue &mesh_command_queue(std::optional<uint8_t> id = std::nullopt) const;
  MeshTraceId begin_mesh_trace(uint8_t queue);
  void begin_mesh_trace(uint8_t queue, const MeshTraceId &id);
  void end_mesh_trace(uint8_t queue, const MeshTraceId &id);
  void replay_mesh_trace(uint8_t queue, const MeshTraceId &id, bool blocking);
  void release_mesh_trace(const MeshTraceId &id);
  void quiesce_devices() {}
  bool close() override;
  MeshState &state() const { return *state_; }

private:
  MeshDevice(int id, const MeshShape &shape, std::vector<std::shared_ptr<IDevice>> devices);
  static std::shared_ptr<MeshDevice> make(const MeshShape &shape, const std::vector<int> &ids);
  MeshShape shape_;
  std::vector<std::shared_ptr<IDevice>> devices_;
  std::shared_ptr<MeshState> state_;
  std::shared_ptr<MeshDevice> parent_;
  std::vector<std::weak_ptr<MeshDevice>> parts_;
};

} // namespace tt::tt_metal::distributed
