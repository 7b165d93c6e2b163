// Buffers of a chip that is not emulated, so that programs which ask for the chip first compile.
#pragma once

#include <optional>

#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tile.hpp>

namespace tt::tt_metal::experimental::dfb {

enum class AccessPattern : uint8_t { STRIDED, BLOCKED };
struct DataflowBufferConfig {
  uint32_t entry_size = 0, num_entries = 0;
  uint16_t producer_risc_mask = 0;
  uint8_t num_producers = 1;
  AccessPattern pap = AccessPattern::STRIDED;
  uint16_t consumer_risc_mask = 0;
  uint8_t num_consumers = 1;
  AccessPattern cap = AccessPattern::STRIDED;
  bool enable_implicit_sync = false;
  tt::DataFormat data_format = tt::DataFormat::Float16_b;
  std::optional<Tile> tile = std::nullopt;
};
inline uint32_t CreateDataflowBuffer(Program &, const detail::AnyCores &,
                                     const DataflowBufferConfig &) {
  TT_THROW("dataflow buffers are Quasar's, which is not emulated");
}
inline void BindDataflowBufferToProducerConsumerKernels(Program &, uint32_t, KernelHandle,
                                                        KernelHandle) {
  TT_THROW("dataflow buffers are Quasar's, which is not emulated");
}

} // namespace tt::tt_metal::experimental::dfb
