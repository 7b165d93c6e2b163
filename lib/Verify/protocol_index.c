/*===- protocol_index.c - index arithmetic of a kernel, as nodes ------------------------------===
 *
 *   %first = tt.runtime_arg "start_id"          0: ARG start_id
 *   scf.for %i = %c0 to %c4 step %c1            1: SLOT of %i
 *     %tile = arith.addi %first, %i             2: ADD 0, 1
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/ranges.h"
#include "Dialect/op_info.h"
#include "Dialect/target.h"
#include "Verify/protocol_read.h"

#include <string.h>

enum { MAX_DEPTH = 200 }; /* of index expressions; those of kernels have some ten */

void *tt_grow(TtArena *arena, void *data, int n, int *capacity, size_t size) {
  if (n < *capacity) return data;
  int larger = *capacity ? *capacity * 2 : 64;
  void *copy = tt_arena_alloc(arena, (size_t)larger * size);
  if (n) memcpy(copy, data, (size_t)n * size);
  *capacity = larger;
  return copy;
}

static int depth_of(const TtReader *r, int node) { return node < 0 ? 0 : r->e->nodes[node].depth; }

/* How many coordinates of the NoC are in the sum that a node is, of operands that have a, b and
 * c; TT_NO_SUM where it is none. */
static int count_coordinates(const TtIndexNode *n, int a, int b, int c) {
  if (n->kind == TT_IX_ADD) return a + b;
  if (n->kind == TT_IX_SUB) return a - b;
  if (n->kind == TT_IX_SELECT) return b == c ? b : TT_NO_SUM;
  if (n->kind == TT_IX_CMP) return a == b ? 0 : TT_NO_SUM;
  if (n->kind == TT_IX_MIN || n->kind == TT_IX_MAX) return a == b ? a : TT_NO_SUM;
  return a == 0 && b == 0 ? 0 : TT_NO_SUM;
}

static int coordinates_of(const TtReader *r, int node) {
  return node < 0 ? 0 : r->e->nodes[node].coordinates;
}

static int add_node(TtReader *r, TtIndexNode n) {
  int operands[3] = {n.a, n.b, n.c};
  for (int i = 0; i < 3 && n.kind >= TT_IX_ADD; ++i)
    if (depth_of(r, operands[i]) >= n.depth) n.depth = depth_of(r, operands[i]) + 1;
  r->e->nodes = tt_grow(r->p->arena, r->e->nodes, r->e->n, &r->e->capacity, sizeof n);
  r->e->nodes[r->e->n] = n;
  return r->e->n++;
}

static int constant(TtReader *r, int64_t value) {
  return add_node(r, (TtIndexNode){.kind = TT_IX_CONST, .value = value});
}

static int slot_node(TtReader *r, int slot) {
  return add_node(r, (TtIndexNode){.kind = TT_IX_SLOT, .value = slot});
}

/* Coordinates of the NoC may be added to where those of neighbours follow each other. */
static void check_sum(TtReader *r, MlirOperation op) {
  const TtChip *chip = r->p->chip;
  if (r->ok && !chip->adjoining_cores)
    r->ok = tt_error(op,
                     "[rule 17] arithmetic on coordinates of the NoC, which on %s do not follow "
                     "each other; take those of the other core from tt.worker_core",
                     chip->name);
}

static int argument(TtReader *r, MlirStringRef name) {
  TtProtocol *p = r->p;
  int i = 0;
  while (i < p->num_args && !(p->args[i].kernel == r->kernel && tt_str_eq(name, p->args[i].name)))
    ++i;
  if (i == p->num_args) {
    p->args = tt_grow(p->arena, p->args, p->num_args, &p->args_capacity, sizeof *p->args);
    p->args[p->num_args++] = (TtProtocolArg){tt_arena_str(p->arena, name), r->kernel};
  }
  MlirOperation sum;
  int coordinates = tt_core_arg_coordinates(p->program, name, &sum);
  if (!mlirOperationIsNull(sum)) check_sum(r, sum);
  return add_node(r, (TtIndexNode){.kind = TT_IX_ARG, .value = i, .coordinates = coordinates});
}

int tt_new_slot(TtReader *r, MlirValue value) {
  int slot = r->top++;
  if (r->top > r->e->slots) r->e->slots = r->top;
  tt_value_map_set(r->p->arena, &r->slots, value, slot);
  return slot;
}

