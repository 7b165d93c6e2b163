/* Schedules of models: what --tt-plan-model writes and --tt-schedule-model applies. */
#ifndef TILEWRIGHT_SCHEDULE_H
#define TILEWRIGHT_SCHEDULE_H

#include "Passes/passes_decl.h"
#include "tilewright/ir.h"

/* Places of the options in their row, SCHEDULE_OPTIONS of passes.c. */
enum {
  TT_SCHEDULE_FILE,
  TT_SCHEDULE_FUSE,
  TT_SCHEDULE_PICK,
  TT_SCHEDULE_WRITE,
  TT_SCHEDULE_OPTIMIZE,
  TT_SCHEDULE_STREAM
};

/* The name of its transform.named_sequence. */
extern const char *const tt_schedule_name;
/* That one of a module; null where it has none. */
MlirOperation tt_find_schedule(TtArena *arena, MlirOperation module);
/* A module with the schedule of the file alone, which is the caller's to destroy; null after an
 * error at `module`. */
MlirModule tt_load_schedule(MlirOperation module, const char *path);

/* Which attention is one kernel over blocks of keys (--tt-stream-softmax): the option `stream`, or,
 * where a schedule is given, what that was made with. `fuse=none` streams none. */
typedef enum TtStreamWhen { TT_STREAM_AUTO, TT_STREAM_ALL, TT_STREAM_NONE } TtStreamWhen;
/* False after an error. */
bool tt_read_stream(TtArena *arena, MlirOperation module, const TtPassOptions *options,
                    TtStreamWhen *when);
/* As a schedule says it. */
const char *tt_stream_word(TtStreamWhen when);

#endif
