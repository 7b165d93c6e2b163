// binary_max_min.h of 2026.
#pragma once
#include "ttemu/api/compute/binary_max_min.h"
