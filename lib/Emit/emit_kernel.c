/*===- emit_kernel.c - C++ of reader, compute and writer ---------------------------------------===
 *
 * Values that are used once are written where they are used; values with a name
 * (tt.var) or more uses become constants of the scope. Calls come from the API
 * table. What the result looks like:
 *
 *   void kernel_main() {
 *       const uint32_t A_addr = get_arg_val<uint32_t>(0);
 *       constexpr uint32_t cb_in0 = tt::CBIndex::c_0;
 *       for (uint32_t k = 0; k < 8; ++k) {
 *           cb_reserve_back(cb_in0, 4);
 *           …
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emitter.h"

#include "Dialect/op_info.h"

#include <string.h>

/* Precedence of C++ operators, loosest first. */
enum { P_CHOICE = 1, P_OR, P_AND, P_EQUALITY, P_SUM, P_PRODUCT, P_PRIMARY };

typedef struct Expr {
  const char *text;
  int precedence;
} Expr;

/*===- Expressions ------------------------------------------------------------------===*/

static const struct {
  const char *op, *sign;
  int precedence;
} operators[] = {
    {"arith.addi", " + ", P_SUM},      {"arith.subi", " - ", P_SUM},
    {"arith.muli", " * ", P_PRODUCT},  {"arith.divui", " / ", P_PRODUCT},
    {"arith.remui", " % ", P_PRODUCT}, {"arith.ori", " || ", P_OR},
    {"arith.andi", " && ", P_AND},     {"metalium.l1_offset", " + ", P_SUM},
};

static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};

static Expr expr(TtEmitter *e, MlirValue value);

static const char *inside(TtEmitter *e, MlirValue value, int precedence) {
  Expr x = expr(e, value);
  return x.precedence >= precedence ? x.text : tt_arena_printf(e->arena, "(%s)", x.text);
}

static Expr binary(TtEmitter *e, MlirOperation op, const char *sign, int precedence) {
  bool sum = strcmp(sign, " + ") == 0; /* a + (b + c) needs no brackets */
  const char *x = inside(e, mlirOperationGetOperand(op, 0), precedence),
             *y = inside(e, mlirOperationGetOperand(op, 1), sum ? precedence : precedence + 1);
  return (Expr){tt_arena_printf(e->arena, "%s%s%s", x, sign, y), precedence};
}

static bool has_call(TtEmitter *e, MlirOperation op, const TtApiRow *row) {
  MlirStringRef name = tt_op_name(op);
  if (tt_era_column(row->call, e->api) != tt_api_absent) return true;
  e->ok =
      tt_error(op, "the kernel API of %s has no %.*s; use a newer one, --metalium-api=%s",
               tt_api_str((int)e->api), (int)name.length, name.data, tt_api_str(TT_API_COUNT - 1));
  return false;
}

