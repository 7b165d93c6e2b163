/*===- memory.c - buffers in DRAM and in the L1 of all cores --------------------------------===
 *
 * A buffer has the same address in each of its banks. DRAM is filled from below, L1 from
 * above; what is freed is used again. New memory holds a pattern made from its own
 * address, so that a read of what nobody wrote is seen.
 *
 *   interleaved:  page i is in bank i mod banks
 *   sharded:      shard s is in bank s mod banks, with its pages in a row
 *
 *===----------------------------------------------------------------------===*/

#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { GRANULE = 16, L1_ALIGN = 16 };

/* What lies below buffers in DRAM is the driver's, as on the chip: no buffer has address 0. */
static uint32_t dram_base(void) { return emu.chip->noc_read_align; }

uint32_t emu_aligned_page(bool dram, uint32_t page_bytes) {
  uint32_t align = dram ? emu.chip->noc_read_align : L1_ALIGN;
  return (page_bytes + align - 1) / align * align;
}

/*===- What nobody wrote ------------------------------------------------------------------===*/

static uint32_t pattern(uint32_t address) { return address * 0x9e3779b1u ^ 0x7fc5bd1eu; }

void emu_poison(uint8_t *base, uint32_t address, uint32_t bytes) {
  uint32_t first = (address + 3) / 4 * 4;
  for (uint32_t at = first; at + 4 <= address + bytes; at += 4) {
    uint32_t word = pattern(at);
    memcpy(base + at, &word, 4);
  }
}

static bool is_unwritten(const uint8_t *base, uint32_t address) {
  for (uint32_t i = 0; i < GRANULE; i += 4) {
    uint32_t word;
    memcpy(&word, base + address + i, 4);
    if (word != pattern(address + i)) return false;
  }
  return true;
}

bool emu_word_unwritten(const uint8_t *base, uint32_t address) {
  uint32_t word;
  memcpy(&word, base + address / 4 * 4, 4);
  return word == pattern(address / 4 * 4);
}

bool emu_find_unwritten(const uint8_t *base, uint32_t address, uint32_t bytes, uint32_t *at) {
  uint32_t first = (address + GRANULE - 1) / GRANULE * GRANULE;
  for (*at = first; *at + GRANULE <= address + bytes; *at += GRANULE)
    if (is_unwritten(base, *at)) return true;
  return false;
}

uint32_t emu_unwritten_bytes(const uint8_t *base, uint32_t address, uint32_t bytes) {
  uint32_t n = 0;
  uint32_t first = (address + GRANULE - 1) / GRANULE * GRANULE;
  for (uint32_t at = first; at + GRANULE <= address + bytes; at += GRANULE)
    n += is_unwritten(base, at) ? GRANULE : 0;
  return n;
}

bool emu_all_unwritten(const uint8_t *base, uint32_t address, uint32_t bytes) {
  uint32_t first = (address + GRANULE - 1) / GRANULE * GRANULE, at = first;
  for (; at + GRANULE <= address + bytes; at += GRANULE)
    if (!is_unwritten(base, at)) return false;
  return at > first;
}

/*===- Places of pages ----------------------------------------------------------------------===*/

static uint32_t num_banks(bool dram) {
  return dram ? emu.chip->dram_banks : emu.chip->grid_x * emu.chip->grid_y;
}

static uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

/* shards: rank, banks, tensor[rank], shard[rank], bank[banks] */
Place emu_shard_place(const uint32_t *shards, uint32_t shard) {
  uint32_t rank = shards[0], banks = shards[1], pages = 1;
  const uint32_t *size = shards + 2 + rank, *bank = size + rank;
  for (uint32_t d = 0; d < rank; ++d) pages *= size[d];
  return (Place){bank[shard % banks], shard / banks * pages};
}

uint32_t emu_shard_of_page(const uint32_t *shards, uint32_t id, uint32_t *in_shard) {
  uint32_t rank = shards[0], shard = 0, offset = 0, shard_stride = 1, page_stride = 1;
  const uint32_t *tensor = shards + 2, *size = tensor + rank;
  for (uint32_t d = rank; d-- > 0;) {
    uint32_t at = id % tensor[d];
    id /= tensor[d];
    shard += at / size[d] * shard_stride, offset += at % size[d] * page_stride;
    shard_stride *= ceil_div(tensor[d], size[d]), page_stride *= size[d];
  }
  *in_shard = offset;
  return shard;
}

