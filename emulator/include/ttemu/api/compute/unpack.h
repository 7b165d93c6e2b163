// Changes of formats, by their names of 2024.
#pragma once
#include "ttemu/api/compute/reconfig_data_format.h"
#if TTEMU_API >= 202603
#error "this header was there to the end of 2024; use api/compute/reconfig_data_format.h"
#endif

namespace ckernel {
template <typename... Cbs> inline void unpack_reconfig_data_format(Cbs... cbs) {
  reconfig_data_format(static_cast<uint32_t>(cbs)...);
}
template <typename... Cbs> inline void unpack_reconfig_data_format_srca(Cbs... cbs) {
  reconfig_data_format_srca(static_cast<uint32_t>(cbs)...);
}
template <typename... Cbs> inline void unpack_reconfig_data_format_srcb(Cbs... cbs) {
  reconfig_data_format_srcb(static_cast<uint32_t>(cbs)...);
}
} // namespace ckernel
using namespace ckernel;
