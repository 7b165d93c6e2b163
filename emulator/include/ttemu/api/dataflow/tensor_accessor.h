// Tensors: where their pages and shards lie, and loops over them. Included by addresses.h.
#pragma once

#include <array>
#include <tuple>
#include <utility>

// Compile-time arguments of a tensor: its kind (1: sharded, 2: in DRAM), the size of its pages and,
// of a sharded one, how they lie (ttemu/kernel_calls.h).
template <uint32_t tOffset, uint32_t tCommonOffset = 0> struct TensorAccessorArgs {
  static constexpr uint32_t kind = ttemu::compile_arg(tOffset);
  static constexpr bool is_sharded = (kind & 1) != 0, is_dram = (kind & 2) != 0;
  static constexpr uint32_t AlignedPageSize = ttemu::compile_arg(tOffset + 1);
  static constexpr uint32_t get_aligned_page_size() { return AlignedPageSize; }
  static constexpr uint32_t get_rank() { return is_sharded ? ttemu::compile_arg(tOffset + 2) : 0; }
  static constexpr uint32_t get_num_banks() {
    return is_sharded ? ttemu::compile_arg(tOffset + 3) : 0;
  }
  static constexpr uint32_t num_compile_time_args() {
    return is_sharded ? 4 + 2 * get_rank() + get_num_banks() : 2;
  }
  static constexpr uint32_t next_compile_time_args_offset() {
    return tOffset + num_compile_time_args();
  }
  static constexpr uint32_t num_common_runtime_args() { return 0; }
  static constexpr uint32_t next_common_runtime_args_offset() { return tCommonOffset; }
  static constexpr uint32_t crta_offset() { return tCommonOffset; }
  static constexpr const uint32_t *shards() {
    return is_sharded ? ttemu::compile_args + 1 + tOffset + 2 : nullptr;
  }
  constexpr TensorAccessorArgs() = default;
  constexpr explicit TensorAccessorArgs(uint32_t) {}
};

