/*===- tokens.c - semaphores of the engine ------------------------------------------------===
 *
 * Eight small counters of a core, by which unpack, math and pack tell each other how far they are,
 * beside the circular buffers. They saturate, at 15 and at zero, as the chip's do.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

enum { OF_DST = 1, OF_UNPACK = 5 };

static uint8_t *token(Risc *risc, uint32_t index) {
  if (risc->role < UNPACK)
    emu_error(risc, 18, "semaphores of the engine are for unpack, math and pack");
  if (index >= TOKENS)
    emu_error(risc, 18, "semaphore %u of the engine: there are %d", index, TOKENS);
  if (index == OF_DST || index == OF_UNPACK)
    emu_error(
        risc, 18,
        "semaphore %u of the engine is that of %s, which the calls of the API keep; the others "
        "are free",
        index, index == OF_DST ? "the halves of DST" : "unpack's settings");
  return &risc->core->tokens[index];
}

void ttemu_token_init(uint32_t index, uint32_t value, uint32_t most, uint32_t line) {
  Risc *risc = emu_call(line);
  uint8_t *at = token(risc, index);
  *at = (uint8_t)(value > MOST_TOKENS ? MOST_TOKENS : value);
  risc->core->most_tokens[index] = (uint8_t)(most > MOST_TOKENS ? MOST_TOKENS : most);
  emu_race_token(risc, index, true);
  emu_wake(risc->core, WAIT_TOKEN, 0, risc->time);
  emu_wake(risc->core, WAIT_TOKEN_SPACE, 0, risc->time);
}

void ttemu_token_post(uint32_t index, uint32_t line) {
  Risc *risc = emu_call(line);
  uint8_t *at = token(risc, index);
  if (*at < MOST_TOKENS) ++*at;
  emu_race_token(risc, index, true);
  emu_wake(risc->core, WAIT_TOKEN, 0, risc->time);
}

void ttemu_token_get(uint32_t index, uint32_t line) {
  Risc *risc = emu_call(line);
  uint8_t *at = token(risc, index);
  if (*at > 0) --*at;
  emu_race_token(risc, index, true);
  emu_wake(risc->core, WAIT_TOKEN_SPACE, 0, risc->time);
}

uint32_t ttemu_token_read(uint32_t index, uint32_t line) {
  Risc *risc = emu_call(line);
  uint8_t *at = token(risc, index);
  emu_race_token(risc, index, false);
  return *at;
}

void ttemu_token_wait(uint32_t index, bool for_room, uint32_t line) {
  Risc *risc = emu_call(line);
  uint8_t *at = token(risc, index);
  while (for_room ? *at >= risc->core->most_tokens[index] : *at == 0)
    emu_block(risc, for_room ? WAIT_TOKEN_SPACE : WAIT_TOKEN, index, 0);
  emu_race_token(risc, index, false);
}
