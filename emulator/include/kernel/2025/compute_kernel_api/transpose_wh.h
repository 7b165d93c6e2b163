// transpose_wh.h of 2025.
#pragma once
#include "ttemu/api/compute/transpose.h"