static Expr compute(TtEmitter *e, MlirOperation op) {
  const TtApiRow *row = tt_api_row(op);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i)
    if (tt_op_is(op, operators[i].op))
      return binary(e, op, operators[i].sign, operators[i].precedence);
  if (tt_op_is(op, "arith.cmpi")) {
    size_t predicate = (size_t)tt_int(tt_op_attr(op, "predicate"));
    return binary(e, op, tt_arena_printf(e->arena, " %s ", comparisons[predicate]), P_EQUALITY);
  }
  if (tt_op_is(op, "arith.index_cast") || tt_op_is(op, "arith.index_castui"))
    return expr(e, mlirOperationGetOperand(op, 0));
  if (tt_op_is(op, "arith.select"))
    return (Expr){tt_arena_printf(e->arena, "%s ? %s : %s",
                                  inside(e, mlirOperationGetOperand(op, 0), P_OR),
                                  inside(e, mlirOperationGetOperand(op, 1), P_OR),
                                  inside(e, mlirOperationGetOperand(op, 2), P_CHOICE)),
                  P_CHOICE};
  bool largest = tt_op_is(op, "arith.maxui");
  if (largest || tt_op_is(op, "arith.minui") || tt_op_is(op, "arith.minsi"))
    return (Expr){tt_arena_printf(e->arena, "std::%s<uint32_t>(%s, %s)", largest ? "max" : "min",
                                  expr(e, mlirOperationGetOperand(op, 0)).text,
                                  expr(e, mlirOperationGetOperand(op, 1)).text),
                  P_PRIMARY};
  if (metalium_get_tile_size_isa(op))
    return (Expr){
        tt_arena_printf(e->arena, "get_tile_size(%s)", expr(e, metalium_get_tile_size_cb(op)).text),
        P_PRIMARY};
  if (metalium_get_write_ptr_isa(op) || metalium_get_read_ptr_isa(op))
    return (Expr){tt_arena_printf(e->arena, "get_%s_ptr(%s)",
                                  metalium_get_write_ptr_isa(op) ? "write" : "read",
                                  expr(e, mlirOperationGetOperand(op, 0)).text),
                  P_PRIMARY};
  if (tt_runtime_arg_isa(op)) {
    MlirAttribute index = tt_runtime_arg_index(op);
    return (Expr){tt_arena_printf(e->arena, "get_arg_val<uint32_t>(%jd)",
                                  (intmax_t)(mlirAttributeIsNull(index) ? 0 : tt_int(index))),
                  P_PRIMARY};
  }
  if (row && has_call(e, op, row))
    return (Expr){tt_emit_call(e, op, tt_era_column(row->call, e->api)), P_PRIMARY};
  if (row) return (Expr){"0", P_PRIMARY};
  MlirStringRef name = tt_op_name(op);
  bool quotient = tt_op_is(op, "arith.divsi") || tt_op_is(op, "arith.remsi") ||
                  tt_op_is(op, "arith.floordivsi") || tt_op_is(op, "arith.ceildivsi");
  e->ok = tt_error(
      op,
      quotient ? "%.*s has signs, and indices of a core have none: write it without "
                 "(arith.divui, arith.remui), or let ranges say that nothing is below zero "
                 "and the divisor at least one: constant bounds of loops and grids, and "
                 "tt.range of arguments"
               : "%.*s cannot stand outside of loops over elements and linalg ops: an index "
                 "is computed of integers, as (2 * i) / 5 for fptosi(i * 0.4), by ops of "
                 "arith and affine",
      (int)name.length, name.data);
  return (Expr){"0", P_PRIMARY};
}

const char *tt_emit_expression(TtEmitter *e, MlirValue value) { return expr(e, value).text; }

static Expr expr(TtEmitter *e, MlirValue value) {
  int64_t constant;
  const char *name = tt_emit_bound(e, value);
  if (name) return (Expr){name, P_PRIMARY};
  if (tt_constant(value, &constant)) {
    bool flag = mlirTypeIsAInteger(mlirValueGetType(value)) &&
                mlirIntegerTypeGetWidth(mlirValueGetType(value)) == 1;
    return (Expr){flag ? (constant ? "true" : "false")
                       : tt_arena_printf(e->arena, constant > INT32_MAX ? "%jdu" : "%jd",
                                         (intmax_t)constant), /* not one of 64 bits */
                  P_PRIMARY};
  }
  return compute(e, tt_defining_op(value));
}

/*===- Statements ---------------------------------------------------------------------===*/

