/*===- noc_addresses.c - the addresses that kernels name, and what they stand for -----------===
 *
 * Kernels make 64-bit addresses of pages, shards, banks and cores; a transfer resolves its address
 * to a place in a DRAM bank or in the L1 of some cores. What no page or buffer holds is an error
 * where the address is used, not where it is computed.
 *
 *===----------------------------------------------------------------------===*/

#include "noc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The addresses of pages that a tensor does not have: an error where they are used. Bits 48-55 of
 * such an address say which of these it is. */
enum { MAX_BAD = 256, BAD_SHIFT = 48 };
static char bad_pages[MAX_BAD][128];

static uint64_t bad_page(uint64_t address, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static uint64_t bad_page(uint64_t address, const char *format, ...) {
  static uint32_t last;
  char text[sizeof *bad_pages];
  uint32_t i = 1;
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  while (i < MAX_BAD && strcmp(bad_pages[i], text) != 0) ++i;
  if (i == MAX_BAD) i = last = last % (MAX_BAD - 1) + 1;
  memcpy(bad_pages[i], text, sizeof text);
  return address | (uint64_t)i << BAD_SHIFT;
}

/* The host's coordinates of worker cores start at TTEMU_NOC_ORIGIN. Smaller ones are those of the
 * nodes themselves, `nodes`, as one chip has them and another may not. */
static uint32_t logical(Risc *risc, uint64_t coordinate, const uint8_t *nodes, uint32_t size,
                        char axis) {
  for (uint32_t i = 0; i < size && coordinate < TTEMU_NOC_ORIGIN; ++i)
    if (nodes[i] == coordinate) {
      emu_forgiven(risc, 17,
                   "NoC coordinate %c = %u is a node of this chip, where others may have none; the "
                   "host converts with worker_core_from_logical_core",
                   axis, (uint32_t)coordinate);
      return i;
    }
  if (coordinate < TTEMU_NOC_ORIGIN || coordinate >= TTEMU_NOC_ORIGIN + size)
    emu_error(risc, 17,
              "NoC coordinate %c = %u is no worker core; they start at %d: the host converts with "
              "worker_core_from_logical_core",
              axis, (uint32_t)coordinate, TTEMU_NOC_ORIGIN);
  return (uint32_t)coordinate - TTEMU_NOC_ORIGIN;
}

static bool is_among_nodes(const uint8_t *nodes, uint32_t n, uint32_t coordinate) {
  for (uint32_t i = 0; i < n; ++i)
    if (nodes[i] == coordinate) return true;
  return false;
}

/* The bank of DRAM whose node is named, or -1. */
static int bank_of_node(uint64_t noc) {
  uint32_t x = noc >> 32 & 0xff, y = noc >> 40 & 0xff;
  for (uint32_t i = 0; noc >> 62 == 0 && i < emu.chip->dram_banks; ++i)
    if (emu.chip->bank_at[i].x == x && emu.chip->bank_at[i].y == y) return (int)i;
  return -1;
}

int emu_bank_of_node(uint64_t noc) {
  return noc >> 63 ? (int)(noc >> 32 & 0xff) : bank_of_node(noc);
}

bool emu_is_other_node(uint64_t noc) {
  const TtChip *chip = emu.chip;
  uint32_t x = noc >> 32 & 0xff, y = noc >> 40 & 0xff;
  return noc >> 62 == 0 && x < chip->noc_x && y < chip->noc_y &&
         !(is_among_nodes(chip->worker_x, chip->grid_x, x) &&
           is_among_nodes(chip->worker_y, chip->grid_y, y)) &&
         bank_of_node(noc) < 0;
}

Remote emu_resolve(Risc *risc, uint64_t noc, uint32_t bytes) {
  const TtChip *chip = emu.chip;
  uint32_t bad = noc >> 62 == 1 ? 0 : noc >> BAD_SHIFT & (MAX_BAD - 1);
  if (bad) emu_error(risc, 17, "%s", bad_pages[bad]);
  int bank = bad ? -1 : bank_of_node(noc);
  Remote r = {.dram = noc >> 63 || bank >= 0, .address = (uint32_t)noc};
  if (r.dram) {
    r.bank = bank >= 0 ? (uint32_t)bank : noc >> 32 & 0xff;
    if (r.bank >= chip->dram_banks)
      emu_error(risc, 17, "DRAM bank %u: the chip has %u", r.bank, chip->dram_banks);
    bool inside = emu_in_buffer(true, r.address, bytes);
    if (!inside && emu_past_end(r.address, bytes))
      emu_forgiven(risc, 17,
                   "DRAM address %u with %u bytes goes past the end of its buffer, where no other "
                   "one lies now",
                   r.address, bytes);
    else if (!inside)
      (emu_host_by_address(true) ? emu_forgiven : emu_error)(
          risc, 17, "DRAM address %u with %u bytes is outside of all buffers", r.address, bytes);
    return r;
  }
  r.x0 = logical(risc, noc >> 32 & 0xff, chip->worker_x, chip->grid_x, 'x');
  r.y0 = logical(risc, noc >> 40 & 0xff, chip->worker_y, chip->grid_y, 'y');
  r.x1 = r.x0, r.y1 = r.y0;
  if (noc >> 62 & 1) {
    r.x1 = logical(risc, noc >> 48 & 0xff, chip->worker_x, chip->grid_x, 'x');
    r.y1 = logical(risc, noc >> 56 & 0x3f, chip->worker_y, chip->grid_y, 'y');
    if (r.x1 < r.x0 || r.y1 < r.y0) { /* NoC 1 runs the other way */
      uint32_t x = r.x0, y = r.y0;
      r.x0 = r.x1, r.y0 = r.y1, r.x1 = x, r.y1 = y;
    }
  }
  if (emu_is_stream(r.address)) {
    r.stream = true, r.address = emu_stream_place(risc, r.address);
    return r;
  }
  r.address %= L1_WINDOW;
  if (r.address + bytes > chip->l1_size)
    emu_error(risc, 17,
              "L1 address %u with %u bytes of another core is outside the usable L1, %u to %u",
              r.address, bytes, chip->l1_base, chip->l1_size);
  return r;
}

static uint64_t noc_address(bool dram, uint32_t bank, uint64_t address) {
  if (dram) return UINT64_C(1) << 63 | (uint64_t)bank << 32 | address;
  uint64_t x = (bank & 0xffff) + TTEMU_NOC_ORIGIN, y = (bank >> 16) + TTEMU_NOC_ORIGIN;
  return y << 40 | x << 32 | address;
}

/* Pages of another size than the buffer's are other parts of it, from the second one on. */
static void check_page_size(Risc *risc, const ttemu_page *page, const Range *range) {
  if (!range || range->start != page->base || range->pages < 2 || page->id == 0 || page->shards)
    return;
  uint32_t has = emu_aligned_page(page->dram, range->page_bytes);
  if (emu_aligned_page(page->dram, page->page_bytes) != has)
    emu_forgiven(risc, 17,
                 "page %u of the tensor at address %u is taken for one of %u bytes, but its buffer "
                 "has pages of %u",
                 page->id, page->base, page->page_bytes, range->page_bytes);
}

uint64_t ttemu_noc_address(ttemu_page page, uint32_t offset, uint32_t bytes, uint32_t line) {
  Risc *risc = emu.running;
  risc->line = line;
  if (page.shards && page.id >= emu_num_pages(page.shards))
    return bad_page(noc_address(page.dram, page.dram ? 0 : TTEMU_L1_BANK(0, 0), page.base),
                    "page %u of a sharded tensor that has %u", page.id, emu_num_pages(page.shards));
  Place place = emu_page_place(page.dram, page.shards, page.id);
  if (!page.dram) page.base %= L1_WINDOW;
  uint64_t address = (uint64_t)page.base +
                     (uint64_t)place.slot * emu_aligned_page(page.dram, page.page_bytes) + offset;
  const Range *range = emu_range_at(page.dram, page.base);
  bool whole = range && range->start == page.base && range->page_bytes == page.page_bytes;
  uint64_t there = noc_address(page.dram, place.bank, (uint32_t)address);
  risc->named = there, risc->named_at = line;
  if (range && whole && page.id >= range->pages)
    return bad_page(there, "page %u of the tensor at address %u, which has %llu", page.id,
                    page.base, (unsigned long long)range->pages);
  if (!range && emu_in_buffer(page.dram, page.base, 1)) return there; /* judged where it is used */
  check_page_size(risc, &page, range);
  if (!range || (uint64_t)offset + bytes > page.page_bytes || address < range->start ||
      address + bytes > range->end)
    return bad_page(there, "page %u of the tensor at address %u is outside of it", page.id,
                    page.base);
  return there;
}

uint64_t ttemu_shard_address(ttemu_page tensor, uint32_t shard, uint32_t line) {
  emu.running->line = line;
  Place place = emu_shard_place(tensor.shards, shard);
  return noc_address(tensor.dram, place.bank,
                     (uint64_t)tensor.base +
                         (uint64_t)place.slot * emu_aligned_page(tensor.dram, tensor.page_bytes));
}

uint64_t ttemu_bank_address(bool dram, uint32_t bank, uint32_t address, uint32_t line) {
  emu.running->line = line;
  return noc_address(
      dram, dram ? bank : TTEMU_L1_BANK(bank % emu.chip->grid_x, bank / emu.chip->grid_x), address);
}

bool ttemu_is_local(uint64_t noc) {
  const Core *core = emu.running->core;
  return !(noc >> 63) && (noc >> 32 & 0xff) == core->x + TTEMU_NOC_ORIGIN &&
         (noc >> 40 & 0xff) == core->y + TTEMU_NOC_ORIGIN;
}
