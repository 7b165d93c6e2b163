/*===- pointers.c - loads and stores of kernels ----------------------------------------------===
 *
 * Kernels that move data are compiled as for ThreadSanitizer, whose entry points are here: the
 * compiler calls one before each load and store of memory that others may see. What lies in L1
 * goes to the race detector, all else is let pass.
 *
 *   words[i] = 0;   for i < 512     one store, of 2048 bytes: what is next to each other is one
 *                                   access, until the kernel calls the API
 *   while (*flag != 1) poll();      a look at a flag, which whatever sets it may do meanwhile
 *
 * Semaphores are no data: a store sets them, a load tells nothing, and what it sees may be a matter
 * of time. Nor are flags, but that a load that is no such look may meet a word that another core
 * sends at the same time. A loop that looks at one place again and again without a call of the API
 * waits for it: others go on, unless this chip's loads come from a cache, where it never ends.
 * Where an access is in the source is found when it has to be told.
 *
 *===----------------------------------------------------------------------===*/

#include "race.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stamps say a line, or with this bit a place of this list. */
enum { IS_PLACE = 1 << 30, FLAG_BYTES = 16 };

typedef struct Code {
  const void *code;
  uint32_t line; /* of the call of the API before it */
} Code;

static struct {
  Code *data;
  uint32_t n, capacity;
} places;

typedef struct Bytes {
  uint32_t start, end; /* both 0 for none */
  const void *code;
} Bytes;

/* What the kernel that runs has loaded and stored since it called the API. */
static struct {
  const Risc *risc;
  Bytes loads, stores;
  bool news; /* a load saw a word that may as well have come later */
} pending;

/*===- Places -------------------------------------------------------------------------------===*/

static uint32_t number_of(const void *code, uint32_t line) {
  for (uint32_t i = 0; i < places.n; ++i)
    if (places.data[i].code == code && places.data[i].line == line) return i;
  if (places.n == places.capacity) {
    places.capacity = places.capacity ? 2 * places.capacity : 16;
    places.data = realloc(places.data, places.capacity * sizeof *places.data);
    if (!places.data) emu_fatal("out of memory");
  }
  places.data[places.n] = (Code){code, line};
  return places.n++;
}

static const char *file_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The line of a kernel that a place in its code comes from, as binutils know it; or 0. */
static uint32_t source_line(const void *code, const char *kernel) {
  char command[4096 + 64], text[4096];
  Dl_info library;
  uint32_t line = 0;
  if (!dladdr((void *)(uintptr_t)code, &library) || strchr(library.dli_fname, '\'')) return 0;
  snprintf(command, sizeof command, "addr2line -i -e '%s' 0x%zx 2>/dev/null", library.dli_fname,
           (size_t)((const char *)code - 1 - (const char *)library.dli_fbase));
  FILE *found = popen(command, "r");
  while (found && line == 0 && fgets(text, sizeof text, found)) {
    char *colon = strrchr(text, ':');
    if (!colon) continue;
    *colon = '\0';
    if (strcmp(file_of(text), file_of(kernel)) == 0) line = (uint32_t)strtoul(colon + 1, NULL, 10);
  }
  if (found) pclose(found);
  return line;
}

uint32_t race_line_of(Stamp stamp) {
  if (!(stamp.line & IS_PLACE)) return stamp.line;
  const Code *place = &places.data[stamp.line & ~(uint32_t)IS_PLACE];
  const Risc *risc = &emu.program->cores[stamp.core]->riscs[race_role_of(stamp.lane)];
  uint32_t line = source_line(place->code, risc->kernel->path);
  return line ? line : place->line;
}

/*===- Ranges -------------------------------------------------------------------------------===*/

static uint32_t index_of(const Core *core) { return core->y * emu.chip->grid_x + core->x; }

