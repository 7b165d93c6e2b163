// The layer below the API, for whoever includes its headers.
#pragma once

#ifdef TTEMU_COMPUTE
#include "ttemu/api/compute/llk.h"
#if defined(TTEMU_ROLE) && TTEMU_ROLE == 3
#include "ttemu/sfpi/params.h"
#endif
#else
#include "ttemu/api/dataflow/dataflow_api.h"
#endif
