/*===- sharing_groups.c - cores that read the same, as rectangles -------------------------------===
 *
 *   0 0 1 1      two groups of 2 x 2, side by side
 *   0 0 1 1
 *
 *   0 0 0 0      all read the same, and are no rectangle: 2 x 3, and, right of the cut, 2 x 2
 *   0 0 0 0
 *   0 0
 *
 *   0 0 1 1 4    four groups of 2 x 2, and, right of the cut, one of 1 x 4
 *   0 0 1 1 4
 *   2 2 3 3 4
 *   2 2 3 3 4
 *
 * Of cores that read the same, those with other columns between them are groups of their own.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/sharing.h"

static const char *const apart = "no two cores beside each other read the same blocks";

typedef struct Group {
  TtCoreBox box;
  int64_t cores;
} Group;

typedef struct Groups {
  const TtCoreTable *table;
  const int64_t *same;
  int64_t num;
  bool columns; /* cores are in the first part where their column, or row, is below `from` */
  int64_t from; /* behind all of them where nothing is cut */
  int64_t *of;  /* for each core, its group */
  Group *data;
  const char *reason;
} Groups;

static bool refuse(Groups *g, const char *reason) {
  g->reason = reason;
  return false;
}

static bool is_in(const Groups *g, int64_t core, int part) {
  const TtCore *at = &g->table->cores[core];
  return ((g->columns ? at->x : at->y) >= g->from) == (part == 1);
}

/* The cores of a part that read the same, by runs of columns beside each other: how many groups
 * that makes. */
static int64_t split_runs(Groups *g, int part) {
  int64_t groups = 0;
  for (int64_t k = 0; k < g->num; ++k) {
    bool column[TT_MAX_SIDE + 1] = {false};
    int64_t run[TT_MAX_SIDE + 1] = {0};
    for (int64_t c = 0; c < g->table->n; ++c)
      if (g->same[c] == k && is_in(g, c, part) && g->table->cores[c].x < TT_MAX_SIDE)
        column[g->table->cores[c].x] = true;
    for (int x = 0; x < TT_MAX_SIDE; ++x) {
      run[x] = groups;
      if (column[x] && !column[x + 1]) ++groups;
    }
    for (int64_t c = 0; c < g->table->n; ++c)
      if (g->same[c] == k && is_in(g, c, part))
        g->of[c] = g->table->cores[c].x < TT_MAX_SIDE ? run[g->table->cores[c].x] : 0;
  }
  return groups;
}

static void add_core(TtCoreBox *box, int64_t before, TtCore core) {
  if (before == 0) box->first = box->last = core;
  if (core.x < box->first.x) box->first.x = core.x;
  if (core.y < box->first.y) box->first.y = core.y;
  if (core.x > box->last.x) box->last.x = core.x;
  if (core.y > box->last.y) box->last.y = core.y;
}

static int64_t width_of(const TtCoreBox *b) { return b->last.x - b->first.x + 1; }
static int64_t height_of(const TtCoreBox *b) { return b->last.y - b->first.y + 1; }

static bool check_groups(Groups *g, int64_t n, TtSharingPart *p) {
  int64_t width = width_of(&g->data[0].box), height = height_of(&g->data[0].box);
  for (int64_t i = 0; i < n; ++i) {
    const Group *group = &g->data[i];
    int64_t w = width_of(&group->box), h = height_of(&group->box);
    if (group->cores != w * h)
      return refuse(g, n == 1 ? "the cores that read the same are no rectangle, and not two"
                              : "the cores that read the same are no rectangle");
    if (w != width || h != height)
      return refuse(g, "not as many cores read each of its blocks; choose a grid that fills the "
                       "cores evenly");
    if ((group->box.first.x - p->box.first.x) % width != 0 ||
        (group->box.first.y - p->box.first.y) % height != 0)
      return refuse(g, "the cores that read the same do not lie side by side");
  }
  p->width = width, p->height = height;
  return true;
}

static bool find_part(Groups *g, int part, TtSharingPart *p) {
  int64_t n = split_runs(g, part);
  *p = (TtSharingPart){.cores = 0};
  for (int64_t i = 0; i < n; ++i) g->data[i] = (Group){.cores = 0};
  for (int64_t c = 0; c < g->table->n; ++c) {
    if (!is_in(g, c, part)) continue;
    Group *group = &g->data[g->of[c]];
    add_core(&group->box, group->cores++, g->table->cores[c]);
    add_core(&p->box, p->cores++, g->table->cores[c]);
  }
  if (n == 0 || n == p->cores) return refuse(g, apart);
  return check_groups(g, n, p);
}

static bool find_parts(Groups *g, TtSharing *out) {
  for (int i = 0; i < out->num_parts; ++i) {
    TtSharingPart *p = &out->parts[i];
    if (!find_part(g, i, p)) return false;
    if (p->width > out->width) out->width = p->width;
    if (p->height > out->height) out->height = p->height;
  }
  return true;
}

/* All cores are one part: none is behind the cut. */
static bool find_whole(Groups *g, TtSharing *out) {
  g->columns = true, g->from = TT_MAX_SIDE + 1;
  out->num_parts = 1;
  return find_parts(g, out);
}

static bool find_cut(Groups *g, TtSharing *out) {
  const char *reason = g->reason;
  out->num_parts = 2;
  for (int columns = 0; columns < 2; ++columns)
    for (int64_t from = 1; from < TT_MAX_SIDE; ++from) {
      g->columns = out->columns = columns == 1, g->from = out->from = from;
      out->width = out->height = 0;
      if (find_parts(g, out)) return true;
    }
  out->num_parts = 0;
  return refuse(g, reason);
}

TtSharing tt_group_cores(TtArena *arena, const TtCoreTable *table, const int64_t *same,
                         int64_t num) {
  size_t n = (size_t)table->n;
  TtSharing out = {.same = same, .cores = table->cores, .n = table->n};
  Groups g = {.table = table,
              .same = same,
              .num = num,
              .of = tt_arena_alloc(arena, (n + 1) * sizeof *g.of),
              .data = tt_arena_alloc(arena, (n + 1) * sizeof *g.data)};
  if (n < 2) out.reason = n == 0 ? "it runs on no core" : "one core alone reads it";
  else if (!find_whole(&g, &out)) {
    out.apart = g.reason == apart;
    if (out.apart || !find_cut(&g, &out)) out.reason = g.reason;
  }
  return out;
}

int64_t tt_sharing_groups(const TtSharing *s) {
  int64_t groups = 0;
  for (int i = 0; i < s->num_parts; ++i)
    groups += s->parts[i].cores / (s->parts[i].width * s->parts[i].height);
  return groups;
}

int64_t tt_sharing_hops(const TtSharing *s) {
  int64_t most = 0;
  for (int i = 0; i < s->num_parts; ++i) {
    int64_t hops = s->parts[i].width + s->parts[i].height - 2;
    if (hops > most) most = hops;
  }
  return most;
}

TtSharing tt_without_sharing(const TtCoreTable *table) {
  return (TtSharing){.parts[0] = {.cores = table->n, .width = 1, .height = 1},
                     .num_parts = 1,
                     .width = 1,
                     .height = 1,
                     .cores = table->cores,
                     .n = table->n};
}
