/*===- remote.c - circular buffers across cores -----------------------------------------------===
 *
 * The host makes a buffer on several cores and describes, in L1 of each of them, whether it
 * sends or receives, to whom, and where counters are (GlobalCircularBuffer); kernels keep
 * the protocol themselves (api/remote_circular_buffer.h). A program says by which index, and
 * with which pages, and may have circular buffers of its own on the same memory: at its start
 * they are where the programs before it have left the pointer.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdlib.h>
#include <string.h>

/* Words of the description, as the kernels' header has them. */
enum { CONFIG_START = 2, CONFIG_SIZE = 3, CONFIG_POINTER = 4, CONFIG_WORDS = 7 };

static void read_config(const Core *core, const RemoteCB *remote, uint32_t words[CONFIG_WORDS]) {
  memcpy(words, core->l1 + remote->config, CONFIG_WORDS * sizeof *words);
}

uint32_t ttemu_program_remote_cb(ttemu_program *program, const ttemu_rect *rects, size_t n,
                                 uint32_t index, uint32_t page_bytes, uint32_t config) {
  const uint32_t handle = program->num_cbs++;
  if (index >= emu.chip->cbs)
    emu_fatal("[rule 8] circular buffer %u: the chip has %u", index, emu.chip->cbs);
  if (page_bytes == 0 || page_bytes % 16 != 0)
    emu_fatal("[rule 8] remote circular buffer %u has pages of %u bytes; they are multiples of 16",
              index, page_bytes);
  for (size_t i = 0; i < n; ++i)
    for (uint32_t y = rects[i].y0; y <= rects[i].y1; ++y)
      for (uint32_t x = rects[i].x0; x <= rects[i].x1; ++x) {
        Core *core = emu_program_core(program, x, y);
        if (core->cbs[index].used || core->remotes[index].config)
          emu_fatal("[rule 8] circular buffer %u of core (%u, %u) is created twice", index, x, y);
        core->remotes[index] = (RemoteCB){config, page_bytes, handle};
      }
  return handle;
}

void ttemu_change_remote_cb(ttemu_program *program, uint32_t handle, uint32_t config) {
  const uint32_t cores = emu.chip->grid_x * emu.chip->grid_y;
  for (uint32_t i = 0; i < cores; ++i)
    for (uint32_t c = 0; program->cores[i] && c < MAX_CBS; ++c) {
      RemoteCB *remote = &program->cores[i]->remotes[c];
      if (remote->config && remote->handle == handle) remote->config = config;
    }
}

uint32_t ttemu_remote_cb(uint32_t index, uint32_t *page_bytes, uint32_t line) {
  Risc *risc = emu.running;
  if (line) risc->line = line;
  if (index >= emu.chip->cbs || !risc->core->remotes[index].config)
    emu_error(risc, 8, "circular buffer %u of this core is not a remote one", index);
  *page_bytes = risc->core->remotes[index].page_bytes;
  return risc->core->remotes[index].config;
}

/* A circular buffer on the memory of a remote one takes as much of it as has whole pages. Returns
 * the page that the pointer is at. */
static uint32_t place(CB *cb, uint32_t start, uint32_t size, uint32_t pointer) {
  cb->address = start, cb->pages = size / cb->page_bytes;
  free(cb->written);
  cb->written = emu_calloc(cb->pages + 1, 1);
  return cb->pages ? (pointer - start) / cb->page_bytes % cb->pages : 0;
}

void ttemu_cb_place(uint32_t index, uint32_t start, uint32_t size, uint32_t pointer,
                    uint32_t line) {
  Risc *risc = emu.running;
  if (line) risc->line = line;
  if (index >= emu.chip->cbs || !risc->core->cbs[index].used)
    emu_error(risc, 8, "circular buffer %u is not configured on this core", index);
  CB *cb = &risc->core->cbs[index];
  if (size % cb->page_bytes != 0)
    emu_error(risc, 8, "circular buffer %u has pages of %u bytes, of which %u are no whole number",
              index, cb->page_bytes, size);
  /* Each processor has pointers of its own; the first that comes here moves the memory. */
  risc->read_page[index] = risc->write_page[index] = place(cb, start, size, pointer);
}

/* On the chip, the local ones are set up below the first remote one. */
static void check_order(const Core *core) {
  uint32_t first = emu.chip->cbs;
  for (uint32_t c = emu.chip->cbs; c-- > 0;)
    if (core->remotes[c].config) first = c;
  for (uint32_t c = first + 1; c < emu.chip->cbs; ++c)
    if (core->cbs[c].used)
      emu_fatal("[rule 8] core (%u, %u) has circular buffer %u above %u, which is a remote one: "
                "remote ones take the highest indices",
                core->x, core->y, c, first);
}

void emu_align_to_remotes(Core *core) {
  check_order(core);
  for (uint32_t r = 0; r < emu.chip->cbs; ++r) {
    const RemoteCB *remote = &core->remotes[r];
    uint32_t words[CONFIG_WORDS];
    if (!remote->config) continue;
    read_config(core, remote, words);
    const uint32_t start = words[CONFIG_START], size = words[CONFIG_SIZE];
    const uint32_t whole = size - size % remote->page_bytes;
    uint32_t pointer = (words[CONFIG_POINTER] - start + remote->page_bytes - 1) /
                       remote->page_bytes * remote->page_bytes;
    if (pointer >= whole) pointer = 0;
    for (uint32_t c = 0; c < emu.chip->cbs; ++c) {
      CB *cb = &core->cbs[c];
      if (!cb->used || !cb->bound || cb->address != start) continue;
      const uint32_t page = place(cb, start, whole, start + pointer);
      for (int i = 0; i < NUM_RISCS; ++i)
        core->riscs[i].read_page[c] = core->riscs[i].write_page[c] = page;
    }
  }
}
