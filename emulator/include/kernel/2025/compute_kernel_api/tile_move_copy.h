// tile_move_copy.h of 2025.
#pragma once
#include "ttemu/api/compute/tile_move_copy.h"
