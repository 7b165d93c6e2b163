// Values in formats, numbers whose style holds, and elements of tiles.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"
#include "api/debug/device_print.h"
#include "api/debug/dprint.h"

void kernel_main() {
  DEVICE_PRINT("[{:>6}] [{:<6}] [{:*^6}] [{:#X}] [{:#010x}] [{:+}]\n", -12, -12, 12, 255u, 255u, 5);
  DEVICE_PRINT("{1} {0} {2:.2f} {3:8.3g}|\n", true, 'c', 2.5f, 3.14159);
  DEVICE_PRINT("{} {} {} {:.2f}\n", bf4_t(128, 1), bf8_t(130, 0x83), bf16_t(0x3dfb),
               bf4_t(uint16_t{0}));
  DPRINT << SETPRECISION(3) << HEX() << 255;
  DPRINT << " " << 255 << " " << 3.14159f << DEC() << ENDL();
  cb_reserve_back(0, 1);
  auto *at = reinterpret_cast<volatile uint16_t *>(get_write_ptr(0));
  for (uint32_t i = 0; i < 1024; ++i) at[i] = 0x3f80 + i % 16; // steps of 1/128 above 1
  DPRINT << TSLICE(0, 0, SliceRange::hw0_32_16(), TSLICE_INPUT_CB, TSLICE_WR_PTR, true, true)
         << ENDL();
  DPRINT << TSLICE(0, 0, SliceRange::hw0_32_4(), TSLICE_INPUT_CB, TSLICE_WR_PTR, true, true);
  DPRINT << TSLICE(5, 0, SliceRange::hw0_32_4(), TSLICE_INPUT_CB, TSLICE_WR_PTR, true, true);
  DPRINT << "end" << ENDL();
  cb_push_back(0, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
}
