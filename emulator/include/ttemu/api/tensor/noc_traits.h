// How transfers name the pages of tensors; it stands in noc.h.
#pragma once
#include "ttemu/api/dataflow/noc.h"
