/* What the files of the compute engine share. */
#ifndef TTEMU_TENSIX_H
#define TTEMU_TENSIX_H

#include "emu.h"

/* The processor that runs, at this line of its kernel. */
Risc *emu_enter(uint32_t line);
DstMode emu_mode(const Risc *risc);
/* Of a core's circular buffers, as they are configured: what DstMode.f32_as_half says. */
bool emu_f32_becomes_half(const Core *core, bool wide);
/* A circular buffer of its core; an error if there is none. */
const CB *emu_cb(Risc *risc, uint32_t index);
/* A tile of a half of DST; an error if DST has no such tile. */
uint32_t *emu_dst_tile(Risc *risc, uint32_t half, uint32_t index);
/* The tile that math works on; whether it was computed on before, in `written`. */
uint32_t *emu_math_tile(Risc *risc, uint32_t index, bool *written);
/* The same for an op that leaves so many faces of it. */
uint32_t *emu_math_faces(Risc *risc, uint32_t index, int faces, bool *written);
/* What an init says of its operands' tiles. Errors, if tiles of a circular buffer have another
 * shape than that, or one that no op takes; and of two operands, one of them broadcast; of a
 * product. */
void emu_set_tiles(Risc *risc, uint32_t a, uint32_t b);
void emu_check_tile(Risc *risc, uint32_t cb);
void emu_check_two_tiles(Risc *risc, uint32_t a, uint32_t b, ttemu_bcast shape);
void emu_check_product(Risc *risc, uint32_t a, uint32_t b, bool transpose);
void emu_check_reduction(Risc *risc, uint32_t cb, bool of_rows);
/* That a circular buffer has tiles of 32x32, or, if `or_face`, of 16x16. */
void emu_check_whole(Risc *risc, uint32_t cb, bool or_face, const char *what);
/* Clk of an op on so many faces that takes so many on all. */
uint64_t emu_of_faces(uint64_t clk, TileShape shape);
/* Errors, if the engine is set to another op or another format. */
void emu_check_settings(Risc *risc, int fpu, int shape);
void emu_check_format(Risc *risc, uint32_t cb, int set, const char *source);
void emu_check_sfpu(Risc *risc, ttemu_sfpu op);
/* What a source is set to for a circular buffer: Float32 on its way to DST is another format in
 * the unpacker than Float32 that becomes Tf32. */
int emu_source_format(Risc *risc, uint32_t cb);
/* Sets whether the matrix engine takes integers, as a startup on two circular buffers does; and an
 * error, if it takes others than an op has (integers.c). */
void emu_set_integers(Risc *risc, uint32_t a, uint32_t b);
void emu_check_integers(Risc *risc, bool bytes);
void emu_set_fpu(Risc *risc, int fpu, int shape);
/* Moves of tiles through DST: unpack's part, of a page or of a tile made up; math's. */
void emu_move_tile_in(Risc *risc, uint32_t cb, uint32_t index);
void emu_move_in(Risc *risc, uint32_t cb, const uint8_t *tile);
void emu_move_on(Risc *risc, uint32_t dst, TileShape shape);
/* The vector unit works, for math or for the packer; what it computed for the packer's processor,
 * the packer has waited for before it packs. */
void emu_vector_work(Risc *risc, uint64_t clk);
void emu_check_packed(Risc *risc);
/* A bank of source registers, when there is one free; and when it is full, of so many bytes of one
 * operand `alone` or of two, in `least` clk or more. */
Operands *emu_fill_bank(Risc *risc);
void emu_bank_filled(Risc *risc, Operands *operands, uint64_t bytes, bool alone, uint64_t least);
/* A full one; and when math has used it. */
Operands *emu_take_bank(Risc *risc);
void emu_bank_taken(Risc *risc, uint64_t clk);
/* A tile of a circular buffer that was waited for. */
/* Where in L1 a tile starts that unpack or pack moves at a page; and that it may. */
uint32_t emu_tile_in_page(Risc *risc, uint32_t index, uint32_t page);
/* That DST has a tile of 32 bits at this place. */
void emu_check_wide_tile(Risc *risc, uint32_t dst);
/* An operand that is taken as a whole, where part of it may be what nobody has written. */
void emu_check_whole_written(Risc *risc, uint32_t index, const uint8_t *tile);
/* What is unpacked was read from a tensor of another format. */
void emu_format_unpacked(Risc *risc, uint32_t index);
const uint8_t *emu_front_tile(Risc *risc, uint32_t index, uint32_t tile);
/* The variants of an op, as numbers. */
/* Unpack's or math's part of a reduction of tile index[0] with the scaler index[1]; math takes
 * `clk`. */
void emu_reduce_tile(Risc *risc, ttemu_pool pool, ttemu_reduce_dim dim, uint32_t cb,
                     uint32_t scaler, const uint32_t index[2], uint32_t dst, uint32_t clk);
int emu_reduce_shape(ttemu_pool pool, ttemu_reduce_dim dim);
int emu_reuse_shape(bool source_a);

/* Puts off work on data: a function, and its arguments in a struct. */
#define LATER(risc, function, ...)                                                                 \
  emu_later((risc)->core, function, &(__VA_ARGS__), sizeof(__VA_ARGS__))

#endif
