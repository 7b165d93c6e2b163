/*===- low.c - runtime arguments that kernels may point to ------------------------------------===
 *
 * Kernels take the address of an argument for a number of 32 bits, so arguments lie below
 * 4 GiB, in slots of one size that are used again.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SLOT_WORDS = MAX_RUNTIME_ARGS + 1, SLOTS = 512 }; /* slots that are mapped at a time */

typedef union Slot {
  uint32_t words[SLOT_WORDS];
  union Slot *next; /* that is free */
} Slot;

static Slot *unused;

static void map_slots(void) {
  Slot *slots = mmap(NULL, SLOTS * sizeof *slots, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  if (slots == MAP_FAILED) emu_fatal("no room for runtime arguments below 4 GiB");
  for (int i = SLOTS - 1; i >= 0; --i) slots[i].next = unused, unused = &slots[i];
}

uint32_t *emu_args_create(const uint32_t *args, size_t n) {
  if (!unused) map_slots();
  Slot *slot = unused;
  unused = slot->next;
  memset(slot->words, 0, (n + 1) * sizeof *args);
  if (n) memcpy(slot->words, args, n * sizeof *args);
  return slot->words;
}

void emu_args_destroy(const uint32_t *args) {
  Slot *slot = (Slot *)(uintptr_t)args;
  if (!slot) return;
  slot->next = unused, unused = slot;
}
