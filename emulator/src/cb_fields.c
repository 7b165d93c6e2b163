/*===- cb_fields.c - circular buffers as structures ---------------------------------------------===
 *
 * Kernels may read what a processor keeps of a circular buffer, and set its pointers: to
 * go back to a block that is already there, or to a place inside of a page.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

void emu_check_stray(Risc *risc, uint32_t index) {
  if (risc->stray_cb == 0 || index + 1 != risc->stray_cb) return;
  emu_error(risc, 7, "a pointer of circular buffer %u is set to L1 address %u, outside of it",
            index, risc->stray_value % L1_WINDOW);
}

static const CB *enter(uint32_t index, uint32_t line) {
  Risc *risc = emu.running;
  if (line) risc->line = line;
  if (index >= emu.chip->cbs || !risc->core->cbs[index].used)
    emu_error(risc, 8, "circular buffer %u is not configured on this core", index);
  return &risc->core->cbs[index];
}

uint32_t ttemu_cb_get(uint32_t index, ttemu_cb_field field, uint32_t line) {
  const CB *cb = enter(index, line);
  const Risc *risc = emu.running;
  bool pointer = field == TTEMU_CB_READ_POINTER || field == TTEMU_CB_WRITE_POINTER;
  if (pointer && risc->stray_cb == index + 1 &&
      risc->stray_reads == (field == TTEMU_CB_READ_POINTER))
    return risc->stray_value;
  uint32_t base = emu_l1_pointer(risc->core, cb->address);
  switch (field) {
  case TTEMU_CB_SIZE: return cb->pages * cb->page_bytes;
  case TTEMU_CB_LIMIT: return base + cb->pages * cb->page_bytes;
  case TTEMU_CB_PAGE_BYTES: return cb->page_bytes;
  case TTEMU_CB_PAGES: return cb->pages;
  case TTEMU_CB_READ_POINTER:
    return base + risc->read_page[index] * cb->page_bytes + risc->read_shift[index];
  case TTEMU_CB_WRITE_POINTER:
    return base + risc->write_page[index] * cb->page_bytes + risc->write_shift[index];
  case TTEMU_CB_ACKED: return cb->acked & UINT16_MAX;
  case TTEMU_CB_RECEIVED: return cb->received & UINT16_MAX;
  case TTEMU_CB_PACKED: return risc->packed[index];
  }
  return 0;
}

void ttemu_cb_set(uint32_t index, ttemu_cb_field field, uint32_t value, uint32_t line) {
  const CB *cb = enter(index, line);
  Risc *risc = emu.running;
  bool read = field == TTEMU_CB_READ_POINTER;
  if (field == TTEMU_CB_PACKED) {
    risc->packed[index] = value;
    return;
  }
  if (!read && field != TTEMU_CB_WRITE_POINTER)
    emu_error(risc, 7, "only the pointers of circular buffer %u can be set", index);
  uint32_t size = cb->pages * cb->page_bytes, offset = value % L1_WINDOW - cb->address % L1_WINDOW;
  if (risc->stray_cb != 0 && risc->stray_cb != index + 1) emu_check_stray(risc, risc->stray_cb - 1);
  risc->stray_cb = 0;
  if (offset > size) { /* until it is set again, by the buffer's size as a rule */
    risc->stray_cb = index + 1, risc->stray_value = value, risc->stray_reads = read;
    return;
  }
  offset %= size; /* its end is its start */
  (read ? risc->read_page : risc->write_page)[index] = offset / cb->page_bytes;
  (read ? risc->read_shift : risc->write_shift)[index] = offset % cb->page_bytes;
}

uint32_t ttemu_program_cb_end(const ttemu_program *program, uint32_t x, uint32_t y) {
  const Core *core = program->cores[y * emu.chip->grid_x + x];
  return core && core->cb_end > emu.chip->l1_base ? core->cb_end : 0;
}
