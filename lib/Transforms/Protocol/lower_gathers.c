/*===- lower_gathers.c - blocks that the cores of a group give each other ---------------------===
 *
 *   tt.gather_parts %part -> %all apart = 2                              (1 tile, and n)
 * = cb_reserve_back %all, n; cb_wait_front %part, 1
 *   noc_semaphore_inc (each other core of the group, @parts2_there), 1
 *   noc_semaphore_wait @parts2_there, n - 1; noc_semaphore_set @parts2_there, 0
 *   noc_async_read (each core of the group, its %part), to tile q of %all
 *   noc_async_read_barrier; cb_push_back %all, n
 *   noc_semaphore_inc (each other core of the group, @parts2_taken), 1
 *   noc_semaphore_wait @parts2_taken, n - 1; noc_semaphore_set @parts2_taken, 0
 *   cb_pop_front %part, 1
 *
 * Nobody says that the next tile is there before all of its group have said that they took the last
 * one, which they do behind their own waits: a counter is back at 0 before it is added to again. So
 * two semaphores do for all gathers among the same cores. The host gives each core their places.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Protocol/lower_gathers.h"

#include "Analysis/sharing.h"
#include "Dialect/target.h"
#include "Transforms/Protocol/given.h"
#include "Transforms/Protocol/move.h"

/* The cores that a core gathers from, itself first. */
typedef struct Group {
  TtArena *arena;
  MlirOperation program, kernel;
  MlirLocation loc;
  int64_t n, apart;                   /* how many cores, and how far they are from each other */
  bool down;                          /* in a column of the grid */
  MlirValue *along, across;           /* their coordinates on the NoC, in that direction or not */
  MlirValue there, taken;             /* semaphores: the tile is there; it was taken */
  MlirValue *says_there, *says_taken; /* their places on each core */
} Group;

/* A name with the distance of the cores: "parts2_there". */
static const char *name_of(const Group *g, const char *what) {
  return tt_arena_printf(g->arena, "parts%jd_%s", (intmax_t)g->apart, what);
}

static const char *along_name(const Group *g, int64_t core) {
  return tt_arena_printf(g->arena, "%s%jd", name_of(g, g->down ? "y" : "x"), (intmax_t)core);
}

static const char *across_name(const Group *g) { return name_of(g, g->down ? "x" : "y"); }

/* Core (x, y) is in the group of those at x - i * apart + q * apart, y, where it is the i-th, or at
 * as many rows. Each begins with itself and goes on to its right, or down, so that they do not all
 * read from the same one. */
static void give_places(const Group *g) {
  MlirOperation op = tt_program_core_args(g->program);
  TtBuilder b = tt_builder_before(mlirBlockGetTerminator(tt_body(op)));
  MlirValue x = mlirBlockGetArgument(tt_body(op), 0), y = mlirBlockGetArgument(tt_body(op), 1),
            at = g->down ? y : x, n = tt_index(&b, g->loc, g->n),
            apart = tt_index(&b, g->loc, g->apart),
            own = tt_rem(&b, g->loc, tt_div(&b, g->loc, at, apart), n),
            first = tt_sub(&b, g->loc, at, tt_mul(&b, g->loc, own, apart));
  size_t size = (size_t)g->n + 1;
  MlirValue *values = tt_arena_alloc(g->arena, size * sizeof *values);
  const char **names = tt_arena_alloc(g->arena, size * sizeof *names);
  for (int64_t q = 0; q < g->n; ++q) {
    MlirValue number = tt_rem(&b, g->loc, tt_add(&b, g->loc, own, tt_index(&b, g->loc, q)), n),
              to = tt_add(&b, g->loc, first, tt_mul(&b, g->loc, number, apart));
    MlirOperation place = tt_worker_core_create(&b, g->loc, g->down ? x : to, g->down ? to : y);
    values[q] = mlirOperationGetResult(place, g->down), names[q] = along_name(g, q);
    values[g->n] = mlirOperationGetResult(place, !g->down), names[g->n] = across_name(g);
  }
  tt_give_cores(g->arena, g->program, g->n + 1, names, values);
}

static MlirValue *places_of(const Group *g, TtBuilder *b, MlirValue l1) {
  MlirValue *places = tt_arena_alloc(g->arena, (size_t)g->n * sizeof *places);
  for (int64_t q = 0; q < g->n; ++q)
    places[q] = mlirOperationGetResult(
        metalium_get_noc_addr_create(b, g->loc, g->down ? g->across : g->along[q],
                                     g->down ? g->along[q] : g->across, l1),
        0);
  return places;
}

static void prepare(Group *g) {
  give_places(g);
  TtBuilder top = tt_top_of_kernel(g->kernel);
  g->along = tt_arena_alloc(g->arena, (size_t)g->n * sizeof *g->along);
  for (int64_t q = 0; q < g->n; ++q) g->along[q] = tt_take_given(&top, g->loc, along_name(g, q));
  g->across = tt_take_given(&top, g->loc, across_name(g));
  g->there = tt_add_semaphore(g->program, g->kernel, &top, g->loc, name_of(g, "there"));
  g->taken = tt_add_semaphore(g->program, g->kernel, &top, g->loc, name_of(g, "taken"));
  g->says_there = places_of(g, &top, g->there), g->says_taken = places_of(g, &top, g->taken);
}

