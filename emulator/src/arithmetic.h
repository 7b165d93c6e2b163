/*===- arithmetic.h - formats, and what the engines compute ----------------------------------===*/

#ifndef TTEMU_ARITHMETIC_H
#define TTEMU_ARITHMETIC_H

#include "sizes.h"

uint32_t emu_tile_bytes(ttemu_format format);

/* Tiles of 32x32, 16x32, 32x16 or 16x16, or of fewer rows, which only move. */
typedef struct TileShape {
  uint8_t rows, cols;
} TileShape;
bool emu_is_whole(TileShape shape);
bool emu_same_shape(TileShape a, TileShape b);
int emu_faces(TileShape shape);
uint32_t emu_shaped_tile_bytes(ttemu_format format, TileShape shape);
/* A tile in L1 as one of 32x32 whose first faces it is, in `whole` unless it is whole already. */
const uint8_t *emu_widen_tile(ttemu_format format, TileShape shape, const uint8_t *tile,
                              uint8_t *whole);
/* The first faces of a tile of 32x32. */
void emu_narrow_tile(ttemu_format format, TileShape shape, const uint8_t *whole, uint8_t *tile);
/* The second and the third face change places: so the two of a tile of 32x16, which engine and DST
 * have side by side, stand as its rows and columns. */
bool emu_is_integer(ttemu_format format);

/* A tile in a source register: value = sign * sig * 2^(exp - 127 - 10), or sig if it is of
 * integers of 8 bits. */
typedef struct Source {
  int16_t sig[TILE]; /* signed, 11 bits of magnitude */
  uint8_t exp[TILE]; /* 0 means zero */
} Source;

/* The second and the third face change places: so the two of a tile of 32x16, which engine and DST
 * have side by side, stand as its rows and columns. */
void emu_swap_faces(uint32_t *tile);
void emu_swap_source_faces(Source *s);

/* How source registers and DST round. */
typedef struct DstMode {
  bool wide;        /* DST of fp32, else 16 bits */
  bool five;        /* sources have exponents of 5 bits; so has DST of 16 bits: fp16, not bf16 */
  bool f32_as_half; /* Float32 buffers become Float16 in source registers */
  bool wormhole;
  bool fast; /* f32 accumulation, one rounding at the end */
} DstMode;

/* Unpacks a tile in face order from L1 to a source register (row-major inside). */
void emu_unpack(const uint8_t *tile, ttemu_format format, DstMode mode, Source *out);
/* What DST of 16 bits keeps of a float from the vector unit while it holds fp16: truncated. A
 * function that `rounds` has rounded to bf16 before, whatever DST holds. */
uint32_t emu_half_in_dst(uint32_t bits, bool rounds);
/* As emu_unpack, straight to DST, all 32 bits. */
void emu_unpack_raw(const uint8_t *tile, ttemu_format format, uint32_t *dst);
void emu_copy(const uint8_t *tile, ttemu_format format, DstMode mode, uint32_t *dst);
/* `dst` holds float bits, row-major; 16-bit modes keep the low bits zero. */
void emu_matmul(const Source *a, const Source *b, int phases, DstMode mode, uint32_t *dst);
void emu_matmul_exact(const Source *a, const Source *b, int phases, DstMode mode, uint32_t *dst);
/* The same in one of the ways that hosts may have, the fastest first; NULL where this one has it
 * not. Any host has the last. */
typedef void EmuMatmul(const Source *a, const Source *b, int phases, DstMode mode, uint32_t *dst);
typedef enum EmuWay { EMU_WAY_AVX512, EMU_WAY_AVX2, EMU_WAY_PORTABLE } EmuWay;
EmuMatmul *emu_matmul_way(EmuWay way);
EmuMatmul emu_matmul_portable;
/* Products of bytes, whose values are in `sig`; `dst` holds integers. */
void emu_matmul_bytes(const Source *a, const Source *b, int phases, uint32_t *dst);
void emu_binary_bytes(ttemu_binary op, const Source *a, const Source *b, int phases, bool onto,
                      uint32_t *dst);
/* `onto`: sums add to what is in DST; products always do. */
void emu_binary(ttemu_binary op, const Source *a, const Source *b, int phases, DstMode mode,
                bool onto, uint32_t *dst);
/* Broadcasts row `row`, column 0 or element 0; transposes. */
void emu_broadcast(ttemu_bcast shape, uint32_t row, Source *s);
void emu_transpose(Source *s);
void emu_transpose_bits(uint32_t *tile);
void emu_broadcast_bits(ttemu_bcast shape, uint32_t *tile);
/* Reduces a tile into column 0, row 0 or element 0 of `dst`; row 0 of `scaler` has the
 * factor. `tf32`: source registers hold fp32 buffers. `fresh`: nothing was computed on
 * `dst` since it was acquired, so that a maximum starts from nothing. The first `faces` are there.
 */
void emu_reduce(ttemu_pool kind, ttemu_reduce_dim dim, const Source *data, const Source *scaler,
                int phases, DstMode mode, bool tf32, bool fresh, int faces, uint32_t *dst);
/* Adds the columns of all faces to `sums`, of 16; and the first sixteen elements of a tile. */
void emu_reduce_columns(const Source *data, const Source *scaler, int phases, DstMode mode,
                        uint32_t *sums);
uint32_t emu_reduce_row(const Source *data, const Source *scaler, int phases, DstMode mode);
/* What the packer leaves of a reduced tile: the results, else zero. */
void emu_mask_reduced(ttemu_reduce_dim dim, uint32_t *tile);
/* Applies a function to tiles of DST; absent inputs are NULL. */
void emu_sfpu(const ttemu_sfpu_call *call, DstMode mode, uint32_t *const in[3], uint32_t *out);
const char *emu_sfpu_name(ttemu_sfpu op);
ttemu_sfpu emu_sfpu_init_of(ttemu_sfpu op);    /* whose init it needs */
bool emu_sfpu_init_is_shared(ttemu_sfpu init); /* sets nothing up that others do not */
/* A tile of DST as a source, for ops that take it for an operand. */
void emu_source_of_dst(const uint32_t *dst, DstMode mode, Source *s);
/* Packs onto what is in `tile`: adds. False where the packer cannot in this format. */
bool emu_pack_onto(const uint32_t *dst, DstMode mode, ttemu_format format, uint8_t *tile);
void emu_pack(const uint32_t *dst, DstMode mode, ttemu_format format, uint8_t *tile);

#endif
