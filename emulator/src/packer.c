/*===- packer.c - tiles from DST to circular buffers ------------------------------------------===
 *
 * In order or to a place, over what is there or onto it.
 *
 *===----------------------------------------------------------------------===*/

#include "tensix.h"

#include <string.h>

typedef struct Pack {
  const uint32_t *tile;
  uint8_t *to;
  DstMode mode;
  ttemu_format format;
  TileShape shape;
  int reduced;
  bool relu, onto_l1, magnitude;
} Pack;

static void store(const Pack *p, const uint32_t *tile) {
  uint8_t made[TILE * 4], *to = p->to;
  if (!emu_is_whole(p->shape)) {
    to = made;
    const uint8_t *old = emu_widen_tile(p->format, p->shape, p->to, made);
    if (old != made) return; /* it is whole then */
  }
  if (p->onto_l1) emu_pack_onto(tile, p->mode, p->format, to);
  else emu_pack(tile, p->mode, p->format, to);
  if (to == made) emu_narrow_tile(p->format, p->shape, made, p->to);
}

static void do_pack(const void *args) {
  const Pack *p = args;
  uint32_t changed[TILE];
  const uint32_t *tile = p->tile;
  if (p->reduced != NOT_REDUCED || p->relu || p->magnitude) {
    memcpy(changed, tile, sizeof changed);
    for (int i = 0; p->magnitude && i < TILE; ++i)
      if (changed[i] >> 31) changed[i] = 0x80000000u | (0u - changed[i]);
    if (p->reduced != NOT_REDUCED) emu_mask_reduced((ttemu_reduce_dim)p->reduced, changed);
    for (int i = 0; p->relu && i < TILE; ++i) changed[i] = changed[i] >> 31 ? 0 : changed[i];
    tile = changed;
  }
  store(p, tile);
}

/* The page that the next tile goes to. */
static uint32_t pack_page(Risc *risc, uint32_t index, int place) {
  const CB *cb = emu_cb(risc, index);
  uint32_t named = place < 0 ? (uint32_t)(TTEMU_IN_ORDER - place) : 0;
  if (named && named != risc->packed[index])
    emu_forgiven(risc, 21,
                 "pack_tile goes in order: index %u is not looked at, the tile goes to page %u of "
                 "those reserved in circular buffer %u; pack_tile<true> takes an index",
                 named, risc->packed[index], index);
  uint32_t at = place < 0 ? risc->packed[index]++ : (uint32_t)place;
  if (at >= risc->reserved[index] && at < cb->pages - emu_pages_held(cb))
    emu_forgiven(risc, 21,
                 "pack_tile writes page %u of circular buffer %u, of which %u are reserved; it is "
                 "free",
                 at + 1, index, risc->reserved[index]);
  else if (at >= risc->reserved[index] && at < cb->pages && emu.races)
    emu_forgiven(risc, 21, /* whether it was read before is a question of order, rule 23 */
                 "pack_tile writes page %u of circular buffer %u, which is published and not freed",
                 at + 1, index);
  else if (at >= risc->reserved[index])
    emu_error(risc, 21, "pack_tile writes page %u of circular buffer %u, of which %u are reserved",
              at + 1, index, risc->reserved[index]);
  return (risc->write_page[index] + at) % cb->pages;
}

/* What the engine was last set for takes integers of 8 bits. */
static bool of_bytes(const Risc *risc) {
  bool sums = risc->fpu >= 0 && risc->fpu <= (int)TTEMU_MATMUL;
  return sums && (risc->srca == TTEMU_INT8 || risc->srca == TTEMU_UINT8);
}

