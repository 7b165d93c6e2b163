/*===- shared_read.c - what cores are given for a read that they share ------------------------===
 *
 *   core_args (%x, %y) -> in0_sends, in0_sender_x, in0_sender_y, in0_x0, in0_y0, in0_x1, in0_y1
 *
 * Groups of cores read the same; one of each sends it to the others.
 *
 *===----------------------------------------------------------------------===*/

#include "Transforms/Optimize/shared_read.h"

#include "Dialect/op_info.h"
#include "Transforms/Protocol/given.h"

static const char *const arg_names[NUM_ARGS] = {"sends", "sender_x", "sender_y", "x0",
                                                "y0",    "x1",       "y1",       "others"};

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

static const char *arg_name(const TtShared *s, int arg) {
  return tt_arena_printf(s->arena, "%s_%s", s->prefix, arg_names[arg]);
}

/* The sender of a group: on the diagonal of those beside each other, which share no links then. The
 * next operand that is shared has the diagonal half a side away, since a core brings only so much:
 * who sends to a sender of rows is reached by a sender of columns again, so that few cores differ
 * in what is around them, and the proof of the protocol has few kinds of them to look at. The two
 * after these have the diagonals beside them.
 */
static void find_sender(TtBuilder *b, MlirLocation loc, const TtShared *s, const MlirValue core[2],
                        const MlirValue first[2], MlirValue sender[2]) {
  sender[0] = first[0], sender[1] = first[1];
  bool row = s->sharing.height == 1, column = s->sharing.width == 1;
  if (row == column || s->sharing.is_cut) return;
  int64_t size = row ? s->sharing.width : s->sharing.height;
  int64_t turn_of = s->turn / 2 + (s->turn % 2 ? size / 2 : 0);
  MlirValue at = tt_add(b, loc, core[row ? 1 : 0], tt_index(b, loc, turn_of % size));
  MlirValue turn = tt_rem(b, loc, at, tt_index(b, loc, size));
  sender[row ? 0 : 1] = tt_add(b, loc, first[row ? 0 : 1], turn);
}

void tt_give_group(const TtShared *s) {
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

/*===- In a kernel ---------------------------------------------------------------------------===*/

MlirValue tt_take_sends(const TtShared *s, MlirOperation kernel) {
  TtBuilder top = tt_top_of_kernel(kernel);
  return tt_take_given(&top, mlirOperationGetLocation(s->read), arg_name(s, SENDS));
}

void tt_take_group(TtShared *s, MlirOperation kernel) {
  MlirLocation loc = mlirOperationGetLocation(s->read);
  TtBuilder top = tt_top_of_kernel(kernel);
  for (int i = 0; i < s->num_args; ++i) s->args[i] = tt_take_given(&top, loc, arg_name(s, i));
  s->ready = tt_add_semaphore(s->program, kernel, &top, loc,
                              tt_arena_printf(s->arena, "%s_ready", s->prefix));
  s->there = tt_add_semaphore(s->program, kernel, &top, loc,
                              tt_arena_printf(s->arena, "%s_there", s->prefix));
}

MlirValue tt_group_rectangle(const TtShared *s, TtBuilder *b, MlirValue l1) {
  return mlirOperationGetResult(
      metalium_get_noc_multicast_addr_create(b, mlirOperationGetLocation(s->read), s->args[X0],
                                             s->args[Y0], s->args[X1], s->args[Y1], l1),
      0);
}

MlirValue tt_group_others(const TtShared *s, TtBuilder *b) {
  return s->sharing.is_cut ? s->args[OTHERS]
                           : tt_index(b, mlirOperationGetLocation(s->read), s->others);
}

void tt_say_ready(const TtShared *s, TtBuilder *b) {
  MlirLocation loc = mlirOperationGetLocation(s->read);
  metalium_noc_semaphore_set_create(b, loc, s->there, tt_index(b, loc, 0));
  MlirOperation sender =
      metalium_get_noc_addr_create(b, loc, s->args[SENDER_X], s->args[SENDER_Y], s->ready);
  metalium_noc_semaphore_inc_create(b, loc, mlirOperationGetResult(sender, 0), tt_index(b, loc, 1));
}

void tt_await_ready(const TtShared *s, TtBuilder *b) {
  MlirLocation loc = mlirOperationGetLocation(s->read);
  metalium_noc_semaphore_wait_create(b, loc, s->ready, tt_group_others(s, b));
  metalium_noc_semaphore_set_create(b, loc, s->ready, tt_index(b, loc, 0));
}

void tt_say_there(const TtShared *s, TtBuilder *b) {
  MlirLocation loc = mlirOperationGetLocation(s->read);
  metalium_noc_semaphore_set_create(b, loc, s->there, tt_index(b, loc, 1));
  metalium_noc_semaphore_set_multicast_create(b, loc, s->there, tt_group_rectangle(s, b, s->there),
                                              tt_group_others(s, b));
}

MlirOperation tt_choose_sender(TtBuilder *b, MlirLocation loc, MlirValue sends, TtBuilder *yes,
                               TtBuilder *no) {
  MlirOperation choice = tt_if_else(b, loc, tt_ne(b, loc, sends, tt_index(b, loc, 0)));
  *yes = tt_builder_at_terminator(tt_body(choice));
  *no = tt_builder_at_terminator(mlirRegionGetFirstBlock(mlirOperationGetRegion(choice, 1)));
  return choice;
}
