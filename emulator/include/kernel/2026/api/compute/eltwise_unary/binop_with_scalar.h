// binop_with_scalar.h of 2026.
#pragma once
#include "ttemu/api/compute/eltwise_unary/binop_with_scalar.h"
