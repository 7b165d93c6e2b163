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

#include "core.h"
#include "report.h"
#include "route.h"

#include "Target/eras.h"
#include "Target/formats.h"

const TtChip *emu_chip_of_environment(void);
/* The tables that the clock goes by: those of lib/Target, or changed ones. */
void emu_figures_open(void);

/*===- Scheduling -----------------------------------------------------------------------===*/

/* Runs all processors of a program's cores to their end. */
void emu_schedule(void);
/* Its processors start, with the others' time if there are others. */
void emu_start(ttemu_program *program, bool alone);
/* Whether all of its processors have ended; gives back what they ran on. */
bool emu_ended(const ttemu_program *program);
void emu_stop(ttemu_program *program);
/* What a program took, kept for the host to ask; the clock starts again after all of them. */
void emu_note_end(const ttemu_program *program, uint32_t device);
void emu_note_all_ended(void);
/* Those that wait for a word of L1 look again. */
void emu_wake_all(ttemu_program *program);
/* It has looked at one place once more: it waits for the host, if everybody else does. */
void emu_spin(Risc *risc);
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
void emu_align_to_remotes(Core *core);
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
/* Of the four bytes around an address; of a granule of 16 in a range. */
bool emu_word_unwritten(const uint8_t *base, uint32_t address);
bool emu_find_unwritten(const uint8_t *base, uint32_t address, uint32_t bytes, uint32_t *at);
uint32_t emu_unwritten_bytes(const uint8_t *base, uint32_t address, uint32_t bytes);
bool emu_all_unwritten(const uint8_t *base, uint32_t address, uint32_t bytes);
/* The host touches this address: an error if a read has not brought it yet. */
void emu_check_late_read(uintptr_t at);
/* Nobody has waited for reads, and nobody will. */
void emu_forget_reads(void);
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

/* Ends the process where circular buffers of a core do not go together. */
void emu_check_formats(ttemu_program *program);
Core *emu_program_core(ttemu_program *program, uint32_t x, uint32_t y);
/* Everything as it is before a launch; `alone` if no other program is running. */
void emu_program_reset(ttemu_program *program, bool alone);
void emu_program_free(ttemu_program *program);
/* Keeps a program that the host is done with, while others run beside it. */
bool emu_program_outlives(ttemu_program *program);
/* The host has written to memory, or looked at it: programs that wait for it go on. */
void emu_host_wrote(void);
void emu_host_looked(void);
/* The image of a loaded library; the same one for the same library. */
Image *emu_image(void *library);
/* Puts the variables of the processor's kernel in place. */
void emu_swap_variables(Risc *risc);
void emu_free_variables(Risc *risc);

/* The file that a kernel's path means, which the caller frees; ends the process if there is none.
 */
char *emu_find_kernel(const char *path);
const char *emu_tree(void); /* that kernels are in, whose root they may include from; or NULL */

/* Compiles a kernel file to a shared object, once for each content. */
const TtEra *emu_era(void); /* of the API that the program is written for */
void emu_compile(const ttemu_kernel_config *config, Kernel *kernel);
/* The file of the library that it became. */
const char *emu_object_of(const Kernel *kernel);
/* Compiles a new kernel for its processors, or keeps what is needed to do so when it runs. */
void emu_prepare_kernel(const ttemu_program *program, const ttemu_kernel_config *config,
                        Kernel *kernel);
/* Before a launch: compiles what was left for it. */
void emu_compile_late(ttemu_program *program);
void emu_free_kernel(Kernel *kernel);

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
/* Whether it lies in the part of L1 that the firmware has (firmware.c). */
bool emu_is_firmware(bool dram, uint32_t address);
/* Whether L1 from here on is the firmware's, a buffer's or a circular buffer's, of this core or,
 * where a multicast comes by, of another one. */
bool emu_allotted(const Core *core, uint32_t start, uint32_t bytes);
/* Whether the host has asked where the L1 begins that programs may use. */
bool emu_host_asks_l1(void);
/* Rule 21, of a transfer to (read) or from a page of a circular buffer. */
void emu_check_page(Risc *risc, uint32_t l1, uint32_t bytes, bool read);
uint32_t emu_semaphore_offset(uint32_t id);

/*===- Races --------------------------------------------------------------------------------===*/

/* What the race detector hears of (race.c); rule 23. Nothing happens if it is off. */
void emu_race_begin(const ttemu_program *program);
/* Another program starts beside those that run, `together`, and knows all that has happened. */
void emu_race_join(const ttemu_program *program, const ttemu_program *together);
void emu_race_end(const ttemu_program *program);
void emu_race_close(void);
/* A transfer is issued; its word or small write reaches a core, before memory changes; it is
 * done with. */
void emu_race_issue(Transfer *transfer);
void emu_race_arrive(const Transfer *transfer, uint32_t core);
void emu_race_done(Transfer *transfer);
/* Of one transaction number, or -1 for all. */
void emu_race_barrier(const Risc *risc, ttemu_barrier kind, int noc, int trid);
void emu_race_atomics(const Risc *risc, int noc); /* all increments are answered */
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

void *emu_calloc(size_t n, size_t size);

#endif