static void tell(const Risc *risc, Bytes *range, bool store) {
  Bytes r = *range;
  *range = (Bytes){0, 0, NULL};
  if (r.end == 0) return;
  const bool semaphore = r.start < emu.chip->l1_base;
  const bool flag =
      r.end - r.start <= FLAG_BYTES && race_is_word(index_of(risc->core), r.start / 4 * 4);
  const uint32_t place = number_of(r.code, risc->line) | (uint32_t)IS_PLACE;
  if (!semaphore && (!store || !flag)) {
    race_touch_at(risc, r.start, r.end - r.start, store, place);
    if (store || !flag) return;
  }
  if (!store && !pending.news) return;
  for (uint32_t at = r.start / 4 * 4; at < r.end; at += 4)
    (store ? race_store_word : race_load_word)(risc, at, place);
  if (!store) pending.news = false;
}

void race_pointers_flush(void) {
  if (!pending.risc) return;
  tell(pending.risc, &pending.loads, false);
  tell(pending.risc, &pending.stores, true);
  pending.risc = NULL;
}

void race_pointers_polled(const Risc *risc) {
  Bytes *loads = &pending.loads;
  if (pending.risc == risc && loads->end - loads->start <= FLAG_BYTES) {
    for (uint32_t at = loads->start / 4 * 4; at < loads->end; at += 4)
      race_word_watch(index_of(risc->core), at);
    *loads = (Bytes){0, 0, NULL};
    pending.news = false;
  }
  race_pointers_flush();
}

static void note(const Risc *risc, uint32_t start, uint32_t end, bool store, const void *code) {
  if (pending.risc != risc) race_pointers_flush();
  pending.risc = risc;
  Bytes *r = store ? &pending.stores : &pending.loads;
  bool news = !store && end - start <= FLAG_BYTES && race_sees_news(risc, start / 4 * 4);
  if (r->end && start <= r->end && end >= r->start) { /* beside it, or inside */
    if (start < r->start) r->start = start;
    if (end > r->end) r->end = end;
    pending.news |= news;
    return;
  }
  tell(risc, r, store);
  *r = (Bytes){start, end, code};
  pending.news |= news;
}

/* Looks at one place, one after the other, of a loop that waits; and of one that waits forever. */
enum { LOOKS = 1000, TOO_MANY_LOOKS = 1000000 };

/* How often the kernel has looked at what it looks at now, and at nothing else. */
static struct {
  const Risc *risc;
  const void *code;
  uint64_t resumes;
  uint32_t offset, n;
} waiting;

static void wait_for_change(const Risc *risc, uint32_t offset, bool store, const void *code) {
  if (store || offset != risc->spins_at) emu.running->spins = 0, emu.running->spins_at = offset;
  bool same = !store && waiting.risc == risc && waiting.code == code && waiting.offset == offset &&
              waiting.resumes == emu.resumes;
  if (!same) {
    waiting.risc = store ? NULL : risc;
    waiting.code = code, waiting.offset = offset, waiting.resumes = emu.resumes, waiting.n = 0;
    return;
  }
  if (++waiting.n < (emu.chip->caches_loads ? TOO_MANY_LOOKS : LOOKS)) return;
  if (emu.chip->caches_loads) {
    uint32_t line = source_line(code, risc->kernel->path);
    emu_error_at(emu.running, line ? line : risc->line, 18,
                 "the kernel looks at L1 address %u without end: loads come from a cache on this "
                 "chip, which keeps what was there; call invalidate_l1_cache before each look",
                 offset);
  }
  ttemu_poll(risc->line);
  waiting.resumes = emu.resumes, waiting.n = LOOKS - 1;
}

/* Places that have loaded what nobody wrote: the line of each is looked for once. */
enum { MOST_HOLLOW = 64 };
static struct {
  const void *code[MOST_HOLLOW];
  size_t n;
} hollow;

static void check_written(const Risc *risc, uint32_t offset, size_t bytes, const void *code) {
  uint32_t at = offset;
  bool word = bytes < 16 && emu_word_unwritten(risc->core->l1, offset);
  if (!word && !emu_find_unwritten(risc->core->l1, offset, (uint32_t)bytes, &at)) return;
  for (size_t i = 0; i < hollow.n; ++i)
    if (hollow.code[i] == code) return;
  if (hollow.n == MOST_HOLLOW) return;
  hollow.code[hollow.n++] = code;
  const uint32_t line = source_line(code, risc->kernel->path);
  emu_warning_at(emu.running, line ? line : risc->line, 22,
                 "L1 address %u is loaded, but nobody has written it", at);
}

