/* Shared by the files that read functions into steps. */
#ifndef TILEWRIGHT_PROTOCOL_READ_H
#define TILEWRIGHT_PROTOCOL_READ_H

#include "Dialect/op_info.h"
#include "Support/value_map.h"
#include "Verify/protocol.h"

typedef struct TtReader {
  TtProtocol *p;
  TtExpressions *e;
  int kernel; /* its number */
  TtSteps all;
  TtValueMap nodes, slots; /* of values */
  int level, top;          /* loops around, slots in use */
  int kept;                /* the next slot of those that keep what they have: of integers */
  bool ok;
  bool optional, unknown; /* an index that need not be known; and it is not */
  bool guarded;           /* in a branch that decides which tiles move */
} TtReader;

/* Room for one more of n elements; the old or a larger copy. */
void *tt_grow(TtArena *arena, void *data, int n, int *capacity, size_t size);

/* The node of an index or truth value. Where the run could not follow it: an error, and ok is
 * false. */
int tt_read_index(TtReader *r, MlirValue value);
/* Without an error: -1. */
int tt_try_index(TtReader *r, MlirValue value);
/* The tile that an op takes of the circular buffer that it reads as its `read`-th; the last that it
 * may take, where that decides: cores that differ in the tile alone are alike then. */
int tt_read_tile(TtReader *r, MlirOperation op, int read);
int tt_read_operand(TtReader *r, MlirOperation op, intptr_t i);
/* a + b */
int tt_read_sum(TtReader *r, int a, int b);
/* A step; fields that stand for nothing are -1. */
TtStep *tt_new_step(TtReader *r, TtStepKind kind, MlirOperation op);
/* The first n operands of an op as the circular buffers of a step. */
void tt_set_cbs(TtReader *r, TtStep *step, MlirOperation op, int n);
/* Which circular buffer a value is, -1 for none. */
int tt_cb_index(TtReader *r, MlirValue cb);
/* Follows an L1 address to the pointer of a circular buffer, and returns the node of the bytes
 * after it, -1 for none. */
int tt_read_address(TtReader *r, MlirValue *address);
/* The loads and stores of an op that copies elements, and the load of one that learns an integer at
 * an L1 address (protocol_accesses.c). */
void tt_read_copy(TtReader *r, MlirOperation op);
void tt_read_load(TtReader *r, MlirOperation op);
/* Reads an op of the engine; false where it has no part in the protocol (protocol_read_engine.c).
 */
bool tt_read_engine(TtReader *r, MlirOperation op);
/* Reads an op that speaks to other cores; false where it is another (protocol_remote.c). */
bool tt_read_remote(TtReader *r, MlirOperation op);
/* A slot of its own for a loop variable or a pointer. */
int tt_new_slot(TtReader *r, MlirValue value);

#endif
