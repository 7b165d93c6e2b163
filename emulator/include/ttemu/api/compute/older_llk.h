// Calls of the layer below the compute API as trees of 2024 and 2025 have them.
#pragma once

enum DstTileFaceLayout : uint8_t { RowMajor, ColMajor };

namespace ckernel {
// Circular buffers were set up by each kernel.
inline void llk_setup_operands() {}
inline void llk_setup_outputs() {}
template <auto...> inline void llk_init_packer_dest_offset_registers(uint32_t = 0) {}

// Of each op its own, which all set the same.
#define TTEMU_CONFIGURES_ONE(name)                                                                 \
  template <auto...> inline void name(uint32_t a, int = 0, ttemu::call_line at = ttemu::here()) {  \
    ttemu_startup(a, a, a, false, at.line);                                                        \
  }
#define TTEMU_CONFIGURES_TWO(name)                                                                 \
  template <auto...>                                                                               \
  inline void name(uint32_t a, uint32_t b, int = 0, ttemu::call_line at = ttemu::here()) {         \
    ttemu_startup(a, b, a, false, at.line);                                                        \
  }
TTEMU_CONFIGURES_ONE(llk_unpack_A_hw_configure_disaggregated)
TTEMU_CONFIGURES_ONE(llk_unpack_tilize_hw_configure_disaggregated)
TTEMU_CONFIGURES_ONE(llk_unpack_untilize_hw_configure_disaggregated)
TTEMU_CONFIGURES_TWO(llk_unpack_AB_hw_configure_disaggregated)
TTEMU_CONFIGURES_TWO(llk_unpack_tilizeA_B_hw_configure_disaggregated)
TTEMU_CONFIGURES_ONE(llk_pack_hw_configure_disaggregated)
TTEMU_CONFIGURES_ONE(llk_pack_reduce_hw_configure_disaggregated)
#undef TTEMU_CONFIGURES_ONE
#undef TTEMU_CONFIGURES_TWO
// As a product takes them: the second one goes to source A.
template <auto...>
inline void llk_unpack_AB_matmul_hw_configure_disaggregated(uint32_t a, uint32_t b, int = 0,
                                                            ttemu::call_line at = ttemu::here()) {
  ttemu_startup(a, b, a, true, at.line);
}
// Math had nothing to configure at first: unpack's part set the formats of both.
template <auto...> inline void llk_math_pack_sync_init(TTEMU_LINE) {
  ttemu_startup_once(ttemu::any, ttemu::any, ttemu::any, line);
}
template <auto...>
inline void llk_math_hw_configure_disaggregated(uint32_t a, uint32_t b, TTEMU_LINE) {
  ttemu_startup_once(a, b, a, line);
}

// Whether faces are exchanged, and what is in them, before the circular buffer.
template <auto... tArgs>
inline void llk_math_eltwise_unary_datacopy_init(uint32_t faces, uint32_t within,
                                                 uint32_t cb = ttemu::any,
                                                 ttemu::call_line at = ttemu::here()) {
  if (!faces && !within) {
    llk_math_eltwise_unary_datacopy_init<tArgs...>(cb, at);
    return;
  }
  ttemu_by_parts();
  ttemu_copy_init(cb, true, at.line);
}
} // namespace ckernel
