/*===- timing.c - what a program is expected to take --------------------------------------------===
 *
 * One core stands for all: the one that moves most, and computes most of those. Its processors run
 * their events (timing_steps.c) by clocks of their own, and wait for each other where the protocol
 * says so. What cores share is shared out evenly: a read that `cores` cores make at a time takes
 * its bytes times `cores` of DRAM, and banks lose time by turning between reads and writes as often
 * as both come by chance. DRAM serves reads in their order, so that the first cores have what they
 * read, and write and ask again, long before the last one, which is the one that stands for all.
 * Links count by the longest of the ways between banks and cores. Where cores read in turns
 * (--tt-read-in-turns), it is the first one, after which all others write, or the last.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/timing.h"

#include "Analysis/kernel.h"
#include "Analysis/program.h"
#include "Dialect/target.h"
#include "Target/costs.h"

#include <string.h>

enum { HALVES = 2, BANKS = 2, CALLS_OF_SIGNAL = 3, MEMORY = 32 };

/* When the n-th of something happened. */
typedef struct Times {
  double *data;
  size_t n, capacity;
} Times;

typedef struct Clock {
  const TtEvents *events;
  size_t at;
  double now, ahead; /* work that hides the next call */
  double read_done, left, arrived, reserved;
  double burst;   /* when reads that are not waited for could be there if nobody else read */
  uint32_t reads; /* how many they are */
} Clock;

typedef struct Model {
  TtArena *arena;
  const TtChip *chip;
  Clock clocks[TT_EVENT_LISTS];
  Times filled, taken, committed, released;
  Times pushed[TT_MAX_CBS], popped[TT_MAX_CBS]; /* pages */
  int64_t pages[TT_MAX_CBS];
  uint32_t page_bytes[TT_MAX_CBS];
  double port[2], dram, link[2];  /* when they are free */
  double writes;                  /* their share of the last transfers to and from DRAM */
  double spread;                  /* how long before this core the first ones have what they read */
  uint32_t together;              /* cores that read at a time, where these take turns; else 0 */
  bool last;                      /* of these, the last ones: they write together as well */
  double rate[2][2];              /* bytes a clk of all cores by links, of [NoC][write] */
  double dram_rate, issue_unpack; /* bytes a clk; clk */
} Model;

static double latest(double a, double b) { return a > b ? a : b; }

static void note(Model *m, Times *t, double time, uint32_t n) {
  if (t->n + n > t->capacity) {
    t->capacity = 2 * (t->capacity + n);
    double *data = tt_arena_alloc(m->arena, t->capacity * sizeof *data);
    if (t->n) memcpy(data, t->data, t->n * sizeof *data);
    t->data = data;
  }
  for (uint32_t i = 0; i < n; ++i) t->data[t->n++] = time;
}

/* Whether the n-th has happened (from 1; 0 always has); the clock waits for it. */
static bool after(Clock *c, const Times *t, size_t n) {
  if (n > t->n) return false;
  if (n && t->data[n - 1] > c->now) c->now = t->data[n - 1], c->ahead = 0;
  return true;
}

static void charge(Clock *c, double clk) {
  double hidden = c->ahead < clk ? c->ahead : clk;
  c->ahead -= hidden, c->now += clk - hidden;
}

static void work(Clock *c, double clk) { c->now += clk, c->ahead = clk; }

/*===- Transfers ----------------------------------------------------------------------------===*/

static double through_port(Model *m, const Clock *c, double bytes) {
  double *port = &m->port[c->events->noc & 1];
  double clk = latest(bytes / (double)m->chip->noc_bytes_per_clk, (double)m->chip->noc_issue);
  return *port = latest(c->now, *port) + clk;
}

static double cores_at(const Model *m, const TtEvent *e, bool write) {
  bool turns = m->together && m->together < e->cores && (!write || m->last);
  return turns ? m->together : e->cores;
}

/* Through DRAM and the links to or from it, when `cores` cores do the same. */
static double through_dram(Model *m, const Clock *c, const TtEvent *e, double from, bool write) {
  int noc = c->events->noc & 1;
  double cores = cores_at(m, e, write), bytes = (double)e->n * cores;
  if (!e->dram) return from;
  double rate = m->dram_rate * e->banks / m->chip->dram_banks;
  m->writes += ((write ? 1 : 0) - m->writes) / MEMORY;
  double turns = 2 * m->writes * (1 - m->writes) * (double)m->chip->bank_turn;
  double begun = from - m->spread;
  m->dram = latest(begun, m->dram) + bytes / rate + turns * cores / e->banks;
  m->link[noc] = latest(begun, m->link[noc]) + bytes / m->rate[noc][write];
  return latest(from, latest(m->dram, m->link[noc]));
}

