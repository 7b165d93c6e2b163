/* Circular buffers that lie on a core's own shard (local_shards.c). */
#ifndef TILEWRIGHT_LOCAL_SHARDS_H
#define TILEWRIGHT_LOCAL_SHARDS_H

#include "Analysis/dfg.h"

typedef struct TtLocalShard {
  const TtArg *tensor; /* NULL where the circular buffer lies on none */
  int64_t tiles;       /* of a shard */
  bool written;        /* the kernel writes the tensor; else it reads it */
} TtLocalShard;
/* The shard that `cb` of a kernel of level 2 can lie on. */
TtLocalShard tt_local_shard(TtArena *arena, MlirOperation func, TtDfg *dfg, const TtCB *cb);
/* Replaces the moves between shards and circular buffers that lie on them, in one of the
 * three functions of `program`. */
void tt_stay_on_shards(TtArena *arena, MlirOperation program, MlirOperation func);

#endif
