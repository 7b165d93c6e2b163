/*===- tensor_formats.c - what a tensor's elements are, and what they are taken for ----------===
 *
 *   EnqueueWriteMeshBuffer(queue, a, std::vector<bfloat16>)   elements of a: Float16_b
 *   CircularBufferConfig(…, {{0, DataFormat::Float32}})       a page of a, taken for Float32
 *
 * A buffer has bytes, no format: on the chip nothing notices that two of these do not go together,
 * and each pair of numbers becomes one. What is in a buffer is known where the host writes vectors
 * of numbers of its own, or where the packer made what a kernel writes there. Words (uint32_t,
 * uint16_t, bytes) may be anything packed, and a buffer that several formats were written to is
 * anything, too.
 *
 *===----------------------------------------------------------------------===*/

#include "noc.h"

#include "memory.h"
#include "tensix.h"

/* What Range and CB have in `holds`: a format plus 1. */
enum { UNKNOWN = 0, MIXED = 0x100 };

static Range *range_of(bool dram, uint32_t address) {
  return (Range *)(uintptr_t)emu_range_at(dram, address);
}

static void add(uint32_t *holds, uint32_t what) {
  *holds = *holds == UNKNOWN || *holds == what ? what : MIXED;
}

/* Integers of one size are told apart by what is done with them; Tf32 is a Float32. */
static int kind_of(int format) {
  switch (format) {
  case TTEMU_UINT32: return TTEMU_INT32;
  case TTEMU_TF32: return TTEMU_FLOAT32;
  default: return format;
  }
}

static bool differs(uint32_t holds, int format) {
  return holds != UNKNOWN && holds != MIXED && kind_of((int)holds - 1) != kind_of(format);
}

static const char *name_of(int code) {
  const TtFormat *format = tt_format_of_code(code);
  return format ? format->data_format : "another format";
}

/*===- The host ---------------------------------------------------------------------------===*/

void ttemu_buffer_holds(const ttemu_buffer *b, int format) {
  Range *range = range_of(b->dram, b->address);
  if (range) range->holds = format < 0 ? MIXED : (uint32_t)format + 1;
}

void ttemu_buffer_is_read_as(const ttemu_buffer *b, int format) {
  const Range *range = range_of(b->dram, b->address);
  if (!range || format < 0 || !differs(range->holds, format)) return;
  emu_host_warning(12,
                   "the host reads the buffer at address %u of %s as numbers of %s, but those that "
                   "were written are of %s",
                   b->address, b->dram ? "DRAM" : "L1", name_of(format),
                   name_of((int)range->holds - 1));
}

/*===- Transfers --------------------------------------------------------------------------===*/

static bool lies_in(const CB *cb, uint32_t l1) {
  return cb->used && l1 >= cb->address && l1 - cb->address < cb->pages * cb->page_bytes;
}

/* Of a read: what comes to circular buffers, which may share their memory. */
void emu_format_read(Risc *risc, const Remote *r, uint32_t l1) {
  const Range *range = emu_range_at(r->dram, r->address);
  const uint32_t holds = range && range->holds ? range->holds : MIXED;
  for (uint32_t i = 0; i < emu.chip->cbs; ++i) {
    CB *cb = &risc->core->cbs[i];
    if (lies_in(cb, l1)) add(&cb->holds, holds);
  }
}

/* Of a write: what comes from the packer, or from another tensor. */
void emu_format_written(const Risc *risc, const Remote *r, uint32_t l1) {
  Range *range = range_of(r->dram, r->address);
  if (!range) return;
  uint32_t holds = MIXED;
  for (uint32_t i = 0; i < emu.chip->cbs; ++i) {
    const CB *cb = &risc->core->cbs[i];
    if (!lies_in(cb, l1)) continue;
    holds = cb->pusher == PACK ? (uint32_t)cb->format + 1 : cb->holds ? cb->holds : MIXED;
    break;
  }
  /* The first write of a launch replaces what was there before. */
  if (range->held_since != emu.launches) range->holds = UNKNOWN;
  range->held_since = emu.launches;
  add(&range->holds, holds);
}

void emu_format_unpacked(Risc *risc, uint32_t index) {
  const CB *cb = emu_cb(risc, index);
  uint32_t holds = cb->holds;
  if (cb->pusher == PACK) return;
  if (cb->on_buffer) {
    const Range *range = emu_range_at(false, cb->address);
    holds = range ? range->holds : UNKNOWN;
  }
  if (!differs(holds, (int)cb->format)) return;
  emu_forgiven(risc, 12,
               "circular buffer %u has format %s, but the tensor that was read to it is of %s: its "
               "bytes are taken for other numbers",
               index, name_of((int)cb->format), name_of((int)holds - 1));
}
