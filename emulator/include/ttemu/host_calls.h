/*===- host_calls.h - what host programs call ------------------------------------===
 *
 * The vendor-shaped headers of host programs are thin: what they call ends here. One process has
 * one device, or a mesh of them.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TTEMU_HOST_CALLS_H
#define TTEMU_HOST_CALLS_H

#include "ttemu/kernel_calls.h" /* constants of both */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Formats of circular buffers, numbered as tt::DataFormat. */
typedef enum ttemu_format {
  TTEMU_FLOAT32 = 0,
  TTEMU_FLOAT16 = 1,
  TTEMU_BFP8 = 2,
  TTEMU_BFP4 = 3,
  TTEMU_TF32 = 4,
  TTEMU_FLOAT16_B = 5,
  TTEMU_BFP8_B = 6,
  TTEMU_BFP4_B = 7,
  TTEMU_INT32 = 8,
  TTEMU_UINT16 = 9,
  TTEMU_INT8 = 14,
  TTEMU_UINT32 = 24,
  TTEMU_UINT8 = 30,
  TTEMU_INVALID = 255
} ttemu_format;

/* The chip comes from the environment: TTEMU_ARCH = wormhole_b0 (default) or
 * blackhole. A wrong value ends the process with a message. */
void ttemu_open(void);
/* A failed check of the host program. Like all that goes wrong in a call of the host, outside of
 * ttemu_run, it ends the process with a message, or is raised by this function, which does not
 * return. */
void ttemu_on_host_failure(void (*raise)(const char *text));
void ttemu_host_failure(const char *file, int line, const char *condition, const char *text);
void ttemu_close(void);
/* How many devices the machine seems to have; a mesh may have more. */
enum { TTEMU_DEVICES = 8 };
/* Makes `n` devices of the same chip, each with memory of its own. An address that a buffer takes
 * on one is taken on all. Reads, writes and runs are on the one that was chosen last, at first 0.
 */
void ttemu_mesh(uint32_t n);
void ttemu_choose(uint32_t device);
uint32_t ttemu_grid_x(void);
uint32_t ttemu_grid_y(void);

/* A tensor in DRAM or in L1; `shards` is NULL where its pages are interleaved. It has one
 * address, in all of its banks, where it takes `share` bytes. */
typedef struct ttemu_buffer ttemu_buffer;
ttemu_buffer *ttemu_buffer_create(bool dram, uint64_t bytes, uint32_t page_bytes,
                                  const uint32_t *shards);
/* The same at a given address, in memory that it does not own. */
ttemu_buffer *ttemu_buffer_at(bool dram, uint64_t bytes, uint32_t page_bytes,
                              const uint32_t *shards, uint32_t address);
void ttemu_buffer_destroy(ttemu_buffer *buffer);
/* Bytes of a bank that buffers take, and the largest gap between them with its address. */
void ttemu_allocated(bool dram, uint64_t *taken, uint64_t *gap, uint32_t *gap_address);
uint32_t ttemu_l1_lowest(void); /* where the first buffer in L1 starts; 0 if there is none */
uint32_t ttemu_buffer_address(const ttemu_buffer *buffer);
uint32_t ttemu_buffer_share(const ttemu_buffer *buffer);
const uint32_t *ttemu_buffer_shards(const ttemu_buffer *buffer);
void ttemu_buffer_write(ttemu_buffer *buffer, uint64_t offset, const void *data, uint64_t bytes);
/* The format of what the host has written to it, or takes what it reads for; -1: any. */
void ttemu_buffer_holds(const ttemu_buffer *buffer, int format);
void ttemu_buffer_is_read_as(const ttemu_buffer *buffer, int format);
void ttemu_buffer_read(const ttemu_buffer *buffer, uint64_t offset, void *data, uint64_t bytes);
/* The same without waiting for it, and all of these that were issued before are waited for. */
void ttemu_buffer_read_late(const ttemu_buffer *buffer, uint64_t offset, void *data,
                            uint64_t bytes);
void ttemu_reads_arrive(void);
/* The host has given fewer bytes than it should write to this buffer, or to all of `whole` bytes
 * that it is a part of. */
void ttemu_buffer_lacks(const ttemu_buffer *buffer, uint64_t given, uint64_t whole);
/* Memory of a bank of DRAM, or, with TTEMU_L1_BANK, of a core. */
void ttemu_memory(bool dram, uint32_t bank, uint32_t address, void *data, uint64_t bytes,
                  bool write);
uint32_t ttemu_dram_banks(void);
/* The logical coordinates of the nth nearest worker core to a bank of DRAM, by the way that what it
 * reads takes on this NoC; false if there are not so many. */
bool ttemu_core_near_bank(uint32_t bank, int noc, uint32_t nth, uint32_t *x, uint32_t *y);
/* Where a bank of DRAM or L1 (a core, row by row) is on the NoC, as kernels name it; false if
 * there is none. */
bool ttemu_bank_node(bool dram, uint32_t bank, uint32_t *x, uint32_t *y);
uint32_t ttemu_num_cbs(void);    /* of a core */
uint64_t ttemu_dram_bytes(void); /* of a bank */
uint32_t ttemu_l1_base(void);    /* of what programs may use */
/* The same, and the program asks: from then on it may put things there by address. */
uint32_t ttemu_l1_base_asked(void);
uint32_t ttemu_l1_bytes(void);
uint32_t ttemu_clock_mhz(void);
const char *ttemu_arch(void);

