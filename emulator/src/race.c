/*===- race.c - the events that order accesses, and the accesses -----------------------------===
 *
 * What the parts of the device tell the race detector:
 *
 *   a transfer   touches memory when it is issued, on lanes that its processor knows
 *                only after a barrier or a flush, and others after a signal that
 *                follows it through the same channel
 *   the engine   operands and halves of DST pass what is known from unpack to math to
 *                pack, and back
 *
 *===----------------------------------------------------------------------===*/

#include "race.h"

#include <stdlib.h>
#include <string.h>

enum { TRIDS = 16 };

typedef struct Mover {
  uint32_t reads, writes, atomics;            /* that it has issued; writes count all but reads */
  uint32_t reads_of[TRIDS], writes_of[TRIDS]; /* the last one of each transaction number */
} Mover;

typedef struct Engine {
  Clock filled[SOURCE_BANKS], taken[SOURCE_BANKS]; /* source registers */
  Clock committed[2], released[2];                 /* halves of DST */
  Clock mail[NUM_RISCS][NUM_RISCS]; /* what senders of words knew, by who reads them */
  Clock tokens[TOKENS];             /* what those knew who gave or took one */
} Engine;

typedef struct CoreState {
  Clock clocks[NUM_RISCS];
  Mover movers[UNPACK];
  Engine engine;
  RacePages *pages;
} CoreState;

static CoreState **states; /* of each core of the program */

static uint32_t num_cores(void) { return emu.chip->grid_x * emu.chip->grid_y; }
static uint32_t index_of(const Core *core) { return core->y * emu.chip->grid_x + core->x; }
static CoreState *state_of(const Risc *risc) { return states[index_of(risc->core)]; }
static Clock *clock_of(const Risc *risc) { return &state_of(risc)->clocks[risc->role]; }

Clock *race_clock_of(const Risc *risc) { return clock_of(risc); }
RacePages *race_pages_of(const Risc *risc) { return state_of(risc)->pages; }

/*===- Launches ---------------------------------------------------------------------------===*/

static CoreState *new_state(const Core *core, uint32_t index) {
  CoreState *s = emu_calloc(1, sizeof *s);
  for (int r = 0; r < NUM_RISCS; ++r) {
    s->clocks[r].core = index;
    s->clocks[r].own.at[race_lane(r, LANE_MAIN, false)] = 1;
  }
  Clock nothing = {.core = index};
  for (int i = 0; i < 2; ++i)
    s->engine.filled[i] = s->engine.taken[i] = s->engine.committed[i] = s->engine.released[i] =
        nothing;
  for (int r = 0; r < NUM_RISCS * NUM_RISCS; ++r)
    s->engine.mail[r / NUM_RISCS][r % NUM_RISCS] = nothing;
  for (int t = 0; t < TOKENS; ++t) s->engine.tokens[t] = nothing;
  s->pages = race_pages_create(core);
  return s;
}

static void free_state(CoreState *s, const Core *core) {
  for (int r = 0; r < NUM_RISCS; ++r) race_clock_drop(&s->clocks[r]);
  for (int r = 0; r < NUM_RISCS * NUM_RISCS; ++r)
    race_clock_drop(&s->engine.mail[r / NUM_RISCS][r % NUM_RISCS]);
  for (int t = 0; t < TOKENS; ++t) race_clock_drop(&s->engine.tokens[t]);
  for (int i = 0; i < 2; ++i) {
    race_clock_drop(&s->engine.filled[i]), race_clock_drop(&s->engine.taken[i]);
    race_clock_drop(&s->engine.committed[i]), race_clock_drop(&s->engine.released[i]);
  }
  race_pages_destroy(s->pages, core);
  free(s);
}

void emu_race_begin(const ttemu_program *program) {
  if (!emu.races) return;
  race_clocks_open(num_cores());
  states = emu_calloc(num_cores(), sizeof(CoreState *));
  for (uint32_t i = 0; i < num_cores(); ++i)
    if (program->cores[i]) states[i] = new_state(program->cores[i], i);
}

void emu_race_join(const ttemu_program *program, const ttemu_program *together) {
  if (!emu.races) return;
  race_pointers_flush();
  Clock all = {.core = 0};
  for (uint32_t i = 0; i < num_cores(); ++i)
    for (int r = 0; states[i] && r < NUM_RISCS; ++r) race_clock_learn(&all, &states[i]->clocks[r]);
  for (uint32_t i = 0; i < num_cores(); ++i) {
    if (!program->cores[i]) continue;
    if (states[i]) free_state(states[i], together->cores[i]);
    states[i] = new_state(program->cores[i], i);
    for (int r = 0; r < NUM_RISCS; ++r) {
      Clock *clock = &states[i]->clocks[r];
      race_clock_learn(clock, &all);
      ++clock->own.at[race_lane(r, LANE_MAIN, false)];
    }
  }
  race_clock_drop(&all);
}

