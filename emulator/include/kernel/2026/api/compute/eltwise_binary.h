// eltwise_binary.h of 2026.
#pragma once
#include "ttemu/api/compute/eltwise_binary.h"
