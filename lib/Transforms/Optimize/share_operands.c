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
 * Legal where the cores that read the same are a rectangle, all such rectangles of one size, or of
 * one size on each side of a cut through all cores, as where all read the same, and are full rows
 * and a part of one; and where they take the same steps (Analysis/sharing.c finds that from offsets
 * and arguments), and the kernel does not write the tensor. A receiver says that it has room when
 * it has reserved its pages, which are at the same place on all cores of a line. Senders of lines
 * side by side stand on a diagonal, so that they do not share links.
 *
 * Requires bound accessors (D2), before D3. Remarks say for each operand what was done, and why
 * not.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Dialect/op_info.h"
#include "Passes/passes_decl.h"
#include "Transforms/Optimize/shared_read.h"

#include <string.h>

static const char *const pass = "tt-share-operands";

/*===- The kernel ----------------------------------------------------------------------------===*/

/* The reads of the sender; that of the others is that they have room. */
static bool fetch(const TtShared *s, TtBuilder b) {
  MlirLocation loc = mlirOperationGetLocation(s->read);
  if (!s->shared) return tt_transfer_tiles(b, &s->move);
  TtBuilder yes, no;
  tt_choose_sender(&b, loc, s->args[SENDS], &yes, &no);
  if (!tt_transfer_tiles(yes, &s->move)) return false;
  tt_say_ready(s, &no);
  return true;
}

/* Whether the circular buffer has room for one block alone. The next one is read before the others
 * say that they have this one; with room for two, they have said so before its place is taken. */
static bool holds_one(const TtShared *s, MlirValue pages) {
  int64_t n, all = tt_int(tt_circular_buffer_pages(tt_cb_decl(s->program, s->move.cb)));
  return !tt_constant(pages, &n) || all < 2 * n;
}

/* The multicast of the sender, for which the others wait. */
static void pass_on(const TtShared *s, TtBuilder b) {
  MlirLocation loc = mlirOperationGetLocation(s->read);
  TtBuilder in, other;
  tt_choose_sender(&b, loc, s->args[SENDS], &in, &other);
  tt_await_ready(s, &in);
  MlirValue pages = tt_move_pages(&in, &s->move),
            bytes = tt_mul(&in, loc, pages, tt_move_tile_size(&s->move));
  metalium_noc_async_write_multicast_create(&in, loc, s->move.addr,
                                            tt_group_rectangle(s, &in, s->move.addr), bytes,
                                            tt_group_others(s, &in));
  /* Where command buffers are separate, the flag would overtake the block. */
  if (tt_target_of(s->program).chip->separate_buffers || holds_one(s, pages))
    metalium_noc_async_writes_flushed_create(&in, loc);
  tt_say_there(s, &in);
  metalium_noc_semaphore_wait_create(&other, loc, s->there, tt_index(&other, loc, 1));
}

/* What the kernel needs to share a read, at its top. */
static void prepare(TtShared *s) {
  tt_give_group(s);
  tt_move_tile_size(&s->move);
  tt_take_group(s, s->kernel);
}

static void publish(const TtShared *s, TtBuilder *b, MlirLocation loc) {
  metalium_cb_push_back_create(b, loc, s->move.cb, tt_move_pages(b, &s->move));
}

/*===- Which are brought together -----------------------------------------------------------===*/

/* Whether it packs a result, or parts of a sum that DST does not keep. */
static bool packs(MlirOperation op) {
  return !tt_is_null_value(tt_op_fills(op)) ||
         (tt_mm_mma_isa(op) && !mlirAttributeIsNull(tt_mm_mma_spill(op)));
}