/* A launch ends before the next one starts: all is in order. */
void emu_race_end(const ttemu_program *program) {
  if (!emu.races) return;
  race_pointers_flush();
  for (uint32_t i = 0; i < num_cores(); ++i)
    if (states[i]) free_state(states[i], program->cores[i]);
  free(states);
  states = NULL;
  race_words_clear();
  race_shadow_clear();
}

void emu_race_close(void) {
  if (emu.races) race_shadow_close();
}

/*===- Reports ------------------------------------------------------------------------------===*/

void race_report(Stamp now, const char *place, const char *this_one, Stamp before,
                 const char *other, const char *advice, bool harmless) {
  Core *then_on = emu.program->cores[before.core];
  Risc *risc = &emu.program->cores[now.core]->riscs[race_role_of(now.lane)];
  const Risc *then = &then_on->riscs[race_role_of(before.lane)];
  (harmless ? emu_forgiven_at : emu_error_at)(
      risc, race_line_of(now), 23,
      "race on %s: nothing orders %s here after %s at %s:%u on core (%u, %u), %s; %s", place,
      this_one, other, then->kernel->path, race_line_of(before), then_on->x, then_on->y,
      emu_role_name(then->role), advice);
}

/*===- Telling and learning -----------------------------------------------------------------===*/

static Stamp own_stamp(const Risc *risc) {
  uint8_t lane = race_lane(risc->role, LANE_MAIN, false);
  return (Stamp){.core = (uint16_t)index_of(risc->core),
                 .lane = lane,
                 .at = clock_of(risc)->own.at[lane],
                 .line = risc->line};
}

void race_step(const Risc *risc) {
  ++clock_of(risc)->own.at[race_lane(risc->role, LANE_MAIN, false)];
}

static void tell(const Risc *risc, Clock *to) {
  race_clock_drop(to);
  *to = race_clock_copy(clock_of(risc));
  race_step(risc);
}

/*===- Transfers ----------------------------------------------------------------------------===*/

static Lane channel_of(const Transfer *t) {
  return t->dram ? LANE_ACKED : t->multicast ? LANE_MULTICAST : LANE_UNICAST;
}

/* A lane of the processor's, on a NoC. */
static uint8_t lane_on(const Risc *risc, Lane lane, int noc) {
  return race_lane(risc->role, lane, noc != (risc->kernel->noc & 1));
}

/* An increment that a barrier of its own waits for, and no other one does. */
static bool is_answered(const Transfer *t) {
  return t->kind == ADD_WORD && !t->posted && channel_of(t) == LANE_UNICAST;
}

static Stamp transfer_stamp(const Transfer *t, Lane lane) {
  const Mover *m = &state_of(t->risc)->movers[t->risc->role];
  return (Stamp){.core = (uint16_t)index_of(t->risc->core),
                 .lane = lane_on(t->risc, lane, t->noc),
                 .firmware = emu_is_firmware(t->dram, t->address),
                 .at = lane == LANE_READ ? m->reads : m->writes,
                 .line = t->line};
}

static void touch(const Transfer *t, bool dram, uint32_t bank, uint32_t address, bool write,
                  Lane lane) {
  if (!dram && address >= emu.chip->l1_size) return; /* a register of a stream */
  race_access(&(Access){.dram = dram,
                        .write = write,
                        .bank = bank,
                        .address = address,
                        .bytes = t->bytes,
                        .stamp = transfer_stamp(t, lane),
                        .clock = clock_of(t->risc),
                        .transfer = write ? t : NULL});
}

/* A transfer of a core's own memory to where it lies brings back what it takes: to others it is
 * a read, which no write may pass, and of two such neither changes what the other takes. */
static bool is_in_place(const Transfer *t, uint32_t x, uint32_t y) {
  const Core *core = t->risc->core;
  return (t->kind == READ || t->kind == WRITE) && !t->dram && x == core->x && y == core->y &&
         t->address == t->l1;
}

static void touch_targets(const Transfer *t) {
  if (t->dram) {
    touch(t, true, t->bank_id, t->address, true, LANE_ACKED);
    return;
  }
  for (uint32_t y = t->y0; y <= t->y1; ++y)
    for (uint32_t x = t->x0; x <= t->x1; ++x)
      if (t->all || x != t->risc->core->x || y != t->risc->core->y)
        touch(t, false, y * emu.chip->grid_x + x, t->address, !is_in_place(t, x, y), channel_of(t));
}

