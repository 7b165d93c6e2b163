// reduce.h of 2025.
#pragma once
#include "ttemu/api/compute/reduce.h"
