/*===- program.c - what the host puts on the cores --------------------------------------------===*/

#include "tensix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CB_ALIGN = 32 };

static uint32_t num_cores(void) { return emu.chip->grid_x * emu.chip->grid_y; }

ttemu_program *ttemu_program_create(void) {
  if (!emu.chip) emu.chip = emu_chip_of_environment(); /* before the device is opened */
  ttemu_program *program = emu_calloc(1, sizeof *program);
  program->cores = emu_calloc(num_cores(), sizeof *program->cores);
  return program;
}

static void destroy_core(Core *core) {
  if (!core) return;
  for (int r = 0; r <= UNPACK; ++r) emu_args_destroy(core->riscs[r].args);
  for (int c = 0; c < MAX_CBS; ++c) free(core->cbs[c].written);
  emu_queue_destroy(core->queue);
  free(core->operands);
  free(core->dst);
  free(core);
}

void ttemu_program_destroy(ttemu_program *program) {
  if (program && !emu_program_outlives(program)) emu_program_free(program);
}

void emu_program_free(ttemu_program *program) {
  for (uint32_t i = 0; emu.chip && i < num_cores(); ++i) destroy_core(program->cores[i]);
  for (uint32_t i = 0; i < program->num_kernels; ++i) {
    emu_free_kernel(program->kernels[i]);
  }
  free(program->kernels);
  free(program->cores);
  free(program);
}

Core *emu_program_core(ttemu_program *program, uint32_t x, uint32_t y) {
  if (x >= emu.chip->grid_x || y >= emu.chip->grid_y)
    emu_fatal("core (%u, %u) is outside the chip's grid of %ux%u", x, y, emu.chip->grid_x,
              emu.chip->grid_y);
  Core **slot = &program->cores[y * emu.chip->grid_x + x];
  if (*slot) return *slot;
  Core *core = *slot = emu_calloc(1, sizeof *core);
  core->x = x, core->y = y;
  core->cb_end = emu.chip->l1_base;
  core->operands = emu_calloc(SOURCE_BANKS, sizeof *core->operands);
  core->dst = emu_calloc(MAX_DST, sizeof *core->dst);
  core->queue = emu_queue_create();
  for (int r = 0; r < NUM_RISCS; ++r) {
    Risc *risc = &core->riscs[r];
    risc->core = core, risc->role = r, risc->fpu = risc->sfpu = risc->sfpu_kept = -1;
  }
  return core;
}

typedef void (*CoreFunction)(Core *core, void *data);

static void for_each_core(ttemu_program *program, const ttemu_rect *rects, size_t n,
                          CoreFunction function, void *data) {
  for (size_t i = 0; i < n; ++i)
    for (uint32_t y = rects[i].y0; y <= rects[i].y1; ++y)
      for (uint32_t x = rects[i].x0; x <= rects[i].x1; ++x)
        function(emu_program_core(program, x, y), data);
}

/*===- Circular buffers ---------------------------------------------------------------------===*/

static void take_highest(Core *core, void *data) {
  uint32_t *address = data;
  if (core->cb_end > *address) *address = core->cb_end;
}

typedef struct NewCB {
  const ttemu_cb *cbs;
  size_t num_cbs;
  uint32_t bytes, address, handle;
  bool bound;
} NewCB;

static void place_cb(Core *core, void *data) {
  const NewCB *new = data;
  for (size_t i = 0; i < new->num_cbs; ++i) {
    CB *cb = &core->cbs[new->cbs[i].index];
    if (cb->used)
      emu_fatal("[rule 8] circular buffer %u of core (%u, %u) is created twice", new->cbs[i].index,
                core->x, core->y);
    *cb = (CB){.used = true,
               .address = new->address,
               .page_bytes = new->cbs[i].page_bytes,
               .pages = new->bytes / new->cbs[i].page_bytes,
               .format = new->cbs[i].format,
               .tile = {new->cbs[i].tile_rows ? new->cbs[i].tile_rows : 32,
                        new->cbs[i].tile_cols ? new->cbs[i].tile_cols : 32},
               .handle = new->handle,
               .on_buffer = new->bound,
               .bound = new->bound || new->num_cbs > 1};
  }
  if (!new->bound) core->cb_end = new->address + (new->bytes + CB_ALIGN - 1) / CB_ALIGN * CB_ALIGN;
}

static void check_pages(uint32_t index, uint32_t bytes, uint32_t page_bytes) {
  if (page_bytes == 0 || bytes == 0 || bytes % page_bytes != 0)
    emu_fatal("[rule 8] circular buffer %u has %u bytes, no whole number of pages of %u", index,
              bytes, page_bytes);
  if (bytes / page_bytes > UINT16_MAX)
    emu_fatal("[rule 7] circular buffer %u has %u pages, but the chip counts to %u", index,
              bytes / page_bytes, UINT16_MAX);
}

