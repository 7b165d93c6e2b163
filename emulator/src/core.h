/*===- core.h - the state of the device: processors, cores, the program that runs ----------===
 *
 * A core has five RISC processors, whose engines hand tiles to each other through source registers
 * and DST; transfers in flight belong to the processor that issued them.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TTEMU_CORE_H
#define TTEMU_CORE_H

#include "arithmetic.h"

#include "Target/costs.h"

#include <setjmp.h>
#include <ucontext.h>

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
  bool prints;                        /* its text says DPRINT or DEVICE_PRINT */
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
  bool posted;  /* nothing answers it */
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

/* What the registers of a command buffer hold: as the kernel has set them, in `line`, and as the
 * transfer in line `by` has left them. */
typedef struct NocState {
  uint64_t set, at;
  uint32_t set_bytes, bytes, value, line, by;
  bool is_set;
} NocState;

enum { COMMAND_BUFFERS = 4, WAYPOINT_BYTES = 8, LAST_WORDS = 32 };

/* What a processor has read of the firmware's part of a core's L1; no bytes if something else has
 * come there since (firmware.c). */
typedef struct FirmwareRead {
  uint32_t x, y, address, l1, bytes;
} FirmwareRead;

enum { FIRMWARE_READS = 8 };

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
  uint64_t time;            /* of its part of the engine, where it has one */
  uint64_t ahead;           /* how far its instructions run ahead of that */
  uint64_t clock_told;      /* the time that the kernel read last, plus 1 */
  uint32_t spins, spins_at; /* how often it has looked at one place, and done nothing else */
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
  bool steps;               /* sums or products of elements have set how fills with integers step */
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
  bool turns_faces;         /* unpack is set to reductions of blocks, until their uninit */
  int sfpu;                 /* ttemu_sfpu, from TTEMU_NUM_SFPU on a ttemu_tile_op, or -1 for none */
  int sfpu_kept;            /* the last one that sets something up, which is still there; or -1 */
  int srca, srcb;           /* ttemu_format, or FLOAT32_TO_DST */
  bool integers;            /* the matrix engine takes what is there for integers */
  ttemu_format pack;
  TileShape pack_tile; /* that the packer was set up for */
  /* Of both operands' tiles, as the last init has them; no rows if it does not say. */
  TileShape set_a, set_b;
  bool by_parts;       /* set up by the layer below the API */
  uint32_t random;     /* the state of its generator; 0: not seeded */
  Transfer *transfers; /* in flight */
  bool used[2][4];     /* the kinds of transfers that it has issued in this launch, by NoC */
  uint32_t reads[2], writes[2], unsent[2], atomics[2]; /* in flight on each NoC */
  uint32_t last_atomic;                                /* its line */
  FirmwareRead firmware_reads[FIRMWARE_READS];         /* the last ones */
  uint32_t next_firmware_read;
  uint32_t trids[2];         /* that its reads have, and its writes */
  uint32_t miscounted[2][2]; /* lines of multicasts that a barrier of their NoC would never end for:
                                of writes, of increments */
  bool linked[2];            /* its last multicast on a NoC has kept the path */
  int next_noc;              /* of the next transfer or barrier, plus 1; 0 for the kernel's */
  uint32_t next_buffer;      /* the command buffer of the next transfer, plus 1 */
  NocState states[2][COMMAND_BUFFERS]; /* of each NoC */
  uint64_t named; /* the last address of a page that it asked for since it set a state; 0: none */
  uint32_t named_at;
  bool dynamic;          /* its transfers choose their virtual channels on the way */
  uint64_t last_arrival; /* of what it wrote to cores */
  uint64_t waited_clk[NUM_WAITS];
  uint64_t wait_from; /* since when it waits */
  uint64_t busy_clk;  /* of its engine */
  /* What the kernel has said last of where it is, and words that it has left, the oldest of which
   * are overwritten. */
  char waypoint[WAYPOINT_BYTES];
  uint32_t words[LAST_WORDS], num_words;
};

typedef struct CB {
  bool used;
  uint32_t address, page_bytes, pages;
  ttemu_format format;
  TileShape tile;
  uint32_t received, acked; /* 16-bit counters on the chip */
  uint32_t handle;          /* which CreateCircularBuffer made it */
  bool on_buffer;           /* it lies on a buffer */
  bool bound;               /* so it does, or it is shared: its memory is not its own */
  bool overdrawn;           /* popped beyond what was pushed: acked runs ahead of received */
  uint8_t *written;         /* pages that the packer has filled */
  uint32_t largest;         /* pages it held at once */
  int pusher, popper;       /* the roles, or -1 as long as nobody has */
  uint32_t holds;           /* the format of what was read to it; see tensor_formats.c */
  uint32_t looked;          /* the line where it was read as memory, before anybody had pushed */
} CB;

/* How many pages it holds; none where its counters are wrong. */
static inline uint32_t emu_pages_held(const CB *cb) {
  return cb->overdrawn ? 0 : cb->received - cb->acked;
}

/* A core's part in a circular buffer whose producer and consumers are on several cores. */
typedef struct RemoteCB {
  uint32_t config, page_bytes; /* the address of its description in L1; 0 for none */
  uint32_t handle;
} RemoteCB;

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
  uint64_t port_busy[2]; /* of each NoC */
  RemoteCB remotes[MAX_CBS];
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
  uint8_t written[MAX_DST];                      /* faces, since its half was acquired */
  uint8_t given[2][MAX_DST];                     /* the same of each half, as math committed it */
  Mailbox mailboxes[MAILBOX_ENDS][MAILBOX_ENDS]; /* from, to: data movement 0, unpack, math, pack */
  uint8_t tokens[TOKENS], most_tokens[TOKENS];   /* semaphores of the engine */
  float running_sum[32];                         /* of the vector unit, from tile to tile */
  float mean[32], m2[32];                        /* Welford's, of each column */
  float average[32], ema_alpha, ema_beta;        /* a moving average of each column */
  uint64_t math_busy;
  /* When math, and the packer's processor, last computed on the vector unit; whether the packer
   * would pack before that has ended. */
  uint64_t vector_from[2], vector_to[2];
  bool vector_pending;
  uint64_t sections, packs, copies,
      copies_back; /* of DST; copies of tiles that were packed before */
};

struct ttemu_program {
  Core **cores; /* grid_x * grid_y, NULL where unused */
  Kernel **kernels;
  uint32_t num_kernels, num_cbs;
  uint64_t number, began; /* the host's for it; the clock when it was launched */
};

/* A buffer's memory in every bank, and what is there. */
typedef struct Range {
  uint32_t start, end, page_bytes;
  uint64_t pages;
  uint32_t holds, held_since; /* the format of what is there, and the launch that wrote it */
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
  bool launched;     /* a program is run: what goes wrong is not the host's */
  bool host_goes_on; /* where no processor can */
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

#endif
