/* Moves of blocks between tensors and circular buffers (move.c). */
#ifndef TILEWRIGHT_MOVE_H
#define TILEWRIGHT_MOVE_H

#include "Analysis/box.h"
#include "Analysis/program.h"

/* A tt.read_to_cb or tt.write_from_cb of a kernel whose accessors are bound. */
typedef struct TtBlockMove {
  TtArena *arena;
  MlirOperation func;
  MlirOperation op;
  bool in; /* to the circular buffer, else from it */
  MlirValue cb, tensor, offsets[TT_MAX_RANK];
  MlirValue sizes[TT_MAX_RANK]; /* of a box whose size is its own; else null */
  intptr_t rank;
  MlirValue accessor, addr;
  int64_t rows, cols;             /* of what is moved at once, in tiles */
  int64_t block_rows, block_cols; /* of the block that this is a part of */
  bool partial;                   /* tiles of the block may lie behind the tensor */
  bool boxed;                     /* it is assembled of elements */
  bool first_rows;                /* of each tile its first row is read */
  bool by_columns;                /* tiles stand in the circular buffer column by column */
  TtBox box;
  MlirValue scratch; /* the circular buffer for its tiles, where it needs one */
} TtBlockMove;

/* Reads a move; false after an error: its tensor has no bound accessor. */
bool tt_read_move(TtArena *arena, MlirOperation func, MlirOperation op, TtBlockMove *move);
/* The accessor of a tensor, made once, at the top of the kernel; null where it is not bound. */
MlirValue tt_accessor_of(TtArena *arena, MlirOperation func, MlirValue tensor);
/* The pages of its block. */
MlirValue tt_move_pages(TtBuilder *b, const TtBlockMove *move);
/* The bytes of a page of its circular buffer, asked for once, at the top of the kernel. */
MlirValue tt_move_tile_size(const TtBlockMove *move);
/* Names a pointer after the circular buffer of the move, "cb_in0_write_ptr"; returns it. */
MlirValue tt_named_pointer(const TtBlockMove *move, MlirOperation op, const char *suffix);
/* The name of the program's circular buffer that a handle is for. */
char *tt_handle_name(TtArena *arena, MlirValue cb);
/* The loops over the tiles of a block, with one transfer each, from `addr` on; false after an
 * error: an offset is no multiple of a tile. */
bool tt_transfer_tiles(TtBuilder b, const TtBlockMove *move);
/* Assembles a block at `addr` from the tiles that its box lies in, and waits for them, or sends
 * the elements of one there (move_box.c). */
void tt_read_box(TtBuilder b, const TtBlockMove *move);
void tt_write_box(TtBuilder b, const TtBlockMove *move);
/* Room for tiles of the tensor; returns its address. */
MlirValue tt_reserve_scratch(TtBuilder *b, const TtBlockMove *move, int64_t tiles);
/* The two halves of tt_read_box() where all of the box comes to L1 together (tt_box_is_whole()),
 * without the barrier between them: what reads it to `scratch`, and what copies it from there. */
void tt_read_box_at(TtBuilder b, const TtBlockMove *move, MlirValue scratch, bool copies);
/* Tiles (or, of outer dimensions, steps) along dimension `d` of the tensor. */
MlirValue tt_tiles_along(TtBuilder *b, const TtBlockMove *move, MlirType type, intptr_t d);
/* Reads blocks to their circular buffers, behind one barrier; false after an error. */
bool tt_read_blocks(TtBuilder *b, TtBlockMove *moves, intptr_t n);
/* Moves blocks of one size part by part, in loops over their rows and columns: `move` makes the
 * code of a part of each at `b`. What is left where parts do not divide the block follows them, of
 * each row or of the block. Parts follow each other in the circular buffer (tt_part_of()). False
 * after an error. */
bool tt_move_in_parts(TtBuilder b, TtBlockMove *moves, intptr_t n, TtSubBlock part,
                      bool (*move)(TtBuilder *b, TtBlockMove *moves, intptr_t n));
/* Has a kernel end with a barrier of its writes, which its pages may have left before. */
void tt_end_with_barrier(MlirOperation kernel);
/* How many of `ops` from `first` on follow each other, with nothing but index arithmetic between:
 * they share a barrier. */
intptr_t tt_neighbors(TtOps ops, intptr_t first);

#endif
