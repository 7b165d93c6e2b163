/*===- signals.c - what a semaphore tells ----------------------------------------------------===
 *
 * A word of L1 has epochs: each starts with a set and counts increments. Who waits for a
 * value learns what is certain then, whatever else has arrived by chance:
 *
 *   the value that was set    what the setter knew; of several sets in a row that satisfy
 *                             the wait, the first one's
 *   v more than was set       of each lane, the v-th smallest among the increments
 *
 * A set and an increment, or two sets of different values, that are in no order are a
 * race: one of them may be lost. What is forgiven, as nothing was lost, is a set to the value
 * that is there, before increments: many kernels begin by setting what the host has set.
 *
 *===----------------------------------------------------------------------===*/

#include "race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUN = 64 }; /* sets in a row that are kept */

typedef struct Set {
  uint32_t value;
  Clock clock;
} Set;

typedef struct Increment {
  uint32_t by;
  Clock clock;
  Stamp stamp;
} Increment;

typedef struct Word {
  uint32_t offset, value;
  Stamp last_set; /* its `at` is 0 for none */
  Stamp exact;    /* of the last who waited in this epoch for exactly a value; likewise */
  Stamp sent;     /* of the last signal that takes its value from here; likewise */
  bool idle;      /* the last set changed nothing */
  Set *sets;      /* that no increment has followed; the last one is this epoch's */
  uint32_t num_sets;
  Increment *increments;
  uint32_t num_increments, capacity;
} Word;

typedef struct Words {
  Word *data;
  uint32_t n;
} Words;

static Words *words; /* of each core */

static uint32_t num_cores(void) { return emu.chip->grid_x * emu.chip->grid_y; }

static uint32_t read_word(uint32_t core, uint32_t offset) {
  uint32_t value;
  memcpy(&value, emu.l1[core] + offset, sizeof value);
  return value;
}

static Word *find(uint32_t core, uint32_t offset) {
  Words *w = words ? &words[core] : NULL;
  for (uint32_t i = 0; w && i < w->n; ++i)
    if (w->data[i].offset == offset) return &w->data[i];
  return NULL;
}

bool race_is_word(uint32_t core, uint32_t offset) { return find(core, offset) != NULL; }

/* Nothing is known of who gave it the value that it has. */
static void start_over(Word *word, uint32_t core, uint32_t value) {
  for (uint32_t i = 0; i < word->num_sets; ++i) race_clock_drop(&word->sets[i].clock);
  for (uint32_t i = 0; i < word->num_increments; ++i) race_clock_drop(&word->increments[i].clock);
  word->num_increments = 0;
  word->num_sets = 1;
  word->sets[0] = (Set){value, {.core = core}};
  word->last_set = word->exact = (Stamp){.at = 0};
  word->idle = false;
  word->value = value;
}

/* The word, as it was before what happens to it now. */
static Word *word_at(uint32_t core, uint32_t offset) {
  Word *word = find(core, offset);
  if (word) return word;
  if (!words) words = emu_calloc(num_cores(), sizeof *words);
  Words *w = &words[core];
  w->data = realloc(w->data, (w->n + 1) * sizeof *w->data);
  if (!w->data) emu_fatal("out of memory");
  word = &w->data[w->n++];
  *word = (Word){.offset = offset, .sets = emu_calloc(MAX_RUN, sizeof(Set))};
  start_over(word, core, read_word(core, offset));
  return word;
}

void race_word_watch(uint32_t core, uint32_t offset) { word_at(core, offset); }

/* Somebody has changed it in a way that is not seen: what anybody knew counts as known. */
static void follow_memory(Word *word, uint32_t core) {
  uint32_t value = read_word(core, word->offset);
  if (value == word->value) return;
  Clock all = {.core = core};
  for (uint32_t i = 0; i < word->num_sets; ++i) race_clock_learn(&all, &word->sets[i].clock);
  for (uint32_t i = 0; i < word->num_increments; ++i)
    race_clock_learn(&all, &word->increments[i].clock);
  start_over(word, core, value);
  word->sets[0].clock = all;
}

void race_words_clear(void) {
  for (uint32_t c = 0; words && c < num_cores(); ++c) {
    for (uint32_t i = 0; i < words[c].n; ++i) {
      start_over(&words[c].data[i], c, 0);
      free(words[c].data[i].sets);
      free(words[c].data[i].increments);
    }
    free(words[c].data);
  }
  free(words);
  words = NULL;
}