/* Halves, words, and pairs of words, which are accessed one by one, are aligned. */
static void check_aligned(const Risc *risc, uint32_t offset, size_t bytes, bool store,
                          const void *code) {
  uint32_t align = bytes > 4 ? 4 : (uint32_t)bytes;
  if (offset % align == 0) return;
  uint32_t line = source_line(code, risc->kernel->path);
  emu_error_at(emu.running, line ? line : risc->line, 17,
               "a %s of %zu bytes at L1 address %u, which is not a multiple of %u",
               store ? "store" : "load", bytes, offset, align);
}

static void check_allotted(const Risc *risc, uint32_t offset, size_t bytes, bool store,
                           const void *code) {
  if (emu_allotted(risc->core, offset, (uint32_t)bytes)) return;
  uint32_t line = source_line(code, risc->kernel->path);
  emu_forgiven_at(emu.running, line ? line : risc->line, 17,
                  "a %s at L1 address %u, which nobody has allotted: it is in no buffer and no "
                  "circular buffer, and other programs may use it",
                  store ? "store" : "load", offset);
}

/* Past the end of a core's L1 there is nothing; here lies the next core's. */
static void check_end(const Risc *risc, uintptr_t address, size_t bytes, bool store,
                      const void *code) {
  uintptr_t first = (uintptr_t)emu.l1[0], own = (uintptr_t)risc->core->l1;
  uintptr_t past = first + (uintptr_t)emu.chip->grid_x * emu.chip->grid_y * L1_WINDOW;
  if (address < first || address >= past) return;
  if (address >= own && address + bytes <= own + emu.chip->l1_size) return;
  uint32_t line = source_line(code, risc->kernel->path);
  if (line) emu.running->line = line;
  emu_error(emu.running, 17, "a %s at %lld from the start of L1, which has %u bytes",
            store ? "store" : "load", (long long)address - (long long)own, emu.chip->l1_size);
}

static void look(const volatile void *at, size_t bytes, bool store, bool aligned,
                 const void *code) {
  uintptr_t address = (uintptr_t)at, below = (uintptr_t)1 << 32;
  const Risc *risc = emu.running;
  if (address >= below || !risc || risc->role >= UNPACK) return;
  check_end(risc, address, bytes, store, code);
  uintptr_t own = (uintptr_t)risc->core->l1;
  uint32_t offset =
      (uint32_t)(address >= own && address < own + L1_WINDOW ? address - own : address);
  if (offset < emu_semaphore_offset(0) || offset + bytes > emu.chip->l1_size) return;
  if (aligned) check_aligned(risc, offset, bytes, store, code);
  check_allotted(risc, offset, bytes, store, code);
  wait_for_change(risc, offset, store, code);
  if (!store) check_written(risc, offset, bytes, code);
  if (emu.races) note(risc, offset, offset + (uint32_t)bytes, store, code);
}

/*===- Entry points ---------------------------------------------------------------------------===*/

/* The names and the arguments are the compiler's. */
#pragma GCC visibility push(default)
#define HERE __builtin_return_address(0)
#define ENTRY(n)                                                                                   \
  void __tsan_read##n(void *at);                                                                   \
  void __tsan_write##n(void *at);                                                                  \
  void __tsan_unaligned_read##n(void *at);                                                         \
  void __tsan_unaligned_write##n(void *at);                                                        \
  void __tsan_volatile_read##n(void *at);                                                          \
  void __tsan_volatile_write##n(void *at);                                                         \
  void __tsan_read##n(void *at) { look(at, n, false, true, HERE); }                                \
  void __tsan_write##n(void *at) { look(at, n, true, true, HERE); }                                \
  void __tsan_unaligned_read##n(void *at) { look(at, n, false, false, HERE); }                     \
  void __tsan_unaligned_write##n(void *at) { look(at, n, true, false, HERE); }                     \
  void __tsan_volatile_read##n(void *at) { look(at, n, false, true, HERE); }                       \
  void __tsan_volatile_write##n(void *at) { look(at, n, true, true, HERE); }

