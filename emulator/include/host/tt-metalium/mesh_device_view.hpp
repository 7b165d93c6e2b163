// Devices of a mesh by row, by column, and in lines and rings through it.
#pragma once

#include <vector>

#include <tt-metalium/device.hpp>
#include <tt-metalium/maybe_remote.hpp>
#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/shape2d.hpp>
// Trees of 2025 have these types elsewhere, and more of them.
#if !defined(TTEMU_API) || TTEMU_API >= 202603
#define TTEMU_FABRIC_NODES 1
#include <tt-metalium/experimental/fabric/fabric_types.hpp>
#endif

namespace tt::tt_metal::distributed {

class MeshDeviceView {
public:
  MeshDeviceView(const MeshShape &shape, const std::vector<IDevice *> &devices)
      : shape_(shape), devices_(devices) {
    TT_FATAL(shape.mesh_size() == devices.size(), "{} devices in a view of {}", devices.size(),
             shape.str());
    for (IDevice *device : devices_) held_.push_back(MaybeRemoteDevice::local(device));
  }
  const MeshShape &shape() const { return shape_; }
  bool empty() const { return devices_.empty(); }
  std::size_t size() const { return devices_.size(); }
  std::size_t num_devices() const { return size(); }
  auto begin() const { return held_.begin(); }
  auto end() const { return held_.end(); }
  bool contains(const MeshCoordinate &at) const { return MeshCoordinateRange(shape_).contains(at); }
  bool is_local(const MeshCoordinate &at) const { return contains(at); }
  MeshCoordinateRange get_local_mesh_coord_range() const { return MeshCoordinateRange(shape_); }
  IDevice *get_device(const MeshCoordinate &at) const {
    return contains(at) ? devices_[at.to_linear_index(shape_)] : nullptr;
  }
  std::vector<IDevice *> get_devices() const { return devices_; }
  std::vector<IDevice *> get_devices(const MeshCoordinateRange &range) const {
    std::vector<IDevice *> some;
    for (const MeshCoordinate &at : range) some.push_back(devices_.at(at.to_linear_index(shape_)));
    return some;
  }
  MeshCoordinate find_device(int id) const {
    for (const MeshCoordinate &at : MeshCoordinateRange(shape_))
      if (get_device(at)->id() == id) return at;
    TT_THROW("the view has no device {}", id);
    return MeshCoordinate(0);
  }

