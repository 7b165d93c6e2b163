// Leaves the core to its engine.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {}
