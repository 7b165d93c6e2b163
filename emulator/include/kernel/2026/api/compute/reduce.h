// reduce.h of 2026.
#pragma once
#include "ttemu/api/compute/reduce.h"