/* All cores of the group tell each other, and wait for that. */
static void meet(const Group *g, TtBuilder *b, MlirLocation loc, const MlirValue *places,
                 MlirValue semaphore) {
  for (int64_t q = 1; q < g->n; ++q)
    metalium_noc_semaphore_inc_create(b, loc, places[q], tt_index(b, loc, 1));
  metalium_noc_semaphore_wait_create(b, loc, semaphore, tt_index(b, loc, g->n - 1));
  metalium_noc_semaphore_set_create(b, loc, semaphore, tt_index(b, loc, 0));
}

static MlirValue named(const Group *g, MlirOperation op, MlirValue cb, const char *suffix) {
  tt_name_hint(op, tt_arena_printf(g->arena, "%s_%s", tt_handle_name(g->arena, cb), suffix));
  return mlirOperationGetResult(op, 0);
}

static void lower(const Group *g, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue part = tt_gather_parts_part(op), all = tt_gather_parts_all(op);
  TtBuilder b = tt_builder_before(op);
  int64_t tiles = tt_cb_tiles(mlirValueGetType(part));
  MlirValue own = tt_index(&b, loc, tiles), n = tt_index(&b, loc, g->n * tiles),
            bytes = named(g, metalium_get_tile_size_create(&b, loc, part), part, "tile_size");
  if (tiles > 1) bytes = tt_mul(&b, loc, bytes, own);
  metalium_cb_reserve_back_create(&b, loc, all, n);
  MlirValue to = named(g, metalium_get_write_ptr_create(&b, loc, all), all, "write_ptr");
  metalium_cb_wait_front_create(&b, loc, part, own);
  MlirValue from = named(g, metalium_get_read_ptr_create(&b, loc, part), part, "read_ptr");
  meet(g, &b, loc, g->says_there, g->there);
  MlirValue *parts = places_of(g, &b, from);
  for (int64_t q = 0; q < g->n; ++q) {
    MlirValue at = to;
    if (q > 0)
      at = metalium_l1_offset_addr(
          metalium_l1_offset_create(&b, loc, to, tt_mul(&b, loc, bytes, tt_index(&b, loc, q))));
    metalium_noc_async_read_create(&b, loc, parts[q], at, bytes);
  }
  metalium_noc_async_read_barrier_create(&b, loc);
  metalium_cb_push_back_create(&b, loc, all, n);
  meet(g, &b, loc, g->says_taken, g->taken);
  metalium_cb_pop_front_create(&b, loc, part, own);
  mlirOperationDestroy(op);
}

static bool is_in_group_of(const Group *g, const TtCore *core, const TtCore *other) {
  int64_t span = g->n * g->apart, at = g->down ? core->y : core->x,
          other_at = g->down ? other->y : other->x;
  return (g->down ? core->x == other->x : core->y == other->y) && at / span == other_at / span &&
         at % g->apart == other_at % g->apart;
}

/* Whether all cores are in whole groups, side by side from the start of their rows, or columns, on.
 */
static bool check_group(const Group *g, MlirOperation op) {
  TtCoreTable cores;
  if (!tt_program_cores(g->arena, g->program, &cores))
    return tt_error(op, "gathers from cores that are known only when the kernel runs");
  for (int64_t i = 0; i < cores.n; ++i) {
    const TtCore *core = &cores.cores[i];
    int64_t found = 0;
    for (int64_t j = 0; j < cores.n; ++j) found += is_in_group_of(g, core, &cores.cores[j]);
    if (found != g->n)
      return tt_error(op,
                      "core (%jd, %jd) is in a group of %jd cores, not %jd that stand %jd apart in "
                      "its %s",
                      (intmax_t)core->x, (intmax_t)core->y, (intmax_t)found, (intmax_t)g->n,
                      (intmax_t)g->apart, g->down ? "column" : "row");
  }
  return tt_collect(g->arena, g->program, "tt.semaphore").n + 2 <= TT_MAX_SEMAPHORES ||
         tt_error(op, "no semaphores are left for cores that gather parts");
}

bool tt_lower_gathers(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, "tt.gather_parts");
  Group *groups = tt_arena_alloc(arena, (size_t)(ops.n + 1) * sizeof *groups);
  intptr_t num_groups = 0;
  for (intptr_t i = 0; i < ops.n; ++i) {
    Group g = {.arena = arena,
               .program = program,
               .kernel = kernel,
               .loc = mlirOperationGetLocation(ops.data[i]),
               .n = tt_cb_tiles(mlirValueGetType(tt_gather_parts_all(ops.data[i]))) /
                    tt_cb_tiles(mlirValueGetType(tt_gather_parts_part(ops.data[i]))),
               .apart = tt_int(tt_gather_parts_apart(ops.data[i])),
               .down = !mlirAttributeIsNull(tt_gather_parts_down(ops.data[i]))};
    intptr_t at = 0;
    while (at < num_groups && groups[at].apart != g.apart) ++at;
    if (at < num_groups && groups[at].down != g.down)
      return tt_error(ops.data[i],
                      "gathers along a %s of the grid, and another tt.gather_parts of "
                      "the kernel as far apart along a %s",
                      g.down ? "column" : "row", g.down ? "row" : "column");
    if (at < num_groups && groups[at].n != g.n)
      return tt_error(ops.data[i],
                      "gathers from %jd cores that stand %jd apart, and another tt.gather_parts of "
                      "the kernel from %jd",
                      (intmax_t)g.n, (intmax_t)g.apart, (intmax_t)groups[at].n);
    if (at == num_groups) {
      if (!check_group(&g, ops.data[i])) return false;
      prepare(&g);
      groups[num_groups++] = g;
    }
    lower(&groups[at], ops.data[i]);
  }
  return true;
}
