/*===- protocol_network.c - cores that are alike, and which send to which -----------------===
 *
 *   S R R R      S sends to the others of its row: two classes, whatever the number of rows
 *   S R R R      and of columns
 *
 * Cores are of one class if no step can tell them apart: their kernels are the same, and so are the
 * arguments that steps depend on; those that they send to are of the same classes, and as many of
 * each; and so are those that send to them. Where all of a class do the same at the same time, the
 * run of one of them is that of each.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/target.h"
#include "Verify/protocol.h"

#include <limits.h>
#include <string.h>

/* What a link of a core names: a rectangle of cores. */
typedef struct TtLinkTarget {
  int64_t x0, y0, x1, y1;
  bool live; /* the core may get there */
} TtLinkTarget;

/*===- Targets ---------------------------------------------------------------------------===*/

static TtLinkTarget *target_of(const TtNetwork *n, int link, int64_t core) {
  return &n->targets[(int64_t)link * n->cores->n + core];
}

static bool contains(const TtLinkTarget *t, const TtProtocolCore *core) {
  return core->x >= t->x0 && core->x <= t->x1 && core->y >= t->y0 && core->y <= t->y1;
}

static bool on_grid(const TtNetwork *n, int64_t x, int64_t y) {
  return x >= 0 && x < n->width && y >= 0 && y < n->height;
}

static int64_t core_at(const TtNetwork *n, int64_t x, int64_t y) {
  return on_grid(n, x, y) ? n->core_at[y * n->width + x] : -1;
}

static bool check_rectangle(const TtNetwork *n, const TtStep *s, const TtLinkTarget *t) {
  if (!on_grid(n, t->x0, t->y0) || !on_grid(n, t->x1, t->y1))
    return tt_error(s->op, "[rule 17] this goes to a place that is no worker core; take the "
                           "coordinates of tt.worker_core, which the host converts");
  return (t->x0 <= t->x1 && t->y0 <= t->y1) ||
         tt_error(s->op,
                  "[rule 18] the rectangle goes from core (%jd, %jd) to core (%jd, %jd); put the "
                  "least corner first: NoC 1 swaps them by itself",
                  (intmax_t)t->x0, (intmax_t)t->y0, (intmax_t)t->x1, (intmax_t)t->y1);
}

static bool has(const TtNetwork *n, int64_t core, bool semaphore, int which) {
  const TtProtocolCore *c = core < 0 ? NULL : &n->cores->cores[core];
  return c && ((semaphore ? c->semaphores : c->cbs) >> which & 1);
}

/* Bytes before a circular buffer on a core, of those that the core has. */
static int64_t cb_address(const TtNetwork *n, int cb, int64_t core) {
  int64_t at = 0;
  for (int i = 0; i < cb; ++i)
    if (!n->p->cbs[i].bound && has(n, core, false, i))
      at += n->p->cbs[i].pages * n->p->cbs[i].page_bytes;
  return at;
}

/* All that is sent to has what is sent: the semaphore, or the circular buffer at one address. */
static bool check_receivers(const TtNetwork *n, const TtStep *s, const TtLinkTarget *t,
                            int64_t core, bool loopback) {
  const TtProtocolCore *self = &n->cores->cores[core];
  for (int64_t y = t->y0; y <= t->y1; ++y)
    for (int64_t x = t->x0; x <= t->x1; ++x) {
      int64_t there = core_at(n, x, y);
      if (x == self->x && y == self->y && !loopback) continue;
      if (s->semaphore >= 0 && !has(n, there, true, s->semaphore))
        return tt_error(s->op, "[rule 18] core (%jd, %jd) has no semaphore @%s", (intmax_t)x,
                        (intmax_t)y, n->p->semaphores[s->semaphore].name);
      if (s->kind != TT_STEP_SEND && s->kind != TT_STEP_FETCH) continue;
      const TtProtocolCB *cb = &n->p->cbs[s->cb[1]];
      if (!has(n, there, false, s->cb[1]))
        return tt_error(s->op, "[rule 8] core (%jd, %jd) has no circular buffer @%s", (intmax_t)x,
                        (intmax_t)y, cb->name);
      int64_t here = cb_address(n, s->cb[1], core), other = cb_address(n, s->cb[1], there);
      if (here != other)
        return tt_error(s->op,
                        "[rule 8] @%s starts %jd bytes into the circular buffers on core (%jd, "
                        "%jd), and %jd on core (%jd, %jd), but one address is for both; put the "
                        "circular buffers that both have first, in one order",
                        cb->name, (intmax_t)here, (intmax_t)self->x, (intmax_t)self->y,
                        (intmax_t)other, (intmax_t)x, (intmax_t)y);
    }
  return true;
}

