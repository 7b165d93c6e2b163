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

/* A coordinate is one that the host or the API gives: NoC coordinates need not follow each other,
 * so nothing is added to them. */
static bool is_coordinate(const TtReader *r, int node) {
  const TtIndexNode *n = &r->e->nodes[node];
  if (n->kind == TT_IX_SELECT) return is_coordinate(r, n->b) && is_coordinate(r, n->c);
  return n->kind == TT_IX_ARG || n->kind == TT_IX_CORE;
}

/* Which cores, and which address of theirs. */
static bool read_place(TtReader *r, TtStep *s, MlirValue to, MlirValue *l1) {
  MlirOperation at = tt_defining_op(to);
  s->multicast = metalium_get_noc_multicast_addr_isa(at);
  if (!s->multicast && !metalium_get_noc_addr_isa(at)) return false;
  int corners = s->multicast ? 4 : 2;
  for (int i = 0; i < corners; ++i) {
    s->corner[i] = tt_read_operand(r, at, i);
    if (r->ok && !is_coordinate(r, s->corner[i])) return false;
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

static bool read_remote(TtReader *r, MlirOperation op, size_t i) {
  MlirValue from = mlirOperationGetOperand(op, remote[i].from < 0 ? 0 : remote[i].from),
            to = mlirOperationGetOperand(op, remote[i].to), l1;
  TtStep s = {.index = {-1, -1, -1}, .cb = {-1, -1, -1}, .corner = {-1, -1, -1, -1}};
  s.slot = s.dests = s.semaphore = s.source = s.to_slot = -1;
  s.loopback = remote[i].loopback;
  if (!read_place(r, &s, to, &l1))
    return cannot_follow(r, op,
                         "where this goes is no metalium.get_noc_addr or "
                         "get_noc_multicast_addr of runtime arguments, or of the own core");
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
  TtStep *step = tt_new_step(r, remote[i].kind, op);
  s.kind = step->kind, s.op = step->op, s.target = -1, s.unit = -1;
  s.level = step->level, s.warned = step->warned;
  *step = s;
  return true;
}

bool tt_read_remote(TtReader *r, MlirOperation op) {
  for (size_t i = 0; i < sizeof local / sizeof *local; ++i)
    if (tt_op_is(op, local[i].op)) return read_local(r, op, local[i].kind);
  for (size_t i = 0; i < sizeof remote / sizeof *remote; ++i)
    if (tt_op_is(op, remote[i].op)) return read_remote(r, op, i);
  if (metalium_noc_async_read_isa(op))
    return cannot_follow(r, op,
                         "this reads the memory of another core, which may not be written "
                         "yet; let that core send it");
  return false;
}