uint32_t ttemu_program_cb(ttemu_program *program, const ttemu_rect *rects, size_t n,
                          const ttemu_cb *cbs, size_t num_cbs, uint32_t bytes,
                          const ttemu_buffer *bound) {
  NewCB new = {.cbs = cbs,
               .num_cbs = num_cbs,
               .bytes = bytes,
               .bound = bound != NULL,
               .handle = program->num_cbs++};
  for (size_t i = 0; i < num_cbs; ++i) {
    uint32_t most = ttemu_num_cbs();
    if (cbs[i].index >= most)
      emu_fatal("[rule 8] circular buffer %u: %s %u", cbs[i].index,
                most < emu.chip->cbs ? "headers of this era name" : "the chip has", most);
    check_pages(cbs[i].index, bytes, cbs[i].page_bytes);
  }
  if (bound) {
    new.address = ttemu_buffer_address(bound);
    if (bytes > ttemu_buffer_share(bound))
      emu_fatal("[rule 8] circular buffer %u has %u bytes, but its buffer has %u on each core",
                cbs[0].index, bytes, ttemu_buffer_share(bound));
  } else {
    for_each_core(program, rects, n, take_highest, &new.address);
    uint32_t limit = emu_l1_lowest();
    if (new.address > limit || bytes > limit - new.address)
      emu_fatal("[rule 8] circular buffer %u needs %u bytes of L1, which has %u free", cbs[0].index,
                bytes, new.address > limit ? 0 : limit - new.address);
  }
  for_each_core(program, rects, n, place_cb, &new);
  return new.handle;
}

/* Those that lie on no buffer get their places anew, in the order in which they were created. */
static void place_again(ttemu_program *program) {
  for (uint32_t i = 0; i < num_cores(); ++i)
    if (program->cores[i]) program->cores[i]->cb_end = emu.chip->l1_base;
  for (uint32_t handle = 0; handle < program->num_cbs; ++handle) {
    uint32_t address = emu.chip->l1_base;
    for (int pass = 0; pass < 2; ++pass) /* the highest end on its cores; then there */
      for (uint32_t i = 0; i < num_cores(); ++i) {
        Core *core = program->cores[i];
        uint32_t end = 0;
        for (uint32_t c = 0; core && c < MAX_CBS; ++c) {
          CB *cb = &core->cbs[c];
          if (!cb->used || cb->handle != handle || cb->on_buffer) continue;
          if (pass == 0) take_highest(core, &address);
          else cb->address = address, end = address + cb->pages * cb->page_bytes;
        }
        if (end) core->cb_end = (end + CB_ALIGN - 1) / CB_ALIGN * CB_ALIGN;
      }
  }
}

void ttemu_change_cb(ttemu_program *program, uint32_t handle, uint32_t index, uint32_t bytes,
                     uint32_t page_bytes, const ttemu_buffer *bound) {
  bool grows = false;
  for (uint32_t i = 0; i < num_cores(); ++i) {
    Core *core = program->cores[i];
    for (uint32_t c = 0; core && c < MAX_CBS; ++c) {
      CB *cb = &core->cbs[c];
      uint32_t old = cb->pages * cb->page_bytes;
      if (!cb->used || cb->handle != handle) continue;
      if (page_bytes && c == index) cb->page_bytes = page_bytes;
      uint32_t now = bytes ? bytes : old;
      check_pages(c, now, cb->page_bytes);
      if (bound && now > ttemu_buffer_share(bound))
        emu_fatal("[rule 8] circular buffer %u has %u bytes, but its buffer has %u on each core", c,
                  now, ttemu_buffer_share(bound));
      grows = grows || (bytes > old && !cb->on_buffer && !bound);
      cb->pages = now / cb->page_bytes;
      if (bound) cb->address = ttemu_buffer_address(bound), cb->bound = cb->on_buffer = true;
    }
  }
  if (grows) place_again(program);
}

/*===- Kernels --------------------------------------------------------------------------------===*/

uint32_t ttemu_program_kernel(ttemu_program *program, const ttemu_kernel_config *config) {
  Kernel *kernel = emu_calloc(1, sizeof *kernel);
  kernel->processor = config->processor, kernel->noc = config->noc;
  kernel->phases = config->phases, kernel->fp32_dest = config->fp32_dest;
  kernel->full_sync = config->full_sync, kernel->approx = config->approx;
  kernel->any_noc = config->any_noc;
  if (config->unpack_to_dest) memcpy(kernel->unpack_to_dest, config->unpack_to_dest, MAX_CBS);
  emu_prepare_kernel(program, config, kernel);
  program->kernels =
      realloc(program->kernels, (program->num_kernels + 1) * sizeof *program->kernels);
  if (!program->kernels) emu_fatal("out of memory");
  program->kernels[program->num_kernels] = kernel;
  return program->num_kernels++;
}