Place emu_page_place(bool dram, const uint32_t *shards, uint32_t id) {
  uint32_t in_shard;
  if (!shards) {
    uint32_t banks = num_banks(dram), bank = id % banks;
    return (Place){dram ? bank : TTEMU_L1_BANK(bank % emu.chip->grid_x, bank / emu.chip->grid_x),
                   id / banks};
  }
  uint32_t shard = emu_shard_of_page(shards, id, &in_shard);
  Place place = emu_shard_place(shards, shard);
  place.slot += in_shard;
  return place;
}

uint32_t emu_num_pages(const uint32_t *shards) {
  uint32_t pages = 1;
  for (uint32_t d = 0; d < shards[0]; ++d) pages *= shards[2 + d];
  return pages;
}

/* Pages that the fullest bank has. */
static uint32_t pages_of_bank(bool dram, const uint32_t *shards, uint64_t pages) {
  if (!shards) return (uint32_t)((pages + num_banks(dram) - 1) / num_banks(dram));
  uint32_t rank = shards[0], n = 1, each = 1;
  for (uint32_t d = 0; d < rank; ++d) {
    n *= ceil_div(shards[2 + d], shards[2 + rank + d]);
    each *= shards[2 + rank + d];
  }
  return ceil_div(n, shards[1]) * each;
}

uint8_t *emu_bank(bool dram, uint32_t bank) {
  return dram ? emu.dram[emu.device * emu.chip->dram_banks + bank]
              : emu.l1[(bank >> 16) * emu.chip->grid_x + (bank & 0xffff)];
}

/*===- Allocation ----------------------------------------------------------------------------===*/

static void insert(Ranges *ranges, size_t at, uint32_t start, uint32_t end) {
  ranges->data = realloc(ranges->data, (ranges->n + 1) * sizeof *ranges->data);
  if (!ranges->data) emu_fatal("out of memory");
  memmove(ranges->data + at + 1, ranges->data + at, (ranges->n - at) * sizeof *ranges->data);
  ranges->data[at] = (Range){.start = start, .end = end};
  ++ranges->n;
}

/* The lowest gap of DRAM; false if there is none. */
static bool allocate_dram(uint32_t share, uint32_t *address) {
  uint64_t start = dram_base();
  size_t i = 0;
  for (; i < emu.dram_ranges.n && emu.dram_ranges.data[i].start - start < share; ++i)
    start = emu.dram_ranges.data[i].end;
  if (start + share > emu.chip->dram_bytes) return false;
  insert(&emu.dram_ranges, i, (uint32_t)start, (uint32_t)start + share);
  *address = (uint32_t)start;
  return true;
}

/* The highest gap of L1. */
static bool allocate_l1(uint32_t share, uint32_t *address) {
  uint32_t end = emu.chip->l1_size;
  size_t i = emu.l1_ranges.n;
  for (; i > 0 && end - emu.l1_ranges.data[i - 1].end < share; --i)
    end = emu.l1_ranges.data[i - 1].start;
  uint32_t floor = i > 0 ? emu.l1_ranges.data[i - 1].end : emu.chip->l1_base;
  if (end < floor || end - floor < share) return false;
  insert(&emu.l1_ranges, i, end - share, end);
  *address = end - share;
  return true;
}

uint32_t emu_l1_lowest(void) {
  return emu.l1_ranges.n ? emu.l1_ranges.data[0].start : emu.chip->l1_size;
}

uint32_t ttemu_l1_lowest(void) { return emu.l1_ranges.n ? emu.l1_ranges.data[0].start : 0; }

void ttemu_allocated(bool dram, uint64_t *taken, uint64_t *gap, uint32_t *gap_address) {
  const Ranges *ranges = dram ? &emu.dram_ranges : &emu.l1_ranges;
  uint64_t start = dram ? dram_base() : emu.chip->l1_base;
  *taken = *gap = 0, *gap_address = (uint32_t)start;
  for (size_t i = 0; i <= ranges->n; ++i) {
    const bool last = i == ranges->n;
    const uint64_t end = !last  ? ranges->data[i].start
                         : dram ? emu.chip->dram_bytes
                                : emu.chip->l1_size;
    if (end - start > *gap) *gap = end - start, *gap_address = (uint32_t)start;
    if (last) break;
    *taken += ranges->data[i].end - end;
    start = ranges->data[i].end;
  }
}

