/*===- short_pages.c - tiles in pages of another size ------------------------------------------===
 *
 *   pages of 256 bytes that hold 64 floats, and a tile of 4096:
 *   unpack takes all 4096 bytes from where its page starts, and pack leaves as many there
 *
 * Unpack and pack step by pages, but move whole tiles. In a page that is larger, the rest stays as
 * it is. In one that is smaller, unpack brings whatever lies behind it, which harms nobody who
 * does not use it; what pack leaves there may be anybody's, whose order is rule 23.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

uint32_t emu_tile_in_page(Risc *risc, uint32_t index, uint32_t page) {
  const CB *cb = emu_cb(risc, index);
  bool packs = risc->role == PACK;
  uint32_t bytes = emu_shaped_tile_bytes(cb->format, cb->tile),
           at = cb->address + page * cb->page_bytes;
  at += packs ? risc->write_shift[index] : risc->read_shift[index];
  if (bytes <= cb->page_bytes) return at;
  if (at > emu.chip->l1_size || bytes > emu.chip->l1_size - at)
    emu_error(
        risc, 8,
        "circular buffer %u has pages of %u bytes, but a tile has %u, and from here goes past "
        "the end of L1",
        index, cb->page_bytes, bytes);
  emu_forgiven(risc, 8,
               packs ? "circular buffer %u has pages of %u bytes, but a tile has %u: the packer "
                       "writes over what lies behind the page"
                     : "circular buffer %u has pages of %u bytes, but a tile has %u: what comes "
                       "from behind the page is undefined",
               index, cb->page_bytes, bytes);
  return at;
}