namespace tensor_accessor {
inline constexpr uint32_t MAX_RANK = 8;

// How a sharded tensor is cut: shapes in pages, strides of row-major order, shards by number on
// banks in turn (ttemu/kernel_calls.h has the order of the words). An interleaved one has no shape
// here. Tensors that lie alike are of one type, wherever their arguments stand.
template <bool tDram, uint32_t... tWords> struct DistributionSpec {
  static constexpr uint32_t words[] = {tWords..., 0};
  static constexpr bool is_static = true, has_static_rank = true, has_static_num_banks = true;
  static constexpr bool is_interleaved = sizeof...(tWords) == 0, is_dram = tDram;
  static constexpr bool tensor_shape_static = !is_interleaved, shard_shape_static = !is_interleaved;
  static constexpr uint32_t rank_ct = is_interleaved ? 0 : words[0];
  static constexpr uint32_t num_banks_ct = is_interleaved ? 0 : words[!is_interleaved];
  using Shape = std::array<uint32_t, rank_ct>;

  static constexpr const uint32_t *shards() { return is_interleaved ? nullptr : words; }

  static constexpr uint32_t rank() { return rank_ct; }
  static constexpr uint32_t num_banks() { return num_banks_ct; }
  static constexpr Shape tensor_shape() { return shape_at(2); }
  static constexpr Shape shard_shape() { return shape_at(2 + rank_ct); }
  static constexpr Shape shard_grid() {
    Shape grid{};
    for (uint32_t d = 0; d < rank_ct; ++d)
      grid[d] = (tensor_shape()[d] + shard_shape()[d] - 1) / shard_shape()[d];
    return grid;
  }
  static constexpr Shape tensor_strides() { return strides(tensor_shape()); }
  static constexpr Shape shard_strides() { return strides(shard_shape()); }
  static constexpr Shape shard_grid_strides() { return strides(shard_grid()); }
  static constexpr uint32_t tensor_volume() { return volume(tensor_shape()); }
  static constexpr uint32_t shard_volume() { return volume(shard_shape()); }

private:
  static constexpr Shape shape_at(uint32_t first) {
    Shape shape{};
    for (uint32_t d = 0; d < rank_ct; ++d) shape[d] = words[first + d];
    return shape;
  }
  static constexpr uint32_t volume(const Shape &shape) {
    uint32_t n = 1;
    for (uint32_t size : shape) n *= size;
    return n;
  }
  static constexpr Shape strides(const Shape &shape) {
    Shape stride{};
    uint32_t n = 1;
    for (uint32_t d = rank_ct; d-- > 0; n *= shape[d]) stride[d] = n;
    return stride;
  }
};

template <typename Args, uint32_t... tIndex>
DistributionSpec<Args::is_dram, Args::shards()[tIndex]...>
    spec_of(std::integer_sequence<uint32_t, tIndex...>);
template <uint32_t tOffset, uint32_t tCommon, typename Args = TensorAccessorArgs<tOffset, tCommon>>
using SpecOf = decltype(spec_of<Args>(
    std::make_integer_sequence<uint32_t, Args::num_compile_time_args() - 2>()));

// A page of a tensor, as loops over pages give it.
class Page {
public:
  constexpr Page(uint64_t address, uint32_t id) : address_(address), id_(id) {}
  constexpr uint64_t noc_addr() const { return address_; }
  constexpr uint32_t page_id() const { return id_; }

private:
  uint64_t address_;
  uint32_t id_;
};

// Numbers from one up to another, of which `Order` makes pages, and skips some.
template <typename Order> class PageIterator {
public:
  PageIterator(const Order &order, uint32_t at, uint32_t last)
      : order_(order), at_(at), last_(last) {
    settle(1);
  }
  uint32_t page_id() const { return page_.page_id(); }
  const Page &operator*() const { return page_; }
  const Page *operator->() const { return &page_; }
  PageIterator &operator+=(int32_t steps) {
    at_ += static_cast<uint32_t>(steps);
    settle(static_cast<uint32_t>(steps));
    return *this;
  }
  PageIterator &operator++() { return *this += 1; }
  PageIterator operator++(int) {
    PageIterator old = *this;
    ++*this;
    return old;
  }
  PageIterator operator+(int32_t steps) const {
    PageIterator later = *this;
    return later += steps;
  }
  Page operator[](int32_t steps) const { return *(*this + steps); }
  bool operator==(const PageIterator &other) const { return at_ == other.at_; }
  auto operator<=>(const PageIterator &other) const { return at_ <=> other.at_; }

private:
  void settle(uint32_t steps) {
    while (at_ < last_ && !order_.has(at_)) at_ += steps;
    at_ = at_ < last_ ? at_ : last_;
    if (at_ < last_) page_ = order_.page(at_);
  }
  Order order_;
  uint32_t at_, last_;
  Page page_{0, 0};
};

template <typename Order> struct PagesFromTo {
  using iterator = PageIterator<Order>;
  Order order;
  uint32_t first, last;
  iterator begin() const { return {order, first, last}; }
  iterator end() const { return {order, last, last}; }
  iterator cbegin() const { return begin(); }
  iterator cend() const { return end(); }
};

// All pages of a tensor, by number.
template <typename Tensor> struct PagesInOrder {
  const Tensor *tensor;
  bool has(uint32_t) const { return true; }
  Page page(uint32_t id) const { return {tensor->get_noc_addr(id), id}; }
};

// The pages of a shard as they lie there; what sticks out of the tensor is left out.
template <typename Tensor> struct PagesOfShard {
  using DSpec = typename Tensor::DSpec;
  const Tensor *tensor;
  uint32_t shard;
  uint64_t address;
  bool has(uint32_t offset) const { return id_of(offset) != outside; }
  Page page(uint32_t offset) const {
    return {address + offset * tensor->get_aligned_page_size(), id_of(offset)};
  }

private:
  static constexpr uint32_t outside = ~uint32_t{0};
  uint32_t id_of(uint32_t offset) const {
    uint32_t id = 0;
    for (uint32_t d = 0; d < DSpec::rank(); ++d) {
      const uint32_t size = DSpec::shard_shape()[d];
      const uint32_t at = shard / DSpec::shard_grid_strides()[d] % DSpec::shard_grid()[d] * size +
                          offset / DSpec::shard_strides()[d] % size;
      if (at >= DSpec::tensor_shape()[d]) return outside;
      id += at * DSpec::tensor_strides()[d];
    }
    return id;
  }
};
} // namespace tensor_accessor

