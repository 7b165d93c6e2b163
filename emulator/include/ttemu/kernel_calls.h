/*===- kernel_calls.h - what kernels call ----------------------------------------===
 *
 * The vendor-shaped headers of kernels are thin: what they call ends here. A function acts for the
 * RISC processor that is running; `line` is the line of the kernel's source, for reports.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TTEMU_KERNEL_CALLS_H
#define TTEMU_KERNEL_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Which processor runs this: 0 and 1 data movement, 2 unpack, 3 math, 4 pack. */
int ttemu_role(void);

/* Runtime arguments. A value that is not used is not asked for: to load what the host has not set
 * does no harm on the chip, to use it does. */
__attribute__((pure)) uint32_t ttemu_arg(uint32_t index, uint32_t line);
__attribute__((pure)) uint32_t ttemu_common_arg(uint32_t index, uint32_t line);
uintptr_t ttemu_arg_address(uint32_t index, bool common, uint32_t line);
uint32_t ttemu_core_x(void);
uint32_t ttemu_core_y(void);
uint32_t ttemu_relative_x(void); /* in the smallest rectangle around its kernel's cores */
uint32_t ttemu_relative_y(void);
/* A failed ASSERT of the kernel: ends the run with a message. */
void ttemu_kernel_failure(const char *condition, uint32_t line);
/* Where the scalar unit moves so many bytes, if it is told an address of L1. */
uint32_t ttemu_scalar_address(uint32_t address, uint32_t bytes, uint32_t line);

void ttemu_cb_reserve_back(uint32_t cb, uint32_t n, uint32_t line);
void ttemu_cb_push_back(uint32_t cb, uint32_t n, uint32_t line);
void ttemu_cb_wait_front(uint32_t cb, uint32_t n, uint32_t line);
void ttemu_cb_pop_front(uint32_t cb, uint32_t n, uint32_t line);
/* Whether n pages are there, or free. */
bool ttemu_cb_has(uint32_t cb, uint32_t n, bool space, uint32_t line);
/* What a processor keeps of a circular buffer, in bytes and pages; its pointers can be set. */
typedef enum ttemu_cb_field {
  TTEMU_CB_SIZE,
  TTEMU_CB_LIMIT,
  TTEMU_CB_PAGE_BYTES,
  TTEMU_CB_PAGES,
  TTEMU_CB_READ_POINTER,
  TTEMU_CB_WRITE_POINTER,
  TTEMU_CB_ACKED,
  TTEMU_CB_RECEIVED,
  TTEMU_CB_PACKED
} ttemu_cb_field;
uint32_t ttemu_cb_get(uint32_t cb, ttemu_cb_field field, uint32_t line);
void ttemu_cb_set(uint32_t cb, ttemu_cb_field field, uint32_t value, uint32_t line);
/* The address in L1 of a remote circular buffer's description, and the size of its pages. */
uint32_t ttemu_remote_cb(uint32_t cb, uint32_t *page_bytes, uint32_t line);
/* Moves a circular buffer to memory of another, at a pointer. */
void ttemu_cb_place(uint32_t cb, uint32_t start, uint32_t size, uint32_t pointer, uint32_t line);
uint32_t ttemu_cb_write_ptr(uint32_t cb, uint32_t line);
uint32_t ttemu_cb_read_ptr(uint32_t cb, uint32_t line);
uint32_t ttemu_cb_tile_bytes(uint32_t cb, uint32_t line);
uint32_t ttemu_cb_format(uint32_t cb, uint32_t line); /* a ttemu_format */
uint32_t ttemu_cb_known_format(uint32_t cb);          /* 255 if no core of the kernel has it */
/* Rows of its tiles, times 256, plus their columns. */
uint32_t ttemu_cb_tile_shape(uint32_t cb, uint32_t line);

/* NoC coordinates of the worker core (0, 0); those of the others follow. No core has
 * coordinates that are logical ones as well, so that mixing them up is noticed. */
enum { TTEMU_NOC_ORIGIN = 18 };

/* A NoC address: bits 0-31 are an address in L1, whose pointers and offsets are the
 * same here, or in a DRAM bank; then bit 63 is set, and bits 32-39 are the bank. Else
 * they are x, 40-47 y; with bit 62, 48-55 and 56-61 are x and y of the other corner. */

