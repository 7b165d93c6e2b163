// Where trees of the end of 2025 have it, whose kernels have the objects of the NoC with it.
#pragma once

#include "ttemu/api/dataflow/dataflow_api.h"

#include "ttemu/api/dataflow/noc_semaphore.h"
