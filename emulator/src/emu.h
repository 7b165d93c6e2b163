/*===- emu.h - the parts of the emulated device ---------------------------------------===
 *
 * A core has five RISC processors; each is a coroutine with a clock of its own.
 * One scheduler always resumes the one whose clock is least, so whatever passes
 * between processors (counters of circular buffers, banks of source registers,
 * halves of DST, NoC transfers) happens in the order of time, and runs repeat to
 * the bit.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TTEMU_EMU_H
#define TTEMU_EMU_H

#include "ttemu/device.h"

#include "Target/chips.h"
#include "Target/costs.h"
#include "Target/formats.h"

#include <setjmp.h>
#include <stdio.h>
#include <ucontext.h>

/* Loops that are compiled for several kinds of x86, of which the host's runs. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define EMU_CLONES
#define EMU_VECTORIZED                                                                             \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
#else
#define EMU_VECTORIZED
#endif

enum {
  MAX_CBS = TT_MAX_CBS,
  TILE = 1024,
  MAX_DST = 16,
  NUM_RISCS = 5,
  SOURCE_BANKS = 2,
  UNPACK = 2,
  MATH = 3,
  PACK = 4, /* roles; 0 and 1 are data movement */
  FPU_COPY = 4,
  FPU_TRANSPOSE,
  FPU_REDUCE,
  FPU_TILIZE,
  FPU_UNTILIZE, /* beside ttemu_binary */
  NOT_REDUCED = -1,
  FLOAT32_TO_DST = 1 << 16, /* beside ttemu_format: Float32 that goes past the source registers */
  COPY_TRANSPOSED = 8,      /* a shape beside those of ttemu_bcast */
  L1_WINDOW = 2 << 20,
  EMU_STACK_BYTES = 256 * 1024, /* of a kernel on one processor */
  SEMAPHORES = 16,
  SEMAPHORE_BYTES = 16 * SEMAPHORES, /* right below the usable L1 */
  CLOCK_BYTES = 16,                  /* below them: the clock, as a register */
  ZEROS_BYTES = 512,                 /* and zeros that kernels copy from */
  SYSTEM_BYTES = SEMAPHORE_BYTES + CLOCK_BYTES + ZEROS_BYTES
};

const TtChip *emu_chip_of_environment(void);
/* The tables that the clock goes by: those of lib/Target, or changed ones. */
void emu_figures_open(void);

/*===- Formats and arithmetic -------------------------------------------------------===*/

uint32_t emu_tile_bytes(ttemu_format format);
bool emu_is_integer(ttemu_format format);

/* A tile in a source register: value = sign * sig * 2^(exp - 127 - 10). */
typedef struct Source {
  int16_t sig[TILE]; /* signed, 11 bits of magnitude */
  uint8_t exp[TILE]; /* 0 means zero */
} Source;

/* How source registers and DST round. */
typedef struct DstMode {
  bool wide;        /* DST of fp32, else 16 bits */
  bool five;        /* sources have exponents of 5 bits; so has DST of 16 bits: fp16, not bf16 */
  bool f32_as_half; /* Float32 buffers become Float16 in source registers */
  bool wormhole;
  bool fast; /* f32 accumulation, one rounding at the end */
} DstMode;

/* Unpacks a tile in face order from L1 to a source register (row-major inside). */
void emu_unpack(const uint8_t *tile, ttemu_format format, DstMode mode, Source *out);
/* What DST of 16 bits keeps of a float from the vector unit while it holds fp16: truncated. A
 * function that `rounds` has rounded to bf16 before, whatever DST holds. */
uint32_t emu_half_in_dst(uint32_t bits, bool rounds);
/* As emu_unpack, straight to DST, all 32 bits. */
void emu_unpack_raw(const uint8_t *tile, ttemu_format format, uint32_t *dst);
void emu_copy(const uint8_t *tile, ttemu_format format, DstMode mode, uint32_t *dst);
/* `dst` holds float bits, row-major; 16-bit modes keep the low bits zero. */
void emu_matmul(const Source *a, const Source *b, int phases, DstMode mode, uint32_t *dst);
void emu_matmul_exact(const Source *a, const Source *b, int phases, DstMode mode, uint32_t *dst);
/* The same on any host. */
void emu_matmul_portable(const Source *a, const Source *b, int phases, DstMode mode, uint32_t *dst);
/* `onto`: sums add to what is in DST; products always do. */
void emu_binary(ttemu_binary op, const Source *a, const Source *b, int phases, DstMode mode,
                bool onto, uint32_t *dst);
