/*===- lower_gathers.c - blocks that the cores of a group give each other ---------------------===
 *
 *   tt.gather_parts %part -> %all apart = 2                              (1 tile, and n)
 * = cb_reserve_back %all, n
 *   noc_semaphore_inc (each other core of the group, @parts2_room), 1
 *   cb_wait_front %part, 1
 *   noc_async_read (the own core, %part), to tile 0 of %all
 *   noc_semaphore_wait @parts2_room, n - 1; noc_semaphore_set @parts2_room, 0
 *   noc_async_write %part, to (each other core of the group, tile n - q of its %all)
 *   noc_semaphore_set_remote @parts_sent, (each other core of the group, @parts2_there<n - q>)
 *   noc_semaphore_wait @parts2_there<q>, 1; noc_semaphore_set @parts2_there<q>, 0
 *   noc_async_read_barrier; cb_push_back %all, n
 *   noc_async_writes_flushed; cb_pop_front %part, 1
 *   … and at the end of the kernel a noc_async_write_barrier
 *
 * Room is there before the tile is, as a rule: a tile takes one way between cores, and not the two
 * of a read that is asked for. A flag comes behind its tile, from one core: each of a group has a
 * semaphore of its own. Nobody says that there is room for the next tile before all of its group
 * have given it the last one, which they do behind their own waits: semaphores are back at 0 before
 * they are set or added to again, and are the same for all gathers among the same cores. The host
 * gives each core their places.
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
  int64_t n, apart;                  /* how many cores, and how far they are from each other */
  bool down;                         /* in a column of the grid */
  MlirValue *along, across;          /* their coordinates on the NoC, in that direction or not */
  MlirValue room, sent;              /* semaphores: a core has room; one that is always 1 */
  MlirValue *there;                  /* and: the tile of the q-th core is there */
  MlirValue *says_room, *says_there; /* places on the q-th core: of its room, and for this tile */
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

/* An address on the q-th core. */
static MlirValue place_of(const Group *g, TtBuilder *b, int64_t q, MlirValue l1) {
  return mlirOperationGetResult(metalium_get_noc_addr_create(b, g->loc,
                                                             g->down ? g->across : g->along[q],
                                                             g->down ? g->along[q] : g->across, l1),
                                0);
}

static MlirValue add_semaphore(const Group *g, TtBuilder *top, const char *name) {
  return tt_add_semaphore(g->program, g->kernel, top, g->loc, name);
}

/* One that the kernel names: "parts2_room_at1". */
static MlirValue named_place(const Group *g, TtBuilder *b, int64_t q, MlirValue l1,
                             const char *what) {
  MlirValue place = place_of(g, b, q, l1);
  tt_name_hint(tt_defining_op(place),
               tt_arena_printf(g->arena, "%s_at%jd", name_of(g, what), (intmax_t)q));
  return place;
}

/* This core is the (n - q)-th that the q-th one gathers from. */
static void prepare(Group *g) {
  give_places(g);
  TtBuilder top = tt_top_of_kernel(g->kernel);
  size_t n = (size_t)g->n;
  g->along = tt_arena_alloc(g->arena, n * sizeof *g->along);
  g->there = tt_arena_alloc(g->arena, n * sizeof *g->there);
  g->says_room = tt_arena_alloc(g->arena, n * sizeof *g->says_room);
  g->says_there = tt_arena_alloc(g->arena, n * sizeof *g->says_there);
  for (int64_t q = 0; q < g->n; ++q) g->along[q] = tt_take_given(&top, g->loc, along_name(g, q));
  g->across = tt_take_given(&top, g->loc, across_name(g));
  g->room = add_semaphore(g, &top, name_of(g, "room"));
  for (int64_t q = 1; q < g->n; ++q)
    g->there[q] = add_semaphore(
        g, &top, tt_arena_printf(g->arena, "%s%jd", name_of(g, "there"), (intmax_t)q));
  for (int64_t q = 1; q < g->n; ++q) {
    g->says_room[q] = named_place(g, &top, q, g->room, "room");
    g->says_there[q] = named_place(g, &top, q, g->there[g->n - q], "there");
  }
}

