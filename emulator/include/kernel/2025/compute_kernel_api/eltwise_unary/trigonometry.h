// trigonometry.h of 2025.
#pragma once
#include "ttemu/api/compute/eltwise_unary/trigonometry.h"
