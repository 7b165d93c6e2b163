#pragma once

#include "ttemu/api/dataflow/dataflow_api.h"
// Objects, which trees of the end of 2025 have here.
#include "ttemu/api/dataflow/noc_semaphore.h"
