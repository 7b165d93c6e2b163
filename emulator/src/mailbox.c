/*===- mailbox.c - words from processor to processor --------------------------------------===
 *
 * From each of data movement 0, unpack, math and pack to each of them there is a queue of words.
 * All queues of a sender together hold four words; who sends more waits.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

/* The place of a role among those that have mailboxes. */
static uint32_t box_of(Risc *risc, int role) {
  if (role == 1)
    emu_error(risc, 18,
              "data movement 1 has no mailboxes; data movement 0, unpack, math and pack do");
  return role == 0 ? 0 : (uint32_t)(role - UNPACK + 1);
}

static Mailbox *box(Core *core, uint32_t from, uint32_t to) { return &core->mailboxes[from][to]; }

static uint32_t sent(Core *core, uint32_t from) {
  uint32_t n = 0;
  for (uint32_t to = 0; to < MAILBOX_ENDS; ++to) n += box(core, from, to)->n;
  return n;
}

void ttemu_mailbox_write(int to, uint32_t value, uint32_t line) {
  Risc *risc = emu_call(line);
  Core *core = risc->core;
  uint32_t from = box_of(risc, risc->role);
  Mailbox *b = box(core, from, box_of(risc, to));
  while (sent(core, from) >= MAILBOX_WORDS) emu_block(risc, WAIT_MAILBOX_SPACE, (uint32_t)to, 0);
  b->words[(b->first + b->n++) % MAILBOX_WORDS] = value;
  emu_race_mailbox(risc, risc->role, to);
  emu_wake(core, WAIT_MAILBOX, 0, risc->time);
}

uint32_t ttemu_mailbox_read(int from, uint32_t line) {
  Risc *risc = emu_call(line);
  Core *core = risc->core;
  Mailbox *b = box(core, box_of(risc, from), box_of(risc, risc->role));
  while (b->n == 0) emu_block(risc, WAIT_MAILBOX, (uint32_t)from, 0);
  uint32_t value = b->words[b->first];
  b->first = (b->first + 1) % MAILBOX_WORDS, --b->n;
  emu_race_mailbox(risc, from, risc->role);
  emu_wake(core, WAIT_MAILBOX_SPACE, 0, risc->time);
  return value;
}