/* How many results the compute kernel has packed when it first takes from a circular buffer. */
static int64_t section_of(TtArena *arena, MlirOperation program, MlirValue cb) {
  MlirOperation decl = tt_cb_decl(program, cb);
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
      packed += packs(ops.data[i]);
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
static intptr_t together(const TtShared *reads, intptr_t n) {
  for (intptr_t i = 1; i < n; ++i)
    if (is_long(reads[i].program, reads[i].read) &&
        section_of(reads[i].arena, reads[i].program, tt_read_to_cb_cb(reads[i].read)) >
            section_of(reads[0].arena, reads[0].program, tt_read_to_cb_cb(reads[0].read)))
      return i;
  return n;
}

/* Room for the blocks, and their reads on their way. */
static bool start(TtShared *reads, intptr_t n, TtBuilder *b, MlirLocation loc) {
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
static void finish(const TtShared *reads, intptr_t n, TtBuilder *b, MlirLocation loc) {
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
static bool lower(TtShared *reads, intptr_t n) {
  MlirLocation loc = mlirOperationGetLocation(reads[0].read);
  for (intptr_t i = 0; i < n; ++i) {
    TtShared *s = &reads[i];
    if (!tt_read_move(s->arena, s->kernel, s->read, &s->move)) return false;
    if (!s->shared) continue;
    s->move.first_rows = false; /* whole tiles go to the others */
    prepare(s);
  }
  TtBuilder b = tt_builder_before(reads[n - 1].read);
  intptr_t part = together(reads, n);
  if (!start(reads, part, &b, loc)) return false;
  for (intptr_t i = 0, next; i < n; i += part, part = next) {
    TtShared *after = reads + i + part;
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

static const char *tensor_name(const TtShared *s) {
  const TtArg *arg = tt_arg_of(tt_kernel_args(s->arena, s->kernel), tt_read_to_cb_tensor(s->read));
  return arg ? arg->name : "?";
}

/* `before`: reads that will be shared, and whose semaphores are not made yet. */
static const char *why_not(const TtShared *s, int64_t before) {
  int64_t semaphores = tt_collect(s->arena, s->program, "tt.semaphore").n + 2 * before;
  if (s->sharing.reason) return s->sharing.reason;
  if (tt_program_use(s->arena, s->program, tensor_name(s)).written)
    return "the kernel writes the tensor as well";
  return semaphores + 2 > TT_MAX_SEMAPHORES ? "no semaphores are left" : NULL;
}

/* "8 x 1", or "8 x 5 cores, in another group by one of 4 x 1". */
static const char *groups_of(const TtShared *s) {
  const TtSharingPart *first = &s->sharing.parts[0], *second = &s->sharing.parts[1];
  const char *text =
      tt_arena_printf(s->arena, "%jd x %jd", (intmax_t)first->width, (intmax_t)first->height);
  bool same = first->width == second->width && first->height == second->height;
  if (s->sharing.num_parts == 1 || same) return text;
  return tt_arena_printf(s->arena, "%s cores, in another group by one of %jd x %jd", text,
                         (intmax_t)second->width, (intmax_t)second->height);
}

/* Why cores along an axis of their grid do not share a read. False where that is not known. */
static bool say_why_apart(const TtShared *s, const TtCoreTable *cores, const char *tensor) {
  const char *why[2];
  for (int i = 0; i < 2; ++i)
    why[i] = tt_why_read_apart(s->arena, cores, &s->sharing, s->read, i == 1);
  bool both = why[0] && why[1] && strcmp(why[0], why[1]) == 0;
  for (int i = 0; i < (both ? 1 : 2); ++i)
    if (why[i])
      tt_remark(s->read, TT_REMARK_MISSED, pass, "%s is not shared along %s: %s", tensor,
                both ? "x and y"
                : i  ? "y"
                     : "x",
                why[i]);
  return why[0] || why[1];
}

/* Decides whether a read is shared, and says so. `before`: how many of those that it is lowered
 * with are. */
static void decide(TtShared *s, const TtCoreTable *cores, int64_t before) {
  const char *tensor = tensor_name(s);
  MlirOperation decl = tt_cb_decl(s->program, tt_read_to_cb_cb(s->read));
  TtSharingCost cost = {0, 0};
  if (cores) s->sharing = tt_find_sharing(s->arena, cores, s->read);
  else s->sharing.reason = "sizes, and so the units of a core, are known only when the kernel runs";
  const TtSharingPart *parts = s->sharing.parts;
  s->others = parts[0].width * parts[0].height - 1;
  s->num_args = s->sharing.num_parts > 1 && parts[1].width * parts[1].height - 1 != s->others
                    ? NUM_ARGS
                    : OTHERS;
  const char *reason = why_not(s, before);
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
  bool in_boxes = s->shared && s->sharing.width > 1 && s->sharing.height > 1;
  bool said = cores && !in_boxes && tt_remarks_wanted(s->read) && say_why_apart(s, cores, tensor);
  if (s->shared || (said && s->sharing.apart)) return;
  if (reason) tt_remark(s->read, TT_REMARK_MISSED, pass, "%s is not shared: %s", tensor, reason);
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

/* How many reads from `first` on follow each other, up to one that is relayed. */
static intptr_t unrelayed(TtArena *arena, MlirOperation program, TtOps reads, intptr_t first) {
  intptr_t all = tt_neighbors(reads, first), n = 0;
  MlirOperation kernel;
  while (n < all &&
         mlirOperationIsNull(tt_relay_of(arena, program, reads.data[first + n], &kernel)))
    ++n;
  return n;
}

static bool share_in_kernel(TtArena *arena, MlirOperation program, MlirOperation kernel,
                            const TtCoreTable *cores) {
  TtOps all = tt_collect(arena, kernel, "tt.read_to_cb");
  int64_t turn = 0;
  const char **prefixes = tt_arena_alloc(arena, (size_t)(all.n + 1) * sizeof *prefixes);
  for (intptr_t i = 0; i < all.n; ++i) prefixes[i] = prefix_of(arena, all, i);
  for (intptr_t i = 0, n; i < all.n; i += n) {
    n = unrelayed(arena, program, all, i);
    if (n == 0) {
      n = 1;
      continue;
    }
    TtShared *reads = tt_arena_alloc(arena, (size_t)n * sizeof *reads);
    int64_t shared = 0;
    for (intptr_t j = 0; j < n; ++j) {
      reads[j] = (TtShared){.arena = arena,
                            .program = program,
                            .kernel = kernel,
                            .read = all.data[i + j],
                            .prefix = prefixes[i + j]};
      decide(&reads[j], cores, shared);
      if (reads[j].shared) reads[j].turn = turn++, ++shared;
    }
    if (shared > 0 && !lower(reads, n)) return false;
  }
  return true;
}

static MlirOperation kernel_of(MlirOperation op) {
  while (!tt_kernel_isa(op)) op = tt_parent(op);
  return op;
}

/* The reads that kernels relay, in the order of their relays; those that are shared. Who sends
 * along rows sends nothing along columns. */
static intptr_t find_relayed(TtArena *arena, MlirOperation program, const TtCoreTable *cores,
                             TtShared **found) {
  TtOps relays = tt_collect(arena, program, "tt.relay"),
        reads = tt_collect(arena, program, "tt.read_to_cb");
  TtShared *all = *found = tt_arena_alloc(arena, (size_t)(relays.n + 1) * sizeof *all);
  intptr_t n = 0;
  for (intptr_t i = 0; i < relays.n; ++i)
    for (intptr_t j = 0; j < reads.n; ++j) {
      MlirOperation kernel, relay = tt_relay_of(arena, program, reads.data[j], &kernel);
      if (mlirOperationIsNull(relay) || !tt_op_eq(relay, relays.data[i])) continue;
      TtShared s = {.arena = arena,
                    .program = program,
                    .kernel = kernel_of(reads.data[j]),
                    .read = reads.data[j],
                    .prefix = prefix_of(arena, reads, j),
                    .relay = relay,
                    .relayed_in = kernel};
      decide(&s, cores, n);
      s.turn = s.sharing.height == 1;
      if (s.shared) all[n++] = s;
    }
  return n;
}

/* Relays that follow each other, and are for one result, go together. */
static bool share_relayed(TtArena *arena, MlirOperation program, const TtCoreTable *cores) {
  TtShared *all;
  intptr_t total = find_relayed(arena, program, cores, &all);
  TtOps relays = {NULL, 0, 0};
  int64_t *sections = tt_arena_alloc(arena, (size_t)(total + 1) * sizeof *sections);
  for (intptr_t i = 0; i < total; ++i) {
    tt_ops_add(arena, &relays, all[i].relay);
    sections[i] = section_of(arena, program, tt_relay_to(all[i].relay));
  }
  for (intptr_t i = 0, n; i < total; i += n) {
    intptr_t together = tt_neighbors(relays, i);
    for (n = 1; n < together && sections[i + n] == sections[i];) ++n;
    if (!tt_share_relayed(all + i, n)) return false;
  }
  return true;
}

static bool share_operands(TtArena *arena, MlirOperation program) {
  TtOps kernels = tt_program_kernels(arena, program);
  TtCoreTable cores;
  bool known = tt_program_cores(arena, program, &cores);
  if (!share_relayed(arena, program, known ? &cores : NULL)) return false;
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
