/*===- share_operands.c - --tt-share-operands -------------------------------------------------===
 *
 * Has a block that several cores read at the same step read by one of them, which multicasts it
 * to the others.
 *
 *   before  tt.read_to_cb %A[%m, %k], %cb_in0           (the same on all cores of a row)
 *   after   cb_reserve_back %cb_in0, n
 *           %l1 = get_write_ptr %cb_in0
 *           if %in0_sends {
 *             for i, j { noc_async_read_tile …, %l1 + … }
 *           } else {
 *             noc_semaphore_set %in0_there, 0
 *             noc_semaphore_inc (the sender, %in0_ready), 1
 *           }
 *           noc_async_read_barrier
 *           if %in0_sends {
 *             noc_semaphore_wait %in0_ready, others; noc_semaphore_set %in0_ready, 0
 *             noc_async_write_multicast %l1, (the row, %l1), n * tile, others
 *             noc_semaphore_set %in0_there, 1
 *             noc_semaphore_set_multicast %in0_there, (the row, %in0_there), others
 *           } else {
 *             noc_semaphore_wait %in0_there, 1
 *           }
 *           cb_push_back %cb_in0, n
 *
 * The flag follows the block on its way, so that the sender goes on to the next one; where words
 * may overtake data (chips.def), it waits until the block has left.
 *
 * Reads that follow each other say that they are ready and start before any of them waits. Long
 * blocks that are needed later only start before the ones before them are sent.
 *
 * Legal where the cores that read the same are a rectangle, all such rectangles of one size, or all
 * cores read the same and are two rectangles, as full rows and a part of one are; and where they
 * take the same steps (Analysis/sharing.c finds that from offsets and arguments), and the kernel
 * does not write the tensor. A receiver says that it has room when it has reserved its pages,
 * which are at the same place on all cores of a line. Senders of lines side by side stand on a
 * diagonal, so that they do not share links.
 *
 * Requires bound accessors (D2), before D3. Remarks say for each operand what was done, and why
 * not.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/sharing.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Protocol/given.h"
#include "Transforms/Protocol/move.h"

#include <string.h>

static const char *const pass = "tt-share-operands";

/* What the host gives a core: whether it sends, the sender and the corners of its group, and, where
 * groups are of two sizes, to how many it sends. */
enum { SENDS, SENDER_X, SENDER_Y, X0, Y0, X1, Y1, OTHERS, NUM_ARGS };
static const char *const arg_names[NUM_ARGS] = {"sends", "sender_x", "sender_y", "x0",
                                                "y0",    "x1",       "y1",       "others"};

/* A read that cores share, and what the host gives them for it. */
typedef struct Shared {
  TtArena *arena;
  MlirOperation program, kernel, read;
  const char *prefix; /* of names: "in0" */
  TtSharing sharing;
  int num_args;   /* all, or not OTHERS */
  int64_t others; /* cores that a sender sends to, where that is a constant */
  int64_t turn;   /* how many shared operands its kernel has before it */
  bool shared;    /* or read by each core for itself */
  TtBlockMove move;
  MlirValue args[NUM_ARGS], ready, there; /* semaphores: others have room; the block is there */
} Shared;

/*===- What a core is given ------------------------------------------------------------------===*/

/* The first core of the group of the core at `at`, along a side. */
static MlirValue first_along(TtBuilder *b, MlirLocation loc, const TtSharing *s, bool vertical,
                             MlirValue at) {
  int64_t size = vertical ? s->height : s->width, least, most = 0;
  tt_lie_side_by_side(s, vertical, &least);
  for (int64_t i = 0; i < s->n; ++i) {
    int64_t first = vertical ? s->first[i].y : s->first[i].x;
    if (first > most) most = first;
  }
  if (size == 1) return at;
  if (least == most) return tt_index(b, loc, least);
  MlirValue from = tt_sub(b, loc, at, tt_index(b, loc, least));
  MlirValue group = tt_div(b, loc, from, tt_index(b, loc, size));
  return tt_add(b, loc, tt_mul(b, loc, group, tt_index(b, loc, size)), tt_index(b, loc, least));
}

