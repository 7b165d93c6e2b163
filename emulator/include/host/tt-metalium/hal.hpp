// What the chip has.
#pragma once

#include <limits>
#include <string>

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>
#include <umd/device/cluster_descriptor.hpp>

namespace tt::tt_metal::hal {
inline tt::ARCH get_arch() { return tt::get_arch_from_string(ttemu_arch()); }
inline std::string get_arch_name() { return ttemu_arch(); }
inline uint32_t get_l1_size() { return ttemu_l1_base() + ttemu_l1_bytes(); }
inline uint32_t get_dram_alignment() { return ttemu_aligned_page(true, 1); }
inline uint32_t get_l1_alignment() { return ttemu_aligned_page(false, 1); }
inline uint32_t get_max_worker_l1_unreserved_size() { return ttemu_l1_bytes(); }
inline uint32_t get_arch_num_circular_buffers() { return ttemu_num_cbs(); }
inline uint32_t get_pcie_alignment() { return get_dram_alignment(); }
inline uint32_t get_erisc_l1_unreserved_base() { return 0; } // there are no ethernet cores
inline uint32_t get_erisc_l1_unreserved_size() { return 0; }
inline float get_eps() { return std::numeric_limits<float>::epsilon(); }
inline float get_inf() { return std::numeric_limits<float>::infinity(); }
inline float get_nan() { return std::numeric_limits<float>::quiet_NaN(); }
} // namespace tt::tt_metal::hal