static void place_kernel(Core *core, void *data) {
  Kernel *k = data;
  int last = k->processor == UNPACK ? PACK : k->processor;
  for (int r = k->processor; r <= last; ++r) {
    if (core->riscs[r].kernel)
      emu_fatal("core (%u, %u) has two kernels on %s", core->x, core->y, emu_role_name(r));
    core->riscs[r].kernel = r > UNPACK && k->of_role[0] ? k->of_role[r - UNPACK - 1] : k;
  }
}

void ttemu_kernel_cores(ttemu_program *program, uint32_t kernel, ttemu_rect rect) {
  Kernel *k = program->kernels[kernel];
  if (!k->placed || rect.x0 < k->first_x) k->first_x = rect.x0;
  if (!k->placed || rect.y0 < k->first_y) k->first_y = rect.y0;
  k->placed = true;
  for_each_core(program, &rect, 1, place_kernel, k);
}

/* The library builds a compute kernel for exponents of one width. */
static void check_exponents(const Core *core) {
  const CB *first = NULL;
  for (int i = 0; i < MAX_CBS; ++i) {
    const TtFormat *format = core->cbs[i].used ? tt_format_of_code((int)core->cbs[i].format) : NULL;
    if (!format || !format->exponent) continue;
    if (!first) first = &core->cbs[i];
    const TtFormat *other = tt_format_of_code((int)first->format);
    if (other->exponent != format->exponent)
      emu_fatal("[rule 12] core (%u, %u) has circular buffer %td of %s and %d of %s, but its "
                "compute kernel is built for exponents of one width; Float32 goes with both",
                core->x, core->y, first - core->cbs, other->data_format, i, format->data_format);
  }
}

void emu_check_formats(ttemu_program *program) {
  for (uint32_t i = 0; i < emu.chip->grid_x * emu.chip->grid_y; ++i) {
    const Core *core = program->cores[i];
    if (core && core->riscs[UNPACK].kernel) check_exponents(core);
  }
}

static void check_args(size_t n, const char *what) {
  if (n > MAX_RUNTIME_ARGS)
    emu_fatal("[rule 20] %zu %sruntime arguments; a kernel takes at most %d", n, what,
              MAX_RUNTIME_ARGS);
}

void ttemu_kernel_args(ttemu_program *program, uint32_t kernel, uint32_t x, uint32_t y,
                       const uint32_t *args, size_t n) {
  const Kernel *k = program->kernels[kernel];
  Core *core = emu_program_core(program, x, y);
  check_args(n, "");
  int last = k->processor == UNPACK ? PACK : k->processor;
  if (core->riscs[k->processor].kernel != k)
    emu_fatal("[rule 20] runtime arguments of kernel '%s' for core (%u, %u), where it does not run",
              k->path, x, y);
  const uint32_t *copy = emu_args_create(args, n);
  emu_args_destroy(core->riscs[k->processor].args);
  for (int r = k->processor; r <= last; ++r) {
    core->riscs[r].args = copy;
    core->riscs[r].num_args = (uint32_t)n;
  }
}

uint32_t ttemu_program_kernels(const ttemu_program *program) { return program->num_kernels; }

bool ttemu_program_uses(const ttemu_program *program, uint32_t x, uint32_t y) {
  return program->cores[y * emu.chip->grid_x + x] != NULL;
}

uint32_t *ttemu_kernel_args_of(ttemu_program *program, uint32_t kernel, uint32_t x, uint32_t y,
                               size_t *n) {
  const Core *core = program->cores[y * emu.chip->grid_x + x];
  const Risc *risc = core ? &core->riscs[program->kernels[kernel]->processor] : NULL;
  *n = risc ? risc->num_args : 0;
  if (!risc) return NULL;
  return (uint32_t *)(uintptr_t)risc->args;
}

uint32_t *ttemu_kernel_common_args_of(ttemu_program *program, uint32_t kernel, size_t *n) {
  *n = program->kernels[kernel]->num_common_args;
  return program->kernels[kernel]->common_args;
}

void ttemu_kernel_common_args(ttemu_program *program, uint32_t kernel, const uint32_t *args,
                              size_t n) {
  Kernel *k = program->kernels[kernel];
  check_args(n, "common ");
  emu_args_destroy(k->common_args);
  k->common_args = emu_args_create(args, n);
  k->num_common_args = (uint32_t)n;
}

/*===- Semaphores -----------------------------------------------------------------------------===*/