/* Of two values, that of the group of the core at `core`. */
static MlirValue of_group(TtBuilder *b, MlirLocation loc, const TtCoreCut *cut,
                          const MlirValue core[2], int64_t first, int64_t second) {
  MlirValue yes = tt_index(b, loc, first), no = tt_index(b, loc, second),
            before = tt_less(b, loc, core[cut->columns ? 0 : 1], tt_index(b, loc, cut->from));
  return first == second ? yes : tt_select(b, loc, before, yes, no);
}

/* The corners of a core's group, and how many others it has; `others` is null where all groups have
 * as many. */
static void find_group(TtBuilder *b, MlirLocation loc, const TtSharing *s, const MlirValue core[2],
                       MlirValue first[2], MlirValue last[2], MlirValue *others) {
  const TtCoreBox *boxes = s->cut.boxes;
  for (int i = 0; i < 2 && !s->is_cut; ++i) {
    int64_t size = i ? s->height : s->width;
    first[i] = first_along(b, loc, s, i == 1, core[i]);
    last[i] = tt_add(b, loc, first[i], tt_index(b, loc, size - 1));
  }
  if (!s->is_cut) return;
  first[0] = of_group(b, loc, &s->cut, core, boxes[0].first.x, boxes[1].first.x);
  first[1] = of_group(b, loc, &s->cut, core, boxes[0].first.y, boxes[1].first.y);
  last[0] = of_group(b, loc, &s->cut, core, boxes[0].last.x, boxes[1].last.x);
  last[1] = of_group(b, loc, &s->cut, core, boxes[0].last.y, boxes[1].last.y);
  *others =
      of_group(b, loc, &s->cut, core, tt_box_cores(&boxes[0]) - 1, tt_box_cores(&boxes[1]) - 1);
}

/* 1 where core (x, y) is (sx, sy), else 0. */
static MlirValue is_core(TtBuilder *b, MlirLocation loc, const MlirValue core[2],
                         const MlirValue sender[2]) {
  MlirValue x = tt_equal(b, loc, core[0], sender[0]), y = tt_equal(b, loc, core[1], sender[1]);
  return tt_flag_of(b, loc,
                    tt_is_null_value(x)   ? y
                    : tt_is_null_value(y) ? x
                                          : tt_and(b, loc, x, y));
}

static const char *arg_name(const Shared *s, int arg) {
  return tt_arena_printf(s->arena, "%s_%s", s->prefix, arg_names[arg]);
}

/* The sender of a group: on the diagonal of those beside each other, which share no links then. The
 * next operand that is shared has the diagonal beside it, since a core brings only so much.
 */
static void find_sender(TtBuilder *b, MlirLocation loc, const Shared *s, const MlirValue core[2],
                        const MlirValue first[2], MlirValue sender[2]) {
  sender[0] = first[0], sender[1] = first[1];
  bool row = s->sharing.height == 1, column = s->sharing.width == 1;
  if (row == column || s->sharing.is_cut) return;
  int64_t size = row ? s->sharing.width : s->sharing.height;
  MlirValue at = tt_add(b, loc, core[row ? 1 : 0], tt_index(b, loc, s->turn % size));
  MlirValue turn = tt_rem(b, loc, at, tt_index(b, loc, size));
  sender[row ? 0 : 1] = tt_add(b, loc, first[row ? 0 : 1], turn);
}

