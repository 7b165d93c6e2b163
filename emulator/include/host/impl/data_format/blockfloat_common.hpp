// Block floats.
#pragma once
#include "ttemu/block_floats.hpp"