static bool used_once(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

static const char *hint(TtEmitter *e, MlirOperation op, const char *fallback) {
  MlirAttribute name = tt_get_attr(op, "tt.var");
  return mlirAttributeIsNull(name) ? fallback : tt_arena_str(e->arena, tt_string(name));
}

/* What a value without a name is called, by what it is. */
static const char *kind_name(TtEmitter *e, MlirOperation op) {
  TtAct does = tt_op_info(op)->does;
  if (does == TT_ACT_WRITE_POINTER || does == TT_ACT_READ_POINTER)
    return tt_arena_printf(e->arena, "%s_%s_ptr", expr(e, mlirOperationGetOperand(op, 0)).text,
                           does == TT_ACT_WRITE_POINTER ? "write" : "read");
  if (metalium_get_tile_size_isa(op)) return "tile_bytes";
  if (does == TT_ACT_OFFSET) return "l1_addr";
  if (metalium_get_noc_addr_isa(op) || metalium_get_noc_multicast_addr_isa(op)) return "noc_addr";
  if (tt_op_is(op, "arith.cmpi") || tt_op_is(op, "arith.ori") || tt_op_is(op, "arith.andi"))
    return "condition";
  return "index";
}

void tt_emit_define(TtEmitter *e, MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  bool named = !mlirAttributeIsNull(tt_get_attr(op, "tt.var"));
  TtAct does = tt_op_info(op)->does;
  bool pointer = does == TT_ACT_WRITE_POINTER || does == TT_ACT_READ_POINTER;
  if (tt_op_is(op, "arith.constant") || (!named && !pointer && used_once(value))) return;
  if (!tt_has_uses(value) || tt_emit_bound(e, value)) return;
  const char *text = expr(e, value).text;
  const char *type = mlirTypeIsAInteger(mlirValueGetType(value))           ? "bool"
                     : metalium_noc_addr_type_isa(mlirValueGetType(value)) ? "uint64_t"
                                                                           : "uint32_t";
  const char *name = tt_emit_bind(e, value, hint(e, op, kind_name(e, op)));
  tt_emit_line(e, "const %s %s = %s;", type, name, text);
}

static void emit_block(TtEmitter *e, MlirBlock block);

static void emit_for(TtEmitter *e, MlirOperation op) {
  int64_t step;
  const char *lb = expr(e, mlirOperationGetOperand(op, 0)).text,
             *ub = inside(e, mlirOperationGetOperand(op, 1), P_SUM);
  bool one = tt_constant(mlirOperationGetOperand(op, 2), &step) && step == 1;
  size_t scope = tt_names_enter(&e->names);
  const char *by = one ? NULL : expr(e, mlirOperationGetOperand(op, 2)).text;
  const char *iv = tt_emit_bind(e, tt_for_iv(op), hint(e, op, "i"));
  if (one) tt_emit_line(e, "for (uint32_t %s = %s; %s < %s; ++%s) {", iv, lb, iv, ub, iv);
  else tt_emit_line(e, "for (uint32_t %s = %s; %s < %s; %s += %s) {", iv, lb, iv, ub, iv, by);
  ++e->indent;
  emit_block(e, tt_for_body(op));
  --e->indent;
  tt_emit_line(e, "}");
  tt_names_leave(&e->names, scope);
}

static void emit_if(TtEmitter *e, MlirOperation op) {
  size_t scope = tt_names_enter(&e->names);
  for (intptr_t i = 0; i < 2; ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (mlirBlockIsNull(block)) continue;
    if (i == 0) tt_emit_line(e, "if (%s) {", expr(e, mlirOperationGetOperand(op, 0)).text);
    else tt_emit_line(e, "} else {");
    ++e->indent;
    emit_block(e, block);
    --e->indent;
    tt_names_leave(&e->names, scope);
  }
  tt_emit_line(e, "}");
}

static void emit_place(TtEmitter *e, MlirOperation op) {
  const char *place =
      e->source_comments ? tt_source_place(e->arena, mlirOperationGetLocation(op)) : NULL;
  if (!place || (e->place && strcmp(place, e->place) == 0)) return;
  tt_emit_line(e, "// %s", place);
  e->place = place;
}

/* On Blackhole fill_tile_int advances by what the FPU's sums and products of elements have set. */
static void emit_fill_words(TtEmitter *e, MlirOperation op) {
  const char *rest = tt_emit_call(e, op, tt_api_text(TT_API_FILL_WORDS, e->api));
  for (const char *end; (end = strchr(rest, '\n')); rest = end + 1)
    tt_emit_line(e, "%.*s", (int)(end - rest), rest);
  tt_emit_line(e, "%s", rest);
}

static void emit_op(TtEmitter *e, MlirOperation op) {
  const TtApiRow *row = tt_api_row(op);
  if (tt_op_is(op, "scf.for") && mlirOperationGetNumResults(op) == 0) {
    emit_for(e, op);
  } else if (tt_op_is(op, "scf.if") && mlirOperationGetNumResults(op) == 0) {
    emit_if(e, op);
  } else if (metalium_comment_isa(op)) {
    MlirStringRef text = tt_string(metalium_comment_text(op));
    tt_emit_line(e, "// %.*s", (int)text.length, text.data);
  } else if (row && mlirOperationGetNumResults(op) == 0) {
    if (!has_call(e, op, row)) return;
    if (!(row->in_startup[e->api] && !mlirAttributeIsNull(tt_get_attr(op, "tt.in_startup")))) {
      emit_place(e, op);
      if (tt_emit_fills_words(e, op)) emit_fill_words(e, op);
      else tt_emit_line(e, "%s", tt_emit_call(e, op, tt_era_column(row->call, e->api)));
    }
    if (tt_op_info(op)->does == TT_ACT_STARTUP) {
      tt_emit_halves_of_words(e);
      tt_emit_line(e, "%s", "");
    }
  } else if (tt_is_terminator(op) || tt_get_cb_isa(op) || metalium_tensor_accessor_isa(op) ||
             tt_runtime_arg_isa(op) || metalium_get_semaphore_isa(op)) {
    return; /* in the preamble */
  } else if (mlirOperationGetNumResults(op) == 1 && mlirOperationGetNumRegions(op) == 0) {
    tt_emit_define(e, op);
  } else {
    MlirStringRef name = tt_op_name(op);
    e->ok = tt_error(op, "%.*s has no form in C++ for this API era", (int)name.length, name.data);
  }
}

static void emit_block(TtEmitter *e, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); e->ok && !mlirOperationIsNull(op);
       op = tt_next(op))
    emit_op(e, op);
}

