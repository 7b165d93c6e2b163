/* The protocol of a program, run without data.
 *
 * Reader, writer, unpack, math and pack speak through bounded buffers only, so they
 * are a Kahn process network: what happens does not depend on who runs when, and
 * one abstract run decides.
 *
 *   protocol_read.c     functions become lists of steps, one for each process
 *   protocol_cores.c    the runtime arguments that cores have, each list once
 *   transfer_bounds.c   tiles of tensors: intervals, which mostly tell
 *   protocol_run.c      processes in turn, until all have ended or none can go on
 *   protocol_buffers.c  circular buffers and transfers
 *   protocol_engine.c   unpack, math and pack
 *   protocol_values.c   numbers that grow with the repetitions of a loop
 *   protocol_periods.c  finds repetitions, and leaves out those that are alike
 *   protocol_report.c   who waits for whom
 */
#ifndef TILEWRIGHT_PROTOCOL_H
#define TILEWRIGHT_PROTOCOL_H

#include "Analysis/program.h"

/*===- Steps ---------------------------------------------------------------------------------===*/

/* Index arithmetic over loop variables and runtime arguments. Operands stand before their uses. */
typedef struct TtIndexNode {
  enum {
    TT_IX_CONST,
    TT_IX_SLOT,
    TT_IX_ARG,
    TT_IX_ADD,
    TT_IX_SUB,
    TT_IX_MUL,
    TT_IX_DIV,
    TT_IX_REM,
    TT_IX_CMP,
    TT_IX_OR,
    TT_IX_AND,
    TT_IX_XOR,
    TT_IX_MIN,
    TT_IX_MAX,
    TT_IX_SELECT
  } kind;
  int64_t value; /* constant, slot, argument, or predicate of a comparison */
  int a, b, c;   /* operands */
  int depth;     /* of the expression below it */
} TtIndexNode;

typedef enum TtProcessKind {
  TT_READER,
  TT_WRITER,
  TT_UNPACK,
  TT_MATH,
  TT_PACK,
  TT_NUM_PROCESSES
} TtProcessKind;

typedef enum TtStepKind {
  TT_STEP_FOR,
  TT_STEP_END_FOR,
  TT_STEP_IF,
  TT_STEP_ELSE,
  TT_STEP_END_IF,
  TT_STEP_RESERVE,
  TT_STEP_PUSH,
  TT_STEP_WAIT,
  TT_STEP_POP,
  TT_STEP_POINTER,
  TT_STEP_READ,
  TT_STEP_WRITE,
  TT_STEP_FILL,
  TT_STEP_READ_BARRIER,
  TT_STEP_WRITE_BARRIER,
  TT_STEP_FLUSH,
  TT_STEP_STARTUP,
  TT_STEP_FPU_INIT,
  TT_STEP_SFPU_INIT,
  TT_STEP_SRCA,
  TT_STEP_SRCB,
  TT_STEP_PACKER,
  TT_STEP_MATH,
  TT_STEP_SFPU,
  TT_STEP_PACK,
  TT_STEP_ACQUIRE,
  TT_STEP_COMMIT,
  TT_STEP_DST_WAIT,
  TT_STEP_RELEASE,
  TT_STEP_REDUCE_END
} TtStepKind;

typedef struct TtStep {
  TtStepKind kind;
  MlirOperation op;
  int cb[3];    /* circular buffers, -1 for none: operands, then the packer's */
  int index[3]; /* nodes: tile indices, counts, bounds and step of a loop; of a transfer, the bytes
                 * after its pointer and the tile of the tensor, -1 for none */
  int slot;     /* of a loop's variable; of the pointer that a transfer uses */
  int target;   /* where a loop or branch goes on */
  int unit;     /* what the FPU or SFPU is set to, or must be */
  int level;    /* loops around it */
  bool to_read; /* a pointer: the one that is read from */
  bool uncounted;  /* of a transfer: not on all paths does one write this page */
  bool check_tile; /* of a transfer: whether the tensor has the tile is seen in the run */
  int64_t tiles;   /* of that tensor */
  bool *warned;    /* a warning was given here */
} TtStep;

/* What one process does. */
typedef struct TtSteps {
  TtStep *data;
  int n, capacity;
} TtSteps;

typedef struct TtProtocolCB {
  const char *name;
  int64_t id, pages, page_bytes;
  TtDataFormat format;
  bool bound; /* on a shard: its pages are there before the kernels run */
} TtProtocolCB;

/* One function's arithmetic. Slots hold loop variables and pointers. */
typedef struct TtExpressions {
  TtIndexNode *nodes;
  int n, capacity, slots;
} TtExpressions;

typedef struct TtCheckOptions {
  bool strict;     /* untidiness that the hardware forgives is an error */
  bool exhaustive; /* every round of every loop is run */
} TtCheckOptions;

typedef struct TtProtocol {
  TtArena *arena;
  MlirOperation program;
  TtCheckOptions options;
  TtProtocolCB *cbs;
  int num_cbs;
  MlirOperation funcs[TT_KERNEL_ROLE_COUNT];
  TtExpressions expressions[TT_KERNEL_ROLE_COUNT];
  TtSteps steps[TT_NUM_PROCESSES];
  const char **args; /* runtime arguments that steps depend on */
  int num_args, args_capacity;
  const char **units; /* settings of the engine, by number */
  int num_units, units_capacity;
} TtProtocol;

TtKernelRole tt_role_of_process(int kind);

/* False after an error: an op or a bound that the run cannot follow. */
bool tt_protocol_read(TtArena *arena, MlirOperation program, TtCheckOptions options,
                      TtProtocol *protocol);

/* Sizes of dynamic dimensions, by name ("A_d0"). */
typedef struct TtSizes {
  char **names;
  const int64_t *sizes;
  intptr_t n;
  int64_t others; /* of those that are not named */
} TtSizes;

/* The values of protocol->args of each core, in lists of num_args numbers. */
typedef struct TtCoreArgs {
  int64_t *values;
  int64_t n;
} TtCoreArgs;
TtCoreArgs tt_core_args(const TtProtocol *protocol, const TtSizes *sizes);

/* Runs one core. False after an error that cites the rule. */
bool tt_protocol_run(const TtProtocol *protocol, const int64_t *args);

/* Runs a program on each core that differs. False after an error. */
bool tt_protocol_check(TtArena *arena, MlirOperation program, TtCheckOptions options,
                       const TtSizes *sizes);

/* Marks the transfers that may leave their tensor on one of the cores (transfer_bounds.c). */
void tt_mark_transfers(const TtProtocol *protocol, const TtSizes *sizes, const TtCoreArgs *cores);
/* Of cores that differ only in arguments on which no step depends, keeps one. */
void tt_unite_cores(const TtProtocol *protocol, TtCoreArgs *cores);

/* Whether attributes of a program agree with each other and with the chip (metadata.c). False after
 * an error. */
bool tt_check_metadata(MlirOperation program);

/* Whether a host function has a form as a host program (verify_host.c). False after an error. */
bool tt_verify_host(TtArena *arena, MlirOperation func);

#endif