static void read(Model *m, Clock *c, const TtEvent *e) {
  double start = c->now, port = through_port(m, c, e->n),
         latency = (double)m->chip->read_latency[TT_READ_OTHER],
         begun = latest(start, latest(m->dram, m->link[c->events->noc & 1]));
  double done = latest(port, through_dram(m, c, e, start, false)) + latency;
  c->read_done = latest(c->read_done, done);
  if (!e->dram) return;
  c->burst = latest(c->reads ? c->burst : begun + latency, port + latency);
  ++c->reads;
}

/* DRAM serves reads in their order. Cores that ask for all of theirs at the same time have them at
 * the same time, but for the last one of each; of those that ask one after the other, the first has
 * all of its own when those of the last are not begun. */
static void end_burst(Model *m, Clock *c) {
  if (c->reads && !m->together) {
    double all = latest(c->read_done - c->burst, 0), asked = (double)(c->reads * m->chip->call);
    m->spread = latest(all * m->spread / (m->spread + asked), all / c->reads);
  }
  c->reads = 0;
}

static double write_latency(const Model *m) {
  return (double)m->chip->write_latency +
         (double)m->chip->write_hop * (double)(m->chip->grid_x + m->chip->grid_y) / 2;
}

static void write(Model *m, Clock *c, const TtEvent *e) {
  double port = c->left = through_port(m, c, e->n);
  c->arrived = latest(c->arrived, through_dram(m, c, e, port, true) + write_latency(m));
}

/* Of a signal: the sender's comes when the others have room, the others' when the block is there,
 * which is read and sent. */
static void wait_for_signal(Model *m, Clock *c) {
  const TtEvents *list = c->events;
  double signal = write_latency(m) + CALLS_OF_SIGNAL * (double)m->chip->call;
  bool sends = false;
  uint32_t bytes = 0;
  for (size_t i = c->at + 1; i < list->n && list->data[i].kind != TT_EVENT_READ_BARRIER; ++i) {
    const TtEvent *e = &list->data[i];
    if (e->kind == TT_EVENT_MULTICAST) sends = true;
    if (e->kind != TT_EVENT_PUSH) continue;
    bytes = e->n * m->page_bytes[e->cb];
    break;
  }
  double fetched = 2 * (double)bytes / (double)m->chip->noc_bytes_per_clk +
                   (double)m->chip->read_latency[TT_READ_OTHER] + signal;
  c->now = latest(c->now, c->reserved + signal + (sends ? 0 : fetched));
}

/* Of those that read in turns: when all others have read as much. */
static void wait_for_turn(const Model *m, Clock *c, const TtEvent *turn) {
  double bytes = 0, rate = m->rate[c->events->noc & 1][false];
  for (size_t i = c->at; i < c->events->n; ++i)
    if (c->events->data[i].kind == TT_EVENT_READ) bytes += c->events->data[i].n;
  c->now += bytes * turn->cores / (rate < m->dram_rate ? rate : m->dram_rate);
}

/*===- Events -------------------------------------------------------------------------------===*/

/* False where the event waits for one that has not happened. */
static bool step(Model *m, Clock *c, const TtEvent *e) {
  double call = (double)m->chip->call;
  size_t n = e->n;
  switch ((TtEventKind)e->kind) {
  case TT_EVENT_CALL: charge(c, call); return true;
  case TT_EVENT_WORK: work(c, e->n); return true;
  case TT_EVENT_FILL:
    if (m->filled.n >= BANKS && !after(c, &m->taken, m->filled.n - BANKS + 1)) return false;
    if (!e->in_block) charge(c, m->issue_unpack);
    work(c, e->n);
    note(m, &m->filled, c->now, 1);
    return true;
  case TT_EVENT_TAKE:
    if (!after(c, &m->filled, m->taken.n + 1)) return false;
    work(c, e->n);
    note(m, &m->taken, c->now, 1);
    return true;
  case TT_EVENT_ACQUIRE:
    return m->committed.n < HALVES || after(c, &m->released, m->committed.n - HALVES + 1);
  case TT_EVENT_COMMIT: note(m, &m->committed, c->now, 1); return true;
  case TT_EVENT_DST_WAIT: return after(c, &m->committed, m->released.n + 1);
  case TT_EVENT_RELEASE: note(m, &m->released, c->now, 1); return true;
  case TT_EVENT_RESERVE:
    n += m->pushed[e->cb].n;
    if (n > (size_t)m->pages[e->cb] && !after(c, &m->popped[e->cb], n - (size_t)m->pages[e->cb]))
      return false;
    charge(c, call);
    c->reserved = c->now;
    return true;
  case TT_EVENT_WAIT:
    if (!after(c, &m->pushed[e->cb], m->popped[e->cb].n + n)) return false;
    charge(c, call);
    return true;
  case TT_EVENT_PUSH:
    charge(c, call);
    note(m, &m->pushed[e->cb], c->now, e->n);
    return true;
  case TT_EVENT_POP:
    charge(c, call);
    note(m, &m->popped[e->cb], c->now, e->n);
    return true;
  case TT_EVENT_READ: charge(c, call), read(m, c, e); return true;
  case TT_EVENT_WRITE:
  case TT_EVENT_MULTICAST: charge(c, call), write(m, c, e); return true;
  case TT_EVENT_READ_BARRIER:
    charge(c, call), end_burst(m, c);
    c->now = latest(c->now, c->read_done);
    return true;
  case TT_EVENT_WRITE_BARRIER: charge(c, call), c->now = latest(c->now, c->arrived); return true;
  case TT_EVENT_FLUSH: charge(c, call), c->now = latest(c->now, c->left); return true;
  case TT_EVENT_SIGNAL:
    charge(c, call);
    if (m->together && c->reserved == 0) wait_for_turn(m, c, e);
    else wait_for_signal(m, c);
    return true;
  }
  return true;
}

