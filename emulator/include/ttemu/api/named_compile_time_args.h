// Compile-time arguments; they stand in kernel.hpp.
#pragma once
#include "ttemu/kernel.hpp"
