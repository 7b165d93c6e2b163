// ASSERT; it stands in kernel.hpp.
#pragma once
#include "ttemu/kernel.hpp"
