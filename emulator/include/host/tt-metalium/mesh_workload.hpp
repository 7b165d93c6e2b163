// Programs, and the part of a mesh that each is for.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/program.hpp>

namespace tt::tt_metal::distributed {

class MeshWorkload {
public:
  // In the order in which they were added, and found by what they are for.
  class Programs : public std::vector<std::pair<MeshCoordinateRange, Program>> {
  public:
    using Range = MeshCoordinateRange;
    auto find(const Range &range) {
      return std::find_if(begin(), end(), [&](const auto &p) { return p.first == range; });
    }
    auto find(const Range &range) const {
      return std::find_if(begin(), end(), [&](const auto &p) { return p.first == range; });
    }
    const Program &at(const Range &range) const {
      const auto found = find(range);
      TT_FATAL(found != end(), "the workload has no program for this part of the mesh");
      return found->second;
    }
    Program &at(const Range &range) {
      return const_cast<Program &>(static_cast<const Programs *>(this)->at(range));
    }
    Program &operator[](const Range &range) { return at(range); }
    bool contains(const Range &range) const { return find(range) != end(); }
  };
  void add_program(const MeshCoordinateRange &range, Program &&program) {
    for (const auto &[other, old] : *programs_)
      TT_FATAL(!other.intersects(range), "two programs of a workload are for one device");
    programs_->emplace_back(range, std::move(program));
  }
  Programs &get_programs() { return *programs_; }
  const Programs &get_programs() const { return *programs_; }
  // Of its first program, as all are alike where these are asked.
  template <typename Mesh>
  uint32_t get_sem_base_addr(const Mesh &mesh, const CoreCoord &core, CoreType type) const {
    return first().get_sem_base_addr(&mesh, core, type);
  }
  template <typename Mesh>
  uint32_t get_sem_size(const Mesh &mesh, const CoreCoord &core, CoreType type) const {
    return first().get_sem_size(&mesh, core, type);
  }
  template <typename Mesh>
  uint32_t get_cb_base_addr(const Mesh &mesh, const CoreCoord &core, CoreType type) const {
    return first().get_cb_base_addr(&mesh, core, type);
  }
  template <typename Mesh>
  uint32_t get_cb_size(const Mesh &mesh, const CoreCoord &core, CoreType type) const {
    return first().get_cb_size(&mesh, core, type);
  }
  // A trace keeps them.
  std::shared_ptr<Programs> shared() const { return programs_; }

private:
  const tt::tt_metal::detail::ProgramImpl &first() const {
    TT_FATAL(!programs_->empty(), "the workload has no program");
    return programs_->front().second.impl();
  }
  std::shared_ptr<Programs> programs_ = std::make_shared<Programs>();
};

} // namespace tt::tt_metal::distributed