/* Broadcasts row `row`, column 0 or element 0; transposes. */
void emu_broadcast(ttemu_bcast shape, uint32_t row, Source *s);
void emu_transpose(Source *s);
void emu_transpose_bits(uint32_t *tile);
void emu_broadcast_bits(ttemu_bcast shape, uint32_t *tile);
/* Reduces a tile into column 0, row 0 or element 0 of `dst`; row 0 of `scaler` has the
 * factor. `tf32`: source registers hold fp32 buffers. `fresh`: nothing was computed on
 * `dst` since it was acquired, so that a maximum starts from nothing. */
void emu_reduce(ttemu_pool kind, ttemu_reduce_dim dim, const Source *data, const Source *scaler,
                int phases, DstMode mode, bool tf32, bool fresh, uint32_t *dst);
/* What the packer leaves of a reduced tile: the results, else zero. */
void emu_mask_reduced(ttemu_reduce_dim dim, uint32_t *tile);
/* Applies a function to tiles of DST; absent inputs are NULL. */
void emu_sfpu(const ttemu_sfpu_call *call, DstMode mode, uint32_t *const in[3], uint32_t *out);
const char *emu_sfpu_name(ttemu_sfpu op);
ttemu_sfpu emu_sfpu_init_of(ttemu_sfpu op); /* whose init it needs */
/* A tile of DST as a source, for ops that take it for an operand. */
void emu_source_of_dst(const uint32_t *dst, DstMode mode, Source *s);
/* Packs onto what is in `tile`: adds. False where the packer cannot in this format. */
bool emu_pack_onto(const uint32_t *dst, DstMode mode, ttemu_format format, uint8_t *tile);
void emu_pack(const uint32_t *dst, DstMode mode, ttemu_format format, uint8_t *tile);

/*===- Cores --------------------------------------------------------------------------===*/

typedef struct Core Core;
typedef struct Risc Risc;

typedef enum WaitKind {
  NOT_WAITING,
  WAIT_CB_SPACE,
  WAIT_CB_DATA,
  WAIT_SOURCE_FREE,
  WAIT_SOURCE_FULL,
  WAIT_DST_FREE,
  WAIT_DST_COMMIT,
  WAIT_READS,
  WAIT_WRITES,
  WAIT_FLUSH,
  WAIT_ATOMICS,
  WAIT_SEMAPHORE,
  WAIT_MAILBOX,
  WAIT_MAILBOX_SPACE,
  WAIT_TOKEN,
  WAIT_TOKEN_SPACE,
  NUM_WAITS
} WaitKind;

/* The code of kernels that are alike, and its variables, of which each processor has its own. */
typedef struct Image {
  struct Image *next;
  void *library;
  char *start; /* of its variables */
  size_t bytes;
  void *pristine;     /* as they are when a kernel starts */
  struct Risc *owner; /* whose are in place now */
} Image;

typedef struct Kernel {
  char *path;
  void (*entry)(void);
  Image *image;
  uint32_t first_x, first_y; /* the corner of its cores */
  int processor, noc, phases;
  bool any_noc; /* each transfer says its NoC, and the processors count together */
  bool fp32_dest, full_sync, approx, placed;
  uint8_t unpack_to_dest[MAX_CBS];
  uint32_t *common_args, num_common_args;
  bool prints;                        /* its text says DPRINT */
  struct Kernel *of_role[2], *leader; /* math's and pack's, if they differ from unpack's */
  ttemu_kernel_config *later;         /* of a kernel that is compiled when the program runs */
} Kernel;

/* READ: from a bank or core to L1. The others write: bytes of L1, or one word. */
typedef enum TransferKind { READ, WRITE, SET_WORD, ADD_WORD } TransferKind;

