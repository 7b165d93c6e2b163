#pragma once

#include "ttemu/api/dataflow/dataflow_api.h"
