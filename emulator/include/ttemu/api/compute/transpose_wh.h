// Transposed tiles, by their older names.
#pragma once
#include "ttemu/api/compute/transpose.h"