ENTRY(1)
ENTRY(2)
ENTRY(4)
ENTRY(8)
ENTRY(16)

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_vptr_update(void **at, void *value);
void __tsan_vptr_read(void **at);
void __tsan_read_range(void *at, size_t bytes);
void __tsan_write_range(void *at, size_t bytes);
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **at, void *value) { (void)at, (void)value; }
void __tsan_vptr_read(void **at) { (void)at; }
void __tsan_read_range(void *at, size_t bytes) { look(at, bytes, false, false, HERE); }
void __tsan_write_range(void *at, size_t bytes) { look(at, bytes, true, false, HERE); }

/* What kernels call by these names, and what clang makes of it. */
#define COPY(name, function)                                                                       \
  void *name(void *to, const void *from, size_t bytes);                                            \
  void *name(void *to, const void *from, size_t bytes) {                                           \
    look(from, bytes, false, false, HERE), look(to, bytes, true, false, HERE);                     \
    return function(to, from, bytes);                                                              \
  }
#define SET(name)                                                                                  \
  void *name(void *to, int value, size_t bytes);                                                   \
  void *name(void *to, int value, size_t bytes) {                                                  \
    look(to, bytes, true, false, HERE);                                                            \
    return memset(to, value, bytes);                                                               \
  }
COPY(__wrap_memcpy, memcpy)
COPY(__tsan_memcpy, memcpy)
COPY(__wrap_memmove, memmove)
COPY(__tsan_memmove, memmove)
SET(__wrap_memset)
SET(__tsan_memset)

/* Atomic operations order by themselves; kernels on the chip have none across processors. */
#define ATOMIC(n, type)                                                                            \
  type __tsan_atomic##n##_load(const volatile type *at, int order);                                \
  void __tsan_atomic##n##_store(volatile type *at, type value, int order);                         \
  type __tsan_atomic##n##_exchange(volatile type *at, type value, int order);                      \
  type __tsan_atomic##n##_fetch_add(volatile type *at, type value, int order);                     \
  type __tsan_atomic##n##_fetch_sub(volatile type *at, type value, int order);                     \
  type __tsan_atomic##n##_fetch_and(volatile type *at, type value, int order);                     \
  type __tsan_atomic##n##_fetch_or(volatile type *at, type value, int order);                      \
  type __tsan_atomic##n##_fetch_xor(volatile type *at, type value, int order);                     \
  int __tsan_atomic##n##_compare_exchange_strong(volatile type *at, type *old, type value,         \
                                                 int yes, int no);                                 \
  int __tsan_atomic##n##_compare_exchange_weak(volatile type *at, type *old, type value, int yes,  \
                                               int no);                                            \
  type __tsan_atomic##n##_load(const volatile type *at, int order) {                               \
    (void)order;                                                                                   \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  void __tsan_atomic##n##_store(volatile type *at, type value, int order) {                        \
    (void)order;                                                                                   \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                \
  type __tsan_atomic##n##_exchange(volatile type *at, type value, int order) {                     \
    (void)order;                                                                                   \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                       \
  }                                                                                                \
  FETCH(n, type, add)                                                                              \
  FETCH(n, type, sub)                                                                              \
  FETCH(n, type, and)                                                                              \
  FETCH(n, type, or)                                                                               \
  FETCH(n, type, xor)                                                                              \
  SWAP(n, type, strong)                                                                            \
  SWAP(n, type, weak)
#define FETCH(n, type, what)                                                                       \
  type __tsan_atomic##n##_fetch_##what(volatile type *at, type value, int order) {                 \
    (void)order;                                                                                   \
    return __atomic_fetch_##what(at, value, __ATOMIC_SEQ_CST);                                     \
  }
#define SWAP(n, type, how)                                                                         \
  int __tsan_atomic##n##_compare_exchange_##how(volatile type *at, type *old, type value, int yes, \
                                                int no) {                                          \
    (void)yes, (void)no;                                                                           \
    return __atomic_compare_exchange_n(at, old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_thread_fence(int order) {
  (void)order;
  atomic_thread_fence(memory_order_seq_cst);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }
#pragma GCC visibility pop