/* A transfer in flight. The processor waits for those that are tracked. */
typedef struct Transfer {
  struct Transfer *next;
  Risc *risc;
  TransferKind kind;
  bool tracked, all; /* all: the sending core as well */
  bool multicast, sent, has_value, dram;
  bool dynamic; /* its virtual channel is chosen on the way */
  int noc;
  uint8_t *bank; /* of DRAM, or NULL: the L1 of these cores */
  uint32_t bank_id, x0, y0, x1, y1;
  uint32_t address;   /* in the bank or their L1 */
  uint32_t l1, bytes; /* in the L1 of `risc` */
  uint32_t value;     /* of a word */
  uint32_t trid, line;
  uint64_t issued, departs;
  uint8_t *data;       /* of a write that has departed */
  struct Clock *clock; /* of a signal: what it tells; see race.h */
  uint32_t stamp_at;
} Transfer;

struct Risc {
  Core *core;
  int role;
  Kernel *kernel;
  void *data; /* its copy of the kernel's variables while another processor runs */
  const uint32_t *args;
  uint32_t num_args;
  ucontext_t context; /* where it starts */
  jmp_buf jump;       /* where it goes on, once it is entered */
  void *stack;
  bool started, entered, done;
  uint64_t time;  /* of its part of the engine, where it has one */
  uint64_t ahead; /* how far its instructions run ahead of that */
  uint32_t line;
  WaitKind wait;
  uint32_t wait_cb, wait_n;
  uint32_t write_page[MAX_CBS], read_page[MAX_CBS];   /* private pointers, in pages */
  uint32_t write_shift[MAX_CBS], read_shift[MAX_CBS]; /* and bytes, where a kernel set them */
  /* A pointer that the kernel has set outside of its circular buffer (its number plus 1), where it
   * must not stay. */
  uint32_t stray_cb, stray_value;
  bool stray_reads;
  uint32_t reserved[MAX_CBS], waited[MAX_CBS]; /* of the last reserve and wait */
  uint32_t packed[MAX_CBS];                    /* tiles since the last push */
  /* Settings of the engine, as this processor last made them. */
  bool started_up;
  int fpu;                  /* ttemu_binary, FPU_COPY …, or -1 for none */
  int shape;                /* of fpu: a ttemu_bcast; 1 for a transposed matmul; 4 * pool + dim */
  bool onto_l1;             /* the packer adds */
  bool adds_onto;           /* sums of tiles add to DST */
  bool by_blocks, in_block; /* in a call on a block of tiles; after its first tile */
  bool keeps_a, keeps_b;    /* and this operand is in its register already */
  bool untilizes;           /* the packer writes rows */
  bool tilizes_two;         /* unpack makes source A of rows */
  bool transposes;          /* the matrix engine transposes in DST */
  bool relu;                /* the packer drops negative values */
  int reduced;              /* ttemu_reduce_dim that the packer is set to, or NOT_REDUCED */
  int sfpu;                 /* ttemu_sfpu, from TTEMU_NUM_SFPU on a ttemu_tile_op, or -1 for none */
  int srca, srcb;           /* ttemu_format, or FLOAT32_TO_DST */
  ttemu_format pack;
  bool by_parts;       /* set up by the layer below the API */
  uint32_t random;     /* the state of its generator; 0: not seeded */
  Transfer *transfers; /* in flight */
  bool used[4];        /* the kinds of transfers that it has issued in this launch */
  uint32_t reads, writes, unsent, atomics, trid;
  int next_noc;          /* of the next transfer, plus 1; 0 for the kernel's */
  bool dynamic;          /* its transfers choose their virtual channels on the way */
  uint64_t last_arrival; /* of what it wrote to cores */
  uint64_t waited_clk[NUM_WAITS];
  uint64_t wait_from; /* since when it waits */
  uint64_t busy_clk;  /* of its engine */
};

typedef struct CB {
  bool used;
  uint32_t address, page_bytes, pages;
  ttemu_format format;
  uint32_t received, acked; /* 16-bit counters on the chip */
  uint32_t handle;          /* which CreateCircularBuffer made it */
  bool bound;               /* to a buffer, or shared: its memory is not its own */
  bool overdrawn;           /* popped beyond what was pushed: acked runs ahead of received */
  uint8_t *written;         /* pages that the packer has filled */
  uint32_t largest;         /* pages it held at once */
  int pusher, popper;       /* the roles, or -1 as long as nobody has */
} CB;