static MlirValue named(const Group *g, MlirOperation op, MlirValue cb, const char *suffix) {
  tt_name_hint(op, tt_arena_printf(g->arena, "%s_%s", tt_handle_name(g->arena, cb), suffix));
  return mlirOperationGetResult(op, 0);
}

/* The semaphore that flags take their value from: nobody sets it but its own core, first of all. */
static MlirValue make_sent(const Group *g) {
  TtBuilder top = tt_top_of_kernel(g->kernel);
  MlirValue sent = add_semaphore(g, &top, "parts_sent");
  metalium_noc_semaphore_set_create(&top, g->loc, sent, tt_index(&top, g->loc, 1));
  return sent;
}

/* The q-th block of those that start at `l1`. */
static MlirValue block_at(TtBuilder *b, MlirLocation loc, MlirValue l1, MlirValue bytes,
                          int64_t q) {
  return metalium_l1_offset_addr(
      metalium_l1_offset_create(b, loc, l1, tt_mul(b, loc, bytes, tt_index(b, loc, q))));
}

/* Gives the tile to the other cores, as soon as all of them have room. */
static void give(const Group *g, TtBuilder *b, MlirLocation loc, MlirValue from, MlirValue to,
                 MlirValue bytes) {
  MlirValue one = tt_index(b, loc, 1), zero = tt_index(b, loc, 0);
  metalium_noc_semaphore_wait_create(b, loc, g->room, tt_index(b, loc, g->n - 1));
  metalium_noc_semaphore_set_create(b, loc, g->room, zero);
  for (int64_t q = 1; q < g->n; ++q)
    metalium_noc_async_write_create(
        b, loc, from, place_of(g, b, q, block_at(b, loc, to, bytes, g->n - q)), bytes);
  /* Where command buffers are separate, the flags would overtake the tiles. */
  if (tt_target_of(g->program).chip->separate_buffers)
    metalium_noc_async_writes_flushed_create(b, loc);
  for (int64_t q = 1; q < g->n; ++q)
    metalium_noc_semaphore_set_remote_create(b, loc, g->sent, g->says_there[q]);
  for (int64_t q = 1; q < g->n; ++q) {
    metalium_noc_semaphore_wait_create(b, loc, g->there[q], one);
    metalium_noc_semaphore_set_create(b, loc, g->there[q], zero);
  }
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
  for (int64_t q = 1; q < g->n; ++q)
    metalium_noc_semaphore_inc_create(&b, loc, g->says_room[q], tt_index(&b, loc, 1));
  metalium_cb_wait_front_create(&b, loc, part, own);
  MlirValue from = named(g, metalium_get_read_ptr_create(&b, loc, part), part, "read_ptr");
  metalium_noc_async_read_create(&b, loc, place_of(g, &b, 0, from), to, bytes);
  give(g, &b, loc, from, to, bytes);
  metalium_noc_async_read_barrier_create(&b, loc);
  metalium_cb_push_back_create(&b, loc, all, n);
  metalium_noc_async_writes_flushed_create(&b, loc);
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
  return tt_collect(g->arena, g->program, "tt.semaphore").n + g->n + 1 <= TT_MAX_SEMAPHORES ||
         tt_error(op, "no semaphores are left for cores that gather parts");
}

bool tt_lower_gathers(TtArena *arena, MlirOperation program, MlirOperation kernel) {
  TtOps ops = tt_collect(arena, kernel, "tt.gather_parts");
  Group *groups = tt_arena_alloc(arena, (size_t)(ops.n + 1) * sizeof *groups);
  intptr_t num_groups = 0;
  MlirValue sent = {NULL};
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
      if (num_groups == 0) sent = make_sent(&g);
      g.sent = sent;
      groups[num_groups++] = g;
    }
    lower(&groups[at], ops.data[i]);
  }
  if (ops.n > 0) tt_end_with_barrier(kernel);
  return true;
}
