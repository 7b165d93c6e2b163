// transpose.h of 2026.
#pragma once
#include "ttemu/api/compute/transpose.h"
