// binop_with_scalar.h of 2025.
#pragma once
#include "ttemu/api/compute/eltwise_unary/binop_with_scalar.h"