/*===- Sets and increments --------------------------------------------------------------------===*/

static const char lost[] = "one of them may be lost; wait for the first before the second";

static void race(uint32_t core, const Word *word, Stamp now, const char *this_one, Stamp before,
                 const char *other, const char *advice, bool harmless) {
  char place[64];
  uint32_t first = emu_semaphore_offset(0), x = core % emu.chip->grid_x,
           y = core / emu.chip->grid_x;
  if (word->offset >= first && word->offset < first + SEMAPHORE_BYTES)
    snprintf(place, sizeof place, "semaphore %u of core (%u, %u)", (word->offset - first) / 16, x,
             y);
  else
    snprintf(place, sizeof place, "the word at L1 address %u of core (%u, %u)", word->offset, x, y);
  race_report(now, place, this_one, before, other, advice, harmless);
}

/* Its value changes while a signal may still have to read it. */
static void check_sent(uint32_t core, const Word *word, const Clock *clock, Stamp stamp,
                       const char *this_one) {
  if (word->sent.at && !race_clock_knows(clock, word->sent))
    race(core, word, stamp, this_one, word->sent, "a signal that takes its value from it",
         "put noc_async_writes_flushed between them", false);
}

void race_word_sent(uint32_t core, uint32_t offset, Stamp stamp) {
  word_at(core, offset)->sent = stamp;
}

static void check_increments(uint32_t core, const Word *word, const Clock *clock, Stamp stamp) {
  for (uint32_t i = 0; i < word->num_increments; ++i)
    if (!race_clock_knows(clock, word->increments[i].stamp))
      race(core, word, stamp, "a set", word->increments[i].stamp, "an increment", lost, false);
}

static void set(Word *word, uint32_t core, uint32_t value, const Clock *clock, Stamp stamp) {
  check_increments(core, word, clock, stamp);
  bool same_pipe = word->last_set.core == stamp.core && word->last_set.lane == stamp.lane;
  if (word->last_set.at && !same_pipe && value != word->value &&
      !race_clock_knows(clock, word->last_set))
    race(core, word, stamp, "a set", word->last_set, "a set to another value", lost, false);
  word->idle = value == word->value;
  if (!word->idle) check_sent(core, word, clock, stamp, "a set to another value");
  if (word->num_increments || word->num_sets == MAX_RUN) start_over(word, core, value);
  else ++word->num_sets;
  Set *latest = &word->sets[word->num_sets - 1];
  *latest = (Set){value, race_clock_copy(clock)};
  word->value = value, word->last_set = stamp, word->exact.at = 0;
}

void race_word_set(uint32_t core, uint32_t offset, uint32_t value, const Clock *clock,
                   Stamp stamp) {
  Word *word = word_at(core, offset);
  follow_memory(word, core);
  set(word, core, value, clock, stamp);
}

void race_word_stored(uint32_t core, uint32_t offset, const Clock *clock, Stamp stamp,
                      bool is_first) {
  Word *word = find(core, offset);
  uint32_t value = read_word(core, offset);
  if (word && value == word->value) { /* maybe a count to which both have added the same */
    check_increments(core, word, clock, stamp);
    return;
  }
  Word *stored = word ? word : word_at(core, offset);
  set(stored, core, value, clock, stamp);
  if (!word) stored->idle = is_first; /* memory does not tell any more what was there */
}

void race_word_add(uint32_t core, uint32_t offset, uint32_t by, const Clock *clock, Stamp stamp) {
  Word *word = word_at(core, offset);
  follow_memory(word, core);
  bool same_pipe = word->last_set.core == stamp.core && word->last_set.lane == stamp.lane;
  if (word->last_set.at && !same_pipe && !race_clock_knows(clock, word->last_set))
    race(core, word, stamp, "an increment", word->last_set, "a set", lost, word->idle);
  check_sent(core, word, clock, stamp, "an increment");
  bool own = word->exact.core == stamp.core && word->exact.lane == stamp.lane;
  if (word->exact.at && !own && !race_clock_knows(clock, word->exact))
    race(core, word, stamp, "an increment", word->exact, "a wait for exactly what it was then",
         "had it come before, the wait would never end; wait for all that is added", false);
  if (word->num_increments == word->capacity) {
    word->capacity = word->capacity ? 2 * word->capacity : 8;
    word->increments = realloc(word->increments, word->capacity * sizeof *word->increments);
    if (!word->increments) emu_fatal("out of memory");
  }
  word->increments[word->num_increments++] = (Increment){by, race_clock_copy(clock), stamp};
  word->value += by;
}

