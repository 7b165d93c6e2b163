#pragma once

#include "ttemu/api/hardware.h"

// The firmware's own assertions, which no build checks.
#define FWASSERT(what, holds)
