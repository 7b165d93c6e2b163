/* The protocol of a program, run without data.
 *
 * Reader, writer, unpack, math and pack speak through bounded buffers only, so they
 * are a Kahn process network: what happens does not depend on who runs when, and
 * one abstract run decides. Cores that send to each other run together, with semaphores
 * used in a disciplined way; some more runs, in each of which one process is as late as it
 * can be, tell what has happened before what in all of them.
 *
 *   protocol_read.c     functions become lists of steps, one for each process
 *   protocol_read_engine.c  the steps of unpack, math and pack
 *   protocol_remote.c   the steps of those that speak to other cores
 *   protocol_cores.c    what each core has, and what its arguments decide
 *   protocol_network.c  which cores send to which, and which are alike
 *   transfer_bounds.c   tiles of tensors: intervals, which mostly tell
 *   protocol_steps.c    which of them are whose
 *   protocol_check.c    the runs that a program needs
 *   protocol_run.c      processes in turn, until all have ended or none can go on
 *   protocol_buffers.c  circular buffers
 *   protocol_transfers.c  transfers
 *   protocol_engine.c   unpack, math and pack
 *   protocol_signals.c  what goes to other cores, and arrives there
 *   protocol_semaphores.c  semaphores
 *   protocol_reads.c    loops that only read tiles, at once
 *   protocol_fetch.c    reads of other cores' memory
 *   protocol_values.c   numbers that grow with the repetitions of a loop
 *   protocol_periods.c  finds repetitions, and leaves out those that are alike
 *   protocol_report.c   who waits for whom
 */
#ifndef TILEWRIGHT_PROTOCOL_H
#define TILEWRIGHT_PROTOCOL_H

#include "Analysis/core_args.h"
#include "Analysis/program.h"
#include "Dialect/target.h"

/*===- Steps ---------------------------------------------------------------------------------===*/

