// Which core or bank has which shard of a buffer: what accessors of kernels read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tt-metalium/assert.hpp>
#include <tt-metalium/buffer_types.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/shape.hpp>
#include <tt-metalium/shape2d.hpp>

namespace tt::tt_metal {

class BufferDistributionSpec {
public:
  // Sizes in pages. Shards go to the cores in turn, or (GRID_2D) each row of shards to a row of
  // cores.
  BufferDistributionSpec(
      const Shape &tensor, const Shape &shard, const CoreRangeSet &cores, ShardOrientation order,
      ShardDistributionStrategy strategy = ShardDistributionStrategy::ROUND_ROBIN_1D)
      : BufferDistributionSpec(tensor, shard, cores_of(tensor, shard, cores, order, strategy)) {}
  BufferDistributionSpec(const Shape &tensor, const Shape &shard, std::vector<CoreCoord> cores)
      : tensor_(tensor), shard_(shard), cores_(std::move(cores)) {
    TT_FATAL(tensor.rank() >= 1 && shard.rank() >= 1,
             "tensor and shard have one dimension or more");
    TT_FATAL(shard.volume() != 0, "a shard has a page or more in each dimension");
    TT_FATAL(!cores_.empty(), "shards need a core");
    with_one_rank();
  }
  // Sizes in elements.
  static BufferDistributionSpec
  from_shard_spec(const Shape &tensor, const Shape &shard, const Shape2D &page,
                  const CoreRangeSet &cores, ShardOrientation order,
                  ShardDistributionStrategy strategy = ShardDistributionStrategy::ROUND_ROBIN_1D) {
    return {in_pages(tensor, page), in_pages(shard, page), cores, order, strategy};
  }
  const Shape &tensor_shape_in_pages() const { return tensor_; }
  const Shape &shard_shape_in_pages() const { return shard_; }
  const std::vector<CoreCoord> &cores() const { return cores_; }
  std::size_t num_cores() const { return cores_.size(); }
  std::size_t num_cores_with_data() const { return std::min(num_cores(), num_shards()); }
  std::size_t num_shards() const {
    std::size_t n = 1;
    for (std::size_t d = 0; d < tensor_.rank(); ++d) n *= (tensor_[d] + shard_[d] - 1) / shard_[d];
    return n;
  }
  std::size_t max_num_shards_per_core() const {
    return (num_shards() + num_cores() - 1) / num_cores();
  }
  std::size_t max_num_dev_pages_per_core() const {
    return max_num_shards_per_core() * shard_.volume();
  }

private:
  static Shape in_pages(Shape shape, const Shape2D &page) {
    const int32_t rank = static_cast<int32_t>(shape.rank());
    if (rank >= 1) shape[-1] = (shape[-1] + page.width() - 1) / page.width();
    if (rank >= 2) shape[-2] = (shape[-2] + page.height() - 1) / page.height();
    return shape;
  }
  static std::vector<CoreCoord> cores_of(const Shape &tensor, const Shape &shard,
                                         const CoreRangeSet &cores, ShardOrientation order,
                                         ShardDistributionStrategy strategy) {
    const bool rows = order == ShardOrientation::ROW_MAJOR;
    if (strategy == ShardDistributionStrategy::ROUND_ROBIN_1D)
      return corerange_to_cores(cores, std::nullopt, rows);
    TT_FATAL(shard.rank() == 2 && cores.ranges().size() == 1,
             "GRID_2D takes shards of two dimensions and one rectangle of cores");
    uint64_t across = (tensor[-1] + shard[-1] - 1) / shard[-1],
             down = (tensor.volume() / tensor[-1] + shard[-2] - 1) / shard[-2];
    if (!rows) std::swap(across, down);
    const CoreRange all = cores.ranges()[0];
    const CoreCoord last(all.start_coord.x + across - 1, all.start_coord.y + down - 1);
    TT_FATAL(last.x <= all.end_coord.x && last.y <= all.end_coord.y,
             "{}x{} shards need as large a grid of cores", down, across);
    return corerange_to_cores(CoreRange(all.start_coord, last), std::nullopt, rows);
  }
  // Both have as many dimensions: what the tensor has more are of one page in a shard, and what
  // the shard has more are one.
  void with_one_rank() {
    Shape::Container tensor(tensor_.begin(), tensor_.end()), shard(shard_.begin(), shard_.end());
    const std::size_t rank = std::max(tensor.size(), shard.size());
    tensor.insert(tensor.begin(), rank - tensor.size(), 1);
    shard.insert(shard.begin(), rank - shard.size(), 1);
    tensor_ = Shape(std::move(tensor)), shard_ = Shape(std::move(shard));
  }
  Shape tensor_, shard_;
  std::vector<CoreCoord> cores_;
};

} // namespace tt::tt_metal
