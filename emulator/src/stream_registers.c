/*===- stream_registers.c - registers of the NoC's streams, as words and counters ------------===
 *
 *   noc_inline_dw_write<InlineWriteDst::REG>(NOC_XY_ADDR(x, y, …(1, UPDATE)), 1 << 6);
 *   NOC_STREAM_READ_REG(1, SPACE_AVAILABLE)               one more, once it has arrived
 *
 * Kernels that have no stream running use its registers as words that other cores may write, and
 * one of them counts: what comes to UPDATE is added to SPACE_AVAILABLE, which a write of BUF_SIZE
 * sets. They lie here in the core's window behind its L1, where no pointer leads, and are ordered
 * as semaphores are. Streams themselves do not run.
 *
 *===----------------------------------------------------------------------===*/

#include "noc.h"

#include <string.h>

enum { STREAMS = 64, REGISTERS = 512, REGISTER_SPACE = 0x1000, COUNT_AT = 6, COUNT_BITS = 17 };
static const uint32_t overlay = 0xffb40000;

/* By number: noc_overlay_parameters.h of each chip. */
typedef struct Numbers {
  uint32_t size, update, available;
} Numbers;

static Numbers numbers(void) {
  const bool blackhole = strcmp(emu.chip->name, "blackhole") == 0;
  return blackhole ? (Numbers){10, 270, 297} : (Numbers){4, 34, 64};
}

static uint32_t place(uint32_t stream, uint32_t number) {
  return emu.chip->l1_size + (stream * REGISTERS + number) * (uint32_t)sizeof(uint32_t);
}

bool emu_is_stream(uint32_t address) {
  return address >= overlay && address - overlay < STREAMS * REGISTER_SPACE;
}

uint32_t emu_stream_place(Risc *risc, uint32_t address) {
  const uint32_t at = (address - overlay) % REGISTER_SPACE;
  if (at % sizeof(uint32_t) != 0 || at / sizeof(uint32_t) >= REGISTERS)
    emu_error(risc, 17, "address 0x%x is no register of a stream", address);
  return place((address - overlay) / REGISTER_SPACE, at / sizeof(uint32_t));
}

static uint32_t number_at(uint32_t at) {
  return (at - emu.chip->l1_size) / (uint32_t)sizeof(uint32_t) % REGISTERS;
}

bool emu_stream_counts(uint32_t *at, uint32_t *value) {
  const Numbers n = numbers();
  if (*at < emu.chip->l1_size || number_at(*at) != n.update) return false;
  *at += (n.available - n.update) * (uint32_t)sizeof(uint32_t);
  *value = *value >> COUNT_AT & ((1u << COUNT_BITS) - 1);
  return true;
}

uint32_t emu_stream_also(uint32_t at) {
  const Numbers n = numbers();
  if (at < emu.chip->l1_size || number_at(at) != n.size) return 0;
  return at + (n.available - n.size) * (uint32_t)sizeof(uint32_t);
}

static uint32_t checked(Risc *risc, uint32_t stream, uint32_t number) {
  if (stream >= STREAMS || number >= REGISTERS)
    emu_error(risc, 17, "register %u of stream %u: there are %u of %u streams", number, stream,
              REGISTERS, STREAMS);
  return place(stream, number);
}

/* A loop that waits for it lets the others go on. */
uint32_t ttemu_stream_read(uint32_t stream, uint32_t number, uint32_t line) {
  ttemu_poll(line);
  Risc *risc = emu.running;
  uint32_t value;
  memcpy(&value, risc->core->l1 + checked(risc, stream, number), sizeof value);
  return value;
}

static void set(Risc *risc, uint32_t at, uint32_t value) {
  emu_race_set(risc, at, value);
  memcpy(risc->core->l1 + at, &value, sizeof value);
}

void ttemu_stream_write(uint32_t stream, uint32_t number, uint32_t value, uint32_t line) {
  Risc *risc = emu_call(line);
  uint32_t at = checked(risc, stream, number);
  if (emu_stream_counts(&at, &value)) {
    uint32_t old;
    memcpy(&old, risc->core->l1 + at, sizeof old);
    value += old;
  }
  set(risc, at, value);
  if (emu_stream_also(at)) set(risc, emu_stream_also(at), value);
}