/* Whether the sums and products of such integers go to L1 as DST has them. */
static bool packs_magnitude(Risc *risc, uint32_t index) {
  ttemu_format format = emu_cb(risc, index)->format;
  if (format == TTEMU_INT32) {
    emu_forgiven(
        risc, 12,
        "sums and products of integers of 8 bits go to circular buffer %u as they stand in "
        "DST: as sign and magnitude, no two's complement",
        index);
    return true;
  }
  if (emu_is_integer(format) && format != TTEMU_INT8)
    emu_error(risc, 12,
              "sums and products of integers of 8 bits are packed to Int8 or Int32, or after a "
              "typecast to floats; circular buffer %u holds other integers",
              index);
  if (!emu_mode(risc).wide)
    emu_error(risc, 12,
              "sums and products of integers stand in DST as 32 bits, which the packer takes for "
              "Int32 alone: set fp32_dest_acc_en");
  return false;
}

/* What the packer is set up for, and what math has left it. */
static void check_faces(Risc *risc, uint32_t dst, uint32_t index) {
  const CB *cb = emu_cb(risc, index);
  if (!emu_same_shape(risc->pack_tile, cb->tile))
    emu_error(
        risc, 11,
        "the packer was set up for tiles of %ux%u, but circular buffer %u has tiles of %ux%u; "
        "pack_reconfig_data_format does not change that",
        risc->pack_tile.rows, risc->pack_tile.cols, index, cb->tile.rows, cb->tile.cols);
  int given = dst < MAX_DST ? risc->core->given[risc->core->released % 2][dst] : 4;
  if (given == 0)
    emu_warning(risc, 10,
                "packs tile %u of DST, which nothing has computed since it was acquired: zeros",
                dst);
  else if (given < emu_faces(cb->tile))
    emu_warning(risc, 10,
                "packs %d faces of tile %u of DST, of which %d have been computed since it was "
                "acquired",
                emu_faces(cb->tile), dst, given);
}

void ttemu_pack_tile(uint32_t dst, uint32_t index, int place, uint32_t line) {
  Risc *risc = emu_enter(line);
  if (risc->role != PACK) return;
  Core *core = risc->core;
  const CB *cb = emu_cb(risc, index);
  if (!risc->started_up) emu_error(risc, 11, "pack_tile runs before the startup of the engine");
  if (!core->pack_holds)
    emu_error(risc, 10, "pack_tile outside of tile_regs_wait and tile_regs_release");
  emu_check_packed(risc);
  if (risc->pack != cb->format)
    emu_error(risc, 12,
              "the packer is set to another data format than that of circular buffer %u; "
              "call pack_reconfig_data_format",
              index);
  bool magnitude = of_bytes(risc) && packs_magnitude(risc, index);
  if (risc->onto_l1 && cb->format != TTEMU_FLOAT32 && cb->format != TTEMU_FLOAT16_B)
    emu_error(risc, 13, "the packer adds to L1 in Float32 and Float16_b only");
  emu_sync(risc);
  check_faces(risc, dst, index);
  uint32_t page = pack_page(risc, index, place);
  if (risc->onto_l1 && !cb->written[page] && !cb->bound)
    emu_warning(risc, 22,
                "the packer adds to page %u of circular buffer %u, which nobody has "
                "written",
                page, index);
  cb->written[page] = true;
  uint32_t at = emu_tile_in_page(risc, index, page),
           bytes = emu_shaped_tile_bytes(cb->format, cb->tile);
  emu_race_touch(risc, at, bytes, true);
  LATER(risc, do_pack,
        (Pack){.tile = emu_dst_tile(risc, core->released, dst),
               .to = core->l1 + at,
               .mode = emu_mode(risc),
               .format = cb->format,
               .shape = cb->tile,
               .reduced = risc->reduced,
               .relu = risc->relu,
               .onto_l1 = risc->onto_l1,
               .magnitude = magnitude});
  ++core->packs;
  uint64_t clk = emu_of_faces(
      tt_pack_clk(emu.costs, emu_tile_bytes(cb->format) / TILE, risc->onto_l1), cb->tile);
  emu_trace(core, risc->role, TRACE_PACK, 0, 0, risc->time, risc->time + clk);
  emu_work(risc, clk);
  risc->busy_clk += clk;
}
