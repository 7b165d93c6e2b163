// What a kernel says, in both styles.
#include "api/dataflow/dataflow_api.h"
#include "api/debug/dprint.h"
#include <cstdint>

void kernel_main() {
  DPRINT << "core " << uint32_t(my_x[0]) - 18 << " hex " << HEX() << 255 << DEC() << SETW(4) << 7
         << F32(1.5f) << ENDL();
  DPRINT("tile {} of {}\n", 3, get_named_compile_time_arg_val("tiles"));
  DPRINT_DATA0(DPRINT << "BR only" << ENDL());
  DPRINT_DATA1(DPRINT << "NC only" << ENDL());
}
