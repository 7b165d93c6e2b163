// bcast.h of 2025.
#pragma once
#include "ttemu/api/compute/bcast.h"