static bool find_target(const TtNetwork *n, const TtKnown *v, const TtStep *s, int64_t core) {
  TtLinkTarget *t = target_of(n, s->link, core);
  int64_t corner[4] = {0};
  bool known = true, one = s->corner[2] < 0;
  for (int i = 0; i < (one ? 2 : 4); ++i) {
    known &= v->known[s->corner[i]];
    corner[i] = v->values[s->corner[i]] - TT_NOC_ORIGIN;
  }
  if (!known)
    return tt_error(s->op, "cannot prove the protocol: which core this goes to depends on a loop's "
                           "variable; it may depend on runtime arguments");
  *t = (TtLinkTarget){corner[0], corner[1], corner[one ? 0 : 2], corner[one ? 1 : 3], true};
  n->loopback[s->link] = one || s->loopback;
  return check_rectangle(n, s, t) && check_receivers(n, s, t, core, one || s->loopback);
}

/* The links of a process that a core may get to: branches that its arguments close are left out. */
static bool find_targets(const TtNetwork *n, TtArena *arena, const TtKnown *v, const TtSteps *steps,
                         int64_t core) {
  bool *taken = tt_arena_alloc(arena, (size_t)steps->n + 1);
  int depth = 0;
  for (int i = 0; i < steps->n; ++i) {
    const TtStep *s = &steps->data[i];
    if (s->kind == TT_STEP_IF) {
      bool known = v->known[s->index[0]], yes = v->values[s->index[0]] != 0;
      taken[depth++] = known && yes;
      if (known && !yes) i = s->target - 1;
    } else if (s->kind == TT_STEP_ELSE) {
      if (taken[depth - 1]) i = s->target - 1;
    } else if (s->kind == TT_STEP_END_IF) {
      --depth;
    } else if (s->kind == TT_STEP_FOR) {
      bool known = v->known[s->index[0]] && v->known[s->index[1]];
      if (known && v->values[s->index[0]] >= v->values[s->index[1]]) i = s->target - 1;
    } else if (s->link >= 0 && !find_target(n, v, s, core)) {
      return false;
    }
  }
  return true;
}

bool tt_network_build(TtNetwork *n, const TtProtocol *p, const TtCoreArgs *cores) {
  TtLinkTarget *targets =
      tt_arena_alloc(p->arena, ((size_t)p->num_links * (size_t)cores->n + 1) * sizeof *targets);
  TtTarget chip = tt_target_of(p->program);
  *n = (TtNetwork){
      .p = p, .cores = cores, .targets = targets, .width = chip.grid_x, .height = chip.grid_y};
  n->orders = tt_fetch_orders(p);
  n->loopback = tt_arena_alloc(p->arena, (size_t)p->num_links + 1);
  tt_find_known(n);
  n->core_at = tt_arena_alloc(p->arena, (size_t)(n->width * n->height) * sizeof *n->core_at);
  for (int64_t i = 0; i < n->width * n->height; ++i) n->core_at[i] = -1;
  for (int64_t c = 0; c < cores->n; ++c)
    if (on_grid(n, cores->cores[c].x, cores->cores[c].y))
      n->core_at[cores->cores[c].y * n->width + cores->cores[c].x] = c;
  for (int64_t c = 0; p->num_links > 0 && c < cores->n; ++c)
    for (int role = 0; role < TT_KERNEL_ROLE_COUNT; ++role) {
      int k = cores->cores[c].kernels[role];
      int mover = role == TT_KERNEL_ROLE_READER ? TT_READER : TT_WRITER;
      if (k < 0 || role == TT_KERNEL_ROLE_COMPUTE) continue;
      TtArena *scratch = tt_arena_create();
      bool ok = find_targets(n, scratch, tt_known_on(n, c, role), &p->kernels[k].steps[mover], c);
      tt_arena_destroy(scratch);
      if (!ok) return false;
    }
  return true;
}

bool tt_network_takes(const TtNetwork *n, int link, int64_t core) {
  return target_of(n, link, core)->live;
}

int64_t tt_network_dests(const TtNetwork *n, int link, int64_t core, bool loopback) {
  const TtLinkTarget *t = target_of(n, link, core);
  int64_t all = (t->x1 - t->x0 + 1) * (t->y1 - t->y0 + 1);
  return all - (!loopback && contains(t, &n->cores->cores[core]));
}

/*===- Classes ---------------------------------------------------------------------------===*/

/* Tells cores apart by those that they send to, and that send to them. */
static void look_around(const TtNetwork *n, const uint64_t *color, uint64_t *next) {
  for (int64_t c = 0; c < n->cores->n; ++c) next[c] = tt_mix(color[c], 0);
  for (int l = 0; l < n->p->num_links; ++l)
    for (int64_t c = 0; c < n->cores->n; ++c) {
      const TtLinkTarget *t = target_of(n, l, c);
      uint64_t out = 0;
      for (int64_t y = t->y0; t->live && y <= t->y1; ++y)
        for (int64_t x = t->x0; x <= t->x1; ++x) {
          int64_t there = core_at(n, x, y);
          if (there < 0) continue;
          out += tt_mix(color[there], (uint64_t)(there == c) + 1);
          next[there] += tt_mix(tt_mix((uint64_t)l, color[c]), (uint64_t)(there == c) + 3);
        }
      next[c] += tt_mix(tt_mix((uint64_t)l, t->live), out);
    }
}

