/*===- core_args.c - tt.core_args, interpreted for each core ---------------------------------===
 *
 *   tt.core_args (%x, %y) -> ["start_id", "count"] {        core    start_id  count
 *     %0 = arith.muli %y, %c8                               (0, 0)         0      1
 *     %start = arith.addi %0, %x                            (1, 0)         1      1
 *     tt.yield %start, %c1 : index, index                   (0, 1)         8      1
 *   }
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/core_args.h"

#include "Analysis/dims.h"
#include "Analysis/program.h"
#include "Support/value_map.h"

#include <string.h>

bool tt_has_size(const TtSizes *sizes, MlirStringRef name) {
  for (intptr_t i = 0; i < sizes->n; ++i)
    if (tt_str_eq(name, sizes->names[i])) return true;
  return false;
}

int64_t tt_size_named(const TtSizes *sizes, MlirStringRef name) {
  for (intptr_t i = 0; i < sizes->n; ++i)
    if (tt_str_eq(name, sizes->names[i])) return sizes->sizes[i];
  return sizes->others;
}

/*===- Cores ----------------------------------------------------------------------------------===*/

bool tt_core_set_has(MlirOperation core_set, TtCore core) {
  MlirAttribute ranges = tt_core_set_ranges(core_set);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    if (core.x >= tt_core_range_attr_start(r, 0) && core.x <= tt_core_range_attr_end(r, 0) &&
        core.y >= tt_core_range_attr_start(r, 1) && core.y <= tt_core_range_attr_end(r, 1))
      return true;
  }
  return false;
}

/* The cores of a set that none of the `n` sets before has. */
static void add_cores(TtArena *arena, TtCoreTable *t, int64_t *capacity, const TtOps *sets,
                      intptr_t n) {
  MlirAttribute ranges = tt_core_set_ranges(sets->data[n]);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    for (int64_t y = tt_core_range_attr_start(r, 1); y <= tt_core_range_attr_end(r, 1); ++y)
      for (int64_t x = tt_core_range_attr_start(r, 0); x <= tt_core_range_attr_end(r, 0); ++x) {
        TtCore core = {x, y};
        bool known = false;
        for (intptr_t j = 0; j < n && !known; ++j) known = tt_core_set_has(sets->data[j], core);
        if (known) continue;
        if (t->n == *capacity) {
          *capacity = *capacity ? *capacity * 2 : 64;
          TtCore *cores = tt_arena_alloc(arena, (size_t)*capacity * sizeof *cores);
          if (t->n) memcpy(cores, t->cores, (size_t)t->n * sizeof *cores);
          t->cores = cores;
        }
        ((TtCore *)t->cores)[t->n++] = core;
      }
  }
}

static void find_cores(TtArena *arena, MlirOperation program, TtCoreTable *t) {
  TtOps kernels = tt_program_kernels(arena, program), sets = {NULL, 0, 0};
  int64_t capacity = 0;
  for (intptr_t i = 0; i < kernels.n; ++i) {
    MlirOperation set = tt_core_set_of(program, kernels.data[i]);
    bool known = mlirOperationIsNull(set);
    for (intptr_t j = 0; j < sets.n && !known; ++j) known = tt_op_eq(sets.data[j], set);
    if (known) continue;
    tt_ops_add(arena, &sets, set);
    add_cores(arena, t, &capacity, &sets, sets.n - 1);
  }
}

const char **tt_core_arg_sizes(TtArena *arena, MlirOperation program, intptr_t *n) {
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  MlirAttribute names = tt_get_attr(program, "tt.args");
  intptr_t args = mlirFunctionTypeGetNumInputs(type), most = 0;
  for (intptr_t i = 0; i < args; ++i)
    if (tt_is_memref(mlirFunctionTypeGetInput(type, i)))
      most += mlirShapedTypeGetRank(mlirFunctionTypeGetInput(type, i));
  const char **sizes = tt_arena_alloc(arena, (size_t)(most + 1) * sizeof *sizes);
  *n = 0;
  for (intptr_t i = 0; i < args; ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    bool named = !mlirAttributeIsNull(names) && i < mlirArrayAttrGetNumElements(names);
    const char *name = named ? tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(names, i)))
                             : tt_arena_printf(arena, "arg%jd", (intmax_t)i);
    for (intptr_t d = 0; tt_is_memref(input) && d < mlirShapedTypeGetRank(input); ++d)
      if (mlirShapedTypeIsDynamicDim(input, d)) sizes[(*n)++] = tt_dim_name(arena, name, d);
  }
  return sizes;
}

/*===- Values ---------------------------------------------------------------------------------===*/

static bool compare(int64_t predicate, int64_t a, int64_t b) {
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
  switch (predicate) { /* arith::CmpIPredicate */
  case 0: return a == b;
  case 1: return a != b;
  case 2: return a < b;
  case 3: return a <= b;
  case 4: return a > b;
  case 5: return a >= b;
  case 6: return ua < ub;
  case 7: return ua <= ub;
  case 8: return ua > ub;
  default: return ua >= ub;
  }
}

