// What the chip has.
#pragma once

#include <limits>
#include <string>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>
#include <umd/device/cluster_descriptor.hpp>

namespace tt::tt_metal {

#if defined(TTEMU_API) && TTEMU_API < 202603
// To March 2025 there was an object of this name, too (impl/context/metal_context.hpp).
struct hal {
#else
namespace hal {
#endif
  static inline tt::ARCH get_arch() { return tt::get_arch_from_string(ttemu_arch()); }
  static inline std::string get_arch_name() { return ttemu_arch(); }
  static inline uint32_t get_l1_size() { return ttemu_l1_base() + ttemu_l1_bytes(); }
  static inline uint32_t get_dram_alignment() { return ttemu_aligned_page(true, 1); }
  static inline uint32_t get_l1_alignment() { return ttemu_aligned_page(false, 1); }
  static inline uint32_t get_max_worker_l1_unreserved_size() { return ttemu_l1_bytes(); }
  static inline uint32_t get_arch_num_circular_buffers() { return ttemu_num_cbs(); }
  static inline uint32_t get_pcie_alignment() { return get_dram_alignment(); }
  // There are no ethernet cores.
  static inline uint32_t get_erisc_l1_unreserved_base() { return 0; }
  static inline uint32_t get_erisc_l1_unreserved_size() { return 0; }
  static inline float get_eps() { return std::numeric_limits<float>::epsilon(); }
  static inline float get_inf() { return std::numeric_limits<float>::infinity(); }
  static inline float get_nan() { return std::numeric_limits<float>::quiet_NaN(); }
#if defined(TTEMU_API) && TTEMU_API < 202603
};
#else
} // namespace hal
#endif

} // namespace tt::tt_metal

#if defined(TTEMU_API) && TTEMU_API < 202603
#include <impl/context/metal_context.hpp>
#endif
