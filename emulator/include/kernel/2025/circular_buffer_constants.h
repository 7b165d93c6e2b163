// How many circular buffers there are.
#pragma once
#include "ttemu/api/hardware.h"
