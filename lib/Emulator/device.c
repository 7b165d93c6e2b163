/*===- device.c - memory, programs, and the run -------------------------------------===*/

#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Device emu;

void *emu_calloc(size_t n, size_t size) {
  void *memory = calloc(n, size);
  if (!memory) emu_fatal("out of memory (%zu bytes)", n * size);
  return memory;
}

int ttemu_role(void) { return emu.running->role; }
uint32_t ttemu_core_x(void) { return emu.running->core->x; }
uint32_t ttemu_core_y(void) { return emu.running->core->y; }

uint32_t ttemu_arg(uint32_t index, uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  if (index >= risc->num_args)
    emu_error(risc, 20, "runtime argument %u is read, but the host set %u", index, risc->num_args);
  return risc->args[index];
}

uint32_t ttemu_common_arg(uint32_t index, uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  if (index >= risc->kernel->num_common_args)
    emu_error(risc, 20, "common runtime argument %u is read, but the host set %u", index,
              risc->kernel->num_common_args);
  return risc->kernel->common_args[index];
}

/*===- The device ---------------------------------------------------------------------------===*/

static const Chip *chip_from_environment(void) {
  const char *name = getenv("TTEMU_ARCH");
  if (!name || !*name) return &emu_chips[0];
  for (size_t i = 0; i < emu_num_chips; ++i)
    if (strcmp(name, emu_chips[i].name) == 0) return &emu_chips[i];
  emu_fatal("TTEMU_ARCH is '%s'; there are wormhole_b0 and blackhole", name);
}

static uint64_t number(const char *name, uint64_t fallback) {
  const char *text = getenv(name);
  char *end;
  if (!text || !*text) return fallback;
  uint64_t value = strtoull(text, &end, 10);
  if (*end) emu_fatal("%s is '%s'; it takes a number", name, text);
  return value;
}

void ttemu_open(void) {
  if (emu.open) emu_fatal("the emulated device is open already");
  emu = (Device){.chip = chip_from_environment(), .open = true};
  const char *math = getenv("TTEMU_MATH");
  emu.fast = math && strcmp(math, "fast") == 0;
  emu.seed = number("TTEMU_SEED", 0);
  emu.max_events = number("TTEMU_MAX_EVENTS", UINT64_C(2000000000));
  emu.max_seconds = number("TTEMU_MAX_SECONDS", 60);
  emu.progress = getenv("TTEMU_PROGRESS") && isatty(2);
  uint32_t cores = emu.chip->grid_x * emu.chip->grid_y;
  emu_l1_open();
  emu_catch_faults();
  emu.dram = emu_calloc(emu.chip->dram_banks, sizeof *emu.dram);
  emu.bank_busy = emu_calloc(emu.chip->dram_banks, sizeof *emu.bank_busy);
  emu.port_busy = emu_calloc(cores, sizeof *emu.port_busy);
}

void ttemu_host_failure(const char *file, int line, const char *condition, const char *text) {
  emu_fatal("%s:%d: %s%s(expected: %s)", file, line, text, *text ? " " : "", condition);
}

void ttemu_close(void) {
  if (!emu.open) return;
  emu_l1_close();
  for (uint32_t i = 0; i < emu.chip->dram_banks; ++i) free(emu.dram[i]);
  free(emu.l1), free(emu.dram), free(emu.bank_busy), free(emu.port_busy);
  emu = (Device){.chip = NULL};
}

uint32_t ttemu_grid_x(void) { return emu.chip->grid_x; }
uint32_t ttemu_grid_y(void) { return emu.chip->grid_y; }

/*===- Tensors --------------------------------------------------------------------------------===*/

enum { BANK_ALIGN = 64 };

static uint32_t num_banks(bool dram) {
  return dram ? emu.chip->dram_banks : emu.chip->grid_x * emu.chip->grid_y;
}

static uint64_t aligned_page(uint32_t page_bytes) {
  return (page_bytes + UINT64_C(63)) / BANK_ALIGN * BANK_ALIGN;
}

