/*===- half_pages.c - tiles of which a part was never written --------------------------------===
 *
 *   noc_async_read_page to half a page, cb_push_back, add_tiles
 *                                           one half of the sum is of what lay there
 *
 * An op takes its operands as wholes, but for those that it broadcasts and the factor of a
 * reduction, of which it looks at a row, a column or one element. A quarter of a tile, one face,
 * and more that nobody has written is told; padding at the end of rows and exponents that nobody
 * needs are less. Only the first round of a circular buffer shows it: later there is what earlier
 * pages left.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

enum { PART = 4 };

void emu_check_whole_written(Risc *risc, uint32_t index, const uint8_t *tile) {
  const CB *cb = emu_cb(risc, index);
  if (cb->pusher >= UNPACK || cb->acked >= cb->pages) return;
  const uint32_t bytes = emu_shaped_tile_bytes(cb->format, cb->tile),
                 at = (uint32_t)(tile - risc->core->l1);
  const uint32_t unwritten = emu_unwritten_bytes(risc->core->l1, at, bytes);
  if (unwritten < bytes / PART || bytes > cb->page_bytes) return;
  emu_forgiven(
      risc, 22,
      "%u of the %u bytes of a tile in circular buffer %u were never written: the op takes "
      "all of them, and what lies there is undefined",
      unwritten, bytes, index);
}