const Range *emu_range_at(bool dram, uint32_t address) {
  const Ranges *ranges = dram ? &emu.dram_ranges : &emu.l1_ranges;
  size_t low = 0, high = ranges->n;
  while (low < high) { /* the first range that ends after it */
    size_t middle = (low + high) / 2;
    if (ranges->data[middle].end <= address) low = middle + 1;
    else high = middle;
  }
  return low < ranges->n && address >= ranges->data[low].start ? &ranges->data[low] : NULL;
}

/* What the host uses by address alone: not in order, and they may overlap. */
static Ranges allowed[2];

void emu_allow(bool dram, uint32_t start, uint32_t end) {
  Ranges *ranges = &allowed[dram];
  for (size_t i = 0; i < ranges->n; ++i)
    if (ranges->data[i].start <= start && end <= ranges->data[i].end) return;
  insert(ranges, ranges->n, start, end);
}

bool emu_host_by_address(bool dram) { return allowed[dram].n > 0; }

bool emu_in_buffer(bool dram, uint32_t address, uint32_t bytes) {
  const Range *range = emu_range_at(dram, address);
  uint64_t end = (uint64_t)address + bytes;
  if (range && end <= range->end) return true;
  for (size_t i = 0; i < allowed[dram].n; ++i)
    if (allowed[dram].data[i].start <= address && end <= allowed[dram].data[i].end) return true;
  return false;
}

bool emu_past_end(uint32_t address, uint32_t bytes) {
  const Range *range = emu_range_at(true, address);
  uint64_t end = (uint64_t)address + bytes;
  if (!range || end > emu.chip->dram_bytes) return false;
  bool last = range + 1 == emu.dram_ranges.data + emu.dram_ranges.n;
  return last || range[1].start >= end;
}

static void poison_buffer(const ttemu_buffer *b) {
  uint32_t banks = b->shards ? b->shards[1] : num_banks(b->dram);
  for (uint32_t i = 0; i < banks; ++i) {
    uint32_t bank =
        b->shards ? b->shards[2 + 2 * b->shards[0] + i] : emu_page_place(b->dram, NULL, i).bank;
    if (b->shards || (uint64_t)i * b->page_bytes < b->bytes)
      emu_poison(emu_bank(b->dram, bank), b->address, b->share);
  }
}

static void check_shards(const uint32_t *shards, bool dram, uint64_t pages) {
  uint32_t rank = shards[0], banks = shards[1];
  if (rank == 0 || rank > 8 || banks == 0) emu_fatal("a sharded buffer has no shards");
  if (emu_num_pages(shards) != pages)
    emu_fatal("a sharded buffer has %llu pages, but its tensor has %u", (unsigned long long)pages,
              emu_num_pages(shards));
  for (uint32_t i = 0; i < banks; ++i) {
    uint32_t bank = shards[2 + 2 * rank + i];
    bool inside = dram ? bank < emu.chip->dram_banks
                       : (bank & 0xffff) < emu.chip->grid_x && bank >> 16 < emu.chip->grid_y;
    if (!inside)
      emu_fatal("a sharded buffer names %s that the chip does not have",
                dram ? "a DRAM bank" : "a core");
  }
}

uint32_t ttemu_aligned_page(bool dram, uint32_t page_bytes) {
  return emu_aligned_page(dram, page_bytes);
}

static ttemu_buffer *new_buffer(bool dram, uint64_t bytes, uint32_t page_bytes,
                                const uint32_t *shards) {
  if (!emu.open) emu_fatal("a buffer needs an open device");
  if (page_bytes == 0 || bytes == 0 || bytes % page_bytes != 0)
    emu_fatal("a buffer of %llu bytes has no whole number of pages of %u bytes",
              (unsigned long long)bytes, page_bytes);
  if (shards) check_shards(shards, dram, bytes / page_bytes);
  uint64_t share = (uint64_t)pages_of_bank(dram, shards, bytes / page_bytes) *
                   emu_aligned_page(dram, page_bytes);
  ttemu_buffer *b = emu_calloc(1, sizeof *b);
  *b = (ttemu_buffer){.dram = dram, .page_bytes = page_bytes, .bytes = bytes};
  if (shards) {
    size_t n = 2 + 2 * shards[0] + shards[1];
    b->shards = emu_calloc(n, sizeof *shards);
    memcpy(b->shards, shards, n * sizeof *shards);
  }
  b->share = (uint32_t)((share + 63) / 64 * 64);
  if (share > UINT32_MAX - 64)
    emu_fatal("[rule 8] a buffer needs %llu bytes of each %s", (unsigned long long)share,
              dram ? "DRAM bank" : "L1");
  return b;
}