/* How the pages of a sharded tensor lie: rank, number of banks, the tensor's shape and a
 * shard's, in pages, then the banks: of DRAM by number, of L1 as TTEMU_L1_BANK. Shards go to
 * the banks in turn. */
#define TTEMU_L1_BANK(x, y) ((uint32_t)(y) << 16 | (uint32_t)(x))

/* A page of a tensor: bank and address follow from its id. `shards` is NULL where pages
 * are interleaved over all banks. */
typedef struct ttemu_page {
  uint32_t base, id, page_bytes;
  bool dram;
  const uint32_t *shards;
} ttemu_page;
/* What a page takes of its bank. */
uint32_t ttemu_aligned_page(bool dram, uint32_t page_bytes);
/* The NoC address of `bytes` at `offset` in a page; of a shard; of an address in a bank. */
uint64_t ttemu_noc_address(ttemu_page page, uint32_t offset, uint32_t bytes, uint32_t line);
uint64_t ttemu_shard_address(ttemu_page tensor, uint32_t shard, uint32_t line);
uint64_t ttemu_bank_address(bool dram, uint32_t bank, uint32_t address, uint32_t line);
bool ttemu_is_local(uint64_t noc); /* an address in this core's L1 */
/* The NoC that the next transfer takes, if not the kernel's. */
void ttemu_noc_choose(uint32_t noc);
/* The multicast that comes next keeps its path for the one after it, or gives it back. */
void ttemu_noc_link(bool linked);
/* Whether its transfers choose a virtual channel at each router, which no call of the API asks for;
 * otherwise a channel is theirs on the whole way. */
void ttemu_noc_dynamic(bool on);
void ttemu_noc_read(uint64_t from, uint32_t l1, uint32_t bytes, uint32_t line);
/* `targets`: how many cores a multicast goes to, with the sender if `loopback`. */
void ttemu_noc_write(uint32_t l1, uint64_t to, uint32_t bytes, uint32_t targets, bool loopback,
                     uint32_t line);
/* The end: one packet of more bytes than the NoC takes. */
void ttemu_noc_large_packet(uint32_t bytes, uint32_t most, uint32_t line);
/* The command buffer of the next transfer, if not the one of its kind. What stays in its registers:
 * the other end of transfers that follow, and of packets their size, of words their value. An
 * address has its node, or is an address in the one that was set. */
void ttemu_noc_buffer(uint32_t buffer);
void ttemu_noc_set_state(uint32_t buffer, uint64_t at, uint32_t bytes, uint32_t value,
                         uint32_t line);
uint64_t ttemu_noc_from_state(uint32_t buffer, uint64_t address, uint32_t line);
uint64_t ttemu_noc_state_address(uint32_t buffer, uint32_t line);
uint32_t ttemu_noc_state_bytes(uint32_t buffer, uint32_t asked, uint32_t line);
uint32_t ttemu_noc_state_value(uint32_t buffer);
void ttemu_noc_write_word(uint64_t to, uint32_t value, uint32_t line);
/* Registers of this core's streams. */
uint32_t ttemu_stream_read(uint32_t stream, uint32_t number, uint32_t line);
void ttemu_stream_write(uint32_t stream, uint32_t number, uint32_t value, uint32_t line);
void ttemu_noc_read_barrier(uint32_t line);
void ttemu_noc_write_barrier(uint32_t line);
void ttemu_noc_writes_flushed(uint32_t line); /* they have departed */
void ttemu_noc_atomic_barrier(uint32_t line);
/* Reads from here on, or all other transfers, carry this number, which barriers may name. */
void ttemu_noc_set_trid(bool writes, uint32_t trid, uint32_t line);
typedef enum ttemu_barrier { TTEMU_READS, TTEMU_WRITES, TTEMU_WRITES_SENT } ttemu_barrier;
void ttemu_noc_barrier_of(ttemu_barrier kind, uint32_t trid, uint32_t line);
bool ttemu_noc_reads_done(uint32_t trid, uint32_t line);
/* The address of a semaphore of the program; waiting for it; setting it here; sending
 * its value to other cores; adding to it anywhere. */
