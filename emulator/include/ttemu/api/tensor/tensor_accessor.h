// Accessors of tensors; they stand in addresses.h.
#pragma once
#include "ttemu/api/dataflow/addresses.h"