/* Index arithmetic over loop variables and runtime arguments. Operands stand before their uses. */
typedef struct TtIndexNode {
  enum {
    TT_IX_CONST,
    TT_IX_SLOT,
    TT_IX_ARG,
    TT_IX_CORE, /* a coordinate of the core: see TtCoreCoordinate */
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
  int64_t value;   /* constant, slot, argument, or predicate of a comparison */
  int a, b, c;     /* operands */
  int depth;       /* of the expression below it */
  int coordinates; /* of the NoC that are in this sum, less those that are taken from it */
} TtIndexNode;

typedef enum TtProcessKind {
  TT_READER,
  TT_WRITER,
  TT_UNPACK,
  TT_MATH,
  TT_PACK,
  /* What a mover sends to other cores: how it departs, in order, and how it arrives, in order. */
  TT_READER_PORT,
  TT_WRITER_PORT,
  TT_READER_WAY,
  TT_WRITER_WAY,
  TT_NUM_PROCESSES
} TtProcessKind;
/* The reader or the writer that a kind belongs to, or the kind itself. */
static inline int tt_mover_of(int kind) {
  return kind < TT_READER_PORT ? kind : (kind - TT_READER_PORT) % 2;
}
static inline bool tt_is_port(int kind) { return kind == TT_READER_PORT || kind == TT_WRITER_PORT; }
static inline bool tt_is_way(int kind) { return kind == TT_READER_WAY || kind == TT_WRITER_WAY; }

typedef enum TtCoreCoordinate { TT_NOC_X, TT_NOC_Y, TT_LOGICAL_X, TT_LOGICAL_Y } TtCoreCoordinate;

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
  TT_STEP_LOAD, /* elements of a page, by the processor */
  TT_STEP_STORE,
  TT_STEP_LEARN, /* an integer that the reader has loaded */
  TT_STEP_READ_BARRIER,
  TT_STEP_WRITE_BARRIER,
  TT_STEP_FLUSH,
  TT_STEP_SEND,     /* data to other cores */
  TT_STEP_SIGNAL,   /* the value of a semaphore to other cores */
  TT_STEP_INC,      /* semaphores of other cores */
  TT_STEP_FETCH,    /* reads another core's memory */
  TT_STEP_SEM_SET,  /* this core's */
  TT_STEP_SEM_WAIT, /* until it is exactly this */
  TT_STEP_SEM_WAIT_MIN,
  TT_STEP_STARTUP,
  TT_STEP_FPU_INIT,
  TT_STEP_SFPU_INIT,
  TT_STEP_SRCA,
  TT_STEP_SRCB,
  TT_STEP_PACKER,
  TT_STEP_L1_ACC,
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
  int cb[3];    /* circular buffers, -1 for none: operands, then the packer's; of data that is sent,
                 * that it comes from and that it goes to; of data that is fetched, the other way
                 * round: that of this core first */
  int index[3]; /* nodes: tile indices, counts, bounds and step of a loop; of a transfer, the bytes
                 * after its pointer and the tile of the tensor, -1 for none, and, of a row of a
                 * face, which one of its tile that is; of data that is sent, the bytes after its
                 * pointers and their number; of a semaphore, its value */
  int64_t range[2]; /* of an integer: the least and the greatest that it may be */
  int load;         /* of an integer: which one of the kernel's source */
  int64_t last[3];  /* of a product of blocks: the last tiles, after the indices */
  int slot;         /* of a loop's variable; of the pointer that a transfer uses */
  int target;       /* where a loop or branch goes on */
  int reads;        /* of a loop that only reads tiles, one after the other: that step, else 0 */
  bool waits;       /* of a loop that only waits, for more and more: its last round is enough */
  int unit;         /* what the FPU or SFPU is set to, or must be */
  int level;        /* loops around it */
  int source_of[2]; /* of a tile op: which operand is read to source A, and to B, -1 for none */
  bool integers;    /* and whether those may be integers */
  bool takes_dst;   /* of the vector unit: reads the tile of DST, which it may compute as well */
  bool to_read;     /* a pointer: the one that is read from */
  bool uncounted;   /* of a transfer: not on all paths does one write this page */
  bool check_tile;  /* of a transfer: whether the tensor has the tile is seen in the run */
  bool loaded_tile; /* and whether integers of a tensor say which one it is */
  int64_t tiles;    /* of that tensor */
  bool *warned;     /* a warning was given here */
  /* Of what goes to other cores: */
  int link;                 /* its number */
  int corner[4], dests;     /* x0, y0, x1, y1, where x1 is -1 for one core; how many it names */
  int semaphore, source;    /* that is set or waited for; that whose value is sent */
  int to_slot;              /* of the pointer that data goes to, or is fetched from */
  bool read_there;          /* that pointer is one that is read from */
  bool loopback, multicast; /* it reaches this core as well */
} TtStep;

/* What one process does. */
typedef struct TtSteps {
  TtStep *data;
  int n, capacity;
  int *view_of; /* by circular buffer, which of those that the steps name, -1 for none */
  int num_views;
} TtSteps;