typedef enum Operator {
  OP_CONSTANT,
  OP_CORE, /* coordinates of the NoC */
  OP_ADD,
  OP_SUB,
  OP_MUL,
  OP_DIV,
  OP_REM,
  OP_MIN,
  OP_MAX,
  OP_AND,
  OP_OR,
  OP_XOR,
  OP_CMP,
  OP_SELECT,
  OP_CAST
} Operator;
static const struct {
  const char *name;
  Operator operator;
} operators[] = {
    {"arith.addi", OP_ADD},        {"arith.subi", OP_SUB},          {"arith.muli", OP_MUL},
    {"arith.divui", OP_DIV},       {"arith.remui", OP_REM},         {"arith.minui", OP_MIN},
    {"arith.maxui", OP_MAX},       {"arith.andi", OP_AND},          {"arith.ori", OP_OR},
    {"arith.xori", OP_XOR},        {"arith.cmpi", OP_CMP},          {"arith.select", OP_SELECT},
    {"arith.index_cast", OP_CAST}, {"arith.index_castui", OP_CAST},
};

/* An op of the region, read once for all cores. */
typedef struct Instruction {
  MlirOperation op;
  Operator operator;
  int64_t value;       /* constant, or predicate */
  int result, from[3]; /* places of values */
} Instruction;

typedef struct Machine {
  TtValueMap places; /* of values */
  Instruction *code;
  int64_t *values;
  int n, length;
} Machine;

static void calculate(int64_t *values, const Instruction *i) {
  int64_t a = values[i->from[0]], b = values[i->from[1]], *value = &values[i->result];
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
  switch (i->operator) {
  case OP_CONSTANT: *value = i->value; break;
  case OP_CORE: value[0] = a + TT_NOC_ORIGIN, value[1] = b + TT_NOC_ORIGIN; break;
  case OP_ADD: *value = (int64_t)(ua + ub); break;
  case OP_SUB: *value = (int64_t)(ua - ub); break;
  case OP_MUL: *value = (int64_t)(ua * ub); break;
  case OP_DIV: *value = (int64_t)(ua / ub); break;
  case OP_REM: *value = (int64_t)(ua % ub); break;
  case OP_MIN: *value = ua < ub ? a : b; break;
  case OP_MAX: *value = ua > ub ? a : b; break;
  case OP_AND: *value = a & b; break;
  case OP_OR: *value = a | b; break;
  case OP_XOR: *value = a ^ b; break;
  case OP_CMP: *value = compare(i->value, a, b); break;
  case OP_SELECT: *value = a ? b : values[i->from[2]]; break;
  case OP_CAST: *value = a; break;
  }
}

static bool read_op(MlirOperation op, Instruction *i) {
  MlirValue result = mlirOperationGetResult(op, 0);
  if (tt_constant(result, &i->value)) {
    if (!mlirTypeIsAIndex(mlirValueGetType(result))) i->value = i->value != 0;
    i->operator = OP_CONSTANT;
    return true;
  }
  if (tt_worker_core_isa(op)) {
    i->operator = OP_CORE;
    return true;
  }
  for (size_t k = 0; k < sizeof operators / sizeof *operators; ++k)
    if (tt_op_is(op, operators[k].name)) {
      i->operator = operators[k].operator;
      if (i->operator == OP_CMP) i->value = tt_int(tt_op_attr(op, "predicate"));
      return true;
    }
  MlirStringRef name = tt_op_name(op);
  return tt_error(op, "%.*s has no place in tt.core_args: the host program cannot compute it",
                  (int)name.length, name.data);
}

static void place(TtArena *arena, Machine *m, MlirValue value) {
  tt_value_map_set(arena, &m->places, value, m->n++);
}

/* The ops up to the yield. */
static bool read_region(TtArena *arena, Machine *m, MlirBlock body) {
  MlirOperation op = mlirBlockGetFirstOperation(body);
  int length = 0;
  for (; !tt_yield_isa(op); op = tt_next(op)) ++length;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    place(arena, m, mlirBlockGetArgument(body, i));
  m->code = tt_arena_alloc(arena, (size_t)(length + 1) * sizeof *m->code);
  for (op = mlirBlockGetFirstOperation(body); !tt_yield_isa(op); op = tt_next(op)) {
    Instruction *i = &m->code[m->length++];
    i->op = op, i->result = m->n;
    if (!read_op(op, i)) return false;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op) && k < 3; ++k)
      i->from[k] = tt_value_map_get(&m->places, mlirOperationGetOperand(op, k));
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      place(arena, m, mlirOperationGetResult(op, k));
  }
  m->values = tt_arena_alloc(arena, (size_t)(m->n + 1) * sizeof *m->values);
  return true;
}

static bool run_core(Machine *m) {
  for (const Instruction *i = m->code; i < m->code + m->length; ++i) {
    bool divides = i->operator == OP_DIV || i->operator == OP_REM;
    if (divides && m->values[i->from[1]] == 0) return tt_error(i->op, "divides by zero on a core");
    calculate(m->values, i);
  }
  return true;
}