ttemu_buffer *ttemu_buffer_create(bool dram, uint64_t bytes, uint32_t page_bytes,
                                  const uint32_t *shards) {
  ttemu_buffer *b = new_buffer(dram, bytes, page_bytes, shards);
  if (!(dram ? allocate_dram(b->share, &b->address) : allocate_l1(b->share, &b->address)))
    emu_fatal("[rule 8] a buffer needs %u bytes of each %s, which has no such gap", b->share,
              dram ? "DRAM bank" : "L1");
  Range *range = (Range *)(uintptr_t)emu_range_at(dram, b->address);
  range->page_bytes = page_bytes, range->pages = bytes / page_bytes;
  uint32_t chosen = emu.device;
  for (uint32_t d = 0; d < emu.devices; ++d) ttemu_choose(d), poison_buffer(b);
  ttemu_choose(chosen);
  return b;
}

ttemu_buffer *ttemu_buffer_at(bool dram, uint64_t bytes, uint32_t page_bytes,
                              const uint32_t *shards, uint32_t address) {
  ttemu_buffer *b = new_buffer(dram, bytes, page_bytes, shards);
  b->is_view = true, b->address = address;
  uint64_t end = (uint64_t)address + b->share;
  if (end > (dram ? emu.chip->dram_bytes : emu.chip->l1_size))
    emu_fatal("[rule 8] a buffer at address %u ends at %llu, past the end of %s", address,
              (unsigned long long)end, dram ? "a DRAM bank" : "L1");
  emu_allow(dram, address, (uint32_t)end);
  return b;
}

void ttemu_buffer_destroy(ttemu_buffer *b) {
  if (!b) return;
  Ranges *ranges = b->dram ? &emu.dram_ranges : &emu.l1_ranges;
  for (size_t i = 0; emu.open && !b->is_view && i < ranges->n; ++i)
    if (ranges->data[i].start == b->address) {
      memmove(ranges->data + i, ranges->data + i + 1, (ranges->n - i - 1) * sizeof *ranges->data);
      --ranges->n;
      break;
    }
  free(b->shards);
  free(b);
}

uint32_t ttemu_buffer_address(const ttemu_buffer *b) { return b->address; }
const uint32_t *ttemu_buffer_shards(const ttemu_buffer *b) { return b->shards; }
uint32_t ttemu_buffer_share(const ttemu_buffer *b) { return b->share; }

/*===- Opening and closing --------------------------------------------------------------------===*/

static void map_banks(uint32_t first, uint32_t last) {
  emu.dram = realloc(emu.dram, last * sizeof *emu.dram);
  if (!emu.dram) emu_fatal("out of memory");
  for (uint32_t i = first; i < last; ++i) {
    void *bank = mmap(NULL, emu.chip->dram_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bank == MAP_FAILED) emu_fatal("no room for the DRAM of the chip");
    emu.dram[i] = bank;
  }
}

void emu_memory_open(void) {
  emu.devices = 1;
  map_banks(0, emu.chip->dram_banks);
  emu_l1_open();
}

void ttemu_mesh(uint32_t n) {
  if (n <= emu.devices) return;
  map_banks(emu.devices * emu.chip->dram_banks, n * emu.chip->dram_banks);
  emu_l1_grow(n);
  emu.devices = n;
}

void ttemu_choose(uint32_t device) {
  if (device >= emu.devices) emu_fatal("device %u: there are %u", device, emu.devices);
  if (device != emu.device) emu_l1_choose(device);
}

void emu_memory_close(void) {
  for (uint32_t i = 0; i < emu.devices * emu.chip->dram_banks; ++i)
    munmap(emu.dram[i], emu.chip->dram_bytes);
  free(allowed[0].data), free(allowed[1].data);
  memset(allowed, 0, sizeof allowed);
  free(emu.dram);
  free(emu.dram_ranges.data), free(emu.l1_ranges.data);
  emu_l1_close();
}