/* The processor that is behind runs first; those that wait are asked again. */
static double run(Model *m) {
  bool blocked[TT_EVENT_LISTS] = {false};
  double end = 0;
  for (;;) {
    int next = -1;
    for (int i = 0; i < TT_EVENT_LISTS; ++i)
      if (m->clocks[i].at < m->clocks[i].events->n && !blocked[i] &&
          (next < 0 || m->clocks[i].now < m->clocks[next].now))
        next = i;
    if (next < 0) break;
    Clock *c = &m->clocks[next];
    if (!step(m, c, &c->events->data[c->at])) {
      blocked[next] = true;
      continue;
    }
    ++c->at;
    memset(blocked, 0, sizeof blocked);
  }
  for (int i = 0; i < TT_EVENT_LISTS; ++i) end = latest(end, m->clocks[i].now);
  return end;
}

/*===- A program ----------------------------------------------------------------------------===*/

static double moved_by(const TtCoreEvents *e) {
  double bytes = 0;
  for (int i = TT_MOVER_EVENTS; i < TT_EVENT_LISTS; ++i)
    for (size_t j = 0; j < e->lists[i].n; ++j) {
      const TtEvent *event = &e->lists[i].data[j];
      if (event->kind >= TT_EVENT_READ && event->kind <= TT_EVENT_MULTICAST) bytes += event->n;
    }
  return bytes;
}

static double dram_bytes(const TtCoreEvents *e) {
  double bytes = 0;
  for (int i = TT_MOVER_EVENTS; i < TT_EVENT_LISTS; ++i)
    for (size_t j = 0; j < e->lists[i].n; ++j)
      if (e->lists[i].data[j].dram) bytes += e->lists[i].data[j].n;
  return bytes;
}

static double work_of(const TtEvents *list) {
  double clk = 0;
  for (size_t i = 0; i < list->n; ++i)
    if (list->data[i].kind <= TT_EVENT_TAKE) clk += list->data[i].n;
  return clk;
}

/* Each tensor in DRAM that is read or written, once. */
static double compulsory_bytes(TtArena *arena, MlirOperation program, const TtSizes *sizes) {
  MlirType type = mlirTypeAttrGetValue(tt_op_attr(program, "function_type"));
  MlirAttribute names = tt_get_attr(program, "tt.args");
  double bytes = 0;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    MlirType tensor = mlirFunctionTypeGetInput(type, i);
    if (!tt_is_memref(tensor)) continue;
    char *name = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(names, i)));
    MlirAttribute buffer = tt_named_attr(program, "buffer", name);
    TtUse use = tt_program_use(arena, program, name);
    if (mlirAttributeIsNull(buffer) || tt_buffer_attr_memory(buffer) != TT_MEMORY_DRAM) continue;
    double tiles = 1;
    intptr_t rank = mlirShapedTypeGetRank(tensor);
    for (intptr_t d = 0; d < rank; ++d) {
      int64_t size =
          mlirShapedTypeIsDynamicDim(tensor, d)
              ? tt_size_named(sizes, tt_str(tt_arena_printf(arena, "%s_d%jd", name, (intmax_t)d)))
              : mlirShapedTypeGetDimSize(tensor, d);
      tiles *= d < rank - 2 ? (double)size : (double)tt_tiles(size);
    }
    bytes += tiles * (double)tt_format(tt_buffer_attr_dtype(buffer))->tile_bytes *
             (use.read + use.written);
  }
  return bytes;
}

