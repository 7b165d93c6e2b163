/*===- same_bytes.c - races that change nothing ----------------------------------------------===
 *
 * Two writes to the same memory that nothing orders leave what the later one brings. Where both
 * bring the same bytes, as of cores that all make the same tiles, or of a read that is issued
 * again, the hardware gives what was meant, whichever comes last.
 *
 *===----------------------------------------------------------------------===*/

#include "race.h"

#include <string.h>

/* What a transfer brings, or NULL if that is a word. */
static const uint8_t *brought(const Transfer *t) {
  if (t->kind == READ)
    return (t->dram ? t->bank : emu.l1[t->y0 * emu.chip->grid_x + t->x0]) + t->address;
  if (t->kind != WRITE) return NULL;
  return t->data ? t->data : t->risc->core->l1 + t->l1;
}

static bool goes_to(const Transfer *t, bool dram, uint32_t bank) {
  uint32_t x = bank % emu.chip->grid_x, y = bank / emu.chip->grid_x;
  const Core *own = t->risc->core;
  if (t->kind == READ) return !dram && own->x == x && own->y == y;
  if (t->dram || dram) return t->dram && dram && t->bank_id == bank;
  return x >= t->x0 && x <= t->x1 && y >= t->y0 && y <= t->y1 &&
         (t->all || own->x != x || own->y != y);
}

typedef enum Answer { APART, SAME, PARTLY_SAME, OTHER } Answer;

/* What another transfer brings to the memory of an access. */
static Answer compare(const Transfer *t, const Access *a, const uint8_t *data) {
  uint32_t start = t->kind == READ ? t->l1 : t->address, end = start + t->bytes;
  uint32_t first = start > a->address ? start : a->address;
  uint32_t last = end < a->address + a->bytes ? end : a->address + a->bytes;
  if (t == a->transfer || first >= last || !goes_to(t, a->dram, a->bank)) return APART;
  const uint8_t *bytes = brought(t);
  if (!bytes || memcmp(bytes + (first - start), data + (first - a->address), last - first) != 0)
    return OTHER;
  return last - first == a->bytes ? SAME : PARTLY_SAME;
}

/* Whether one brings the same bytes to the same place as the one before it, as when a kernel issues
 * a transfer again and again. */
static bool repeats(const Transfer *t, const Transfer *before) {
  return before && t->kind == before->kind && t->bytes == before->bytes && t->l1 == before->l1 &&
         t->address == before->address && brought(t) == brought(before) &&
         t->dram == before->dram && t->bank_id == before->bank_id && t->x0 == before->x0 &&
         t->y0 == before->y0 && t->x1 == before->x1 && t->y1 == before->y1;
}

static bool all_the_same(const Access *a) {
  const uint8_t *data = a->transfer ? brought(a->transfer) : NULL;
  if (!data) return false;
  uint32_t cores = emu.chip->grid_x * emu.chip->grid_y;
  bool same = memcmp((a->dram ? emu_bank(true, a->bank) : emu.l1[a->bank]) + a->address, data,
                     a->bytes) == 0;
  for (uint32_t i = 0; i < cores; ++i)
    for (int r = 0; emu.program->cores[i] && r < UNPACK; ++r)
      for (const Transfer *t = emu.program->cores[i]->riscs[r].transfers, *last = NULL; t;
           last = t, t = t->next) {
        if (last != a->transfer && t != a->transfer && repeats(t, last)) continue;
        Answer answer = compare(t, a, data);
        if (answer == OTHER) return false;
        same |= answer == SAME;
      }
  return same;
}

bool race_same_bytes(Access *a) {
  if (a->bytes_are == UNKNOWN) a->bytes_are = all_the_same(a) ? THE_SAME : DIFFERENT;
  return a->bytes_are == THE_SAME;
}