/* What unpack hands to math for one tile op. */
typedef struct Operands {
  Source a, b;
  uint32_t raw[TILE]; /* of a copy */
  uint64_t ready;
} Operands;

typedef struct TaskQueue TaskQueue;

enum { MAILBOX_ENDS = 4, MAILBOX_WORDS = 4, TOKENS = 8, MOST_TOKENS = 15 };
typedef struct Mailbox {
  uint32_t words[MAILBOX_WORDS], first, n;
} Mailbox;

struct Core {
  uint32_t x, y;
  uint8_t *l1;
  TaskQueue *queue;
  uint64_t port_busy[2];           /* of each NoC */
  uint32_t cb_end;                 /* first free byte of L1 after the circular buffers */
  uint32_t has_semaphore;          /* a bit each */
  uint32_t semaphores[SEMAPHORES]; /* their first values */
  CB cbs[MAX_CBS];
  bool f32_as_half[2]; /* Float32 is Float16 in source registers: in DST of 16, of 32 bits */
  Risc riscs[NUM_RISCS];
  /* Source registers: two banks, filled by unpack, emptied by math. */
  Operands *operands;
  uint8_t gathered[SOURCE_BANKS][TILE * 4]; /* tiles made up from rows */
  uint32_t filled, taken;
  /* DST: halves, committed by math and released by pack. */
  uint32_t (*dst)[TILE];
  uint32_t committed, released;
  bool math_holds, pack_holds;
  bool hollow[4];  /* of the last sections: committed without having been acquired */
  bool other_half; /* the packer released once too often: it is at the half that math works on */
  bool written[MAX_DST];                         /* since its half was acquired */
  bool given[2][MAX_DST];                        /* the same of each half, as math committed it */
  Mailbox mailboxes[MAILBOX_ENDS][MAILBOX_ENDS]; /* from, to: data movement 0, unpack, math, pack */
  uint8_t tokens[TOKENS], most_tokens[TOKENS];   /* semaphores of the engine */
  float running_sum[32];                         /* of the vector unit, from tile to tile */
  float mean[32], m2[32];                        /* Welford's, of each column */
  float average[32], ema_alpha, ema_beta;        /* a moving average of each column */
  uint64_t math_busy;
  uint64_t sections, packs, copies,
      copies_back; /* of DST; copies of tiles that were packed before */
};

struct ttemu_program {
  Core **cores; /* grid_x * grid_y, NULL where unused */
  Kernel **kernels;
  uint32_t num_kernels, num_cbs;
};

/* A buffer's memory in every bank, and what is there. */
typedef struct Range {
  uint32_t start, end, page_bytes;
  uint64_t pages;
} Range;
typedef struct Ranges {
  Range *data; /* in order, apart */
  size_t n;
} Ranges;

/* The device of this process, and the processor that runs. */
typedef struct Device {
  const TtChip *chip;
  const TtCosts *costs;
  bool open;
  uint32_t devices, device;      /* of a mesh, and which is chosen */
  uint8_t **dram;                /* a bank each, of all devices */
  uint8_t **l1;                  /* a core each */
  Ranges dram_ranges, l1_ranges; /* of the buffers, in every bank */
  Risc *running;
  ttemu_program *program;
  bool fast;
  uint64_t seed, events, max_events;
  uint64_t resumes, max_seconds; /* of CPU time between two calls of the API */
  uint64_t clock;
  uint64_t *bank_busy;
  bool bank_writes[TT_MAX_BANKS];                            /* rather than reads */
  uint64_t bytes_read, bytes_written, dram_moved, own_moved; /* own: within the L1 of one core */
  uint32_t launches;
  bool progress;
  bool races; /* are looked for */
} Device;
extern Device emu;

/*===- Scheduling -----------------------------------------------------------------------===*/

/* Runs all processors of a program's cores to their end. */
void emu_schedule(ttemu_program *program);
/* Lets every processor and transfer with an earlier clock go first. */
void emu_sync(Risc *risc);
/* The processor that runs, in a call at this line of its kernel that others may notice: its time
 * is charged, and who is behind it runs first. */