/* The first and the last of the cores that move most; what all cores move to and from DRAM goes to
 * `*dram`. */
static bool busiest(MlirOperation program, const TtCoreTable *table, const TtSizes *sizes,
                    int64_t cores[2], double *dram) {
  double most = -1;
  for (int64_t c = 0; c < table->n; ++c) {
    TtCoreEvents events;
    TtArena *own = tt_arena_create();
    bool known = tt_core_events(own, program, table, sizes, c, true, &events);
    double bytes = known ? moved_by(&events) : 0;
    if (known) *dram += dram_bytes(&events);
    tt_arena_destroy(own);
    if (!known) return false;
    if (bytes > most) most = bytes, cores[0] = c;
    if (bytes == most) cores[1] = c;
  }
  return true;
}

/* The events of that one of two cores on which the engine has more to do. */
static bool events_of_busier(TtArena *arena, MlirOperation program, const TtCoreTable *table,
                             const TtSizes *sizes, const int64_t cores[2], TtCoreEvents *events) {
  TtCoreEvents last;
  if (!tt_core_events(arena, program, table, sizes, cores[0], false, events)) return false;
  if (cores[0] == cores[1]) return true;
  if (!tt_core_events(arena, program, table, sizes, cores[1], false, &last)) return false;
  if (last.matrix + last.vector > events->matrix + events->vector) *events = last;
  return true;
}

/* How many cores read first, where the last core waits for others before it does anything. */
static uint32_t first_to_read(const TtCoreTable *table, const TtCoreEvents *last) {
  for (int i = TT_MOVER_EVENTS; i < TT_EVENT_LISTS; ++i)
    for (size_t j = 0; j < last->lists[i].n; ++j) {
      const TtEvent *e = &last->lists[i].data[j];
      if (e->kind == TT_EVENT_RESERVE || e->kind == TT_EVENT_WAIT) break;
      if (e->kind == TT_EVENT_SIGNAL) return (uint32_t)table->n - e->cores;
    }
  return 0;
}

static void prepare(Model *m, MlirOperation program, const TtCoreTable *table,
                    const TtCoreEvents *events) {
  TtOps cbs = tt_collect(m->arena, program, "tt.circular_buffer");
  m->chip = tt_target_of(program).chip;
  m->issue_unpack = tt_costs(m->chip)->step[TT_COST_issue_unpack];
  m->dram_rate = (double)(m->chip->bank_bytes_per_clk * m->chip->dram_banks);
  for (int i = 0; i < 4; ++i) m->rate[i / 2][i % 2] = tt_link_rate(m->chip, table, i / 2, i % 2);
  for (intptr_t i = 0; i < cbs.n && i < TT_MAX_CBS; ++i) {
    m->pages[i] = tt_int(tt_circular_buffer_pages(cbs.data[i]));
    m->page_bytes[i] = (uint32_t)tt_int(tt_circular_buffer_page_bytes(cbs.data[i]));
  }
  for (int i = 0; i < TT_EVENT_LISTS; ++i) m->clocks[i].events = &events->lists[i];
}

bool tt_predict(TtArena *arena, MlirOperation program, const TtSizes *sizes, TtTiming *timing) {
  TtCoreTable table;
  TtCoreEvents events, last;
  double dram = 0;
  if (mlirOperationIsNull(tt_program_core_args(program)) ||
      !tt_core_table(arena, program, sizes, &table) || table.n == 0)
    return false;
  int64_t cores[2] = {0, 0};
  if (!busiest(program, &table, sizes, cores, &dram) ||
      !events_of_busier(arena, program, &table, sizes, cores, &events))
    return false;
  Model *m = tt_arena_alloc(arena, sizeof *m);
  memset(m, 0, sizeof *m);
  m->arena = arena;
  prepare(m, program, &table, &events);
  *timing = (TtTiming){.dram = compulsory_bytes(arena, program, sizes) / m->dram_rate,
                       .moved = dram / m->dram_rate,
                       .noc = moved_by(&events) / 2 / (double)m->chip->noc_bytes_per_clk,
                       .unpack = work_of(&events.lists[TT_UNPACK_EVENTS]),
                       .matrix = events.matrix,
                       .vector = events.vector,
                       .pack = work_of(&events.lists[TT_PACK_EVENTS])};
  if (!tt_core_events(arena, program, &table, sizes, table.n - 1, false, &last)) return false;
  m->together = first_to_read(&table, &last);
  timing->predicted = run(m);
  if (!m->together) return true;
  *m = (Model){.arena = arena, .together = m->together, .last = true};
  prepare(m, program, &table, &last);
  timing->predicted = latest(timing->predicted, run(m));
  return true;
}