static void grow_dram(uint64_t bytes) {
  if (bytes <= emu.dram_capacity) return;
  uint64_t capacity = bytes * 2;
  for (uint32_t i = 0; i < emu.chip->dram_banks; ++i) {
    uint8_t *bank = realloc(emu.dram[i], capacity);
    if (!bank) emu_fatal("out of memory for %llu bytes of DRAM", (unsigned long long)capacity);
    memset(bank + emu.dram_capacity, 0, capacity - emu.dram_capacity);
    emu.dram[i] = bank;
  }
  emu.dram_capacity = capacity;
}

uint32_t ttemu_alloc(bool dram, uint64_t bytes, uint32_t page_bytes) {
  if (page_bytes == 0 || bytes % page_bytes != 0)
    emu_fatal("a buffer of %llu bytes has no whole number of pages of %u bytes",
              (unsigned long long)bytes, page_bytes);
  uint64_t pages = bytes / page_bytes, banks = num_banks(dram);
  uint64_t share = (pages + banks - 1) / banks * aligned_page(page_bytes);
  if (dram) {
    uint64_t address = emu.dram_bytes;
    if (address + share > UINT32_MAX) emu_fatal("the DRAM of the chip is full");
    grow_dram(address + share);
    emu.dram_bytes = address + share;
    return (uint32_t)address;
  }
  if (share + emu.l1_tensors > emu.chip->l1_bytes - emu.chip->l1_base)
    emu_fatal("[rule 8] a buffer needs %llu bytes of each L1, which has %u free",
              (unsigned long long)share, emu.chip->l1_bytes - emu.chip->l1_base - emu.l1_tensors);
  emu.l1_tensors += (uint32_t)share;
  return emu.chip->l1_bytes - emu.l1_tensors;
}

/* Memory is a stack that only shrinks with the device; a freed tensor stays. */
void ttemu_free(bool dram, uint32_t address) { (void)dram, (void)address; }

static uint8_t *page_at(bool dram, uint32_t address, uint32_t page_bytes, uint64_t id) {
  uint64_t banks = num_banks(dram);
  uint8_t *bank = dram ? emu.dram[id % banks] : emu.l1[id % banks];
  return bank + address + id / banks * aligned_page(page_bytes);
}

void ttemu_write(bool dram, uint32_t address, uint32_t page_bytes, const void *data,
                 uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += page_bytes)
    memcpy(page_at(dram, address, page_bytes, at / page_bytes), (const uint8_t *)data + at,
           bytes - at < page_bytes ? bytes - at : page_bytes);
}

void ttemu_read(bool dram, uint32_t address, uint32_t page_bytes, void *data, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += page_bytes)
    memcpy((uint8_t *)data + at, page_at(dram, address, page_bytes, at / page_bytes),
           bytes - at < page_bytes ? bytes - at : page_bytes);
}

/*===- Programs ---------------------------------------------------------------------===*/

ttemu_program *ttemu_program_create(void) {
  if (!emu.open) emu_fatal("a program needs an open device");
  ttemu_program *program = emu_calloc(1, sizeof *program);
  program->cores = emu_calloc(emu.chip->grid_x * emu.chip->grid_y, sizeof *program->cores);
  program->cb_end = emu.chip->l1_base;
  return program;
}

void ttemu_program_destroy(ttemu_program *program) {
  if (!program) return;
  for (uint32_t i = 0; emu.chip && i < emu.chip->grid_x * emu.chip->grid_y; ++i) {
    if (!program->cores[i]) continue;
    for (int r = 0; r < NUM_RISCS; ++r)
      if (r <= UNPACK) free((void *)program->cores[i]->riscs[r].args);
    free(program->cores[i]->operands);
    free(program->cores[i]->dst);
    free(program->cores[i]);
  }
  for (uint32_t i = 0; i < program->num_kernels; ++i) {
    free(program->kernels[i]->path);
    free(program->kernels[i]->common_args);
    free(program->kernels[i]);
  }
  free(program->kernels);
  free(program->cores);
  free(program);
}

