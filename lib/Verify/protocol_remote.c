/*===- protocol_remote.c - steps that speak to other cores --------------------------------===
 *
 *   %there = metalium.get_noc_multicast_addr %x0, %y0, %x1, %y1, %l1
 *   metalium.noc_async_write_multicast %l1, %there, %bytes, %n       SEND  cb_in0 to cb_in0
 *   metalium.noc_semaphore_wait %ready, %n                           SEM_WAIT  @ready, n
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_read.h"

static bool cannot_follow(TtReader *r, MlirOperation op, const char *what) {
  if (r->ok) r->ok = tt_error(op, "cannot prove the protocol: %s", what);
  return true;
}

/* The semaphore whose address a value is, -1 for none. */
static int semaphore_of(TtReader *r, MlirValue address) {
  MlirOperation get = tt_defining_op(address);
  if (!metalium_get_semaphore_isa(get)) return -1;
  for (int i = 0; i < r->p->num_semaphores; ++i)
    if (tt_str_eq(tt_string(metalium_get_semaphore_name(get)), r->p->semaphores[i].name)) return i;
  return -1;
}

/* Which cores, and which address of theirs. */
static bool read_place(TtReader *r, TtStep *s, MlirValue to, MlirValue *l1) {
  MlirOperation at = tt_defining_op(to);
  s->multicast = metalium_get_noc_multicast_addr_isa(at);
  if (!s->multicast && !metalium_get_noc_addr_isa(at)) return false;
  int corners = s->multicast ? 4 : 2;
  for (int i = 0; i < corners; ++i) {
    s->corner[i] = tt_read_operand(r, at, i);
    if (r->ok && r->e->nodes[s->corner[i]].coordinates != 1)
      r->ok = tt_error(at, "[rule 17] this is no coordinate of the NoC; take those of "
                           "tt.worker_core, or of the own core");
  }
  *l1 = mlirOperationGetOperand(at, corners);
  s->link = r->p->num_links++;
  return true;
}

static const struct {
  const char *op;
  TtStepKind kind;
} local[] = {{"metalium.noc_semaphore_set", TT_STEP_SEM_SET},
             {"metalium.noc_semaphore_wait", TT_STEP_SEM_WAIT},
             {"metalium.noc_semaphore_wait_min", TT_STEP_SEM_WAIT_MIN}};

static bool read_local(TtReader *r, MlirOperation op, TtStepKind kind) {
  int value = tt_read_operand(r, op, 1),
      semaphore = semaphore_of(r, mlirOperationGetOperand(op, 0));
  if (semaphore < 0)
    return cannot_follow(r, op, "the address is that of no semaphore; take metalium.get_semaphore");
  TtStep *s = tt_new_step(r, kind, op);
  s->semaphore = semaphore;
  s->index[0] = value;
  return true;
}

/* What goes to other cores: which operands are its source, its place, its value or bytes, and the
 * number of cores, -1 for none. */
static const struct {
  const char *op;
  TtStepKind kind;
  int from, to, value, dests;
  bool loopback;
} remote[] = {
    {"metalium.noc_async_write", TT_STEP_SEND, 0, 1, 2, -1, true},
    {"metalium.noc_async_write_multicast", TT_STEP_SEND, 0, 1, 2, 3, false},
    {"metalium.noc_async_write_multicast_loopback_src", TT_STEP_SEND, 0, 1, 2, 3, true},
    {"metalium.noc_semaphore_set_remote", TT_STEP_SIGNAL, 0, 1, -1, -1, true},
    {"metalium.noc_semaphore_set_multicast", TT_STEP_SIGNAL, 0, 1, -1, 2, false},
    {"metalium.noc_semaphore_set_multicast_loopback_src", TT_STEP_SIGNAL, 0, 1, -1, 2, true},
    {"metalium.noc_semaphore_inc", TT_STEP_INC, -1, 0, 1, -1, true},
    {"metalium.noc_semaphore_inc_multicast", TT_STEP_INC, -1, 0, 1, 2, false},
};

/* A pointer of a circular buffer, and the bytes after it. */
static bool read_pointer(TtReader *r, MlirValue address, int *cb, int *slot, int *bytes,
                         bool *to_read) {
  *bytes = tt_read_address(r, &address);
  *slot = tt_value_map_get(&r->slots, address);
  MlirOperation at = tt_defining_op(address);
  if (*slot < 0) return false;
  *to_read = metalium_get_read_ptr_isa(at);
  *cb = tt_cb_index(r, mlirOperationGetOperand(at, 0));
  return *cb >= 0;
}

