// Programs, and the part of a mesh that each is for.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <tt-metalium/mesh_coord.hpp>
#include <tt-metalium/program.hpp>

namespace tt::tt_metal::distributed {

class MeshWorkload {
public:
  using Programs = std::vector<std::pair<MeshCoordinateRange, Program>>;
  void add_program(const MeshCoordinateRange &range, Program &&program) {
    for (const auto &[other, old] : *programs_)
      TT_FATAL(!other.intersects(range), "two programs of a workload are for one device");
    programs_->emplace_back(range, std::move(program));
  }
  Programs &get_programs() { return *programs_; }
  const Programs &get_programs() const { return *programs_; }
  // A trace keeps them.
  std::shared_ptr<Programs> shared() const { return programs_; }

private:
  std::shared_ptr<Programs> programs_ = std::make_shared<Programs>();
};

} // namespace tt::tt_metal::distributed