uint32_t ttemu_semaphore(uint32_t id, uint32_t line);
void ttemu_semaphore_wait(const volatile uint32_t *word, uint32_t value, bool at_least,
                          uint32_t line);
void ttemu_semaphore_set(volatile uint32_t *word, uint32_t value, uint32_t line);
void ttemu_semaphore_send(uint32_t l1, uint64_t to, uint32_t targets, bool loopback, uint32_t line);
/* posted: nothing answers it, and no barrier waits for it */
void ttemu_semaphore_add(uint64_t at, uint32_t by, uint32_t targets, bool posted, uint32_t line);
/* Words in queues between the processors of a core, by role; not of data movement 1. */
void ttemu_mailbox_write(int to, uint32_t value, uint32_t line);
uint32_t ttemu_mailbox_read(int from, uint32_t line);
/* Semaphores between unpack, math and pack of a core, eight of them. A post beyond 15 and a get
 * below zero change nothing; waits end once it is not zero, or less than the most that its init
 * said. */
void ttemu_token_init(uint32_t index, uint32_t value, uint32_t most, uint32_t line);
void ttemu_token_post(uint32_t index, uint32_t line);
void ttemu_token_get(uint32_t index, uint32_t line);
uint32_t ttemu_token_read(uint32_t index, uint32_t line);
void ttemu_token_wait(uint32_t index, bool for_room, uint32_t line);
/* The packer waits for what its processor has the vector unit compute. */
void ttemu_vector_wait(uint32_t line);
void ttemu_poll(uint32_t line); /* lets other processors go on */
/* The address of two words with the processor's clock, as they are now. */
uint32_t ttemu_clock_register(uint32_t line);
/* An element of a tile in L1, which lies in faces, or, unless `tiled`, row by row. */
double ttemu_element(uint32_t l1, uint32_t format, uint32_t row, uint32_t col, bool tiled);
/* Text that a kernel prints. */
void ttemu_print(const char *text, uint32_t line);
/* What takes the texts of kernels, of a logical core and of a processor by its number, if it gives
 * true; else they go to the standard output. NULL for none. */
typedef bool (*ttemu_printer)(uint32_t device, uint32_t x, uint32_t y, int processor,
                              const char *text);
void ttemu_set_printer(ttemu_printer printer);
/* Where a kernel says that it is, and a word that it leaves; reports of it name the last ones. */
void ttemu_waypoint(const char *name);
void ttemu_leave_word(uint32_t value);

typedef enum ttemu_binary { TTEMU_ADD, TTEMU_SUB, TTEMU_MUL, TTEMU_MATMUL } ttemu_binary;
typedef enum ttemu_bcast {
  TTEMU_BCAST_NONE,
  TTEMU_BCAST_COL,
  TTEMU_BCAST_ROW,
  TTEMU_BCAST_SCALAR
} ttemu_bcast;
/* In place of a circular buffer: what math's part of an op does not look at. */
#define TTEMU_ANY_CB UINT32_MAX
typedef enum ttemu_pool { TTEMU_POOL_SUM, TTEMU_POOL_AVG, TTEMU_POOL_MAX } ttemu_pool;
typedef enum ttemu_reduce_dim {
  TTEMU_REDUCE_ROW,
  TTEMU_REDUCE_COL,
  TTEMU_REDUCE_SCALAR
} ttemu_reduce_dim;
/* Settings of the compute engine. A kernel that sets up its processors part by part may do so in
 * any order. */
void ttemu_by_parts(void);
void ttemu_startup(uint32_t a, uint32_t b, uint32_t out, bool reverse, uint32_t line);
/* The same for inits of older eras that started it up by themselves, if nothing has yet; else they
 * set the formats. */
