// pack.h of 2026.
#pragma once
#include "ttemu/api/compute/pack.h"