template <typename DSpecT> class TensorAccessor {
public:
  using DSpec = DSpecT;
  static constexpr bool is_dram = DSpec::is_dram;
  template <uint32_t tOffset, uint32_t tCommon>
  constexpr TensorAccessor(
      const TensorAccessorArgs<tOffset, tCommon> &, uint32_t address,
      uint32_t page_bytes = TensorAccessorArgs<tOffset, tCommon>::get_aligned_page_size())
      : page_bytes(page_bytes), address(address) {}
  static constexpr DSpec dspec() { return {}; }
  ttemu_page page(uint32_t id) const {
    return {address, id, page_bytes, DSpec::is_dram, DSpec::shards()};
  }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_noc_address(page(id), offset, 0, line);
  }
  template <typename Coordinates>
    requires requires(const Coordinates &c) { c[0]; }
  uint64_t get_noc_addr(const Coordinates &at, uint32_t offset = 0, uint8_t = noc_index,
                        TTEMU_LINE) const {
    uint32_t id = 0;
    for (uint32_t d = 0; d < DSpec::rank(); ++d) id += at[d] * DSpec::tensor_strides()[d];
    return ttemu_noc_address(page(id), offset, 0, line);
  }
  uint64_t get_shard_noc_addr(uint32_t shard, uint32_t offset = 0, uint8_t = noc_index,
                              TTEMU_LINE) const {
    static_assert(!DSpec::is_interleaved, "only a sharded tensor has shards");
    return ttemu_shard_address(page(0), shard, line) + offset;
  }
  // What a page takes of its bank.
  uint32_t get_aligned_page_size() const { return ttemu_aligned_page(DSpec::is_dram, page_bytes); }
  constexpr uint32_t get_bank_base_address() const { return address; }
  bool is_local_addr(uint64_t noc, uint8_t = noc_index) const { return ttemu_is_local(noc); }
  bool is_local_bank(uint32_t x, uint32_t y, uint8_t = noc_index) const {
    return ttemu_is_local(ttemu::corner(x, y) << 32);
  }
  bool is_local_page(uint32_t id, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_is_local(get_noc_addr(id, 0, noc_index, line));
  }
  bool is_local_shard(uint32_t shard, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_is_local(get_shard_noc_addr(shard, 0, noc_index, line));
  }
  uint32_t shard_bytes() const { return DSpec::shard_volume() * get_aligned_page_size(); }
  // From a page on to one before another, or to the last.
  auto pages(uint32_t first, uint32_t last, uint8_t = noc_index) const {
    using Order = tensor_accessor::PagesInOrder<TensorAccessor>;
    return tensor_accessor::PagesFromTo<Order>{{this}, first, last};
  }
  auto pages(uint32_t first = 0) const {
    static_assert(!DSpec::is_interleaved, "how many pages an interleaved tensor has is not known");
    return pages(first, DSpec::tensor_volume());
  }
  auto shard_pages(uint32_t shard, uint32_t first = 0, uint32_t last = 0, uint8_t = noc_index,
                   TTEMU_LINE) const {
    using Order = tensor_accessor::PagesOfShard<TensorAccessor>;
    return tensor_accessor::PagesFromTo<Order>{
        {this, shard, get_shard_noc_addr(shard, 0, noc_index, line)},
        first,
        last ? last : DSpec::shard_volume()};
  }
  const uint32_t page_bytes;