void ttemu_startup_once(uint32_t a, uint32_t b, uint32_t out, uint32_t line);
/* `shape` is a ttemu_bcast of operand b or, of a matmul, 1 where b is transposed. */
void ttemu_binary_init(ttemu_binary op, int shape, uint32_t a, uint32_t b, uint32_t line);
/* After the init of a sum: tiles are added to what is in DST. */
void ttemu_binary_onto(uint32_t line);
void ttemu_copy_init(uint32_t cb, bool transpose, uint32_t line);
void ttemu_unary_bcast_init(ttemu_bcast shape, uint32_t cb, uint32_t line);
/* Rows to tiles, or tiles to rows; the packer alone, which writes rows from DST. */
void ttemu_tilize_init(bool untilize, uint32_t cb, uint32_t line);
void ttemu_tilize_uninit(uint32_t line);
void ttemu_untilize_uninit(uint32_t line); /* leaves another op's init as it is */
void ttemu_pack_untilize_init(bool on, uint32_t line);
void ttemu_pack_tile_shape(uint32_t cb, uint32_t line);
void ttemu_pack_relu(bool on, uint32_t line); /* the packer drops negative values */
void ttemu_transpose_init(uint32_t cb, uint32_t line);
void ttemu_reduce_init(ttemu_pool pool, ttemu_reduce_dim dim, uint32_t cb, uint32_t scaler,
                       uint32_t line);
/* The same for buffers of the formats that are set. */
void ttemu_reduce_init_again(ttemu_pool pool, ttemu_reduce_dim dim, uint32_t line);
void ttemu_reduce_uninit(uint32_t line);
void ttemu_reconfig_srca(uint32_t cb, uint32_t line);
void ttemu_reconfig_srcb(uint32_t cb, uint32_t line);
/* Sets whether the matrix engine takes integers by one circular buffer or two; `asked`: by a call
 * that only DST of 32 bits has. */
void ttemu_reconfig_integers(uint32_t a, uint32_t b, bool asked, uint32_t line);
/* Whether two circular buffers need a source set alike, so that calls that name the old one do
 * nothing. */
bool ttemu_same_source(uint32_t old, uint32_t cb, uint32_t line);
void ttemu_reconfig_pack(uint32_t cb, uint32_t line);
void ttemu_pack_onto_l1(bool on, uint32_t line); /* the packer adds to what is there */
/* Tile ops. */
void ttemu_binary_tiles(ttemu_binary op, int shape, uint32_t a, uint32_t b, uint32_t ia,
                        uint32_t ib, uint32_t dst, uint32_t row, uint32_t line);
/* Unpack's part of an op on two tiles, whichever was initialized. */
void ttemu_unpack_two(ttemu_bcast shape, uint32_t a, uint32_t b, uint32_t ia, uint32_t ib,
                      uint32_t row, uint32_t line);
/* One step of K of a block of rt x ct tiles in DST. */
void ttemu_matmul_block(uint32_t a, uint32_t b, uint32_t ia, uint32_t ib, uint32_t dst,
                        bool transpose, uint32_t ct, uint32_t rt, uint32_t kt, uint32_t line);
void ttemu_transpose_tile(uint32_t cb, uint32_t index, uint32_t dst, uint32_t line);
void ttemu_reduce_tile(ttemu_pool pool, ttemu_reduce_dim dim, uint32_t cb, uint32_t scaler,
                       uint32_t index, uint32_t scaler_index, uint32_t dst, uint32_t line);
/* The sum of all elements of the first `tiles` tiles of DST, into the first one's first. */
// The largest elements of rows of `tiles` tiles behind each other, in one call.
void ttemu_reduce_block_init(uint32_t tiles, uint32_t line);
void ttemu_reduce_block_uninit(uint32_t line);
void ttemu_reduce_block(uint32_t tiles, uint32_t cb, uint32_t scaler, uint32_t first, uint32_t dst,
                        uint32_t line);
void ttemu_reduce_products(uint32_t tiles, uint32_t factor, uint32_t line);
void ttemu_copy_tile(uint32_t cb, uint32_t index, uint32_t dst, uint32_t line);
void ttemu_unary_bcast(ttemu_bcast shape, uint32_t cb, uint32_t index, uint32_t dst, uint32_t line);
/* 32 rows of `width` tiles, from tile `first_in` of a block, to tiles. */
void ttemu_tilize_block(uint32_t in, uint32_t width, uint32_t out, uint32_t first_in,
                        uint32_t first_out, uint32_t line);
/* Tiles to rows that are `full_width` tiles wide, at block `column` of these. */
void ttemu_untilize_block(uint32_t in, uint32_t width, uint32_t out, uint32_t rows_of_tiles,
                          uint32_t full_width, uint32_t column, uint32_t line);