static bool run_cores(TtArena *arena, MlirOperation program, MlirBlock body, const TtSizes *sizes,
                      TtCoreTable *t) {
  Machine m = {.n = 0};
  intptr_t num_sizes;
  const char **names = tt_core_arg_sizes(arena, program, &num_sizes);
  if (!read_region(arena, &m, body)) return false;
  int *given = tt_arena_alloc(arena, (size_t)(t->num_names + 1) * sizeof *given);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    given[i] = tt_value_map_get(&m.places, mlirOperationGetOperand(yield, i));
  for (intptr_t i = 0; i < num_sizes; ++i) m.values[2 + i] = tt_size_named(sizes, tt_str(names[i]));
  for (int64_t i = 0; i < t->n; ++i) {
    m.values[0] = t->cores[i].x, m.values[1] = t->cores[i].y;
    if (!run_core(&m)) return false;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(yield); ++k)
      t->values[i * t->num_names + k] = m.values[given[k]];
  }
  return true;
}

bool tt_core_table(TtArena *arena, MlirOperation program, const TtSizes *sizes,
                   TtCoreTable *table) {
  *table = (TtCoreTable){.n = 0};
  MlirOperation op = tt_program_core_args(program);
  find_cores(arena, program, table);
  if (mlirOperationIsNull(op)) return true;
  MlirAttribute names = tt_core_args_names(op);
  table->num_names = mlirArrayAttrGetNumElements(names);
  table->names = tt_arena_alloc(arena, (size_t)(table->num_names + 1) * sizeof *table->names);
  for (intptr_t i = 0; i < table->num_names; ++i)
    table->names[i] = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(names, i)));
  table->values = tt_arena_alloc(arena, ((size_t)table->n * (size_t)table->num_names + 1) *
                                            sizeof *table->values);
  return run_cores(arena, program, tt_body(op), sizes, table);
}

intptr_t tt_core_table_column(const TtCoreTable *table, MlirStringRef name) {
  for (intptr_t i = 0; i < table->num_names; ++i)
    if (tt_str_eq(name, table->names[i])) return i;
  return -1;
}

/*===- Coordinates --------------------------------------------------------------------------===*/

static int coordinates_of(MlirValue value, int depth, MlirOperation *sum);

/* The coordinates of the NoC in one of several values, which all have as many. A choice among all
 * cores is a long chain of selects, of which each is a step here, and no level. */
static int chosen_coordinates(MlirValue value, int depth, MlirOperation *sum) {
  MlirOperation op = tt_defining_op(value);
  int first = coordinates_of(mlirOperationGetOperand(op, 1), depth + 1, sum);
  while (!mlirOperationIsNull(op) && tt_op_is(op, "arith.select")) {
    if (coordinates_of(mlirOperationGetOperand(op, 0), depth + 1, sum) != 0 ||
        coordinates_of(mlirOperationGetOperand(op, 1), depth + 1, sum) != first)
      return TT_NO_SUM;
    value = mlirOperationGetOperand(op, 2);
    op = tt_defining_op(value);
  }
  return coordinates_of(value, depth + 1, sum) == first ? first : TT_NO_SUM;
}

/* Of a value of the region. Expressions are short; what is deeper counts as no sum. */
static int coordinates_of(MlirValue value, int depth, MlirOperation *sum) {
  enum { MOST = 12 };
  MlirOperation op = tt_defining_op(value);
  if (mlirOperationIsNull(op)) return 0;
  if (tt_worker_core_isa(op)) return 1;
  if (depth > MOST) return TT_NO_SUM;
  if (tt_op_is(op, "arith.select")) return chosen_coordinates(value, depth, sum);
  int n[3] = {0, 0, 0};
  intptr_t operands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < operands && i < 3; ++i) {
    n[i] = coordinates_of(mlirOperationGetOperand(op, i), depth + 1, sum);
    if (n[i] == TT_NO_SUM) return TT_NO_SUM;
  }
  bool adds = tt_op_is(op, "arith.addi"), subtracts = tt_op_is(op, "arith.subi");
  if ((adds || subtracts) && (n[0] || n[1])) *sum = op;
  if (adds) return n[0] + n[1];
  if (subtracts) return n[0] - n[1];
  if (tt_op_is(op, "arith.cmpi")) return n[0] == n[1] ? 0 : TT_NO_SUM;
  return n[0] || n[1] ? TT_NO_SUM : 0;
}

int tt_core_arg_coordinates(MlirOperation program, MlirStringRef name, MlirOperation *sum) {
  MlirOperation args = tt_program_core_args(program);
  *sum = (MlirOperation){NULL};
  if (mlirOperationIsNull(args)) return 0;
  MlirAttribute names = tt_core_args_names(args);
  MlirOperation yield = mlirBlockGetTerminator(tt_body(args));
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i)
    if (mlirStringRefEqual(tt_string(mlirArrayAttrGetElement(names, i)), name))
      return coordinates_of(mlirOperationGetOperand(yield, i), 0, sum);
  return 0;
}