Risc *emu_call(uint32_t line);
/* Work of the processor itself: hidden as far as it runs ahead of its part of the engine. */
void emu_charge(Risc *risc, uint64_t clk);
/* Work of its part of the engine, during which the processor goes on. */
void emu_work(Risc *risc, uint64_t clk);
/* Blocks the running processor until emu_wake; true conditions are the caller's. */
void emu_block(Risc *risc, WaitKind wait, uint32_t cb, uint32_t n);
/* Wakes what waits in `core` for one of these. */
void emu_wake(Core *core, WaitKind wait, uint32_t cb, uint64_t time);
/* Completes a transfer at `time`. */
void emu_transfer_at(Transfer *transfer, uint64_t time);
/* Moves its data. */
void emu_arrive(const Transfer *transfer, uint64_t time);
/* A transfer is issued: when a read is done, or when a write departs. */
uint64_t emu_issued(const Transfer *transfer);
/* A write has left at `time`: when it arrives. */
uint64_t emu_arrival(const Transfer *transfer, uint64_t time);
/* A write leaves: takes its data, and returns when it arrives. */
uint64_t emu_depart(Transfer *transfer, uint64_t time);

/*===- Ways through the NoC ---------------------------------------------------------------===*/

void emu_routes_open(void);
void emu_routes_close(void);
void emu_routes_reset(void);
TtNocPoint emu_noc_of_core(uint32_t x, uint32_t y);
TtNocPoint emu_noc_of_bank(uint32_t bank);
uint32_t emu_hops(TtNocPoint from, TtNocPoint to, int noc);

/* The links that a transfer takes. */
enum { MAX_WAY = (TT_MAX_SIDE + 1) * (TT_MAX_SIDE + 1) };
typedef struct Link Link;
typedef struct Way {
  Link *links[MAX_WAY];
  size_t n;
} Way;
void emu_way(Way *way, TtNocPoint from, TtNocPoint to, int noc);
/* The same to all cores of a rectangle: on NoC 0 a row and, from there, columns; on NoC 1 a column
 * and rows. */
void emu_way_to_all(Way *way, TtNocPoint from, const ttemu_rect *cores, int noc);
/* Whose write it is, and how much longer it takes where it meets those of others. */
typedef struct Mix {
  const Core *source;
  uint64_t percent;
} Mix;
/* When the last byte of a transfer that takes each link for `clk`, after what came before, has
 * passed them all. `mix`: of a write, else NULL. */
uint64_t emu_way_share(const Way *way, uint64_t start, uint64_t clk, const Mix *mix);
/* The same of one that takes all of its links at the same time. */
uint64_t emu_way_hold(const Way *way, uint64_t start, uint64_t clk);
/* For how many clk, in all launches, the link that leaves a node along its row (axis 0) or its
 * column (1) was taken. */
uint64_t emu_link_carried(int noc, int axis, uint32_t x, uint32_t y);
/* Writes, as JSON, where the nodes of the chip are, and how long each core's processors worked and
 * each link was taken; `working` has NUM_RISCS figures for each core (heat.c). */
void emu_write_heat(FILE *file, const uint64_t *working);

/*===- Memory -----------------------------------------------------------------------------===*/

/* A page's bank, and its place among the pages there. */
typedef struct Place {
  uint32_t bank, slot;
} Place;
Place emu_page_place(bool dram, const uint32_t *shards, uint32_t id);
Place emu_shard_place(const uint32_t *shards, uint32_t shard); /* of its first page */
uint32_t emu_shard_of_page(const uint32_t *shards, uint32_t id, uint32_t *in_shard);
uint32_t emu_num_pages(const uint32_t *shards);
uint32_t emu_aligned_page(bool dram, uint32_t page_bytes);
uint8_t *emu_bank(bool dram, uint32_t bank);
/* Whether all of these bytes of a bank are in one buffer. */
bool emu_in_buffer(bool dram, uint32_t address, uint32_t bytes);
/* Whether a transfer starts in a buffer of DRAM, and goes on where no other one lies. */
bool emu_past_end(uint32_t address, uint32_t bytes);
/* An error if a pointer of a circular buffer, which is used now, is outside of it. */
void emu_check_stray(Risc *risc, uint32_t index);
/* The host uses these addresses, without a buffer of its own. */
void emu_allow(bool dram, uint32_t start, uint32_t end);
/* Whether it used any memory of the kind so. */
bool emu_host_by_address(bool dram);
/* The buffer that this byte of a bank is in, or NULL. */
const Range *emu_range_at(bool dram, uint32_t address);
uint32_t emu_l1_lowest(void); /* address of the buffers in L1 */
/* Fills memory with the pattern of what nobody wrote, and finds it. */
void emu_poison(uint8_t *base, uint32_t address, uint32_t bytes);
bool emu_find_unwritten(const uint8_t *base, uint32_t address, uint32_t bytes, uint32_t *at);
bool emu_all_unwritten(const uint8_t *base, uint32_t address, uint32_t bytes);
void emu_memory_open(void);
void emu_memory_close(void);