/*===- The file -------------------------------------------------------------------------===*/

/* Sizes of tiles that the function asks for at its top. */
static void emit_tile_sizes(TtEmitter *e) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(e->func)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (metalium_get_tile_size_isa(op)) tt_emit_define(e, op);
}

/* The next kernel counts answers from what it finds, so those to increments have to be there. */
static void emit_last_barrier(TtEmitter *e) {
  TtOps ops = tt_collect(e->arena, e->func, NULL);
  bool increments = false;
  for (intptr_t i = 0; i < ops.n; ++i)
    increments |= metalium_noc_semaphore_inc_isa(ops.data[i]) ||
                  metalium_noc_semaphore_inc_multicast_isa(ops.data[i]);
  if (increments) tt_emit_line(e, "noc_async_atomic_barrier();");
}

/* By what it does: either of the two that move data may read and write. */
static const char *summary(TtEmitter *e, bool compute) {
  TtOps ops = tt_collect(e->arena, e->func, NULL);
  bool reads = false, writes = false, fills = false;
  for (intptr_t i = 0; i < ops.n; ++i) {
    reads |= tt_op_info(ops.data[i])->does == TT_ACT_READ;
    writes |= tt_op_info(ops.data[i])->does == TT_ACT_WRITE;
    fills |= tt_op_info(ops.data[i])->does == TT_ACT_FILL;
  }
  if (compute) return "computes on tiles of circular buffers";
  if (!reads && !writes)
    return fills ? "fills tiles of circular buffers" : "counts blocks of shards that are in place";
  if (reads && writes) return "moves blocks from tensors to circular buffers, and back";
  return writes ? "moves blocks of the results from circular buffers to DRAM"
                : "moves blocks of the inputs from DRAM to circular buffers";
}

bool tt_emit_kernel(TtArena *arena, MlirOperation program, MlirOperation func, TtApi api,
                    bool source_comments, TtText *out) {
  TtEmitter e = {.arena = arena,
                 .program = program,
                 .func = func,
                 .api = api,
                 .out = out,
                 .ok = true,
                 .source_comments = source_comments};
  MlirStringRef role = tt_string(tt_get_attr(func, "tt.kernel_role"));
  bool compute = tt_str_eq(role, "compute");
  char *kernel = tt_arena_identifier(arena, tt_symbol_name(program));
  e.names = tt_names_with_api(arena);
  tt_emit_line(&e, "// %s, %.*s: %s.", kernel, (int)role.length, role.data, summary(&e, compute));
  tt_emit_includes(&e, compute);
  tt_emit_helpers(&e);
  tt_emit_line(&e, "%s", compute ? tt_api_text(TT_API_COMPUTE_OPENS, api) : "void kernel_main() {");
  e.indent = 1;
  tt_emit_runtime_args(&e);
  tt_emit_cbs(&e);
  tt_emit_semaphores(&e);
  emit_tile_sizes(&e);
  tt_emit_accessors(&e);
  tt_emit_line(&e, "%s", "");
  emit_block(&e, tt_body(func));
  emit_last_barrier(&e);
  e.indent = 0;
  tt_emit_line(&e, "%s", compute ? tt_api_text(TT_API_COMPUTE_CLOSES, api) : "}");
  return e.ok;
}
