/*===- race.h - what happens before what -----------------------------------------------------===
 *
 * A race is an access that nothing orders after an earlier one to the same memory, of
 * which one writes. Order is kept in clocks, not in time, so a race shows on any seed.
 *
 *   lane    a row of events of one processor: its own, and of each NoC its reads that have
 *           landed, its writes that have departed, increments that are answered, writes that
 *           are acknowledged, and those that reach any one core in order, by the unicast
 *           (where increments go, too) and by the multicast channel
 *   clock   how far each lane of each core is known to have come
 *   stamp   an access: a lane, a number on it, and a line of a kernel
 *
 *===----------------------------------------------------------------------===*/

#ifndef TTEMU_RACE_H
#define TTEMU_RACE_H

#include "emu.h"

typedef enum Lane {
  LANE_MAIN,
  LANE_READ,
  LANE_SENT,
  LANE_ATOMIC,
  LANE_ACKED,
  LANE_UNICAST,
  LANE_MULTICAST,
  LANES_OF_NOC,                       /* without the processor's own: the other NoC's follow */
  MOVER_LANES = 2 * LANES_OF_NOC - 1, /* of a data movement processor; the others have one */
  CORE_LANES = 2 * MOVER_LANES + NUM_RISCS - UNPACK
} Lane;

typedef struct Lanes {
  uint32_t at[CORE_LANES];
} Lanes;

/* Lanes of all cores; shared between clocks, and copied before it changes. */
typedef struct Others {
  uint32_t users;
  Lanes of[];
} Others;

typedef struct Clock Clock;
/* What is known on a core. The entry of the core itself in `others` is not used; NULL is
 * nothing at all. */
struct Clock {
  uint32_t core;
  Lanes own;
  Others *others;
};

typedef struct Stamp {
  uint16_t core;
  uint8_t lane;  /* of the core */
  bool firmware; /* a transfer from or to the firmware's part of L1 */
  uint32_t at, line;
} Stamp;

/*===- clocks.c ---------------------------------------------------------------------------===*/

/* For chips of so many cores. */
void race_clocks_open(uint32_t cores);
Clock race_clock_copy(const Clock *clock);
void race_clock_drop(Clock *clock);
/* Adds what `from` knows. */
void race_clock_learn(Clock *clock, const Clock *from);
/* Adds of each lane the smallest value that clocks with a total weight of `need` or less
 * have: what is certain after any so many of them. */
void race_clock_learn_some(Clock *clock, const Clock *const *from, const uint32_t *weights,
                           size_t n, uint64_t need);
bool race_clock_knows(const Clock *clock, Stamp stamp);
/* The lane of a core that `lane` of a processor is, of its kernel's NoC or of the other one. */
uint8_t race_lane(int role, Lane lane, bool other_noc);
int race_role_of(uint8_t lane);
Lane race_kind_of(uint8_t lane);
bool race_is_other_noc(uint8_t lane);

/*===- shadow.c ---------------------------------------------------------------------------===*/

/* An access to a bank: DRAM of a number, or the L1 of a core. */
typedef struct Access {
  bool dram, write;
  uint32_t bank; /* or a core */
  uint32_t address, bytes;
  Stamp stamp;
  const Clock *clock;                              /* what is known when it is made */
  const Transfer *transfer;                        /* whose bytes it writes, or NULL */
  enum { UNKNOWN, THE_SAME, DIFFERENT } bytes_are; /* than those that others bring; once asked */
} Access;

/* Records an access; an error if there is a race, or a warning if it writes what is there. */
void race_access(Access *access);
/* Whether the bytes that it writes are those that are there, or that other transfers bring. */
bool race_same_bytes(Access *access);
/* What was written there is old, as of pages that were given back, or new once more. */
void race_set_stale(uint32_t core, uint32_t address, uint32_t bytes, bool stale);
typedef enum Freshness { NEVER_WRITTEN, STALE, FRESH } Freshness;
/* The newest that any byte of the range is. */
Freshness race_freshness(uint32_t core, uint32_t address, uint32_t bytes);
void race_shadow_clear(void);
void race_shadow_close(void);

/*===- signals.c --------------------------------------------------------------------------===*/

/* A word of a core's L1 is set, or added to, by who knows `clock`, whose stamp this is. */
void race_word_set(uint32_t core, uint32_t offset, uint32_t value, const Clock *clock, Stamp stamp);
/* The kernel has stored to it through a pointer; its value is in memory. */
void race_word_stored(uint32_t core, uint32_t offset, const Clock *clock, Stamp stamp,
                      bool is_first);
void race_word_add(uint32_t core, uint32_t offset, uint32_t by, const Clock *clock, Stamp stamp);
/* A signal takes its value from the word, until its stamp is known. */
void race_word_sent(uint32_t core, uint32_t offset, Stamp stamp);
/* A processor saw the word at or at least at `value`. */
void race_word_wait(Clock *clock, Stamp stamp, uint32_t offset, uint32_t value, bool at_least);
/* It may have looked at any word. */
void race_words_polled(Clock *clock);
bool race_is_word(uint32_t core, uint32_t offset);
/* Whether its value came by what nothing orders before what `clock` knows; a warning of that. */
bool race_word_is_news(uint32_t core, uint32_t offset, const Clock *clock);
void race_word_loaded(uint32_t core, uint32_t offset, const Clock *clock, Stamp stamp);
void race_words_clear(void);

/* Somebody looks at this word through a pointer until it changes: from here on it is one. */
void race_word_watch(uint32_t core, uint32_t offset);

/*===- pointers.c -------------------------------------------------------------------------===*/

/* What the kernel that runs has loaded and stored by itself is told, before what it knows or what
 * others know of it changes; or was a look at a flag that it waits for. */
void race_pointers_flush(void);
void race_pointers_polled(const Risc *risc);
/* The line of a stamp; of a load or store it has to be looked for. */
uint32_t race_line_of(Stamp stamp);

/*===- pages.c ----------------------------------------------------------------------------===*/

/* What is known of the pages of a core's circular buffers, which it has as they are now. */
typedef struct RacePages RacePages;
RacePages *race_pages_create(const Core *core);
void race_pages_destroy(RacePages *pages, const Core *core);
/* A page is used: an error if nobody has filled it. */
void race_check_page_filled(const Risc *risc, uint32_t index, uint32_t page);
/* A write takes its data from published pages: an error if nobody has filled them. */
void race_check_filled(const Risc *risc, uint32_t l1, uint32_t bytes);

/*===- race.c -----------------------------------------------------------------------------===*/

/* What a processor knows, and what is known of the pages of its core. */
Clock *race_clock_of(const Risc *risc);
RacePages *race_pages_of(const Risc *risc);
/* What comes after is not told. */
void race_step(const Risc *risc);
/* The kernel stored to a semaphore or a flag of its core. */
void race_store_word(const Risc *risc, uint32_t offset, uint32_t line);
/* Whether a load of it sees what may have come earlier or later; a warning of that. */
bool race_sees_news(const Risc *risc, uint32_t offset);
void race_load_word(const Risc *risc, uint32_t offset, uint32_t line);
/* An access of a processor to the L1 of its core, at a line, or at what pointers.c has for one. */
void race_touch_at(const Risc *risc, uint32_t address, uint32_t bytes, bool write, uint32_t line);
/* This access, at `stamp`, and an earlier one. Ends the run, unless it is harmless. */
void race_report(Stamp now, const char *place, const char *this_one, Stamp before,
                 const char *other, const char *advice, bool harmless);

#endif