/*===- Arithmetic on the host's cores -----------------------------------------------------===*/

enum { TASK_BYTES = 112 };
typedef void (*TaskFunction)(const void *args);
TaskQueue *emu_queue_create(void);
void emu_queue_destroy(TaskQueue *queue);
/* Calls run(args) later, after what was put off for this core before. */
void emu_later(Core *core, TaskFunction run, const void *args, size_t bytes);
/* Waits until nothing is put off for this core. */
void emu_flush(Core *core);
void emu_pool_open(int threads);
void emu_pool_close(void);

/*===- Programs ---------------------------------------------------------------------------===*/

/* Everything as it is before a launch. */
/* Ends the process where circular buffers of a core do not go together. */
void emu_check_formats(ttemu_program *program);
void emu_program_reset(ttemu_program *program);
/* Puts the variables of the processor's kernel in place. */
/* The image of a loaded library; the same one for the same library. */
Image *emu_image(void *library);
void emu_swap_variables(Risc *risc);
void emu_free_variables(Risc *risc);

/*===- L1 ---------------------------------------------------------------------------------===*/

void emu_l1_open(void);
void emu_l1_grow(uint32_t devices);
void emu_l1_choose(uint32_t device); /* whose L1 lies in the windows */
/* Whether a fault at this address is a bare offset, which is now a pointer as well. */
bool emu_l1_fault(uintptr_t at);
void emu_catch_faults(void);
void emu_l1_close(void);
/* Before a processor of `next` runs. */
void emu_l1_leave(const Core *next);
enum { MAX_RUNTIME_ARGS = 341 };
/* A copy of runtime arguments at an address of 32 bits, and one word of zeros behind it (low.c). */
uint32_t *emu_args_create(const uint32_t *args, size_t n);
void emu_args_destroy(const uint32_t *args);
/* An offset as a kernel sees it: a pointer of 32 bits. */
uint32_t emu_l1_pointer(const Core *core, uint32_t offset);
/* The offset of a kernel's L1 address; an error if `bytes` from it are not in L1. */
uint32_t emu_l1_offset(Risc *risc, uint32_t address, uint32_t bytes);
/* Rule 21, of a transfer to (read) or from a page of a circular buffer. */
void emu_check_page(Risc *risc, uint32_t l1, uint32_t bytes, bool read);
uint32_t emu_semaphore_offset(uint32_t id);

/*===- Races --------------------------------------------------------------------------------===*/

/* What the race detector hears of (race.c); rule 23. Nothing happens if it is off. */
void emu_race_begin(const ttemu_program *program);
void emu_race_end(const ttemu_program *program);
void emu_race_close(void);
/* A transfer is issued; its word or small write reaches a core, before memory changes; it is
 * done with. */
