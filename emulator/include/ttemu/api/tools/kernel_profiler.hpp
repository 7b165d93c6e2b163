// Zones of the vendor's profiler, which are ignored.
#pragma once
#include "ttemu/kernel.hpp"