/* Unpack's part of tiles to rows: `width` tiles, which are rows where they are packed. */
void ttemu_unpack_untilize(uint32_t in, uint32_t width, uint32_t line);
/* Of tiles of DST the rows of 1, 2 or 4 faces, of so many rows each. */
void ttemu_pack_untilize(uint32_t dst, uint32_t width, uint32_t out, uint32_t rows_of_tiles,
                         uint32_t full_width, uint32_t column, uint32_t face_rows, uint32_t faces,
                         uint32_t line);
/* Rows of a matrix of `width` tiles to source A, tile by tile, and a tile to source B. */
typedef struct ttemu_tilized {
  uint32_t faces, rows; /* of a face */
  bool lowest;          /* what is missing is the lowest number, not zero */
  bool reload;          /* the first face of source B in all of them */
} ttemu_tilized;
void ttemu_tilize_two_init(uint32_t line);
void ttemu_tilize_uninit_two(uint32_t line);
void ttemu_unpack_tilize_two(uint32_t in, uint32_t scaler, uint32_t width, uint32_t tile,
                             ttemu_tilized how, uint32_t line);
void ttemu_pack_rows(uint32_t dst, uint32_t out, uint32_t place, uint32_t rows, uint32_t line);
/* The address of a tile at the front of a circular buffer. */
uint32_t ttemu_tile_address(uint32_t cb, uint32_t tile, uint32_t line);
/* Packs to the page at `place` of the reserved ones, or to the next one: TTEMU_IN_ORDER, less the
 * place that the kernel names, which the chip does not look at. */
enum { TTEMU_IN_ORDER = -1 };
void ttemu_pack_tile(uint32_t dst, uint32_t cb, int place, uint32_t line);
/* DST takes op of its old value, truncated to bf16, and a tile; `source_a`: DST comes first. */
void ttemu_reuse_init(ttemu_binary op, bool source_a, uint32_t cb, uint32_t line);
void ttemu_reuse_tiles(ttemu_binary op, bool source_a, uint32_t cb, uint32_t index, uint32_t dst,
                       uint32_t line);
/* Functions of the vector unit; sfpu.def says what they compute. */
typedef enum ttemu_sfpu {
#define FLOAT(name, init, rounds, value) TTEMU_##name,
#define BITS(name, init, value) TTEMU_##name,
#include "ttemu/sfpu.def"
#undef FLOAT
#undef BITS
  TTEMU_NUM_SFPU
} ttemu_sfpu;
enum { TTEMU_VECTOR_NONE = 0, TTEMU_VECTOR_R = 1, TTEMU_VECTOR_C = 2, TTEMU_VECTOR_RC = 4 };
typedef struct ttemu_sfpu_call {
  ttemu_sfpu op;
  int inputs;          /* tiles that it reads, up to 3 */
  uint32_t in[3], out; /* in DST */
  uint32_t scalars[3]; /* their bits */
  int vector_mode;     /* which faces it works on */
  bool by_pack;        /* the packer's processor runs it, between wait and release */
  int vectors;         /* of 32 lanes, that it works on at a time; 0 is a face's 8 */
} ttemu_sfpu_call;
/* Ops of one header may share an init; `op` is any of them. */
void ttemu_sfpu_init(ttemu_sfpu op, uint32_t line);
void ttemu_sfpu_run(ttemu_sfpu_call call, uint32_t line);
/* What works on a whole tile of DST. `go_on`: a running sum continues the last tile. */
typedef enum ttemu_tile_op {
  TTEMU_CUMSUM,
  TTEMU_TILED_PROD,
  TTEMU_ROTATE90,
  TTEMU_SUM_INT_COL,
  TTEMU_SUM_INT_ROW,
  TTEMU_TRANSPOSE_DEST,
  TTEMU_COLUMN_SUM,
  TTEMU_COLUMN_AVG,
  TTEMU_COLUMN_MAX,
  TTEMU_COLUMN_SUM_INT,
  TTEMU_COLUMN_MAX_INT,
  TTEMU_ADD_NEXT_INT, /* to a tile the next one */
  TTEMU_TOPK,         /* whose steps are below */
  TTEMU_MAX_TILES,    /* maxima with indices, below */
  TTEMU_MAX_ROWS
} ttemu_tile_op;
void ttemu_tile_init(ttemu_tile_op op, uint32_t line);
void ttemu_tile_run(ttemu_tile_op op, uint32_t dst, bool go_on, uint32_t line);
/* Top-k: the columns of two tiles are sequences of 64 values, those of the next two their indices.
 * A phase sorts sequences of 2, 4, … values; one that is alone, its steps from the first on to
 * before the last. Sequences are k long, in every 2^iteration-th place. */