static int number_of(uint64_t *colors, int *n, uint64_t color) {
  int i = 0;
  while (i < *n && colors[i] != color) ++i;
  if (i == *n) colors[(*n)++] = color;
  return i;
}

static int count_colors(const TtNetwork *n, const uint64_t *color, uint64_t *list) {
  int count = 0;
  for (int64_t c = 0; c < n->cores->n; ++c) number_of(list, &count, color[c]);
  return count;
}

/* Of one link: from each class to a core of each other, in n * n numbers. */
static void count_link(const TtNetwork *n, int link, const int *class_of, const TtPartition *p,
                       int *counts) {
  for (int64_t c = 0; c < n->cores->n; ++c) {
    const TtLinkTarget *t = target_of(n, link, c);
    for (int64_t y = t->y0; t->live && y <= t->y1; ++y)
      for (int64_t x = t->x0; x <= t->x1; ++x) {
        int64_t there = core_at(n, x, y);
        if (there < 0 || p->classes[class_of[there]].core != there) continue;
        if (there != c || n->loopback[link]) ++counts[class_of[c] * p->n + class_of[there]];
      }
  }
}

static void count_hits(const TtNetwork *n, TtArena *arena, const int *class_of, TtPartition *p) {
  size_t links = (size_t)n->p->num_links, classes = (size_t)p->n, total = 0;
  int *counts = tt_arena_alloc(arena, (classes * classes + 1) * sizeof *counts);
  size_t capacity = links * classes + 16;
  p->first = tt_arena_alloc(arena, (links * classes + 1) * sizeof *p->first);
  p->hits = tt_arena_alloc(arena, capacity * sizeof *p->hits);
  for (size_t l = 0; l < links; ++l) {
    memset(counts, 0, classes * classes * sizeof *counts);
    count_link(n, (int)l, class_of, p, counts);
    for (size_t i = 0; i < classes * classes; ++i) {
      if (i % classes == 0) p->first[l * classes + i / classes] = (int)total;
      if (counts[i] == 0) continue;
      if (total == capacity) {
        TtHit *more = tt_arena_alloc(arena, 2 * capacity * sizeof *more);
        memcpy(more, p->hits, capacity * sizeof *more);
        p->hits = more, capacity *= 2;
      }
      p->hits[total++] = (TtHit){(int)(i % classes), counts[i]};
    }
  }
  p->first[links * classes] = (int)total;
}

/* Tells cores apart by those around them, `rounds` cores away at most, and gives each a number. */
static TtPartition classes_within(const TtNetwork *n, TtArena *arena, int64_t alone, int rounds) {
  size_t cores = (size_t)n->cores->n;
  uint64_t *color = tt_arena_alloc(arena, (cores + 1) * sizeof *color),
           *next = tt_arena_alloc(arena, (cores + 1) * sizeof *next),
           *list = tt_arena_alloc(arena, (cores + 1) * sizeof *list);
  int *class_of = tt_arena_alloc(arena, (cores + 1) * sizeof *class_of);
  for (int64_t c = 0; c < n->cores->n; ++c) color[c] = tt_mix(n->colors[c], c == alone);
  int count = count_colors(n, color, list), before = 0;
  while (n->p->num_links > 0 && count > before && rounds-- > 0) {
    look_around(n, color, next);
    memcpy(color, next, cores * sizeof *color);
    before = count;
    count = count_colors(n, color, list);
  }
  TtPartition out = {.classes = tt_arena_alloc(arena, (cores + 1) * sizeof *out.classes)};
  int numbered = 0;
  for (int64_t c = 0; c < n->cores->n; ++c) {
    class_of[c] = number_of(list, &numbered, color[c]);
    if (class_of[c] >= out.n) out.classes[out.n++].core = c;
    ++out.classes[class_of[c]].members;
  }
  count_hits(n, arena, class_of, &out);
  return out;
}

TtPartition tt_network_classes(const TtNetwork *n, TtArena *arena, int64_t alone) {
  return classes_within(n, arena, alone, INT_MAX);
}

TtPartition tt_network_late(const TtNetwork *n, TtArena *arena) {
  enum { FEW_CLASSES = 64, NEAR = 2 };
  TtPartition all = tt_network_classes(n, arena, -1);
  if (all.n <= FEW_CLASSES || n->p->options.exhaustive) return all;
  return classes_within(n, arena, -1, NEAR);
}