static const struct {
  const char *name;
  int kind, operands;
  bool bits; /* of truth values only */
} arithmetic[] = {
    {"arith.addi", TT_IX_ADD, 2, false},     {"arith.subi", TT_IX_SUB, 2, false},
    {"arith.muli", TT_IX_MUL, 2, false},     {"arith.divui", TT_IX_DIV, 2, false},
    {"arith.divsi", TT_IX_DIV, 2, false},    {"arith.floordivsi", TT_IX_DIV, 2, false},
    {"arith.remui", TT_IX_REM, 2, false},    {"arith.remsi", TT_IX_REM, 2, false},
    {"arith.cmpi", TT_IX_CMP, 2, false},     {"arith.ori", TT_IX_OR, 2, true},
    {"arith.andi", TT_IX_AND, 2, true},      {"arith.xori", TT_IX_XOR, 2, true},
    {"arith.minui", TT_IX_MIN, 2, false},    {"arith.minsi", TT_IX_MIN, 2, false},
    {"arith.maxui", TT_IX_MAX, 2, false},    {"arith.maxsi", TT_IX_MAX, 2, false},
    {"arith.select", TT_IX_SELECT, 3, false}};

static bool is_bit(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

static int cannot_follow(TtReader *r, MlirOperation op) {
  if (r->optional) r->unknown = true;
  else if (r->ok)
    r->ok = tt_error(
        mlirOperationIsNull(op) ? r->p->program : op,
        "cannot prove the protocol: a count, a bound, a condition or a tile index depends on this "
        "value; it may depend on constants, loop variables and runtime arguments (in a kernel in "
        "MLIR: on the grid, sizes of tensors and scalar arguments)");
  return constant(r, 1);
}

static int no_sum(TtReader *r, MlirOperation op) {
  if (r->ok)
    r->ok = tt_error(op, "cannot prove the protocol: coordinates of the NoC are added to, "
                         "subtracted from and compared with each other, and nothing else");
  return constant(r, 1);
}

/* An integer that the kernel takes. Where a tile is may depend on it, and is seen in the run. */
static bool is_scalar(const TtReader *r, MlirValue value) {
  MlirOperation kernel = r->p->kernels[r->kernel].op;
  MlirType type = mlirValueGetType(value);
  if (r->optional) {
    char *name = tt_arg_name(r->p->arena, kernel, mlirBlockArgumentGetArgNumber(value));
    if (!tt_program_range(r->p->program, name, type).given) return false;
  }
  return (mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type)) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), tt_body(kernel));
}

static int scalar(TtReader *r, MlirValue value) {
  MlirOperation kernel = r->p->kernels[r->kernel].op;
  char *name = tt_arg_name(r->p->arena, kernel, mlirBlockArgumentGetArgNumber(value));
  TtRange range = tt_program_range(r->p->program, name, mlirValueGetType(value));
  if (range.lo < 0 && r->ok)
    r->ok =
        tt_error(kernel,
                 "a bound or a condition depends on scalar argument '%s', which may be %jd, but "
                 "indices are not below zero; say what it may be by tt.range = [lo, hi], such "
                 "as [0, 4096]",
                 name, (intmax_t)range.lo);
  return argument(r, tt_str(name));
}

/* Where a tile is may depend on an integer that is loaded; if nothing is said of it, that is seen
 * in the run. */
static bool may_follow(TtReader *r, MlirOperation op) {
  bool ranged = !mlirAttributeIsNull(tt_op_attr(op, "ranged"));
  int64_t lo = tt_int(tt_op_attr(op, "lo"));
  if (r->optional) return ranged && lo >= 0;
  if (lo < 0 && r->ok)
    r->ok = tt_error(op,
                     "a bound or a condition depends on this integer, which may be %jd, but "
                     "indices are not below zero; say what its tensor holds by tt.range = "
                     "[lo, hi], such as [0, 64]",
                     (intmax_t)lo);
  return true;
}

static int index_of(TtReader *r, MlirValue value, int depth);

