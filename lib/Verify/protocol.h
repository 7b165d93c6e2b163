/* The protocol of a program, run without data.
 *
 * Reader, unpack, math, pack and writer speak through bounded buffers only, so they
 * are a Kahn process network: what happens does not depend on who runs when, and
 * one abstract run decides. A function becomes a list of steps once; the run then
 * only counts. */
#ifndef TILEWRIGHT_PROTOCOL_H
#define TILEWRIGHT_PROTOCOL_H

#include "../StageD/stage_d.h"

/* Index arithmetic over loop variables: a tree in an array. */
typedef struct TtIndexNode {
  enum { TT_IX_CONST, TT_IX_SLOT, TT_IX_ADD, TT_IX_SUB, TT_IX_MUL, TT_IX_DIV, TT_IX_REM, TT_IX_CMP,
         TT_IX_OR, TT_IX_AND, TT_IX_MIN } kind;
  int64_t value; /* constant, slot, or predicate of a comparison */
  int a, b;      /* operands */
} TtIndexNode;

typedef enum TtStepKind {
  TT_STEP_FOR, TT_STEP_END_FOR, TT_STEP_IF, TT_STEP_ELSE, TT_STEP_RESERVE, TT_STEP_PUSH,
  TT_STEP_WAIT, TT_STEP_POP, TT_STEP_READ, TT_STEP_WRITE, TT_STEP_READ_BARRIER,
  TT_STEP_WRITE_BARRIER, TT_STEP_STARTUP, TT_STEP_FPU_INIT, TT_STEP_SFPU_INIT, TT_STEP_SRCA,
  TT_STEP_SRCB, TT_STEP_PACKER, TT_STEP_MATH, TT_STEP_SFPU, TT_STEP_PACK, TT_STEP_ACQUIRE,
  TT_STEP_COMMIT, TT_STEP_DST_WAIT, TT_STEP_RELEASE, TT_STEP_REDUCE_END
} TtStepKind;

typedef struct TtStep {
  TtStepKind kind;
  MlirOperation op;
  int cb[3];     /* circular buffers, -1 for none: operands, then the packer's */
  int index[3];  /* tile indices, counts, or the bounds and step of a loop */
  int slot;      /* of a loop's variable */
  int target;    /* where a loop or branch goes on */
  const char *unit; /* what the FPU or SFPU is set to, or must be */
} TtStep;

typedef struct TtProtocolCB {
  const char *name;
  int64_t id, pages;
  TtDataFormat format;
} TtProtocolCB;

/* One function's steps. */
typedef struct TtSteps {
  TtStep *data;
  int n, capacity;
  TtIndexNode *nodes;
  int num_nodes, node_capacity;
  int slots;
} TtSteps;

/* Runtime arguments have the same slots in every function: their place in
 * tt_runtime_arg_names. Sizes of dynamic dimensions share one. */
enum { TT_SLOT_START_ID, TT_SLOT_COUNT, TT_SLOT_GX = 11, TT_SLOT_SIZE = 15, TT_NUM_ARG_SLOTS };

typedef struct TtProtocol {
  TtArena *arena;
  MlirOperation program;
  TtProtocolCB *cbs;
  int num_cbs;
  TtSteps steps[TT_KERNEL_ROLE_COUNT];
  MlirOperation funcs[TT_KERNEL_ROLE_COUNT];
  int64_t args[TT_NUM_ARG_SLOTS];
} TtProtocol;

/* Whether a host function has a form as a host program (verify_host.c). False after an error. */
bool tt_verify_host(TtArena *arena, MlirOperation func);

/* False after an error: an op or a bound that the run cannot follow. */
bool tt_protocol_read(TtArena *arena, MlirOperation program, TtProtocol *protocol);
/* False after an error that cites the rule. */
bool tt_protocol_run(const TtProtocol *protocol);

#endif
