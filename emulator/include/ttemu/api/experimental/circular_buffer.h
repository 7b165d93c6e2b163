#pragma once

#include "ttemu/api/dataflow/circular_buffer.h"
#if TTEMU_DATA_MOVEMENT
#include "ttemu/api/experimental/noc.h"
#endif
