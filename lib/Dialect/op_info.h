/*===- op_info.h - the facts of each op ---------------------------------------------------===
 *
 * What an op does, reads and writes, on which unit of the engine it runs and what that must
 * be set to first. The table is generated from dialects/ (class Facts in TTBase.td), where a
 * name that does not exist stops the build. Who needs such a fact asks here, not for the name
 * of the op.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_OP_INFO_H
#define TILEWRIGHT_OP_INFO_H

#include "tilewright/dialects.h"
#include "tilewright/ir.h"

/* When an op exists. */
typedef enum TtLevel {
  TT_LEVEL_OTHER, /* of another dialect */
  TT_LEVEL_PROTOCOL_FREE,
  TT_LEVEL_PROTOCOL,
  TT_LEVEL_STRUCTURE
} TtLevel;

/* In which kernel an op runs. */
typedef enum TtRole {
  TT_ROLE_ANY,
  TT_ROLE_READER,
  TT_ROLE_COMPUTE,
  TT_ROLE_WRITER,
  TT_ROLE_MOVER /* the reader or the writer: both processors that move data read and write */
} TtRole;

/* What an op does. */
typedef enum TtAct {
  TT_ACT_NOTHING, /* that concerns buffers, DST or the engine */
  /* level 2 */
  TT_ACT_VIEW,
  TT_ACT_LOAD,       /* fills a block of a circular buffer, in the reader */
  TT_ACT_STORE,      /* takes a block of a circular buffer, in the writer */
  TT_ACT_COMPUTE,    /* leaves a block in DST, or packs it as well */
  TT_ACT_PACK_BLOCK, /* packs a block from DST */
  TT_ACT_OPEN,       /* from here on the block at the front is in use, … */
  TT_ACT_CLOSE,      /* … up to here */
  /* level 3: circular buffers and transfers */
  TT_ACT_RESERVE,
  TT_ACT_PUSH,
  TT_ACT_WAIT,
  TT_ACT_POP,
  TT_ACT_WRITE_POINTER,
  TT_ACT_READ_POINTER,
  TT_ACT_OFFSET, /* an address further on */
  TT_ACT_READ,   /* a transfer to L1, and from it */
  TT_ACT_WRITE,
  TT_ACT_FILL,  /* L1 by stores */
  TT_ACT_COPY,  /* elements from a page to another one, by loads and stores */
  TT_ACT_LEARN, /* an integer that all kernels of a core see */
  TT_ACT_READ_BARRIER,
  TT_ACT_WRITE_BARRIER,
  TT_ACT_FLUSH,
  /* level 3: the engine */
  TT_ACT_STARTUP,
  TT_ACT_SET,        /* a unit */
  TT_ACT_SET_TO_END, /* the same, and no other setting before TT_ACT_END */
  TT_ACT_END,
  TT_ACT_MATH, /* on tiles of DST */
  TT_ACT_PACK, /* a tile of DST */
  TT_ACT_DST_ACQUIRE,
  TT_ACT_DST_COMMIT,
  TT_ACT_DST_WAIT,
  TT_ACT_DST_RELEASE
} TtAct;

/* Units of the engine: each has one setting at a time. */
typedef enum TtUnit {
  TT_UNIT_NONE,
  TT_UNIT_SOURCE_A, /* the format of what goes to source A, … */
  TT_UNIT_SOURCE_B,
  TT_UNIT_FPU,    /* the op, on which circular buffers */
  TT_UNIT_SFPU,   /* the function */
  TT_UNIT_PACKER, /* the format of what is packed */
  TT_NUM_UNITS
} TtUnit;

/* Which tiles of a block an op of level 2 takes. */
typedef enum TtTakes {
  TT_TAKES_ALL,
  TT_TAKES_ONE,     /* the only one, again and again */
  TT_TAKES_BCAST,   /* as its attribute `bcast` says */
  TT_TAKES_TURNED,  /* as `transpose` and `repeat` say */
  TT_TAKES_REDUCED, /* as the reduction in `op` says */
  TT_TAKES_PART,    /* those from (`row`, `col`) on */
  TT_TAKES_INSET    /* all, for those of the result from there on */
} TtTakes;

/* What an op does with its tile of DST. */
typedef enum TtDstUse {
  TT_DST_USE_NONE,
  TT_DST_USE_READS,
  TT_DST_USE_REPLACES,
  TT_DST_USE_ADDS,   /* to what is there; acquiring DST leaves zero */
  TT_DST_USE_CHANGES /* in place; but functions without an input replace */
} TtDstUse;

enum { TT_MAX_READS = 2 };

/* Of one call of reduce_block_max_row, whose unpacker's macro counts tiles in seven bits: fewer
 * than this. tt-llk's llk_math_reduce_custom.h. */
enum { TT_MAX_BLOCK_OF_MAXIMA = 128 };

/* Where an operand is: the at-th; from the end where at < 0; and, if `of` is not 0, only in
 * ops that have `of` operands. `none` operands have of < 0. */
