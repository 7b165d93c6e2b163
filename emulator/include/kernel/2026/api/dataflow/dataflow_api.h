// dataflow_api.h of 2026.
#pragma once
#include "ttemu/api/dataflow/dataflow_api.h"
