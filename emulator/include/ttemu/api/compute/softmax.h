#pragma once

#include "ttemu/api/compute/eltwise_unary/exp.h"
#include "ttemu/api/compute/eltwise_unary/recip.h"