typedef struct TtProtocolCB {
  const char *name;
  int64_t id, pages, page_bytes;
  TtDataFormat format;
  bool bound;   /* on a shard: its pages are there before the kernels run */
  bool fetched; /* other cores read it */
  bool sent;    /* what is in it goes to other cores, or comes from there */
  MlirOperation op;
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

/* A kernel, and what each of its processes does. */
typedef struct TtProtocolKernel {
  MlirOperation op;
  TtKernelRole role;
  int64_t dst_tiles; /* that DST holds while it runs */
  uint64_t to_dst;   /* circular buffers whose tiles go past the source registers, a bit each */
  bool wide;         /* DST has 32 bits */
  bool tells;        /* its reconfigurations say whether a source holds integers */
  TtExpressions expressions;
  TtSteps steps[TT_NUM_PROCESSES];
  TtSteps briefly[TT_NUM_PROCESSES]; /* what other cores can notice of these */
} TtProtocolKernel;

/* A runtime argument that steps of a kernel depend on. */
typedef struct TtProtocolArg {
  const char *name;
  int kernel;
} TtProtocolArg;

typedef struct TtProtocolSemaphore {
  const char *name;
  MlirOperation op;
  int64_t init;
} TtProtocolSemaphore;

typedef struct TtProtocol {
  TtArena *arena;
  MlirOperation program;
  const TtChip *chip;
  TtCheckOptions options;
  TtProtocolCB *cbs;
  int num_cbs;
  TtProtocolSemaphore *semaphores;
  int num_semaphores;
  TtProtocolKernel *kernels;
  int num_kernels;
  int num_links; /* steps that speak to other cores */
  TtProtocolArg *args;
  int num_args, args_capacity;
  const char **units; /* settings of the engine, by number */
  int num_units, units_capacity;
  int try; /* which integers are loaded: see TtSizes */
} TtProtocol;

/*===- Lists of steps (protocol_steps.c) -----------------------------------------------------===*/

TtKernelRole tt_role_of_process(int kind);
/* Of all steps of a kernel those of one process, without loops and branches that are empty for
 * it. */
void tt_keep_steps(const TtProtocol *protocol, const TtSteps *all, int process, TtSteps *out);
/* Of all kernels, `briefly`: only the steps that other cores can notice. */
void tt_shorten_steps(TtProtocol *protocol);
/* What all values of a node are a multiple of, where it does not fall as slots grow; 0 of nothing
 * but zero, -1 where that is not plain. */
int64_t tt_rises_by(const TtExpressions *expressions, int node);
/* Whether a loop has the same rounds each time. */
bool tt_has_constant_bounds(const TtExpressions *expressions, const TtStep *loop);
/* Of the short steps of an engine's process, the loops that only wait (protocol_waits.c). */
void tt_mark_waits(const TtExpressions *expressions, TtSteps *steps);
/* Of such steps, the loops that only read tiles (protocol_reads.c). */
void tt_mark_reads(const TtProtocol *protocol, const TtExpressions *expressions, TtSteps *steps);

/* False after an error: an op or a bound that the run cannot follow. */
bool tt_protocol_read(TtArena *arena, MlirOperation program, TtCheckOptions options,
                      TtProtocol *protocol);

/* A core: where it is, the kernel of each role, -1 for none, and which circular buffers and
 * semaphores it has, a bit each. */
typedef struct TtProtocolCore {
  int64_t x, y;
  int kernels[TT_KERNEL_ROLE_COUNT];
  uint64_t cbs, semaphores;
} TtProtocolCore;

static inline int64_t tt_coordinate(const TtProtocolCore *core, TtCoreCoordinate which) {
  return (which % 2 ? core->y : core->x) + (which < TT_LOGICAL_X ? TT_NOC_ORIGIN : 0);
}

/* The cores of a program, and the values of protocol->args of each, in lists of num_args
 * numbers. */
typedef struct TtCoreArgs {
  TtProtocolCore *cores;
  int64_t *values;
  int64_t n;
} TtCoreArgs;
/* tt_core_table(), as far as steps depend on it. False after an error. */
bool tt_core_args(const TtProtocol *protocol, const TtSizes *sizes, TtCoreArgs *cores);

/* By node of a kernel's arithmetic: what the arguments of one core decide. */
typedef struct TtKnown {
  int64_t *values;
  bool *known;
} TtKnown;

/* Whether a comparison of numbers, whose difference has this sign, holds. */
static inline bool tt_holds(int64_t predicate, int sign) {
  switch (predicate) {
  case 0: return sign == 0;
  case 1: return sign != 0;
  case 2:
  case 6: return sign < 0;
  case 3:
  case 7: return sign <= 0;
  case 4:
  case 8: return sign > 0;
  default: return sign >= 0;
  }
}

/*===- Cores that are alike ------------------------------------------------------------------===*/

/* Cores of one class do the same at the same time, if all of them run alike. */
typedef struct TtCoreClass {
  int64_t core; /* one of them: a place in the lists */
  int64_t members;
} TtCoreClass;

typedef struct TtNetwork {
  const TtProtocol *p;
  const TtCoreArgs *cores;
  struct TtLinkTarget *targets;
  struct TtFetchOrder *orders; /* by link, of all runs (protocol_fetch.c) */
  bool *loopback;              /* by link: it may reach the core that sends */
  TtKnown *known;              /* by core and role of its kernels (protocol_cores.c) */
  uint64_t *colors;            /* by core: what its steps see of it */
  int64_t *core_at;            /* by place on the grid, -1 for none */
  int64_t width, height;
} TtNetwork;

/* How often a link of all cores of one class reaches each core of another. */
typedef struct TtHit {
  int to, n;
} TtHit;

typedef struct TtPartition {
  TtCoreClass *classes;
  int n;
  TtHit *hits; /* those of link l from class P start at first[l * n + P], and end before the next */
  int *first;
} TtPartition;

static inline uint64_t tt_mix(uint64_t a, uint64_t b) {
  a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
  a ^= a >> 32;
  return a * UINT64_C(0xd6e8feb86659fd93) ^ a >> 29;
}

/* The value of a node that is no select, from those of its operands. False where it does not fit 64
 * bits (protocol_cores.c). */
bool tt_calculate(const TtIndexNode *node, int64_t a, int64_t b, int64_t *value);
/* Finds what is known on each core, and its color (protocol_cores.c). */
void tt_find_known(TtNetwork *network);
const TtKnown *tt_known_on(const TtNetwork *network, int64_t core, TtKernelRole role);
/* What is known of the order of reads from other cores: nothing yet (protocol_fetch.c). */
struct TtFetchOrder *tt_fetch_orders(const TtProtocol *protocol);
/* Who sends to whom. False after an error: a core that is none, or that lacks what is sent to. */
bool tt_network_build(TtNetwork *network, const TtProtocol *protocol, const TtCoreArgs *cores);
/* Classes; core `alone` is one by itself, if it is not -1. */
TtPartition tt_network_classes(const TtNetwork *network, TtArena *arena, int64_t alone);
/* Classes of which one core each is as late as it can be. Where there are many, cores are told
 * apart by what is near them alone: order between neighbours does not come from far away. */
TtPartition tt_network_late(const TtNetwork *network, TtArena *arena);
/* Whether a core may get to a link: no branch or loop that its arguments decide is in the way. */
bool tt_network_takes(const TtNetwork *network, int link, int64_t core);
/* The cores that link `l` of this core names, this one included or not as it says. */
int64_t tt_network_dests(const TtNetwork *network, int link, int64_t core, bool loopback);

/* Who is as late as it can be: a process of a class, or nobody where `process` is -1. */
typedef struct TtLate {
  int class_of, process;
} TtLate;

typedef struct TtProtocolRun TtProtocolRun;
/* What runs over these classes have in common (protocol_start.c); it lives as long as `arena`.
 * `briefly`: only what other cores can notice counts. Such a run does more than it could before the
 * late one goes on, so that who finds no error then, finds none in a full run. */
TtProtocolRun *tt_prepare_runs(TtArena *arena, const TtNetwork *network,
                               const TtPartition *partition, bool briefly);
/* Runs classes of cores together, from the start. False after an error that cites the rule. */
bool tt_protocol_run(TtProtocolRun *run, TtLate late);

/* Runs a program on each core that differs. False after an error. */
bool tt_protocol_check(TtArena *arena, MlirOperation program, TtCheckOptions options,
                       const TtSizes *sizes);

/* Marks the transfers that may leave their tensor on one of the cores (transfer_bounds.c). */
void tt_mark_transfers(const TtProtocol *protocol, const TtSizes *sizes, const TtCoreArgs *cores);

/* Whether attributes of a program agree with each other and with the chip (metadata.c). False after
 * an error. */
bool tt_check_metadata(MlirOperation program);

/* Whether what a kernel of a program takes is there, and as it will be emitted: its arguments, and
 * the bindings of their accessors (bindings.c). False after an error. */
bool tt_check_bindings(TtArena *arena, MlirOperation kernel);
/* Whether what a compute kernel is set to is said, and right (engine_config.c). False after an
 * error. */
bool tt_check_config(TtArena *arena, MlirOperation program, MlirOperation kernel);

/* Whether a host function has a form as a host program (verify_host.c). False after an error. */
bool tt_verify_host(TtArena *arena, MlirOperation func);

#endif
