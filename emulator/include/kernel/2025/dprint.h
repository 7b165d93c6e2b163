// As kernels of tests include it.
#pragma once
#include "debug/dprint.h"