/* Adds what the cores are given for the read to tt.core_args. */
static void add_core_args(Shared *s) {
  MlirOperation op = tt_program_core_args(s->program), yield = mlirBlockGetTerminator(tt_body(op));
  MlirLocation loc = mlirOperationGetLocation(s->read);
  TtBuilder b = tt_builder_before(yield);
  MlirValue core[2] = {mlirBlockGetArgument(tt_body(op), 0), mlirBlockGetArgument(tt_body(op), 1)},
            first[2], last[2], sender[2], values[NUM_ARGS];
  find_group(&b, loc, &s->sharing, core, first, last, &values[OTHERS]);
  find_sender(&b, loc, s, core, first, sender);
  MlirOperation places[3] = {tt_worker_core_create(&b, loc, sender[0], sender[1]),
                             tt_worker_core_create(&b, loc, first[0], first[1]),
                             tt_worker_core_create(&b, loc, last[0], last[1])};
  values[SENDS] = is_core(&b, loc, core, sender);
  for (int i = 0; i < 6; ++i) values[1 + i] = mlirOperationGetResult(places[i / 2], i % 2);

  const char *names[NUM_ARGS];
  for (int i = 0; i < s->num_args; ++i) names[i] = arg_name(s, i);
  tt_give_cores(s->arena, s->program, s->num_args, names, values);
}

/*===- The kernel ----------------------------------------------------------------------------===*/

static MlirValue add_semaphore(Shared *s, TtBuilder *top, const char *what) {
  return tt_add_semaphore(s->program, s->kernel, top, mlirOperationGetLocation(s->read),
                          tt_arena_printf(s->arena, "%s_%s", s->prefix, what));
}

static MlirOperation choose(const Shared *s, TtBuilder *b) {
  MlirLocation loc = mlirOperationGetLocation(s->read);
  return tt_if_else(b, loc, tt_ne(b, loc, s->args[SENDS], tt_index(b, loc, 0)));
}

static TtBuilder otherwise(MlirOperation choice) {
  return tt_builder_at_terminator(mlirRegionGetFirstBlock(mlirOperationGetRegion(choice, 1)));
}

/* The reads of the sender; that of the others is that they have room. */
static bool fetch(const Shared *s, TtBuilder b) {
  MlirLocation loc = mlirOperationGetLocation(s->read);
  if (!s->shared) return tt_transfer_tiles(b, &s->move);
  MlirOperation choice = choose(s, &b);
  if (!tt_transfer_tiles(tt_builder_at_terminator(tt_body(choice)), &s->move)) return false;
  TtBuilder other = otherwise(choice);
  metalium_noc_semaphore_set_create(&other, loc, s->there, tt_index(&other, loc, 0));
  MlirOperation sender =
      metalium_get_noc_addr_create(&other, loc, s->args[SENDER_X], s->args[SENDER_Y], s->ready);
  metalium_noc_semaphore_inc_create(&other, loc, mlirOperationGetResult(sender, 0),
                                    tt_index(&other, loc, 1));
  return true;
}

static MlirValue rectangle(const Shared *s, TtBuilder *b, MlirValue l1) {
  return mlirOperationGetResult(
      metalium_get_noc_multicast_addr_create(b, mlirOperationGetLocation(s->read), s->args[X0],
                                             s->args[Y0], s->args[X1], s->args[Y1], l1),
      0);
}

/* Whether the circular buffer has room for one block alone. The next one is read before the others
 * say that they have this one; with room for two, they have said so before its place is taken. */
static bool holds_one(const Shared *s, MlirValue pages) {
  int64_t n, all = tt_int(tt_circular_buffer_pages(tt_cb_decl(s->program, s->move.cb)));
  return !tt_constant(pages, &n) || all < 2 * n;
}