static Core *core_at(ttemu_program *program, uint32_t x, uint32_t y) {
  if (x >= emu.chip->grid_x || y >= emu.chip->grid_y)
    emu_fatal("core (%u, %u) is outside the chip's grid of %ux%u", x, y, emu.chip->grid_x,
              emu.chip->grid_y);
  Core **slot = &program->cores[y * emu.chip->grid_x + x];
  if (*slot) return *slot;
  Core *core = *slot = emu_calloc(1, sizeof *core);
  core->x = x, core->y = y;
  core->l1 = emu.l1[y * emu.chip->grid_x + x];
  core->operands = emu_calloc(SOURCE_BANKS, sizeof *core->operands);
  core->dst = emu_calloc(MAX_DST, sizeof *core->dst);
  for (int r = 0; r < NUM_RISCS; ++r) {
    Risc *risc = &core->riscs[r];
    risc->core = core, risc->role = r, risc->fpu = risc->sfpu = -1;
  }
  return core;
}

void ttemu_program_cb(ttemu_program *program, const ttemu_rect *rects, size_t n, uint32_t index,
                      uint32_t bytes, uint32_t page_bytes, ttemu_format format) {
  if (index >= emu.chip->cbs)
    emu_fatal("[rule 8] circular buffer %u: the chip has %u", index, emu.chip->cbs);
  if (page_bytes == 0 || bytes % page_bytes != 0)
    emu_fatal("[rule 8] circular buffer %u has %u bytes, no whole number of pages of %u", index,
              bytes, page_bytes);
  uint32_t limit = emu.chip->l1_bytes - emu.l1_tensors;
  if (bytes > limit - program->cb_end)
    emu_fatal("[rule 8] circular buffer %u needs %u bytes of L1, which has %u free", index, bytes,
              limit - program->cb_end);
  for (size_t i = 0; i < n; ++i)
    for (uint32_t y = rects[i].y0; y <= rects[i].y1; ++y)
      for (uint32_t x = rects[i].x0; x <= rects[i].x1; ++x)
        core_at(program, x, y)->cbs[index] =
            (CB){.used = true, .address = program->cb_end, .page_bytes = page_bytes,
                 .pages = bytes / page_bytes, .format = format};
  program->cb_end += (bytes + 31) / 32 * 32;
}

uint32_t ttemu_program_kernel(ttemu_program *program, const ttemu_kernel_config *config) {
  Kernel *kernel = emu_calloc(1, sizeof *kernel);
  kernel->processor = config->processor, kernel->noc = config->noc;
  kernel->phases = config->phases, kernel->fp32_dest = config->fp32_dest;
  kernel->full_sync = config->full_sync, kernel->approx = config->approx;
  if (config->unpack_to_dest) memcpy(kernel->unpack_to_dest, config->unpack_to_dest, MAX_CBS);
  emu_compile(config, kernel);
  program->kernels =
      realloc(program->kernels, (program->num_kernels + 1) * sizeof *program->kernels);
  if (!program->kernels) emu_fatal("out of memory");
  program->kernels[program->num_kernels] = kernel;
  return program->num_kernels++;
}

void ttemu_kernel_cores(ttemu_program *program, uint32_t kernel, ttemu_rect rect) {
  const Kernel *k = program->kernels[kernel];
  for (uint32_t y = rect.y0; y <= rect.y1; ++y)
    for (uint32_t x = rect.x0; x <= rect.x1; ++x) {
      Core *core = core_at(program, x, y);
      int last = k->processor == UNPACK ? PACK : k->processor;
      for (int r = k->processor; r <= last; ++r) {
        if (core->riscs[r].kernel)
          emu_fatal("core (%u, %u) has two kernels on %s", x, y, emu_role_name(r));
        core->riscs[r].kernel = k;
      }
      const Kernel *a = core->riscs[0].kernel, *b = core->riscs[1].kernel;
      if (a && b && a->noc == b->noc)
        emu_fatal("[rule 19] both data movement kernels of core (%u, %u) use NoC %d", x, y, a->noc);
    }
}

void ttemu_kernel_args(ttemu_program *program, uint32_t kernel, uint32_t x, uint32_t y,
                       const uint32_t *args, size_t n) {
  const Kernel *k = program->kernels[kernel];
  Core *core = core_at(program, x, y);
  if (n > 341) emu_fatal("[rule 20] %zu runtime arguments; a kernel takes at most 341", n);
  int last = k->processor == UNPACK ? PACK : k->processor;
  uint32_t *copy = emu_calloc(n + 1, sizeof *copy);
  if (n) memcpy(copy, args, n * sizeof *copy);
  free((void *)core->riscs[k->processor].args);
  for (int r = k->processor; r <= last; ++r) {
    core->riscs[r].args = copy;
    core->riscs[r].num_args = (uint32_t)n;
  }
}

