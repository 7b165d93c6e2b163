// Sizes of tiles and their faces.
#pragma once

#include <cstdint>

namespace tt::constants {
inline constexpr uint32_t TILE_HEIGHT = 32, TILE_WIDTH = 32, TILE_HW = 1024;
inline constexpr uint32_t FACE_HEIGHT = 16, FACE_WIDTH = 16, FACE_HW = 256;
// Bytes of a tile of block floats: its elements, and an exponent for each row of a face.
inline constexpr uint32_t BFLOAT8_B_TILE_HW = TILE_HW + 64, BFLOAT4_B_TILE_HW = TILE_HW / 2 + 64;
} // namespace tt::constants
