#pragma once

#include "ttemu/api/compute/compute_kernel_api.h"