typedef struct ttemu_topk_phases {
  int first, last, first_step, last_step;
} ttemu_topk_phases;
void ttemu_topk_sort(uint32_t dst, bool up, ttemu_topk_phases phases, bool stable, uint32_t line);
void ttemu_topk_merge(uint32_t dst, uint32_t iteration, uint32_t k, bool smallest, bool stable,
                      uint32_t line);
void ttemu_topk_rebuild(uint32_t dst, bool up, uint32_t iteration, uint32_t k, bool half,
                        bool stable, uint32_t line);
/* The largest of columns of a tile, and of another tile what stands where these are: of nine rows
 * of faces, or of 9 or 32 sticks that lie one after the other. `accumulates`: with those of the
 * chunks before, which are kept in the tiles after these. */
typedef enum ttemu_max_form {
  TTEMU_MAX_NINE_OF_FACES,
  TTEMU_MAX_NINE_STICKS,
  TTEMU_MAX_ALL_STICKS
} ttemu_max_form;
void ttemu_max_indices(uint32_t dst, uint32_t index, ttemu_max_form form, bool accumulates,
                       uint32_t chunk, uint32_t line);
/* Mean and sum of squared differences of each column, kept from call to call: `rows` rows from
 * `row` on, the first of which is sample `start` (from 0). */
void ttemu_welford_clear(uint32_t line);
void ttemu_welford_rows(uint32_t dst, uint32_t start, uint32_t row, uint32_t rows, uint32_t line);
/* Where the sums are saved, and the results go: row 0 of two tiles, or lane by lane in a vector. */
typedef enum ttemu_welford_place { TTEMU_WELFORD_ROW, TTEMU_WELFORD_LANES } ttemu_welford_place;
void ttemu_welford_save(uint32_t dst, uint32_t group, uint32_t line);
void ttemu_welford_restore(uint32_t dst, uint32_t group, uint32_t line);
void ttemu_welford_finish(uint32_t dst, uint32_t group, ttemu_welford_place place, float scale,
                          uint32_t line);
/* y = alpha * y + beta * x down each column, from tile to tile; into the tile after it. */
void ttemu_ema_init(float alpha, float beta, uint32_t line);
void ttemu_ema_clear(uint32_t line);
void ttemu_ema_tile(uint32_t dst, uint32_t line);
/* Row i is added to row rows[i] of the next tile; 255 stands for none. */
void ttemu_reshuffle_rows(uint32_t dst, uint32_t l1, uint32_t line);
/* Random numbers: from + scale * [0, 1) everywhere; or zeros with a chance of p / 2^31, else times
 * a scale. */
void ttemu_rand_tile(uint32_t dst, float from, float scale, uint32_t line);
void ttemu_dropout_tile(uint32_t dst, uint32_t p, float scale, uint32_t line);
void ttemu_stochastic_round_tile(uint32_t dst, uint32_t line); /* to bf16 */
/* DST as vectors of 32 lanes, for kernels that program the unit: dst * 32 + vector. `clks`: of the
 * work since the last one; `lanes`: a bit for each lane that is stored. */
void ttemu_lanes_load(uint32_t vector, uint32_t *bits, uint32_t clks, uint32_t line);
void ttemu_lanes_store(uint32_t vector, const uint32_t *bits, uint32_t lanes, bool is_float,
                       uint32_t clks, uint32_t line);
/* A function of one input on a vector of 32 lanes. */
void ttemu_sfpu_lanes(ttemu_sfpu op, const uint32_t *in, const uint32_t *scalars, uint32_t *out);
uint32_t ttemu_random(void); /* the next word of this processor's generator */
void ttemu_seed_random(uint32_t seed, uint32_t line);
/* Lifecycle of DST. */
void ttemu_dst_acquire(uint32_t line);
void ttemu_dst_commit(uint32_t line);
void ttemu_dst_wait(uint32_t line);
void ttemu_dst_release(uint32_t line);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
