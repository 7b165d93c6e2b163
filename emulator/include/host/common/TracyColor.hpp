// Colours of marks of the Tracy profiler, which none is here to read.
#pragma once
#include "ttemu/tracy.hpp"