typedef struct NewSemaphore {
  uint32_t used, id, value;
} NewSemaphore;

static void collect_semaphores(Core *core, void *data) {
  ((NewSemaphore *)data)->used |= core->has_semaphore;
}

static void place_semaphore(Core *core, void *data) {
  const NewSemaphore *new = data;
  core->has_semaphore |= 1u << new->id;
  core->semaphores[new->id] = new->value;
}

uint32_t ttemu_program_semaphore(ttemu_program *program, const ttemu_rect *rects, size_t n,
                                 uint32_t value) {
  NewSemaphore new = {.value = value};
  for_each_core(program, rects, n, collect_semaphores, &new);
  while (new.id < SEMAPHORES && new.used >> new.id & 1) ++new.id;
  if (new.id == SEMAPHORES)
    emu_fatal("[rule 18] a core has at most %d semaphores of a program", SEMAPHORES);
  for_each_core(program, rects, n, place_semaphore, &new);
  return new.id;
}

void ttemu_program_semaphore_at(ttemu_program *program, const ttemu_rect *rects, size_t n,
                                uint32_t id, uint32_t value) {
  NewSemaphore new = {.id = id, .value = value};
  if (id >= SEMAPHORES)
    emu_fatal("[rule 18] semaphore %u; a core has at most %d of a program", id, SEMAPHORES);
  for_each_core(program, rects, n, collect_semaphores, &new);
  if (new.used >> id & 1) emu_fatal("[rule 18] semaphore %u is created twice on a core", id);
  for_each_core(program, rects, n, place_semaphore, &new);
}

/*===- Launch ---------------------------------------------------------------------------------===*/

static void reset_cb(Core *core, CB *cb) {
  cb->received = cb->acked = cb->largest = 0;
  cb->pusher = cb->popper = -1;
  cb->looked = 0;
  cb->holds = 0;
  cb->overdrawn = false;
  if (!cb->used) return;
  free(cb->written);
  cb->written = emu_calloc(cb->pages, 1);
  if (!cb->bound) emu_poison(core->l1, cb->address, cb->pages * cb->page_bytes);
}

static void reset_core(Core *core) {
  core->l1 = emu.l1[core->y * emu.chip->grid_x + core->x];
  for (int c = 0; c < MAX_CBS; ++c) reset_cb(core, &core->cbs[c]);
  for (int wide = 0; wide < 2; ++wide) core->f32_as_half[wide] = emu_f32_becomes_half(core, wide);
  memset(core->mailboxes, 0, sizeof core->mailboxes);
  memset(core->tokens, 0, sizeof core->tokens);
  memset(core->most_tokens, MOST_TOKENS, sizeof core->most_tokens);
  core->filled = core->taken = core->committed = core->released = 0;
  core->math_holds = core->pack_holds = core->other_half = core->vector_pending = false;
  for (int i = 0; i < 2; ++i) core->vector_from[i] = core->vector_to[i] = 0;
  core->math_busy = 0;
  core->sections = core->packs = core->copies = core->copies_back = 0;
  memset(core->port_busy, 0, sizeof core->port_busy);
  memset(core->dst, 0, MAX_DST * sizeof *core->dst);
  for (uint32_t s = 0; s < SEMAPHORES; ++s)
    if (core->has_semaphore >> s & 1)
      memcpy(core->l1 + emu_semaphore_offset(s), &core->semaphores[s], 4);
  for (int r = 0; r < NUM_RISCS; ++r) {
    Risc old = core->riscs[r];
    core->riscs[r] = (Risc){.core = core,
                            .role = r,
                            .kernel = old.kernel,
                            .args = old.args,
                            .num_args = old.num_args,
                            .fpu = -1,
                            .sfpu = -1,
                            .sfpu_kept = -1,
                            .reduced = NOT_REDUCED};
  }
  emu_align_to_remotes(core);
}

void emu_program_reset(ttemu_program *program, bool alone) {
  emu_compile_late(program);
  uint32_t limit = emu_l1_lowest();
  for (uint32_t i = 0; i < num_cores(); ++i) {
    Core *core = program->cores[i];
    if (!core) continue;
    if (core->cb_end > limit && core->cb_end > emu.chip->l1_base)
      emu_fatal("[rule 8] the circular buffers of core (%u, %u) end at %u, in a buffer that starts "
                "at %u",
                core->x, core->y, core->cb_end, limit);
    reset_core(core);
  }
  if (!alone) return;
  memset(emu.bank_busy, 0, emu.chip->dram_banks * sizeof *emu.bank_busy);
  memset(emu.bank_writes, 0, sizeof emu.bank_writes);
  emu_routes_reset();
  emu.bytes_read = emu.bytes_written = emu.dram_moved = emu.own_moved = emu.events = 0;
}