/* The multicast of the sender, for which the others wait. */
static void pass_on(const Shared *s, TtBuilder b) {
  MlirLocation loc = mlirOperationGetLocation(s->read);
  MlirOperation choice = choose(s, &b);
  TtBuilder in = tt_builder_at_terminator(tt_body(choice)), other = otherwise(choice);
  MlirValue others = s->sharing.is_cut ? s->args[OTHERS] : tt_index(&in, loc, s->others);
  metalium_noc_semaphore_wait_create(&in, loc, s->ready, others);
  metalium_noc_semaphore_set_create(&in, loc, s->ready, tt_index(&in, loc, 0));
  MlirValue pages = tt_move_pages(&in, &s->move),
            bytes = tt_mul(&in, loc, pages, tt_move_tile_size(&s->move));
  metalium_noc_async_write_multicast_create(&in, loc, s->move.addr, rectangle(s, &in, s->move.addr),
                                            bytes, others);
  /* Where command buffers are separate, the flag would overtake the block. */
  if (tt_target_of(s->program).chip->separate_buffers || holds_one(s, pages))
    metalium_noc_async_writes_flushed_create(&in, loc);
  metalium_noc_semaphore_set_create(&in, loc, s->there, tt_index(&in, loc, 1));
  metalium_noc_semaphore_set_multicast_create(&in, loc, s->there, rectangle(s, &in, s->there),
                                              others);
  metalium_noc_semaphore_wait_create(&other, loc, s->there, tt_index(&other, loc, 1));
}

/* What the kernel needs to share a read, at its top. */
static void prepare(Shared *s) {
  add_core_args(s);
  tt_move_tile_size(&s->move);
  TtBuilder top = tt_top_of_kernel(s->kernel);
  for (int i = 0; i < s->num_args; ++i)
    s->args[i] = tt_take_given(&top, mlirOperationGetLocation(s->read), arg_name(s, i));
  s->ready = add_semaphore(s, &top, "ready"), s->there = add_semaphore(s, &top, "there");
}

static void publish(const Shared *s, TtBuilder *b, MlirLocation loc) {
  metalium_cb_push_back_create(b, loc, s->move.cb, tt_move_pages(b, &s->move));
}

/*===- Which are brought together
 * ---------------------------------------------------------------===*/

/* How many results the compute kernel has packed when it first takes from a circular buffer. */
static int64_t section_of(TtArena *arena, MlirOperation program, MlirOperation read) {
  MlirOperation decl = tt_cb_decl(program, tt_read_to_cb_cb(read));
  TtOps compute = tt_program_kernels_of(arena, program, TT_KERNEL_ROLE_COMPUTE);
  int64_t packed = 0;
  for (intptr_t k = 0; k < compute.n; ++k) {
    TtOps ops = tt_collect(arena, compute.data[k], NULL);
    for (intptr_t i = 0; i < ops.n; ++i) {
      TtAct does = tt_op_info(ops.data[i])->does;
      if (does != TT_ACT_COMPUTE && does != TT_ACT_PACK_BLOCK) continue;
      for (intptr_t j = 0; j < mlirOperationGetNumOperands(ops.data[i]); ++j)
        if (tt_op_eq(tt_cb_decl(program, mlirOperationGetOperand(ops.data[i], j)), decl))
          return packed;
      packed += !tt_is_null_value(tt_op_fills(ops.data[i]));
    }
  }
  return packed;
}

/* Whether the time that a block takes on its way is more than what it takes to ask for it. */
static bool is_long(MlirOperation program, MlirOperation read) {
  const TtChip *chip = tt_target_of(program).chip;
  int64_t tiles = tt_cb_tiles(mlirValueGetType(tt_read_to_cb_cb(read))),
          page = tt_int(tt_circular_buffer_page_bytes(tt_cb_decl(program, tt_read_to_cb_cb(read))));
  return (uint64_t)(tiles * page) > chip->noc_bytes_per_clk * chip->read_latency[TT_READ_OTHER];
}

/* How many of `n` reads that follow each other are brought together: not those of long blocks that
 * the engine takes after it has packed a result of the first ones, for which these would wait. */
static intptr_t together(const Shared *reads, intptr_t n) {
  for (intptr_t i = 1; i < n; ++i)
    if (is_long(reads[i].program, reads[i].read) &&
        section_of(reads[i].arena, reads[i].program, reads[i].read) >
            section_of(reads[0].arena, reads[0].program, reads[0].read))
      return i;
  return n;
}

