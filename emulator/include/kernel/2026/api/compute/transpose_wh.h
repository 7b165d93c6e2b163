// transpose_wh.h of early 2026; it is transpose.h now.
#pragma once
#include "ttemu/api/compute/transpose.h"