private:
  const uint32_t address;
};
template <uint32_t tOffset, uint32_t tCommon>
TensorAccessor(const TensorAccessorArgs<tOffset, tCommon> &, uint32_t)
    -> TensorAccessor<tensor_accessor::SpecOf<tOffset, tCommon>>;
template <uint32_t tOffset, uint32_t tCommon>
TensorAccessor(const TensorAccessorArgs<tOffset, tCommon> &, uint32_t, uint32_t)
    -> TensorAccessor<tensor_accessor::SpecOf<tOffset, tCommon>>;

// The pages of a tensor, and its shards, by number.
template <typename Accessor> struct PageView {
  explicit PageView(const Accessor &a) : accessor(a) {}
  uint64_t get_noc_addr(uint32_t id, uint32_t offset, uint8_t noc, TTEMU_LINE) const {
    return accessor.get_noc_addr(id, offset, noc, line);
  }
  const Accessor &accessor;
};
template <typename Accessor> struct ShardView {
  explicit ShardView(const Accessor &a) : accessor(a) {}
  bool is_local_shard(uint32_t id, uint8_t noc, TTEMU_LINE) const {
    return accessor.is_local_shard(id, noc, line);
  }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset, uint8_t noc, TTEMU_LINE) const {
    return accessor.get_shard_noc_addr(id, offset, noc, line);
  }
  const Accessor &accessor;
};

// A tensor of any kind, so that tensors of several kinds fit into an array.
class AbstractTensorAccessorWrapper {
public:
  AbstractTensorAccessorWrapper() = default;
  template <typename DSpec>
  AbstractTensorAccessorWrapper(const TensorAccessor<DSpec> &tensor)
      : tensor_(&tensor), page_([](const void *t, uint32_t id) {
          return static_cast<const TensorAccessor<DSpec> *>(t)->page(id);
        }) {}
  ttemu_page page(uint32_t id) const { return page_(tensor_, id); }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t = noc_index, TTEMU_LINE) const {
    return ttemu_noc_address(page(id), offset, 0, line);
  }

private:
  const void *tensor_ = nullptr;
  ttemu_page (*page_)(const void *, uint32_t) = nullptr;
};

// The arguments of several tensors, one after the other, and the tensors.
namespace ttemu {
template <uint32_t tIndex, uint32_t tOffset> constexpr uint32_t offset_of_tensor() {
  if constexpr (tIndex == 0) return tOffset;
  else
    return TensorAccessorArgs<
        offset_of_tensor<tIndex - 1, tOffset>()>::next_compile_time_args_offset();
}
template <uint32_t tOffset, uint32_t... tIndex>
constexpr auto tensors_of(std::integer_sequence<uint32_t, tIndex...>) {
  return std::make_tuple(TensorAccessorArgs<offset_of_tensor<tIndex, tOffset>()>()...);
}
template <typename... Args, std::size_t... tIndex>
auto accessors_of(const std::tuple<Args...> &args, uint32_t first, uint32_t page_bytes_first,
                  std::index_sequence<tIndex...>) {
  return std::make_tuple(TensorAccessor(
      std::get<tIndex>(args), get_arg_val<uint32_t>(static_cast<int>(first + tIndex)),
      ttemu::compile_arg(static_cast<uint32_t>(page_bytes_first + tIndex)))...);
}
} // namespace ttemu
template <uint32_t tTensors, uint32_t tOffset> constexpr auto make_tensor_accessor_args_tuple() {
  return ttemu::tensors_of<tOffset>(std::make_integer_sequence<uint32_t, tTensors>());
}
template <typename... Args>
auto make_tensor_accessor_tuple(const std::tuple<Args...> &args, uint32_t first,
                                uint32_t page_bytes_first) {
  return ttemu::accessors_of(args, first, page_bytes_first, std::index_sequence_for<Args...>());
}
template <typename... Tensors>
auto make_abstract_tensor_accessor_wrappers(const std::tuple<Tensors...> &tensors) {
  return std::apply(
      [](const Tensors &...t) {
        return std::array<AbstractTensorAccessorWrapper, sizeof...(Tensors)>{t...};
      },
      tensors);
}