void ttemu_kernel_common_args(ttemu_program *program, uint32_t kernel, const uint32_t *args,
                              size_t n) {
  Kernel *k = program->kernels[kernel];
  if (n > 341) emu_fatal("[rule 20] %zu common runtime arguments; a kernel takes at most 341", n);
  free(k->common_args);
  k->common_args = emu_calloc(n + 1, sizeof *k->common_args);
  if (n) memcpy(k->common_args, args, n * sizeof *args);
  k->num_common_args = (uint32_t)n;
}

uint32_t ttemu_program_semaphore(ttemu_program *program, uint32_t value) {
  if (program->num_semaphores == SEMAPHORES)
    emu_fatal("[rule 18] a program has at most %d semaphores", SEMAPHORES);
  program->semaphores[program->num_semaphores] = value;
  return program->num_semaphores++;
}

/*===- Running ----------------------------------------------------------------------===*/

static void reset(ttemu_program *program) {
  for (uint32_t i = 0; i < emu.chip->grid_x * emu.chip->grid_y; ++i) {
    Core *core = program->cores[i];
    if (!core) continue;
    for (int c = 0; c < MAX_CBS; ++c) core->cbs[c].received = core->cbs[c].acked = 0;
    core->filled = core->taken = core->committed = core->released = 0;
    core->math_holds = core->pack_holds = false;
    core->math_busy = 0;
    memset(core->dst, 0, MAX_DST * sizeof *core->dst);
    for (uint32_t s = 0; s < program->num_semaphores; ++s)
      memcpy(core->l1 + emu_semaphore_offset(s), &program->semaphores[s], 4);
    for (int r = 0; r < NUM_RISCS; ++r) {
      Risc old = core->riscs[r];
      core->riscs[r] = (Risc){.core = core, .role = r, .kernel = old.kernel, .args = old.args,
                              .num_args = old.num_args, .fpu = -1, .sfpu = -1,
                              .reduced = NOT_REDUCED};
    }
  }
  memset(emu.bank_busy, 0, emu.chip->dram_banks * sizeof *emu.bank_busy);
  memset(emu.port_busy, 0, emu.chip->grid_x * emu.chip->grid_y * sizeof *emu.port_busy);
  emu.bytes_read = emu.bytes_written = emu.events = 0;
}

static void check_dirty(ttemu_program *program) {
  for (uint32_t i = 0; i < emu.chip->grid_x * emu.chip->grid_y; ++i) {
    Core *core = program->cores[i];
    for (uint32_t c = 0; core && c < MAX_CBS; ++c) {
      uint32_t left = core->cbs[c].received - core->cbs[c].acked;
      if (core->cbs[c].used && left != 0) {
        fprintf(stderr,
                "warning: [rule 5] %u pages are left in circular buffer %u of core (%u, %u)\n",
                left, c, core->x, core->y);
        if (getenv("TTEMU_STRICT")) emu_fatal("[rule 5] a circular buffer is not empty at the end");
        return;
      }
    }
  }
}

static void summarize(ttemu_program *program) {
  uint64_t busy = 0, cores = 0;
  for (uint32_t i = 0; i < emu.chip->grid_x * emu.chip->grid_y; ++i)
    if (program->cores[i]) busy += program->cores[i]->math_busy, ++cores;
  double clk = emu.clock ? (double)emu.clock : 1.0;
  fprintf(stderr,
          "  %llu clk on %llu core(s) (%.1f us at %.2f GHz), math busy %.1f%%, read %.2f MB, "
          "written %.2f MB%s\n",
          (unsigned long long)emu.clock, (unsigned long long)cores,
          clk / emu.chip->clock_ghz * 1e-3, emu.chip->clock_ghz,
          100.0 * (double)busy / clk / (double)(cores ? cores : 1), (double)emu.bytes_read * 1e-6,
          (double)emu.bytes_written * 1e-6,
          emu.fast ? " (--math=fast: f32 sums, not the chip's)" : "");
}

void ttemu_run(ttemu_program *program) {
  emu.program = program;
  reset(program);
  emu_schedule(program);
  check_dirty(program);
  if (getenv("TTEMU_SUMMARY")) summarize(program);
}
