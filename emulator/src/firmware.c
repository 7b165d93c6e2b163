/*===- firmware.c - the part of L1 that the firmware has ---------------------------------------===
 *
 *   0 | firmware, mailboxes | zeros, semaphores | circular buffers and buffers | l1_size
 *
 * Kernels of a core have no business there. A read through the NoC does no harm, whatever it
 * brings; nothing is emulated there, so zeros are read. A write changes what the firmware of that
 * core goes by, and is an error, unless it puts bytes back to where the same processor has read
 * them from, by the same two places: then each comes back to where it was. So alignment does not
 * matter to such a pair. Between places that are not alike modulo 16 the chip moves other bytes
 * than those that were meant ("UndefinedBehavior" in its description, Alignment.md; tt-metal's
 * pull request 22061: the line of 16 bytes is what is read, and nothing stops), of which nobody
 * knows here what they are in either case.
 *
 *===----------------------------------------------------------------------===*/

#include "noc.h"

#include <string.h>

bool emu_is_firmware(bool dram, uint32_t address) {
  return !dram && address < emu.chip->l1_base - SYSTEM_BYTES;
}

/* What else comes to a buffer is no longer what was read there. */
static void forget(Risc *risc, uint32_t l1, uint32_t bytes) {
  for (uint32_t i = 0; i < FIRMWARE_READS; ++i) {
    FirmwareRead *r = &risc->firmware_reads[i];
    if (l1 < r->l1 + r->bytes && r->l1 < l1 + bytes) r->bytes = 0;
  }
}

bool emu_firmware_read(Risc *risc, const Remote *r, uint32_t l1, uint32_t bytes) {
  forget(risc, l1, bytes);
  if (!emu_is_firmware(r->dram, r->address)) return false;
  emu_forgiven(risc, 17,
               "a read of L1 address %u with %u bytes of core (%u, %u), which is the firmware's: "
               "what lies there is not emulated, and zeros are read; the usable L1 starts at %u",
               r->address, bytes, r->x0, r->y0, emu.chip->l1_base);
  risc->firmware_reads[risc->next_firmware_read++ % FIRMWARE_READS] =
      (FirmwareRead){.x = r->x0, .y = r->y0, .address = r->address, .l1 = l1, .bytes = bytes};
  return true;
}

static bool was_read_from(const Risc *risc, const Remote *r, uint32_t l1, uint32_t bytes) {
  for (uint32_t i = 0; i < FIRMWARE_READS; ++i) {
    const FirmwareRead *read = &risc->firmware_reads[i];
    if (read->bytes && read->x == r->x0 && read->y == r->y0 && l1 >= read->l1 &&
        l1 + bytes <= read->l1 + read->bytes && l1 - read->l1 == r->address - read->address)
      return true;
  }
  return false;
}

bool emu_firmware_written(Risc *risc, const Remote *r, uint32_t l1, uint32_t bytes) {
  if (!emu_is_firmware(r->dram, r->address)) return false;
  const bool one = r->x0 == r->x1 && r->y0 == r->y1;
  if (!one || !was_read_from(risc, r, l1, bytes)) emu_firmware_error(risc, r, bytes);
  const uint8_t *there = emu.l1[r->y0 * emu.chip->grid_x + r->x0] + r->address;
  emu_flush(risc->core);
  if (memcmp(risc->core->l1 + l1, there, bytes) != 0)
    emu_error(risc, 17,
              "L1 address %u with %u bytes of core (%u, %u) is the firmware's, and is written with "
              "other bytes than were read from there; the usable L1 starts at %u",
              r->address, bytes, r->x0, r->y0, emu.chip->l1_base);
  emu_forgiven(risc, 17,
               "L1 address %u with %u bytes of core (%u, %u), which is the firmware's, is written "
               "with what was read from there: nothing changes, if neither that place nor this "
               "buffer was written in between",
               r->address, bytes, r->x0, r->y0);
  return true;
}

void emu_firmware_error(Risc *risc, const Remote *r, uint32_t bytes) {
  emu_error(risc, 17,
            "L1 address %u with %u bytes of another core is outside the usable L1, %u to %u: what "
            "lies below is the firmware's",
            r->address, bytes, emu.chip->l1_base, emu.chip->l1_size);
}
