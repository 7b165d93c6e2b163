/* What a program is expected to take, from the tables that the emulated device counts by. */
#ifndef TILEWRIGHT_TIMING_H
#define TILEWRIGHT_TIMING_H

#include "Analysis/core_args.h"
#include "Target/chips.h"

/* The least that parts of the chip need for what a program does, and an estimate of the whole.
 * All but `dram` are of the busiest core, in clk. */
typedef struct TtTiming {
  double dram;                         /* each tensor read or written once, at DRAM's rate */
  double moved;                        /* what is read and written, at DRAM's rate */
  double noc;                          /* what goes through the port of a core, on either NoC */
  double unpack, matrix, vector, pack; /* what the units of the engine work */
  double predicted;                    /* the run, with what waits for what */
} TtTiming;

/* False, and nothing said, where a program's steps are not known from its text and `sizes`, or
 * are too many. */
bool tt_predict(TtArena *arena, MlirOperation program, const TtSizes *sizes, TtTiming *timing);

/*===- What a core does, step by step (timing_steps.c) ---------------------------------------===*/

typedef enum TtEventKind {
  TT_EVENT_CALL, /* of the API, and nothing else */
  TT_EVENT_WORK, /* of a unit of the engine, for `clk` */
  TT_EVENT_FILL, /* unpack fills a bank of the source registers */
  TT_EVENT_TAKE, /* math takes one */
  TT_EVENT_ACQUIRE,
  TT_EVENT_COMMIT,
  TT_EVENT_DST_WAIT,
  TT_EVENT_RELEASE,
  TT_EVENT_RESERVE, /* n pages of a circular buffer */
  TT_EVENT_PUSH,
  TT_EVENT_WAIT,
  TT_EVENT_POP,
  TT_EVENT_READ, /* `bytes`, on `cores` cores at a time, from DRAM where `dram` */
  TT_EVENT_WRITE,
  TT_EVENT_MULTICAST,
  TT_EVENT_READ_BARRIER,
  TT_EVENT_WRITE_BARRIER,
  TT_EVENT_FLUSH,
  TT_EVENT_SIGNAL, /* waits for other cores */
} TtEventKind;

typedef struct TtEvent {
  uint8_t kind, cb;
  bool dram, in_block; /* in_block: a later tile of a matmul_block */
  uint8_t banks;       /* that hold the tensor */
  uint16_t cores;
  uint32_t n; /* pages, bytes or clk */
} TtEvent;

enum { TT_UNPACK_EVENTS, TT_MATH_EVENTS, TT_PACK_EVENTS, TT_MOVER_EVENTS, TT_EVENT_LISTS = 5 };

typedef struct TtEvents {
  TtEvent *data;
  size_t n, capacity;
  int noc; /* of a mover */
} TtEvents;

/* The events of one core: of unpack, math, pack, and up to two processors that move data. */
typedef struct TtCoreEvents {
  TtEvents lists[TT_EVENT_LISTS];
  double vector, matrix; /* clk of these in math's events */
} TtCoreEvents;

bool tt_core_events(TtArena *arena, MlirOperation program, const TtCoreTable *table,
                    const TtSizes *sizes, int64_t core, bool movers_only, TtCoreEvents *events);

/*===- Links (timing_links.c) ----------------------------------------------------------------===*/

/* Bytes a clk that the links between all banks and these cores carry, if all take as much. */
double tt_link_rate(const TtChip *chip, const TtCoreTable *table, int noc, bool write);

#endif
