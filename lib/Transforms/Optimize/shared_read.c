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

/* The corners of a core's group, its sender, and how many others it has. */
typedef struct Given {
  MlirValue first[2], last[2], sender[2], others;
} Given;

/* The first core of the group of the core at `at`, along a side. */
static MlirValue first_along(TtBuilder *b, MlirLocation loc, const TtSharingPart *p, bool vertical,
                             MlirValue at) {
  int64_t size = vertical ? p->height : p->width,
          least = vertical ? p->box.first.y : p->box.first.x,
          most = vertical ? p->box.last.y : p->box.last.x;
  if (most - least < size) return tt_index(b, loc, least);
  if (size == 1) return at;
  MlirValue from = tt_sub(b, loc, at, tt_index(b, loc, least));
  MlirValue group = tt_div(b, loc, from, tt_index(b, loc, size));
  return tt_add(b, loc, tt_mul(b, loc, group, tt_index(b, loc, size)), tt_index(b, loc, least));
}

/* The sender of a group: on the diagonal of those beside each other, which share no links then. The
 * next operand that is shared has the diagonal half a side away, since a core brings only so much:
 * who sends to a sender of rows is reached by a sender of columns again, so that few cores differ
 * in what is around them, and the proof of the protocol has few kinds of them to look at. The two
 * after these have the diagonals beside them.
 */
static void find_sender(TtBuilder *b, MlirLocation loc, const TtShared *s, const TtSharingPart *p,
                        const MlirValue core[2], Given *given) {
  given->sender[0] = given->first[0], given->sender[1] = given->first[1];
  bool row = p->height == 1, column = p->width == 1;
  bool alone = s->sharing.num_parts > 1 && p->cores == p->width * p->height;
  if (row == column || alone) return;
  int64_t size = row ? p->width : p->height;
  int64_t turn_of = s->turn / 2 + (s->turn % 2 ? size / 2 : 0);
  MlirValue at = tt_add(b, loc, core[row ? 1 : 0], tt_index(b, loc, turn_of % size));
  MlirValue turn = tt_rem(b, loc, at, tt_index(b, loc, size));
  given->sender[row ? 0 : 1] = tt_add(b, loc, given->first[row ? 0 : 1], turn);
}

static Given given_in_part(TtBuilder *b, MlirLocation loc, const TtShared *s,
                           const TtSharingPart *p, const MlirValue core[2]) {
  Given given = {.others = tt_index(b, loc, p->width * p->height - 1)};
  for (int i = 0; i < 2; ++i) {
    int64_t size = i ? p->height : p->width;
    given.first[i] = first_along(b, loc, p, i == 1, core[i]);
    given.last[i] = tt_add(b, loc, given.first[i], tt_index(b, loc, size - 1));
  }
  find_sender(b, loc, s, p, core, &given);
  return given;
}

/* What a core is given, by the side of the cut that it is on. */
static Given find_group(TtBuilder *b, MlirLocation loc, const TtShared *s,
                        const MlirValue core[2]) {
  const TtSharing *sharing = &s->sharing;
  Given given = given_in_part(b, loc, s, &sharing->parts[0], core), other;
  if (sharing->num_parts == 1) return given;
  other = given_in_part(b, loc, s, &sharing->parts[1], core);
  MlirValue before =
      tt_less(b, loc, core[sharing->columns ? 0 : 1], tt_index(b, loc, sharing->from));
  for (int i = 0; i < 2; ++i) {
    given.first[i] = tt_select(b, loc, before, given.first[i], other.first[i]);
    given.last[i] = tt_select(b, loc, before, given.last[i], other.last[i]);
    given.sender[i] = tt_select(b, loc, before, given.sender[i], other.sender[i]);
  }
  given.others = tt_select(b, loc, before, given.others, other.others);
  return given;
}

void tt_give_group(const TtShared *s) {
  MlirOperation op = tt_program_core_args(s->program), yield = mlirBlockGetTerminator(tt_body(op));
  MlirLocation loc = mlirOperationGetLocation(s->read);
  TtBuilder b = tt_builder_before(yield);
  MlirValue core[2] = {mlirBlockGetArgument(tt_body(op), 0), mlirBlockGetArgument(tt_body(op), 1)},
            values[NUM_ARGS];
  Given given = find_group(&b, loc, s, core);
  MlirOperation places[3] = {tt_worker_core_create(&b, loc, given.sender[0], given.sender[1]),
                             tt_worker_core_create(&b, loc, given.first[0], given.first[1]),
                             tt_worker_core_create(&b, loc, given.last[0], given.last[1])};
  values[OTHERS] = given.others;
  values[SENDS] = is_core(&b, loc, core, given.sender);
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
  return s->num_args > OTHERS ? s->args[OTHERS]
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