/* Room for the blocks, and their reads on their way. */
static bool start(Shared *reads, intptr_t n, TtBuilder *b, MlirLocation loc) {
  for (intptr_t i = 0; i < n; ++i)
    metalium_cb_reserve_back_create(b, loc, reads[i].move.cb, tt_move_pages(b, &reads[i].move));
  for (intptr_t i = 0; i < n; ++i) {
    MlirOperation ptr = metalium_get_write_ptr_create(b, loc, reads[i].move.cb);
    reads[i].move.addr = tt_named_pointer(&reads[i].move, ptr, "write_ptr");
    if (!fetch(&reads[i], *b)) return false;
  }
  return true;
}

/* What is not shared does not wait for what is, and nothing for what comes after it. */
static void finish(const Shared *reads, intptr_t n, TtBuilder *b, MlirLocation loc) {
  for (intptr_t i = 0; i < n; ++i)
    if (!reads[i].shared) publish(&reads[i], b, loc);
  for (intptr_t i = 0; i < n; ++i) {
    if (!reads[i].shared) continue;
    pass_on(&reads[i], *b);
    publish(&reads[i], b, loc);
  }
}

/* Reads that follow each other, of which some are shared: in parts, each of which starts before the
 * one before it is sent. */
static bool lower(Shared *reads, intptr_t n) {
  MlirLocation loc = mlirOperationGetLocation(reads[0].read);
  for (intptr_t i = 0; i < n; ++i) {
    Shared *s = &reads[i];
    if (!tt_read_move(s->arena, s->kernel, s->read, &s->move)) return false;
    if (!s->shared) continue;
    s->move.first_rows = false; /* whole tiles go to the others */
    prepare(s);
  }
  TtBuilder b = tt_builder_before(reads[n - 1].read);
  intptr_t part = together(reads, n);
  if (!start(reads, part, &b, loc)) return false;
  for (intptr_t i = 0, next; i < n; i += part, part = next) {
    Shared *after = reads + i + part;
    next = together(after, n - i - part);
    metalium_noc_async_read_barrier_create(&b, loc);
    if (next > 0 && !start(after, next, &b, loc)) return false;
    finish(reads + i, part, &b, loc);
  }
  for (intptr_t i = 0; i < n; ++i) mlirOperationDestroy(reads[i].read);
  tt_end_with_barrier(reads[0].kernel);
  return true;
}

/*===- Which ---------------------------------------------------------------------------------===*/

static const char *tensor_name(const Shared *s) {
  const TtArg *arg = tt_arg_of(tt_kernel_args(s->arena, s->kernel), tt_read_to_cb_tensor(s->read));
  return arg ? arg->name : "?";
}

static const char *why_not(const Shared *s) {
  int64_t least, semaphores = tt_collect(s->arena, s->program, "tt.semaphore").n;
  if (s->sharing.reason) return s->sharing.reason;
  if (tt_program_use(s->arena, s->program, tensor_name(s)).written)
    return "the kernel writes the tensor as well";
  if (semaphores + 2 > TT_MAX_SEMAPHORES) return "no semaphores are left";
  if (!tt_lie_side_by_side(&s->sharing, false, &least) ||
      !tt_lie_side_by_side(&s->sharing, true, &least))
    return "the cores that read the same do not lie side by side";
  return NULL;
}

/* "8 x 1", or "8 x 5, and one of 4 x 1". */
static const char *groups_of(const Shared *s) {
  const TtCoreBox *boxes = s->sharing.cut.boxes;
  intmax_t sides[4] = {s->sharing.width, s->sharing.height, 0, 0};
  for (int i = 0; i < 2 && s->sharing.is_cut; ++i)
    sides[2 * i] = boxes[i].last.x - boxes[i].first.x + 1,
              sides[2 * i + 1] = boxes[i].last.y - boxes[i].first.y + 1;
  return s->sharing.is_cut ? tt_arena_printf(s->arena, "%jd x %jd cores, and one of %jd x %jd",
                                             sides[0], sides[1], sides[2], sides[3])
                           : tt_arena_printf(s->arena, "%jd x %jd", sides[0], sides[1]);
}