/* What a signal carries: what its processor knows, and what went before it, its channel. */
static Clock *carried(const Transfer *t) {
  Clock *clock = emu_calloc(1, sizeof *clock);
  *clock = race_clock_copy(clock_of(t->risc));
  const Mover *m = &state_of(t->risc)->movers[t->risc->role];
  clock->own.at[lane_on(t->risc, LANE_SENT, t->noc)] = m->writes;
  clock->own.at[lane_on(t->risc, channel_of(t), t->noc)] = m->writes;
  if (channel_of(t) == LANE_UNICAST)
    clock->own.at[lane_on(t->risc, LANE_ATOMIC, t->noc)] = m->atomics;
  race_step(t->risc);
  return clock;
}

void emu_race_issue(Transfer *t) {
  if (!emu.races) return;
  race_pointers_flush();
  Mover *m = &state_of(t->risc)->movers[t->risc->role];
  uint32_t self = index_of(t->risc->core);
  ++*(t->kind == READ ? &m->reads : &m->writes);
  m->atomics += is_answered(t);
  if (t->kind == READ) m->reads_of[t->trid % TRIDS] = m->reads;
  else m->writes_of[t->trid % TRIDS] = m->writes;
  if (t->kind == READ) {
    touch(t, t->dram, t->dram ? t->bank_id : t->y0 * emu.chip->grid_x + t->x0, t->address, false,
          LANE_READ);
    if (is_in_place(t, t->x0, t->y0)) race_set_stale(self, t->l1, t->bytes, false);
    else touch(t, false, self, t->l1, true, LANE_READ);
    return;
  }
  if (t->kind == WRITE) {
    race_check_filled(t->risc, t->l1, t->bytes);
    touch(t, false, self, t->l1, false, LANE_SENT);
  }
  if (t->kind == SET_WORD && !t->has_value)
    race_word_sent(self, t->l1, transfer_stamp(t, LANE_SENT));
  /* A word that comes with its value is data, unless it is a semaphore's. */
  bool word = t->kind == SET_WORD && t->has_value && t->address >= emu.chip->l1_base &&
              t->address < emu.chip->l1_size;
  if (t->kind == WRITE || t->dram || word) touch_targets(t);
  /* A small write may be a signal that the other side waits for. */
  enum { SIGNAL_BYTES = 64 };
  if (t->dram || (t->kind == WRITE && t->bytes > SIGNAL_BYTES)) return;
  t->clock = carried(t);
  t->stamp_at = is_answered(t) ? m->atomics : m->writes;
}

void emu_race_arrive(const Transfer *t, uint32_t core) {
  if (!t->clock) return;
  Lane lane = is_answered(t) ? LANE_ATOMIC : channel_of(t);
  Stamp stamp = {.core = (uint16_t)index_of(t->risc->core),
                 .lane = lane_on(t->risc, lane, t->noc),
                 .at = t->stamp_at,
                 .line = t->line};
  if (t->kind == ADD_WORD) {
    race_word_add(core, t->address, t->value, t->clock, stamp);
    return;
  }
  if (t->kind == SET_WORD) {
    race_word_set(core, t->address, t->value, t->clock, stamp);
    return;
  }
  for (uint32_t at = 0; at + sizeof(uint32_t) <= t->bytes; at += sizeof(uint32_t)) {
    uint32_t value;
    memcpy(&value, t->data + at, sizeof value);
    if (race_is_word(core, t->address + at))
      race_word_set(core, t->address + at, value, t->clock, stamp);
  }
}

void emu_race_done(Transfer *t) {
  if (!t->clock) return;
  race_clock_drop(t->clock);
  free(t->clock);
}

/* A lane is known up to `at`, or further. */
static void learn_up_to(const Risc *risc, Lane lane, int noc, uint32_t at) {
  uint32_t *known = &clock_of(risc)->own.at[lane_on(risc, lane, noc)];
  if (at > *known) *known = at;
}

void emu_race_barrier(const Risc *risc, ttemu_barrier kind, int noc, int trid) {
  if (!emu.races || risc->role >= UNPACK) return;
  race_pointers_flush();
  const Mover *m = &state_of(risc)->movers[risc->role];
  /* One for a transaction number says nothing of what was issued after the last one of it. What
   * was issued before is taken as there, too: numbers share a lane. */
  const uint32_t reads = trid < 0 ? m->reads : m->reads_of[trid % TRIDS],
                 writes = trid < 0 ? m->writes : m->writes_of[trid % TRIDS];
  if (kind == TTEMU_READS) {
    learn_up_to(risc, LANE_READ, noc, reads);
    return;
  }
  learn_up_to(risc, LANE_SENT, noc, writes);
  if (kind == TTEMU_WRITES_SENT) return;
  for (Lane lane = LANE_ACKED; lane < LANES_OF_NOC; ++lane) learn_up_to(risc, lane, noc, writes);
}

void emu_race_atomics(const Risc *risc, int noc) {
  if (!emu.races || risc->role >= UNPACK) return;
  race_pointers_flush();
  const Mover *m = &state_of(risc)->movers[risc->role];
  clock_of(risc)->own.at[lane_on(risc, LANE_ATOMIC, noc)] = m->atomics;
}

