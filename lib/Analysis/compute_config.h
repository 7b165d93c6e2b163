/* What a compute kernel is set to: its configuration, and what its startup does already. */
#ifndef TILEWRIGHT_COMPUTE_CONFIG_H
#define TILEWRIGHT_COMPUTE_CONFIG_H

#include "Analysis/program.h"

/* How a compute kernel takes tiles of one circular buffer. */
typedef struct TtUnpackUse {
  MlirOperation cb;     /* the tt.circular_buffer */
  MlirOperation copies; /* an op that can take them past the source registers, or null */
  MlirOperation feeds;  /* an op that takes them through those, or null */
} TtUnpackUse;
typedef struct TtUnpackUses {
  TtUnpackUse *data; /* of each circular buffer of the program, in order */
  intptr_t n;
} TtUnpackUses;
TtUnpackUses tt_unpack_uses(TtArena *arena, MlirOperation program, MlirOperation kernel);
/* Why tiles of a circular buffer may not go past the source registers, to a DST of 32 bits or
 * less; NULL where they may. */
const char *tt_why_not_to_dst(TtArena *arena, const TtUnpackUse *use, bool wide);
/* The tt.circular_buffers of which a kernel's config says that their tiles go past the source
 * registers; those that may, where it has no config yet. Float32 in them has another format in
 * the unpacker than Float32 that goes through the registers, as Tf32. */
TtOps tt_unpacked_to_dst(TtArena *arena, MlirOperation kernel);

/* What the metadata of a program asks of its compute kernels: HiFi4 and exact without any. */
MlirAttribute tt_asked_config(MlirOperation program, MlirAttribute unpack_to_dest);
/* The configuration of a compute kernel, or, where it has none, tt_asked_config(). */
MlirAttribute tt_config_of(MlirOperation kernel);
/* Whether a compute kernel's reconfigurations of source registers say if these hold integers: where
 * it has circular buffers that set that, and DST of 32 bits, without which nothing changes it. */
bool tt_tells_integers(TtArena *arena, MlirOperation kernel);
/* Whether a compute kernel has UInt16 in DST of 32 bits: in the upper halves of words. */
bool tt_has_halves_of_words(TtArena *arena, MlirOperation kernel);
/* Tiles that DST holds when a compute kernel runs. */
int64_t tt_kernel_dst_capacity(MlirOperation kernel);

/* Why an era whose startup covers inits of this kind may not leave `init` out; NULL where it may:
 * it stands behind the startup, which is of its kind and on its circular buffers, and nothing has
 * set the FPU since. */
const char *tt_why_not_in_startup(TtArena *arena, MlirOperation init);

#endif