static int read_node(TtReader *r, MlirValue value, int depth) {
  int64_t c;
  if (tt_constant(value, &c)) return constant(r, is_bit(value) ? c != 0 : c);
  MlirOperation op = tt_defining_op(value);
  if (!mlirOperationIsNull(op) && tt_op_info(op)->does == TT_ACT_LEARN && !may_follow(r, op))
    return cannot_follow(r, op);
  int slot = tt_value_map_get(&r->slots, value);
  if (slot >= 0) return slot_node(r, slot);
  if (mlirOperationIsNull(op) && is_scalar(r, value)) return scalar(r, value);
  if (mlirOperationIsNull(op) || depth > MAX_DEPTH) return cannot_follow(r, op);
  if (tt_runtime_arg_isa(op)) return argument(r, tt_string(tt_runtime_arg_name(op)));
  static const char *const coordinates[] = {"metalium.my_x", "metalium.my_y",
                                            "metalium.get_absolute_logical_x",
                                            "metalium.get_absolute_logical_y"};
  for (int i = 0; i < 4; ++i)
    if (tt_op_is(op, coordinates[i]))
      return add_node(r,
                      (TtIndexNode){.kind = TT_IX_CORE, .value = i, .coordinates = i <= TT_NOC_Y});
  if (metalium_get_tile_size_isa(op)) {
    MlirOperation cb = tt_cb_decl(r->p->program, mlirOperationGetOperand(op, 0));
    if (!mlirOperationIsNull(cb)) return constant(r, tt_int(tt_circular_buffer_page_bytes(cb)));
  }
  if (tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.index_castui"))
    return index_of(r, mlirOperationGetOperand(op, 0), depth + 1);
  for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; ++i) {
    if (!tt_op_is(op, arithmetic[i].name) || (arithmetic[i].bits && !is_bit(value))) continue;
    int x[3] = {-1, -1, -1};
    for (int j = 0; j < arithmetic[i].operands; ++j)
      x[j] = index_of(r, mlirOperationGetOperand(op, j), depth + 1);
    TtIndexNode n = {.a = x[0], .b = x[1], .c = x[2]};
    n.kind = arithmetic[i].kind;
    if (n.kind == TT_IX_CMP) n.value = tt_int(tt_op_attr(op, "predicate"));
    int a = coordinates_of(r, x[0]), b = coordinates_of(r, x[1]);
    n.coordinates = count_coordinates(&n, a, b, coordinates_of(r, x[2]));
    if (n.coordinates == TT_NO_SUM) return no_sum(r, op);
    if ((n.kind == TT_IX_ADD || n.kind == TT_IX_SUB) && (a || b)) check_sum(r, op);
    return add_node(r, n);
  }
  return cannot_follow(r, op);
}

static int index_of(TtReader *r, MlirValue value, int depth) {
  int known = tt_value_map_get(&r->nodes, value);
  if (known >= 0) return known;
  if (r->unknown)
    return constant(r, 1); /* no node is kept now, so shared operands would be walked again */
  int node = read_node(r, value, depth);
  if (depth_of(r, node) > MAX_DEPTH) cannot_follow(r, tt_defining_op(value));
  if (!r->unknown) tt_value_map_set(r->p->arena, &r->nodes, value, node);
  return node;
}

int tt_try_index(TtReader *r, MlirValue value) {
  r->optional = true, r->unknown = false;
  int node = index_of(r, value, 0);
  if (r->unknown) node = -1;
  r->optional = r->unknown = false;
  return node;
}

int tt_read_index(TtReader *r, MlirValue value) { return index_of(r, value, 0); }

int tt_read_operand(TtReader *r, MlirOperation op, intptr_t i) {
  return index_of(r, mlirOperationGetOperand(op, i), 0);
}

int tt_read_sum(TtReader *r, int a, int b) {
  return add_node(r, (TtIndexNode){.kind = TT_IX_ADD, .a = a, .b = b, .c = -1});
}

/* Whether all waits for a circular buffer, and all pops of it, are of one number of pages, `n` or
 * more: then those are there, or none. */
static bool is_taken_whole(TtReader *r, MlirValue cb, int64_t n) {
  MlirOperation decl = tt_cb_decl(r->p->program, cb);
  TtOps ops = tt_collect(r->p->arena, r->p->kernels[r->kernel].op, NULL);
  int64_t pages = 0, count;
  for (intptr_t i = 0; i < ops.n; ++i) {
    TtAct does = tt_op_info(ops.data[i])->does;
    if (does != TT_ACT_WAIT && does != TT_ACT_POP) continue;
    if (!tt_op_eq(tt_cb_decl(r->p->program, mlirOperationGetOperand(ops.data[i], 0)), decl))
      continue;
    if (!tt_constant(mlirOperationGetOperand(ops.data[i], 1), &count) || (pages && count != pages))
      return false;
    pages = count;
  }
  return pages >= n;
}

int tt_read_tile(TtReader *r, MlirOperation op, int read) {
  MlirValue tile = tt_operand_at(op, tt_op_info(op)->tiles[read]);
  if (tt_is_null_value(tile)) return constant(r, 0); /* the op takes the first one */
  MlirOperation rest = tt_defining_op(tile);
  int64_t n;
  if (!mlirOperationIsNull(rest) && tt_op_is(rest, "arith.remui") &&
      tt_constant(mlirOperationGetOperand(rest, 1), &n) && n > 0 &&
      is_taken_whole(r, tt_op_reads(op, read), n))
    return constant(r, n - 1);
  return tt_read_operand(r, op, tt_operand_number(op, tt_op_info(op)->tiles[read]));
}
