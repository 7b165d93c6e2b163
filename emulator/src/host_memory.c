/*===- host_memory.c - what the host reads and writes of buffers --------------------------------===
 *
 *   EnqueueWriteBuffer   ttemu_buffer_write: page by page, where each of them lies
 *   EnqueueReadBuffer    ttemu_buffer_read: a warning where nobody wrote what is read
 *   ReadFromDeviceL1     ttemu_memory: any bytes of a bank or a core
 *
 *===----------------------------------------------------------------------===*/

#include "memory.h"

#include <string.h>

static uint8_t *page_at(const ttemu_buffer *b, uint32_t id) {
  Place place = emu_page_place(b->dram, b->shards, id);
  return emu_bank(b->dram, place.bank) + b->address +
         (size_t)place.slot * emu_aligned_page(b->dram, b->page_bytes);
}

static void check_range(const ttemu_buffer *b, uint64_t offset, uint64_t bytes, const char *what) {
  if (!emu.open) emu_fatal("a buffer is %s after the device was closed", what);
  if (offset > b->bytes || bytes > b->bytes - offset)
    emu_fatal("%llu bytes at %llu of a buffer are %s, which has %llu", (unsigned long long)bytes,
              (unsigned long long)offset, what, (unsigned long long)b->bytes);
}

static bool all_words_unwritten(const uint8_t *base, uint32_t address, uint32_t bytes) {
  const uint32_t first = (address + 3) / 4 * 4;
  uint32_t at = first;
  while (at + 4 <= address + bytes && emu_word_unwritten(base, at)) at += 4;
  return at > first && at + 4 > address + bytes;
}

/* What the host reads of pages that nobody wrote is whatever was there, on the chip as well: the
 * results of an earlier run, as a rule. */
static void check_host_read(const ttemu_buffer *b, uint64_t offset, uint64_t bytes) {
  uint64_t first = (offset + b->page_bytes - 1) / b->page_bytes,
           end = (offset + bytes) / b->page_bytes, unwritten = 0, which = 0;
  for (uint64_t id = end; id-- > first;) {
    const Place place = emu_page_place(b->dram, b->shards, (uint32_t)id);
    const uint32_t address = b->address + place.slot * emu_aligned_page(b->dram, b->page_bytes);
    if (!all_words_unwritten(emu_bank(b->dram, place.bank), address, b->page_bytes)) continue;
    ++unwritten, which = id;
  }
  if (unwritten)
    emu_host_warning(22,
                     "the host reads page %llu of a buffer at address %u of %s, which nobody has "
                     "written; so are %llu of the %llu pages that it reads",
                     (unsigned long long)which, b->address, b->dram ? "DRAM" : "L1",
                     (unsigned long long)unwritten, (unsigned long long)(end - first));
}

/* Calls memcpy for each piece of [offset, offset + bytes) that is in one page. */
static void copy(const ttemu_buffer *b, uint64_t offset, uint8_t *to, const uint8_t *from,
                 uint64_t bytes) {
  for (uint64_t done = 0; done < bytes;) {
    uint64_t at = offset + done;
    uint32_t in_page = (uint32_t)(at % b->page_bytes);
    uint64_t n = b->page_bytes - in_page;
    if (n > bytes - done) n = bytes - done;
    uint8_t *page = page_at(b, (uint32_t)(at / b->page_bytes)) + in_page;
    if (from) memcpy(page, from + done, n);
    else memcpy(to + done, page, n);
    done += n;
  }
}

void ttemu_memory(bool dram, uint32_t bank, uint32_t address, void *data, uint64_t bytes,
                  bool write) {
  const TtChip *chip = emu.chip;
  uint32_t x = bank & 0xffff, y = bank >> 16;
  uint64_t end = address + bytes, limit = dram ? chip->dram_bytes : chip->l1_size;
  if (!emu.open) emu_fatal("memory is used after the device was closed");
  if (dram ? bank >= chip->dram_banks : x >= chip->grid_x || y >= chip->grid_y)
    emu_fatal(dram ? "DRAM bank %u: the chip has %u" : "L1 of a core (%u, %u) that is not there",
              dram ? bank : x, dram ? chip->dram_banks : y);
  if (end > limit)
    emu_fatal("%llu bytes at address %u are past the end of %s", (unsigned long long)bytes, address,
              dram ? "the DRAM bank" : "L1");
  emu_allow(dram, address, (uint32_t)end);
  uint8_t *at = emu_bank(dram, bank) + address;
  if (write) memcpy(at, data, bytes);
  else emu_host_looked(), memcpy(data, at, bytes);
  if (write) emu_host_wrote();
}

void ttemu_buffer_write(ttemu_buffer *b, uint64_t offset, const void *data, uint64_t bytes) {
  check_range(b, offset, bytes, "written");
  copy(b, offset, NULL, data, bytes);
  ttemu_buffer_holds(b, -1);
  emu_host_wrote();
}

void ttemu_buffer_read(const ttemu_buffer *b, uint64_t offset, void *data, uint64_t bytes) {
  check_range(b, offset, bytes, "read");
  emu_host_looked();
  check_host_read(b, offset, bytes);
  copy(b, offset, data, NULL, bytes);
}

/* What lies behind the host's memory goes there on the chip: nobody has written it. */
void ttemu_buffer_lacks(const ttemu_buffer *b, uint64_t given, uint64_t whole) {
  emu_host_warning(22,
                   "%llu bytes of the host are written to a buffer at address %u of %s, which has "
                   "%llu: the SDK takes the others from behind them, whatever is there",
                   (unsigned long long)given, b->address, b->dram ? "DRAM" : "L1",
                   (unsigned long long)whole);
  for (uint64_t at = given; whole == b->bytes && at < whole;) {
    const uint32_t in_page = (uint32_t)(at % b->page_bytes);
    const Place place = emu_page_place(b->dram, b->shards, (uint32_t)(at / b->page_bytes));
    const uint32_t page = b->address + place.slot * emu_aligned_page(b->dram, b->page_bytes);
    emu_poison(emu_bank(b->dram, place.bank), page + in_page, b->page_bytes - in_page);
    at += b->page_bytes - in_page;
  }
}