typedef struct ttemu_program ttemu_program;
ttemu_program *ttemu_program_create(void);
void ttemu_program_destroy(ttemu_program *program);
/* Launches that have ended, in order: of programs by the numbers that the host gave them. */
typedef struct ttemu_ended {
  uint64_t number, start, clk;
  uint32_t device, cores;
} ttemu_ended;
void ttemu_program_number(ttemu_program *program, uint64_t number);
void ttemu_profile_read(void); /* what has ended since the last time is the latest from now on */
size_t ttemu_profile(bool latest, const ttemu_ended **launches); /* that were read */
/* An inclusive rectangle of cores. */
typedef struct ttemu_rect {
  uint32_t x0, y0, x1, y1;
} ttemu_rect;
/* Circular buffers that share their memory, at one address on all cores of `n` rectangles;
 * or that lie on a buffer. Returns a handle. */
typedef struct ttemu_cb {
  uint32_t index, page_bytes;
  ttemu_format format;
  uint8_t tile_rows, tile_cols; /* of its tiles; 0 for 32 */
} ttemu_cb;
uint32_t ttemu_program_cb(ttemu_program *program, const ttemu_rect *rects, size_t n,
                          const ttemu_cb *cbs, size_t num_cbs, uint32_t bytes,
                          const ttemu_buffer *bound);
/* Changes what a handle stands for; keeps what is 0 or NULL. */
void ttemu_change_cb(ttemu_program *program, uint32_t handle, uint32_t index, uint32_t bytes,
                     uint32_t page_bytes, const ttemu_buffer *bound);

/* The part of cores in a circular buffer across cores, which is described at `config` in L1 of
 * each; returns a handle. */
uint32_t ttemu_program_remote_cb(ttemu_program *program, const ttemu_rect *rects, size_t n,
                                 uint32_t index, uint32_t page_bytes, uint32_t config);
void ttemu_change_remote_cb(ttemu_program *program, uint32_t handle, uint32_t config);

typedef struct ttemu_kernel_config {
  const char *path;
  int processor; /* 0 or 1 for data movement, 2 for compute */
  int noc;       /* of a data movement kernel */
  bool any_noc;  /* it may use both (DM_DYNAMIC_NOC) */
  int phases;    /* math fidelity, 1 to 4 */
  bool fp32_dest, full_sync, approx;
  const uint8_t *unpack_to_dest; /* a flag a circular buffer, or NULL */
  const uint32_t *compile_args;
  size_t num_compile_args;
  const char *const *defines; /* name, value, name, value, … */
  size_t num_defines;
  const char *const *named_args; /* named compile-time arguments */
  const uint32_t *named_values;
  size_t num_named_args;
  bool is_source; /* `path` is the kernel's text */
} ttemu_kernel_config;
/* Compiles the kernel; ends the process with the compiler's errors if it fails. */
uint32_t ttemu_program_kernel(ttemu_program *program, const ttemu_kernel_config *config);
uint32_t ttemu_program_kernels(const ttemu_program *program); /* how many */
/* The file of what a kernel was compiled to, for a part of it: 0, or 0 to 2 for unpack, math and
 * pack. Compiles what has waited for the program's circular buffers. */
const char *ttemu_kernel_object(ttemu_program *program, uint32_t kernel, uint32_t part);
/* Whether it has anything on a core. */
bool ttemu_program_uses(const ttemu_program *program, uint32_t x, uint32_t y);
void ttemu_kernel_cores(ttemu_program *program, uint32_t kernel, ttemu_rect rect);
void ttemu_kernel_args(ttemu_program *program, uint32_t kernel, uint32_t x, uint32_t y,
                       const uint32_t *args, size_t n);
/* What was set, to be changed in place. */
uint32_t *ttemu_kernel_args_of(ttemu_program *program, uint32_t kernel, uint32_t x, uint32_t y,
                               size_t *n);
uint32_t *ttemu_kernel_common_args_of(ttemu_program *program, uint32_t kernel, size_t *n);
void ttemu_kernel_common_args(ttemu_program *program, uint32_t kernel, const uint32_t *args,
                              size_t n);
/* A semaphore on these cores, with its first value; returns its id, the lowest free one. */
uint32_t ttemu_program_semaphore(ttemu_program *program, const ttemu_rect *rects, size_t n,
                                 uint32_t value);
/* The same with a given id. */
/* Its address on these cores. */
uint32_t ttemu_semaphore_address(uint32_t id);
void ttemu_program_semaphore_at(ttemu_program *program, const ttemu_rect *rects, size_t n,
                                uint32_t id, uint32_t value);
/* Runs a program to its end. A deadlock or a broken rule ends the process with a
 * report and exit status 1. */
void ttemu_run(ttemu_program *program);
/* Runs it until no processor can go on. What the host writes to memory then may be what they wait
 * for, and so may another program, on other cores, if that may run `beside` it. */
void ttemu_launch(ttemu_program *program, bool beside);
/* The host waits for all that was launched: a deadlock, if it has not ended. */
void ttemu_wait(void);
/* Whether a program that was launched has not ended on this core. */
bool ttemu_core_runs(uint32_t x, uint32_t y);
/* Whether it was launched, and has not ended. */
bool ttemu_program_runs(const ttemu_program *program);
/* Where the circular buffers of a core end that lie on no buffer; 0 if it has none of them. */
uint32_t ttemu_program_cb_end(const ttemu_program *program, uint32_t x, uint32_t y);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
