// Says in parts of lines where it runs.
#include <cstdint>

#include "api/debug/dprint.h"

#ifdef COMPUTE
#include "api/compute/common.h"
#else
#include "api/dataflow/dataflow_api.h"
#endif

void kernel_main() {
  for (uint32_t i = 0; i < 2; ++i) {
    DPRINT << "line " << i;
    DPRINT << " of " << SETW(3) << 7 << ENDL();
  }
  DPRINT << "and no end";
}