void emu_race_issue(Transfer *transfer);
void emu_race_arrive(const Transfer *transfer, uint32_t core);
void emu_race_done(Transfer *transfer);
void emu_race_barrier(const Risc *risc, ttemu_barrier kind);
void emu_race_atomics(const Risc *risc); /* all increments are answered */
/* A semaphore is set here, before memory changes; was waited for; any word was looked at. */
void emu_race_set(const Risc *risc, uint32_t offset, uint32_t value);
void emu_race_wait(const Risc *risc, uint32_t offset, uint32_t value, bool at_least);
void emu_race_poll(const Risc *risc);
/* Pages are pushed or popped, before the counters move; n pages or spaces are there. */
void emu_race_push(const Risc *risc, uint32_t cb, uint32_t n);
void emu_race_pop(const Risc *risc, uint32_t cb, uint32_t n);
void emu_race_pages(const Risc *risc, uint32_t cb, uint32_t n, bool space);
/* The engine touches L1, or takes a page of a circular buffer. */
void emu_race_touch(const Risc *risc, uint32_t address, uint32_t bytes, bool write);
void emu_race_unpack(const Risc *risc, uint32_t cb, uint32_t page);
/* Unpack (`fills`) or math begins or ends with a bank of the source registers; math or pack
 * with a half of DST; before the counters move. */
void emu_race_bank(const Risc *risc, bool fills, bool done);
void emu_race_half(const Risc *risc, bool done);
/* A word goes between two roles of its core: from or to `risc`. */
void emu_race_mailbox(const Risc *risc, int from, int to);
/* Gives or takes a token, or has waited for one. */
void emu_race_token(const Risc *risc, uint32_t index, bool tells);

/*===- Traces -----------------------------------------------------------------------------===*/

typedef enum TraceKind {
  TRACE_WAIT,
  TRACE_OP,
  TRACE_SFPU,
  TRACE_PACK,
  TRACE_UNPACK,
  TRACE_READ,
  TRACE_WRITE,
  TRACE_FILL,
  TRACE_KERNEL
} TraceKind;
void emu_trace_open(void);
/* `what`: a WaitKind, an op or a circular buffer; `value`: pages or bytes. */
void emu_trace(const Core *core, int role, TraceKind kind, uint32_t what, uint32_t value,
               uint64_t start, uint64_t end);
void emu_trace_launch(const ttemu_program *program, uint64_t clk); /* ended after `clk` */
void emu_trace_close(void);
/* The folder of a program's kernels, which has the program's name where we emit it: its first
 * `*length` characters. */
const char *emu_program_folder(const ttemu_program *program, int *length);
/* Prints where the time of a launch went. */
void emu_summarize(const ttemu_program *program, double seconds);
const char *emu_fpu_name(int fpu);
/* The text of one of the emulator's own files. */
char *emu_read_include(const char *name);

/*===- Reports --------------------------------------------------------------------------===*/

const char *emu_role_name(int role);
const char *emu_role_short(int role); /* as the vendor's tools print it */
/* Says which rule of the protocol was broken, where, and ends the process. */
void emu_error(Risc *risc, int rule, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
/* As emu_error, at another line than where the processor is now. */
void emu_error_at(Risc *risc, uint32_t line, int rule, const char *format, ...)
    __attribute__((format(printf, 4, 5), noreturn));
void emu_warning(Risc *risc, int rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What the hardware forgives as a rule: a warning for programs written by hand, an error for those
 * that we emit and if TTEMU_STRICT is set. */
void emu_forgiven(Risc *risc, int rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A warning at another line than where the processor is now. */
void emu_forgiven_at(Risc *risc, uint32_t line, int rule, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void emu_warning_at(Risc *risc, uint32_t line, int rule, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Tells how often warnings were repeated. */
void emu_end_warnings(void);
const char *emu_wait_name(WaitKind wait);
void emu_deadlock(ttemu_program *program) __attribute__((noreturn));
void emu_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* The file that a kernel's path means, which the caller frees; ends the process if there is none.
 */
char *emu_find_kernel(const char *path);
const char *emu_tree(void); /* that kernels are in, whose root they may include from; or NULL */

/* Compiles a kernel file to a shared object, once for each content. */
void emu_compile(const ttemu_kernel_config *config, Kernel *kernel);
/* Compiles a new kernel for its processors, or keeps what is needed to do so when it runs. */
void emu_prepare_kernel(const ttemu_program *program, const ttemu_kernel_config *config,
                        Kernel *kernel);
/* Before a launch: compiles what was left for it. */
void emu_compile_late(ttemu_program *program);
void emu_free_kernel(Kernel *kernel);

void *emu_calloc(size_t n, size_t size);

#endif