static bool read_send(TtReader *r, TtStep *s, MlirValue from, MlirValue to) {
  bool reads = false;
  return read_pointer(r, from, &s->cb[0], &s->slot, &s->index[0], &s->to_read) &&
         read_pointer(r, to, &s->cb[1], &s->to_slot, &s->index[2], &reads) && !reads;
}

static void add_step(TtReader *r, TtStepKind kind, MlirOperation op, TtStep s) {
  TtStep *step = tt_new_step(r, kind, op);
  s.kind = step->kind, s.op = step->op, s.target = -1, s.unit = -1;
  s.level = step->level, s.warned = step->warned;
  *step = s;
}

static bool read_remote(TtReader *r, MlirOperation op, size_t i) {
  MlirValue from = mlirOperationGetOperand(op, remote[i].from < 0 ? 0 : remote[i].from),
            to = mlirOperationGetOperand(op, remote[i].to), l1;
  TtStep s = {.index = {-1, -1, -1}, .cb = {-1, -1, -1}, .corner = {-1, -1, -1, -1}};
  s.slot = s.dests = s.semaphore = s.source = s.to_slot = -1;
  s.loopback = remote[i].loopback;
  if (!read_place(r, &s, to, &l1))
    return cannot_follow(r, op,
                         "where this goes is no metalium.get_noc_addr or "
                         "get_noc_multicast_addr");
  int value = remote[i].value < 0 ? -1 : tt_read_operand(r, op, remote[i].value);
  if (remote[i].dests >= 0) s.dests = tt_read_operand(r, op, remote[i].dests);
  if ((s.dests >= 0) != s.multicast) {
    if (r->ok)
      r->ok = tt_error(op, "[rule 18] %s",
                       s.multicast ? "the address is that of a rectangle of cores; "
                                     "use the multicast form of this op"
                                   : "the address is that of one core; use "
                                     "metalium.get_noc_multicast_addr");
    return true;
  }
  if (remote[i].kind == TT_STEP_SEND) {
    if (!read_send(r, &s, from, l1))
      return cannot_follow(r, op,
                           "data goes from a pointer of a circular buffer to a write pointer "
                           "of one, which receivers have at the same place");
    s.index[1] = value;
  } else {
    s.semaphore = semaphore_of(r, l1);
    s.source = remote[i].from < 0 ? -1 : semaphore_of(r, from);
    s.index[0] = value;
    if (s.semaphore < 0 || (remote[i].from >= 0 && s.source < 0))
      return cannot_follow(r, op,
                           "the address is that of no semaphore; take metalium.get_semaphore");
  }
  add_step(r, remote[i].kind, op, s);
  return true;
}

/* What another core has, to pages of this one. */
static bool read_fetch(TtReader *r, MlirOperation op) {
  MlirValue l1;
  TtStep s = {.index = {-1, -1, -1}, .cb = {-1, -1, -1}, .corner = {-1, -1, -1, -1}};
  s.slot = s.dests = s.semaphore = s.source = s.to_slot = -1;
  s.loopback = true;
  if (!read_place(r, &s, mlirOperationGetOperand(op, 0), &l1))
    return cannot_follow(r, op, "what this reads is no metalium.get_noc_addr");
  if (s.multicast) {
    if (r->ok)
      r->ok = tt_error(op, "[rule 18] the address is that of a rectangle of cores; read from one: "
                           "use metalium.get_noc_addr");
    return true;
  }
  s.index[1] = tt_read_operand(r, op, 2);
  if (!read_pointer(r, mlirOperationGetOperand(op, 1), &s.cb[0], &s.slot, &s.index[0],
                    &s.to_read) ||
      !read_pointer(r, l1, &s.cb[1], &s.to_slot, &s.index[2], &s.read_there))
    return cannot_follow(r, op,
                         "data is read from a pointer of a circular buffer, which the other core "
                         "has at the same place, to one of this core");
  r->p->cbs[s.cb[1]].fetched = true;
  add_step(r, TT_STEP_FETCH, op, s);
  return true;
}

bool tt_read_remote(TtReader *r, MlirOperation op) {
  for (size_t i = 0; i < sizeof local / sizeof *local; ++i)
    if (tt_op_is(op, local[i].op)) return read_local(r, op, local[i].kind);
  for (size_t i = 0; i < sizeof remote / sizeof *remote; ++i)
    if (tt_op_is(op, remote[i].op)) return read_remote(r, op, i);
  return metalium_noc_async_read_isa(op) && read_fetch(r, op);
}