/*===- Loads --------------------------------------------------------------------------------===*/

/* The set or increment that `clock` does not know, or NULL. */
static const Stamp *news_of(Word *word, uint32_t core, const Clock *clock, const char **what) {
  follow_memory(word, core);
  bool again = word->num_sets > 1 && word->sets[word->num_sets - 2].value == word->value;
  *what = "a set";
  if (word->last_set.at && !again && !race_clock_knows(clock, word->last_set))
    return &word->last_set;
  *what = "an increment";
  for (uint32_t i = 0; i < word->num_increments; ++i)
    if (!race_clock_knows(clock, word->increments[i].stamp)) return &word->increments[i].stamp;
  return NULL;
}

bool race_word_is_news(uint32_t core, uint32_t offset, const Clock *clock) {
  const char *what;
  Word *word = find(core, offset);
  return word && news_of(word, core, clock, &what);
}

/* The chip gives what is there by then, or, where loads are cached, what was there before. */
void race_word_loaded(uint32_t core, uint32_t offset, const Clock *clock, Stamp stamp) {
  const char *what;
  Word *word = find(core, offset);
  const Stamp *news = word ? news_of(word, core, clock, &what) : NULL;
  if (news)
    race(core, word, stamp, "a load", *news, what,
         "what it sees is a matter of time; wait for the value, or call invalidate_l1_cache before "
         "each look",
         true);
}

/*===- Waits ------------------------------------------------------------------------------===*/

static bool satisfies(uint32_t value, uint32_t wanted, bool at_least) {
  return at_least ? value >= wanted : value == wanted;
}

static void learn_increments(Clock *clock, const Word *word, uint64_t need) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < word->num_increments; ++i) all += word->increments[i].by;
  if (all <= need) {
    for (uint32_t i = 0; i < word->num_increments; ++i)
      race_clock_learn(clock, &word->increments[i].clock);
    return;
  }
  const Clock **from = emu_calloc(word->num_increments, sizeof *from);
  uint32_t *weights = emu_calloc(word->num_increments, sizeof *weights);
  for (uint32_t i = 0; i < word->num_increments; ++i)
    from[i] = &word->increments[i].clock, weights[i] = word->increments[i].by;
  race_clock_learn_some(clock, from, weights, word->num_increments, need);
  free(from), free(weights);
}

/* What this waiter knows already needs no counting again: it becomes a part of the set. */
static void fold_known(const Clock *clock, Word *word) {
  Set *set = &word->sets[word->num_sets - 1];
  uint32_t left = 0;
  for (uint32_t i = 0; i < word->num_increments; ++i) {
    Increment *inc = &word->increments[i];
    if (race_clock_knows(clock, inc->stamp)) {
      set->value += inc->by;
      race_clock_learn(&set->clock, &inc->clock);
      race_clock_drop(&inc->clock);
    } else {
      word->increments[left++] = *inc;
    }
  }
  if (left == word->num_increments) return;
  word->num_increments = left;
  for (uint32_t i = 0; i + 1 < word->num_sets; ++i) race_clock_drop(&word->sets[i].clock);
  word->sets[0] = *set;
  word->num_sets = 1;
}

void race_word_wait(Clock *clock, Stamp stamp, uint32_t offset, uint32_t value, bool at_least) {
  Word *word = word_at(clock->core, offset);
  follow_memory(word, clock->core);
  if (!at_least) word->exact = stamp;
  uint32_t last = word->num_sets - 1;
  if (satisfies(word->sets[last].value, value, at_least)) {
    while (last > 0 && satisfies(word->sets[last - 1].value, value, at_least)) --last;
    race_clock_learn(clock, &word->sets[last].clock);
    return;
  }
  race_clock_learn(clock, &word->sets[last].clock);
  learn_increments(clock, word, (uint64_t)value - word->sets[last].value);
  fold_known(clock, word);
}

void race_words_polled(Clock *clock) {
  Words *w = words ? &words[clock->core] : NULL;
  for (uint32_t i = 0; w && i < w->n; ++i) {
    Word *word = &w->data[i];
    follow_memory(word, clock->core);
    race_clock_learn(clock, &word->sets[word->num_sets - 1].clock);
    for (uint32_t k = 0; k < word->num_increments; ++k)
      race_clock_learn(clock, &word->increments[k].clock);
  }
}