/* Decides whether a read is shared, and says so. */
static void decide(Shared *s, const TtCoreTable *cores) {
  const char *tensor = tensor_name(s);
  MlirOperation decl = tt_cb_decl(s->program, tt_read_to_cb_cb(s->read));
  TtSharingCost cost = {0, 0};
  if (cores) s->sharing = tt_find_sharing(s->arena, cores, s->read);
  else s->sharing.reason = "sizes, and so the units of a core, are known only when the kernel runs";
  s->others = s->sharing.width * s->sharing.height - 1;
  s->num_args = s->sharing.is_cut ? NUM_ARGS : OTHERS;
  const char *reason = why_not(s);
  if (!reason)
    cost = tt_sharing_cost(tt_target_of(s->program).chip, &s->sharing,
                           tt_cb_tiles(mlirValueGetType(tt_read_to_cb_cb(s->read))),
                           tt_int(tt_circular_buffer_page_bytes(decl)));
  s->shared = !reason && tt_sharing_pays(cost);
  if (s->shared)
    tt_remark(s->read, TT_REMARK_PASSED, pass,
              "%s is read by one of %s cores, and multicast to the others: a block takes "
              "about %.0f clk, not %.0f",
              tensor, groups_of(s), cost.shared, cost.plain);
  else if (reason)
    tt_remark(s->read, TT_REMARK_MISSED, pass, "%s is not shared: %s", tensor, reason);
  else
    tt_remark(
        s->read, TT_REMARK_MISSED, pass,
        "%s is not shared: a block that all its cores read takes about %.0f clk, and one that "
        "is sent to them %.0f",
        tensor, cost.plain, cost.shared);
}

/* "in0"; of the second read that takes turns in a circular buffer, "in0_1". */
static const char *prefix_of(TtArena *arena, TtOps reads, intptr_t i) {
  const char *cb = tt_handle_name(arena, tt_read_to_cb_cb(reads.data[i]));
  intptr_t before = 0;
  for (intptr_t j = 0; j < i; ++j)
    before += tt_value_eq(tt_read_to_cb_cb(reads.data[j]), tt_read_to_cb_cb(reads.data[i]));
  if (strncmp(cb, "cb_", 3) == 0) cb += 3;
  return before ? tt_arena_printf(arena, "%s_%jd", cb, (intmax_t)before) : cb;
}

static bool share_in_kernel(TtArena *arena, MlirOperation program, MlirOperation kernel,
                            const TtCoreTable *cores) {
  TtOps all = tt_collect(arena, kernel, "tt.read_to_cb");
  int64_t turn = 0;
  const char **prefixes = tt_arena_alloc(arena, (size_t)(all.n + 1) * sizeof *prefixes);
  for (intptr_t i = 0; i < all.n; ++i) prefixes[i] = prefix_of(arena, all, i);
  for (intptr_t i = 0, n; i < all.n; i += n) {
    n = tt_neighbors(all, i);
    Shared *reads = tt_arena_alloc(arena, (size_t)n * sizeof *reads);
    bool any = false;
    for (intptr_t j = 0; j < n; ++j) {
      reads[j] = (Shared){.arena = arena,
                          .program = program,
                          .kernel = kernel,
                          .read = all.data[i + j],
                          .prefix = prefixes[i + j]};
      decide(&reads[j], cores);
      if (reads[j].shared) reads[j].turn = turn++;
      any |= reads[j].shared;
    }
    if (any && !lower(reads, n)) return false;
  }
  return true;
}

static bool share_operands(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  TtCoreTable cores;
  bool known = tt_program_cores(arena, program, &cores);
  for (intptr_t i = 0; i < kernels.n; ++i)
    if (tt_role_of(kernels.data[i]) != TT_KERNEL_ROLE_COMPUTE &&
        !share_in_kernel(arena, program, kernels.data[i], known ? &cores : NULL))
      return false;
  return true;
}

bool tt_run_share_operands(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  return tt_require_programs(module) && tt_for_each_program(module, share_operands);
}
