// bcast.h of 2026.
#pragma once
#include "ttemu/api/compute/bcast.h"