/*===- Semaphores -----------------------------------------------------------------------===*/

void emu_race_set(const Risc *risc, uint32_t offset, uint32_t value) {
  if (!emu.races) return;
  race_pointers_flush();
  race_word_set(index_of(risc->core), offset, value, clock_of(risc), own_stamp(risc));
  race_step(risc);
}

void emu_race_wait(const Risc *risc, uint32_t offset, uint32_t value, bool at_least) {
  if (!emu.races) return;
  race_pointers_flush();
  race_word_wait(clock_of(risc), own_stamp(risc), offset, value, at_least);
}

/* It looks at memory by itself: whatever has come to this core may be what it looks for. */
void emu_race_poll(const Risc *risc) {
  if (!emu.races) return;
  race_pointers_polled(risc);
  CoreState *s = state_of(risc);
  race_words_polled(clock_of(risc));
  for (int r = 0; r < NUM_RISCS; ++r)
    if (r != risc->role && risc->core->riscs[r].kernel) {
      race_clock_learn(clock_of(risc), &s->clocks[r]);
      race_step(&risc->core->riscs[r]);
    }
}

/*===- The engine -----------------------------------------------------------------------------===*/

void race_touch_at(const Risc *risc, uint32_t address, uint32_t bytes, bool write, uint32_t line) {
  Stamp stamp = own_stamp(risc);
  stamp.line = line;
  race_access(&(Access){.write = write,
                        .bank = index_of(risc->core),
                        .address = address,
                        .bytes = bytes,
                        .stamp = stamp,
                        .clock = clock_of(risc)});
}

bool race_sees_news(const Risc *risc, uint32_t offset) {
  return race_word_is_news(index_of(risc->core), offset, clock_of(risc));
}

void race_load_word(const Risc *risc, uint32_t offset, uint32_t line) {
  Stamp stamp = own_stamp(risc);
  stamp.line = line;
  race_word_loaded(index_of(risc->core), offset, clock_of(risc), stamp);
}

/* A semaphore has the value that the host gave it. */
static bool is_first_value(const Core *core, uint32_t offset) {
  uint32_t id = (offset - emu_semaphore_offset(0)) / 16, value;
  if (offset < emu_semaphore_offset(0) || id >= SEMAPHORES || !(core->has_semaphore >> id & 1))
    return false;
  memcpy(&value, core->l1 + offset, sizeof value);
  return value == core->semaphores[id];
}

void race_store_word(const Risc *risc, uint32_t offset, uint32_t line) {
  Stamp stamp = own_stamp(risc);
  stamp.line = line;
  race_word_stored(index_of(risc->core), offset, clock_of(risc), stamp,
                   is_first_value(risc->core, offset));
  race_step(risc);
}

void emu_race_touch(const Risc *risc, uint32_t address, uint32_t bytes, bool write) {
  if (emu.races) race_touch_at(risc, address, bytes, write, risc->line);
}

void emu_race_unpack(const Risc *risc, uint32_t index, uint32_t page) {
  if (!emu.races) return;
  const CB *cb = &risc->core->cbs[index];
  race_check_page_filled(risc, index, page);
  emu_race_touch(risc, cb->address + page * cb->page_bytes + risc->read_shift[index],
                 cb->page_bytes, false);
}

void emu_race_bank(const Risc *risc, bool fills, bool done) {
  if (!emu.races) return;
  Engine *e = &state_of(risc)->engine;
  const Core *core = risc->core;
  uint32_t bank = (fills ? core->filled : core->taken) % SOURCE_BANKS;
  if (done) tell(risc, fills ? &e->filled[bank] : &e->taken[bank]);
  else race_clock_learn(clock_of(risc), fills ? &e->taken[bank] : &e->filled[bank]);
}

void emu_race_half(const Risc *risc, bool done) {
  if (!emu.races) return;
  Engine *e = &state_of(risc)->engine;
  bool packs = risc->role == PACK;
  uint32_t half = (packs ? risc->core->released : risc->core->committed) % 2;
  if (done) tell(risc, packs ? &e->released[half] : &e->committed[half]);
  else race_clock_learn(clock_of(risc), packs ? &e->committed[half] : &e->released[half]);
}

void emu_race_mailbox(const Risc *risc, int from, int to) {
  if (!emu.races) return;
  Clock *mail = &state_of(risc)->engine.mail[from][to];
  if (risc->role == from) tell(risc, mail);
  if (risc->role == to) race_clock_learn(clock_of(risc), mail);
}

void emu_race_token(const Risc *risc, uint32_t index, bool tells) {
  if (!emu.races) return;
  Clock *token = &state_of(risc)->engine.tokens[index];
  if (tells) tell(risc, token);
  else race_clock_learn(clock_of(risc), token);
}
