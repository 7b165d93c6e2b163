// binary_max_min.h of 2025.
#pragma once
#include "ttemu/api/compute/binary_max_min.h"
