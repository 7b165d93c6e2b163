/*===- l1.c - where the L1 of a core lies ---------------------------------------------===
 *
 * Kernels take 32-bit L1 addresses for pointers. So the L1 of each core has a window
 * of its own below 4 GiB, aligned to its size: an address that the device hands out
 * is a valid pointer, and its low bits are the offset, equal on all cores. An address
 * that the host knows, such as a buffer's, is the bare offset; the first time that a
 * kernel uses one as a pointer, its core's memory is mapped there as well, until a
 * processor of another core runs.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WINDOW = L1_WINDOW, SEARCH_STEP = 64 << 20 };
static const uintptr_t first_window = (uintptr_t)1 << 30, last_window = (uintptr_t)3 << 30;

static int memory = -1;
static const Core *aliased; /* whose L1 lies at its bare offsets, too */

static size_t bytes_of_device(void) { return (size_t)emu.chip->grid_x * emu.chip->grid_y * WINDOW; }
static off_t start_of_device(void) { return (off_t)(emu.device * bytes_of_device()); }

static uintptr_t alias_start(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  return (emu.chip->l1_base - SYSTEM_BYTES) / page * page;
}

static bool map_alias(const Core *core) {
  uintptr_t start = alias_start();
  off_t at =
      start_of_device() + (off_t)(core->y * emu.chip->grid_x + core->x) * WINDOW + (off_t)start;
  return mmap((void *)start, emu.chip->l1_size - start, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_FIXED, memory, at) != MAP_FAILED;
}

bool emu_l1_fault(uintptr_t at) {
  const Core *core = emu.running->core;
  if (at < alias_start() || at >= emu.chip->l1_size || aliased == core) return false;
  aliased = core;
  return map_alias(core);
}

void emu_l1_open(void) {
  uint32_t cores = emu.chip->grid_x * emu.chip->grid_y;
  size_t bytes = bytes_of_device();
  memory = memfd_create("L1", MFD_CLOEXEC);
  if (memory < 0 || ftruncate(memory, (off_t)bytes) != 0) emu_fatal("no memory for L1");
  void *base = MAP_FAILED;
  for (uintptr_t at = first_window; base == MAP_FAILED && at + bytes <= last_window;
       at += SEARCH_STEP)
    base = mmap((void *)at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, memory,
                0);
  if (base == MAP_FAILED) emu_fatal("no room for L1 below 4 GiB");
  emu.l1 = emu_calloc(cores, sizeof *emu.l1);
  for (uint32_t i = 0; i < cores; ++i) emu.l1[i] = (uint8_t *)base + (size_t)i * WINDOW;
}

void emu_l1_grow(uint32_t devices) {
  if (ftruncate(memory, (off_t)(devices * bytes_of_device())) != 0) emu_fatal("no memory for L1");
}

/* The windows stay where they are; another device's memory comes into them. */
void emu_l1_choose(uint32_t device) {
  emu_l1_leave(NULL);
  emu.device = device;
  if (mmap(emu.l1[0], bytes_of_device(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory,
           start_of_device()) == MAP_FAILED)
    emu_fatal("no room for L1 below 4 GiB");
}

void emu_l1_leave(const Core *next) {
  if (!aliased || aliased == next) return;
  munmap((void *)alias_start(), emu.chip->l1_size - alias_start());
  aliased = NULL;
}

void emu_l1_close(void) {
  emu_l1_leave(NULL);
  munmap(emu.l1[0], (size_t)emu.chip->grid_x * emu.chip->grid_y * WINDOW);
  close(memory);
}

uint32_t emu_l1_pointer(const Core *core, uint32_t offset) {
  return (uint32_t)(uintptr_t)core->l1 + offset;
}

uint32_t emu_l1_offset(Risc *risc, uint32_t address, uint32_t bytes) {
  uint32_t offset = address % WINDOW, window = address - offset;
  if (window != 0 && window != (uint32_t)(uintptr_t)risc->core->l1)
    emu_error(risc, 17, "address 0x%x is a pointer, but not into the L1 of this core", address);
  if (offset < emu.chip->l1_base - SYSTEM_BYTES || (uint64_t)offset + bytes > emu.chip->l1_size)
    emu_error(risc, 17, "L1 address %u with %u bytes is outside the usable L1, %u to %u", offset,
              bytes, emu.chip->l1_base, emu.chip->l1_size);
  return offset;
}

uint32_t emu_semaphore_offset(uint32_t id) { return emu.chip->l1_base - SEMAPHORE_BYTES + 16 * id; }

/* Kernels wait by looks at the clock, so one that nothing came before since the last one takes
 * time; not always the same, for which some wait (`clock % 4`): it is not on the chip. */
uint32_t ttemu_clock_register(uint32_t line) {
  Risc *risc = emu.running;
  uint32_t offset = emu.chip->l1_base - SEMAPHORE_BYTES - CLOCK_BYTES;
  risc->line = line;
  if (risc->clock_told == risc->time + 1) {
    emu_call(line);
    risc->time += 1 + (risc->time * UINT64_C(0x9e3779b97f4a7c15) >> 62);
  }
  risc->clock_told = risc->time + 1;
  memcpy(risc->core->l1 + offset, &risc->time, sizeof risc->time);
  return emu_l1_pointer(risc->core, offset);
}