  bool is_mesh_2d() const { return shape_.dims() == 2; }
  std::size_t num_rows() const { return matrix()[0]; }
  std::size_t num_cols() const { return matrix()[1]; }
  std::vector<IDevice *> get_devices_on_row(std::size_t row) const {
    return get_devices(row_range(row));
  }
  std::vector<IDevice *> get_devices_on_column(std::size_t col) const {
    return get_devices(column_range(col));
  }
  // A line from `offset` on, along rows and back, as far as the mesh goes.
  static std::vector<MeshCoordinate> get_line_coordinates(std::size_t length, const Shape2D &mesh,
                                                          const Shape2D &offset) {
    TT_FATAL(length <= mesh.height() * mesh.width(), "a line of {} in a mesh of {} devices", length,
             mesh.height() * mesh.width());
    TT_FATAL(offset.height() < mesh.height() && offset.width() < mesh.width(),
             "a line starts outside of its mesh");
    std::vector<MeshCoordinate> line;
    std::size_t row = offset.height(), col = offset.width();
    bool right = true;
    while (line.size() < length) {
      line.emplace_back(uint32_t(row), uint32_t(col));
      if (right ? col + 1 < mesh.width() : col > 0) col = right ? col + 1 : col - 1;
      else row = (row + 1) % mesh.height(), right = !right;
    }
    return line;
  }
  std::vector<MeshCoordinate> get_line_coordinates() const {
    return get_line_coordinates(size(), {num_rows(), num_cols()}, {0, 0});
  }
  // Around the border of a rectangle, clockwise.
  static std::vector<MeshCoordinate> get_ring_coordinates(const Shape2D &ring,
                                                          const Shape2D &mesh) {
    TT_FATAL(ring.height() > 0 && ring.width() > 0 && ring.height() <= mesh.height() &&
                 ring.width() <= mesh.width(),
             "a ring of {}x{} in a mesh of {}x{}", ring.height(), ring.width(), mesh.height(),
             mesh.width());
    std::vector<MeshCoordinate> border;
    const uint32_t last_row = uint32_t(ring.height() - 1), last_col = uint32_t(ring.width() - 1);
    for (uint32_t col = 0; col <= last_col; ++col) border.emplace_back(0u, col);
    for (uint32_t row = 1; row <= last_row; ++row) border.emplace_back(row, last_col);
    for (uint32_t col = last_col; last_row > 0 && col-- > 0;) border.emplace_back(last_row, col);
    for (uint32_t row = last_row; last_col > 0 && row-- > 1;) border.emplace_back(row, 0u);
    return border;
  }
  std::vector<MeshCoordinate> get_ring_coordinates() const {
    const Shape2D all(num_rows(), num_cols());
    return get_ring_coordinates(all, all);
  }
  std::vector<IDevice *> get_line_devices() const { return at_all(get_line_coordinates()); }
  std::vector<IDevice *> get_ring_devices() const { return at_all(get_ring_coordinates()); }

#ifdef TTEMU_FABRIC_NODES
  MeshDeviceView(const MeshShape &shape, const std::vector<IDevice *> &devices,
                 const std::vector<tt_fabric::FabricNodeId> &nodes)
      : MeshDeviceView(shape, devices) {
    TT_FATAL(nodes.size() == devices.size(), "{} nodes of {} devices", nodes.size(),
             devices.size());
  }
  // All devices are of one mesh, and numbered as they stand in it.
  tt_fabric::MeshId mesh_id() const noexcept { return tt_fabric::MeshId(0); }
  tt_fabric::FabricNodeId get_fabric_node_id(const MeshCoordinate &at) const {
    TT_FATAL(contains(at), "{} is not in a mesh of {}", at, shape_.str());
    return tt_fabric::FabricNodeId(mesh_id(), uint32_t(at.to_linear_index(shape_)));
  }
  std::vector<tt_fabric::FabricNodeId> get_fabric_node_ids(const MeshCoordinateRange &range) const {
    std::vector<tt_fabric::FabricNodeId> nodes;
    for (const MeshCoordinate &at : range) nodes.push_back(get_fabric_node_id(at));
    return nodes;
  }
  std::vector<tt_fabric::FabricNodeId> get_fabric_node_ids() const {
    return get_fabric_node_ids(MeshCoordinateRange(shape_));
  }
  std::vector<tt_fabric::FabricNodeId> get_fabric_node_ids_on_row(std::size_t row) const {
    return get_fabric_node_ids(row_range(row));
  }
  std::vector<tt_fabric::FabricNodeId> get_fabric_node_ids_on_column(std::size_t col) const {
    return get_fabric_node_ids(column_range(col));
  }
  std::vector<tt_fabric::FabricNodeId> get_line_fabric_node_ids() const {
    return nodes_at_all(get_line_coordinates());
  }
  std::vector<tt_fabric::FabricNodeId> get_ring_fabric_node_ids() const {
    return nodes_at_all(get_ring_coordinates());
  }
#endif
  const MeshDeviceView &impl() const { return *this; }

private:
  MeshCoordinateRange row_range(std::size_t row) const {
    TT_FATAL(row < num_rows(), "row {} of a mesh of {}", row, shape_.str());
    return {MeshCoordinate(uint32_t(row), 0),
            MeshCoordinate(uint32_t(row), uint32_t(num_cols() - 1))};
  }
  MeshCoordinateRange column_range(std::size_t col) const {
    TT_FATAL(col < num_cols(), "column {} of a mesh of {}", col, shape_.str());
    return {MeshCoordinate(0, uint32_t(col)),
            MeshCoordinate(uint32_t(num_rows() - 1), uint32_t(col))};
  }
  const MeshShape &matrix() const {
    TT_FATAL(is_mesh_2d(), "a mesh of {} has no rows and columns", shape_.str());
    return shape_;
  }
  std::vector<IDevice *> at_all(const std::vector<MeshCoordinate> &coordinates) const {
    std::vector<IDevice *> some;
    for (const MeshCoordinate &at : coordinates) some.push_back(get_device(at));
    return some;
  }
#ifdef TTEMU_FABRIC_NODES
  std::vector<tt_fabric::FabricNodeId>
  nodes_at_all(const std::vector<MeshCoordinate> &coordinates) const {
    std::vector<tt_fabric::FabricNodeId> some;
    for (const MeshCoordinate &at : coordinates) some.push_back(get_fabric_node_id(at));
    return some;
  }
#endif
  MeshShape shape_;
  std::vector<IDevice *> devices_;
  std::vector<MaybeRemoteDevice> held_; // what a loop over the view gives
};

} // namespace tt::tt_metal::distributed
