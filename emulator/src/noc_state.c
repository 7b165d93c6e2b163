/*===- noc_state.c - transfers whose other end was set before --------------------------------===
 *
 *   noc_async_read_one_packet_set_state(a.get_noc_addr(0), bytes);    node, size
 *   noc_async_read_one_packet_with_state(a.get_noc_addr(1), l1);      the address alone
 *
 * Node and size stay in the registers of a command buffer; what follows changes the address in that
 * node. An address of another node is taken for one of the first, without a word, and pages of
 * interleaved tensors that follow each other have the same address in different banks. The
 * registers are those of all transfers of their kind, so one that comes between leaves its own node
 * there.
 *
 *===----------------------------------------------------------------------===*/

#include "noc.h"

#include <stdio.h>

static NocState *state_of(Risc *risc, uint32_t buffer) {
  return &risc->states[emu_chosen_noc(risc)][buffer % COMMAND_BUFFERS];
}

/* Setting a state and asking for it are no transfers: they take no time of their own. */
static Risc *at_line(uint32_t line) {
  emu.running->line = line;
  return emu.running;
}

/* The node of an address, in one form: DRAM by its bank. */
static uint64_t node_of(uint64_t address) {
  int bank = emu_bank_of_node(address);
  if (bank >= 0) return UINT64_C(1) << 31 | (uint32_t)bank;
  return address >> 32 & (address >> 62 == 1 ? 0xffffffff : 0x8000ffff);
}

static const char *describe(uint64_t address, char *text, size_t bytes) {
  uint64_t node = node_of(address);
  if (node >> 31) snprintf(text, bytes, "DRAM bank %u", (uint32_t)node & 0xff);
  else
    snprintf(text, bytes, "the core at (%u, %u)", (uint32_t)node & 0xff,
             (uint32_t)node >> 8 & 0xff);
  return text;
}

void ttemu_noc_buffer(uint32_t buffer) { emu.running->next_buffer = buffer % COMMAND_BUFFERS + 1; }

void ttemu_noc_set_state(uint32_t buffer, uint64_t at, uint32_t bytes, uint32_t value,
                         uint32_t line) {
  Risc *risc = at_line(line);
  *state_of(risc, buffer) = (NocState){.set = at,
                                       .at = at,
                                       .set_bytes = bytes,
                                       .bytes = bytes,
                                       .value = value,
                                       .line = line,
                                       .is_set = true};
  risc->named = 0;
  risc->next_noc = 0;
}

void emu_note_transfer(Risc *risc, uint32_t buffer, uint64_t at, uint32_t bytes) {
  if (risc->next_buffer) buffer = risc->next_buffer - 1;
  risc->next_buffer = 0;
  NocState *s = state_of(risc, buffer);
  s->at = at, s->bytes = bytes, s->by = risc->line;
}

static const NocState *checked_state(Risc *risc, uint32_t buffer) {
  const NocState *s = state_of(risc, buffer);
  char has[32], said[32];
  if (!s->is_set)
    emu_error(risc, 17, "a transfer with the state of an earlier one, but the kernel has set none");
  if (node_of(s->at) != node_of(s->set))
    emu_error(
        risc, 17,
        "the state that line %u has set, %s, is gone: the transfer in line %u went through the "
        "same registers to %s; set it again",
        s->line, describe(s->set, said, sizeof said), s->by, describe(s->at, has, sizeof has));
  return s;
}

uint64_t ttemu_noc_from_state(uint32_t buffer, uint64_t address, uint32_t line) {
  Risc *risc = at_line(line);
  const NocState *s = checked_state(risc, buffer);
  char has[32], means[32];
  const bool whole = address >> 32 != 0;
  if (whole && node_of(address) != node_of(s->set))
    emu_error(
        risc, 17,
        "the address is in %s, but the state that line %u has set is of %s, where the transfer "
        "goes: the address alone is new; set the state again",
        describe(address, means, sizeof means), s->line, describe(s->set, has, sizeof has));
  if (!whole && risc->named && (uint32_t)risc->named == (uint32_t)address &&
      node_of(risc->named) != node_of(s->set))
    emu_forgiven(risc, 17,
                 "address %u is that of a page in %s, as line %u has named it last, but the state "
                 "that line %u has set is of %s, where the transfer goes; set the state again",
                 (uint32_t)address, describe(risc->named, means, sizeof means), risc->named_at,
                 s->line, describe(s->set, has, sizeof has));
  return s->set >> 32 << 32 | (uint32_t)address;
}

uint32_t ttemu_noc_state_bytes(uint32_t buffer, uint32_t asked, uint32_t line) {
  Risc *risc = at_line(line);
  const NocState *s = checked_state(risc, buffer);
  if (s->bytes != s->set_bytes)
    emu_error(risc, 17,
              "the state that line %u has set is for packets of %u bytes, but the transfer in line "
              "%u has set the same registers to %u; set it again",
              s->line, s->set_bytes, s->by, s->bytes);
  if (asked && asked != s->set_bytes)
    emu_error(risc, 17, "a packet of %u bytes, but the state that line %u has set is for %u", asked,
              s->line, s->set_bytes);
  return s->set_bytes;
}

uint32_t ttemu_noc_state_value(uint32_t buffer) { return state_of(emu.running, buffer)->value; }
uint64_t ttemu_noc_state_address(uint32_t buffer, uint32_t line) {
  return checked_state(at_line(line), buffer)->set;
}