typedef struct TtOperandPlace {
  signed char at, of;
} TtOperandPlace;

typedef struct TtOpInfo {
  const char *name;
  size_t length; /* of the name */
  TtLevel level;
  TtRole role;
  TtAct does;
  TtUnit unit; /* that runs it, or that it sets */

  int num_reads; /* circular buffers whose tiles it takes */
  TtOperandPlace reads[TT_MAX_READS];
  TtTakes takes[TT_MAX_READS];        /* level 2 */
  TtOperandPlace tiles[TT_MAX_READS]; /* level 3: the index of the tile */
  TtOperandPlace fills;               /* the circular buffer that it fills */
  TtOperandPlace moves;               /* level 2: the tensor, whose offsets follow it */
  TtOperandPlace count;               /* pages */
  TtOperandPlace address;             /* in L1 */

  TtOperandPlace dst; /* level 3: the first of its tiles of DST */
  bool all_dst;       /* and all operands from there on */
  TtDstUse dst_use;
  const char *dst_sources; /* level 2: the attribute that has other tiles that it reads, or NULL */
  bool unpacks_to_dst;     /* can go past the source registers */
  bool takes_integers;     /* from circular buffers, and not floats only */

  const char *init;       /* the op that sets its unit up for it, or NULL */
  const char *mode;       /* of an init: what the unit is set to then, or "" */
  int variant;            /* TtBinary: `op` of its init where it has none itself; -1: none */
  signed char sources[2]; /* which of `reads` go to source A and B; -1: none */
  int startup; /* TtStartup: of an init, that of a kernel that begins with it; -1: none */
  int node;    /* TtDfgNodeKind; -1: none */

  const char *const *operands, *const *attrs; /* names, in order; NULL ends them */
  const char *(*const *spell)(int);           /* of each attribute that is an enum; else NULL */
} TtOpInfo;

/* The facts of an op; of another dialect's, level OTHER and nothing else. Never NULL. */
const TtOpInfo *tt_op_info(MlirOperation op);
/* Whether `op` is none of ours and has no regions: index arithmetic, in kernels. */
bool tt_is_index_op(MlirOperation op);
/* The facts of the op of this name, or NULL. */
const TtOpInfo *tt_op_info_named(MlirStringRef name);

/*===- What the facts say of one op ----------------------------------------------------------===*/

/* The operand at a place; null where the op has none. */
MlirValue tt_operand_at(MlirOperation op, TtOperandPlace place);
/* The number of that operand; -1 where the op has none. */
intptr_t tt_operand_number(MlirOperation op, TtOperandPlace place);
/* The i-th circular buffer that it reads; the one that it fills, or null. */
MlirValue tt_op_reads(MlirOperation op, int i);
MlirValue tt_op_fills(MlirOperation op);

/* A block on its way between a tensor in memory and a circular buffer, on level 2. */
typedef struct TtMove {
  MlirOperation op;
  bool in; /* to the circular buffer, else from it */
  MlirValue tensor, cb;
  intptr_t rank; /* of the tensor */
} TtMove;
/* False, and nothing said, where an op is none. */
bool tt_move_of(MlirOperation op, TtMove *move);
/* Where the block starts along dimension d of the tensor, in elements. */
MlirValue tt_move_offset(const TtMove *move, intptr_t d);
/* How many elements a partial box has along dimension `d`, at most its own; a null value where only
 * the tensor's end says. */
MlirValue tt_move_size(const TtMove *move, intptr_t d);
/* The box of the tensor that is moved, sizes along each dimension; null where it is whole tiles. */
MlirAttribute tt_move_box(const TtMove *move);

/* The tile of DST of an op of level 2. */
int64_t tt_op_dst(MlirOperation op);
/* An op of level 2 that changes its tile of DST, which another filled. */
bool tt_changes_dst(MlirOperation op);

/* Which of the circular buffers that it reads goes to a source: its number; -1 for none. */
int tt_source_read(MlirOperation op, TtUnit source);
/* What the unit of an op must be set to, or what an init sets it to, circular buffers left out:
 * "matmul, transpose_b". */
const char *tt_setting(TtArena *arena, MlirOperation op);
/* The startup of a kernel that begins with this op of the FPU. */
TtStartup tt_startup(MlirOperation op);
/* The word or string that attribute `name` of an op is; empty where it has none. */
MlirStringRef tt_attr_word(MlirOperation op, const char *name);
/* What a reduction does: to the largest element, else sums; of rows, else of columns. */
bool tt_reduce_is_max(TtReduce reduce);
bool tt_reduce_is_row(TtReduce reduce);
/* The setting op that `user` needs for its unit, on the circular buffers of `user`; `out` is
 * the one that is packed. */
MlirOperation tt_create_init(TtBuilder *builder, MlirOperation user, MlirValue out);
/* The op of level 3 for a variant of tile math: "add_bcast_rows" is add_tiles_bcast_rows. NULL
 * where there is none. */
const TtOpInfo *tt_tile_op(const char *variant);

#endif
