// dataflow_api.h of 2025.
#pragma once
#include "ttemu/api/dataflow/dataflow_api.h"
