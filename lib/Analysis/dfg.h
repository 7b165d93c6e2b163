/* The tile dataflow of a level-2 kernel: what C3 records and D1 acts on. */
#ifndef TILEWRIGHT_DFG_H
#define TILEWRIGHT_DFG_H

#include "Analysis/kernel.h"

/* A circular buffer of the kernel and the ops around it. */
typedef struct TtCB {
  MlirOperation alloc;
  MlirValue value;
  MlirType type;
  char *name; /* cb_in0, cb_out0, cb_intermed0 */
  TtCBRole role;
  int64_t id;
  const TtArg *tensor; /* what is moved through it, or NULL */
  int64_t depth;       /* blocks */
  MlirOperation producer;
  TtOps consumers;
  bool held;           /* the kernel says itself when its block is in use (tt.cb_open) */
  int64_t first, last; /* nodes, in program order, that touch it */
} TtCB;

typedef struct TtDfg {
  TtArgs args;
  TtOps nodes; /* data movement and compute, in program order */
  TtCB *cbs;   /* by role, then by argument */
  intptr_t n;
} TtDfg;

/* Circular buffers that an op of level 2 reads and the one it fills, or null. */
typedef struct TtTraffic {
  MlirValue in[2], out;
  int num_in;
} TtTraffic;
TtTraffic tt_traffic(MlirOperation op);

/* Names the target of the short form (a result that no op packs, in a kernel
 * that writes one circular buffer which none fills) with a tt.pack_to_cb. */
bool tt_complete_short_form(TtArena *arena, MlirOperation func);
/* Analyses a kernel; false after an error. */
bool tt_analyze_dfg(TtArena *arena, MlirOperation func, TtDfg *dfg);
TtCB *tt_dfg_cb(TtDfg *dfg, MlirValue value);

#endif
