/*===- emit_host_body.c - what a host function does ------------------------------------------===
 *
 *   %t = memref.alloc() : …            auto tmp0 = make_buffer(…);
 *   scf.for %i = %c0 to %n … {         for (int64_t i = 0; i < n; ++i) {
 *     tt.launch @scale(%A, %t) : …         run_scale(device, cq, A, tmp0);
 *   }                                  }
 *   memref.dealloc %t                  tmp0->deallocate();
 *
 * A tensor of which the first kernel writes parts of tiles, merged with what is there, begins as
 * zeros.
 *
 * A view with other tiles than what it views is a buffer of its own, to which the host program
 * moves the elements: at once where nobody writes them, else before each launch that takes it, and
 * back after each that writes it.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_host.h"

#include "Analysis/host_ops.h"
#include "Emit/emitter.h"

#include <math.h>
#include <string.h>

typedef struct Body {
  TtHost *h;
  TtEmitter e;
} Body;

static void emit_block(Body *b, MlirBlock block);

/*===- Numbers --------------------------------------------------------------------------------===*/

static const char *number(Body *b, MlirValue value);

static const char *affine(Body *b, MlirOperation op, MlirAffineMap map, MlirAffineExpr e) {
  TtArena *a = b->h->arena;
  if (mlirAffineExprIsAConstant(e))
    return tt_arena_printf(a, "%jd", (intmax_t)mlirAffineConstantExprGetValue(e));
  if (mlirAffineExprIsADim(e))
    return number(b, mlirOperationGetOperand(op, mlirAffineDimExprGetPosition(e)));
  if (mlirAffineExprIsASymbol(e))
    return number(b, mlirOperationGetOperand(op, mlirAffineMapGetNumDims(map) +
                                                     mlirAffineSymbolExprGetPosition(e)));
  const char *x = affine(b, op, map, mlirAffineBinaryOpExprGetLHS(e)),
             *y = affine(b, op, map, mlirAffineBinaryOpExprGetRHS(e));
  if (mlirAffineExprIsACeilDiv(e)) return tt_arena_printf(a, "divide_up(%s, %s)", x, y);
  if (mlirAffineExprIsAFloorDiv(e)) return tt_arena_printf(a, "divide_down(%s, %s)", x, y);
  if (mlirAffineExprIsAMod(e))
    return tt_arena_printf(a, "(%s - divide_down(%s, %s) * %s)", x, x, y, y);
  return tt_arena_printf(a, "(%s %s %s)", x, mlirAffineExprIsAAdd(e) ? "+" : "*", y);
}

/* affine.apply, and the least or largest of several. */
static const char *applied(Body *b, MlirOperation op) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(tt_op_attr(op, "map"));
  const char *text = affine(b, op, map, mlirAffineMapGetResult(map, 0));
  for (intptr_t i = 1; i < mlirAffineMapGetNumResults(map); ++i)
    text = tt_arena_printf(b->h->arena, "std::%s<int64_t>(%s, %s)",
                           tt_op_is(op, "affine.max") ? "max" : "min", text,
                           affine(b, op, map, mlirAffineMapGetResult(map, i)));
  return text;
}

static const char *constant(Body *b, MlirOperation op) {
  MlirAttribute value = tt_op_attr(op, "value");
  TtArena *a = b->h->arena;
  if (!mlirAttributeIsAFloat(value)) return tt_arena_printf(a, "%jd", (intmax_t)tt_int(value));
  double x = mlirFloatAttrGetValueDouble(value);
  if (isinf(x)) return x < 0 ? "-INFINITY" : "INFINITY";
  if (isnan(x)) return "NAN";
  char *text = tt_arena_printf(a, "%.9g", x);
  return mlirTypeIsAF64(mlirValueGetType(mlirOperationGetResult(op, 0)))
             ? tt_arena_printf(a, "%.17g", x)
             : tt_arena_printf(a, "%s%sf", text, strpbrk(text, ".e") ? "" : ".0");
}

static const char *compared(Body *b, MlirOperation op) {
  static const char *const of_integers[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
  /* Predicates of floats: false, the ordered, ord, the unordered, uno, true. */
  static const char *const of_floats[] = {"", "==", ">", ">=", "<", "<=", "!="};
  int64_t p = tt_int(tt_op_attr(op, "predicate"));
  TtArena *a = b->h->arena;
  const char *x = number(b, mlirOperationGetOperand(op, 0)),
             *y = number(b, mlirOperationGetOperand(op, 1));
  if (tt_op_is(op, "arith.cmpf"))
    return tt_arena_printf(a, "(%s %s %s)", x, of_floats[p > 7 ? p - 7 : p], y);
  const char *u = tt_host_unsigned_type(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  if (p > 5)
    return tt_arena_printf(a, "(static_cast<%s>(%s) %s static_cast<%s>(%s))", u, x, of_integers[p],
                           u, y);
  return tt_arena_printf(a, "(%s %s %s)", x, of_integers[p], y);
}

static const char *fill_in(Body *b, MlirOperation op, const char *template) {
  TtText text = {NULL, 0, 0};
  for (const char *p = template; *p; ++p) {
    if (*p != '$') {
      tt_text_append(&text, p, 1);
      continue;
    }
    char letter = *++p;
    MlirType type = mlirValueGetType(letter == 't' ? mlirOperationGetResult(op, 0)
                                                   : mlirOperationGetOperand(op, 0));
    const char *word = letter == 't'   ? tt_host_number_type(type)
                       : letter == 'u' ? tt_host_unsigned_type(type)
                                       : number(b, mlirOperationGetOperand(op, letter - '0'));
    tt_text_append(&text, word, strlen(word));
  }
  char *copy = tt_arena_str(b->h->arena, (MlirStringRef){text.data, text.n});
  tt_text_free(&text);
  return copy;
}

/* What computes a number, with brackets around what could need them. */
static const char *number(Body *b, MlirValue value) {
  const char *name = tt_emit_bound(&b->e, value);
  if (name) return name;
  MlirOperation op = tt_defining_op(value);
  const char *template = tt_host_op_text(op);
  if (template) return fill_in(b, op, template);
  if (tt_op_is(op, "arith.constant")) return constant(b, op);
  if (tt_op_is(op, "arith.cmpi") || tt_op_is(op, "arith.cmpf")) return compared(b, op);
  if (tt_op_is(op, "memref.dim")) {
    int64_t d = 0;
    tt_constant(mlirOperationGetOperand(op, 1), &d);
    return tt_host_size(b->h, mlirOperationGetOperand(op, 0), (intptr_t)d);
  }
  return applied(b, op);
}

/* The same without brackets around all of it. */
static const char *bare(Body *b, MlirValue value) {
  const char *text = number(b, value);
  size_t n = strlen(text);
  int depth = 0;
  if (*text != '(') return text;
  for (size_t i = 0; i < n; ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0 && i + 1 < n) return text;
  }
  return tt_arena_str(b->h->arena, (MlirStringRef){text + 1, n - 2});
}

static bool used_once(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

static void define(Body *b, MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  if (tt_op_is(op, "arith.constant") || tt_op_is(op, "memref.dim") || used_once(value) ||
      !tt_has_uses(value))
    return;
  const char *text = bare(b, value);
  const char *type = tt_host_number_type(mlirValueGetType(value));
  tt_emit_line(&b->e, "const %s %s = %s;", type, tt_emit_bind(&b->e, value, "n"), text);
}

/*===- Tensors --------------------------------------------------------------------------------===*/

static intptr_t tensor(Body *b, MlirValue value) {
  return tt_host_tensor(&b->h->host_values, value);
}

/* What `emit` prints, at the indentation of the scope. */
static void indented(Body *b, void (*emit)(TtHost *, intptr_t), intptr_t i) {
  TtText text = {NULL, 0, 0}, *out = b->h->out;
  b->h->out = &text;
  emit(b->h, i);
  b->h->out = out;
  size_t line = 0;
  for (size_t at = 0; at < text.n; ++at) {
    if (text.data[at] != '\n') continue;
    tt_text_printf(out, "%*s", at > line ? 4 * (b->e.indent - 1) : 0, "");
    tt_text_append(out, text.data + line, at + 1 - line);
    line = at + 1;
  }
  tt_text_free(&text);
}

/* The tensors in between have no file, but elements that may move. */
static void move(Body *b, intptr_t from, intptr_t to) {
  TtHost *h = b->h;
  const TtTensor *x = &h->tensors.data[from], *y = &h->tensors.data[to];
  size_t scope = tt_names_enter(&b->e.names);
  tt_emit_line(&b->e, "{  // %s has the elements of %s, in other tiles.", h->buffers[to],
               h->buffers[from]);
  ++b->e.indent;
  tt_emit_line(&b->e, "std::vector<%s> tiles;", tt_block_bits(x) ? "uint8_t" : tt_device_type(x));
  tt_emit_line(&b->e, "distributed::EnqueueReadMeshBuffer(cq, tiles, %s, true);", h->buffers[from]);
  const char *rows = tt_tiles_to_rows(h, x, "tiles");
  tt_emit_line(&b->e, "auto other_tiles = %s;", tt_rows_to_tiles(h, y, rows));
  tt_emit_line(&b->e, "distributed::EnqueueWriteMeshBuffer(cq, %s, other_tiles, true);",
               h->buffers[to]);
  --b->e.indent;
  tt_emit_line(&b->e, "}");
  tt_names_leave(&b->e.names, scope);
}

static intptr_t viewed(Body *b, intptr_t i) { return tt_host_source(&b->h->host_values, i); }

static bool is_used(Body *b, intptr_t i) {
  return !mlirAttributeIsNull(b->h->tensors.data[i].buffer) && b->h->tensors.data[i].launched;
}

static bool is_stable(Body *b, intptr_t i) { /* nobody writes what a view views */
  for (; i >= 0; i = viewed(b, i))
    if (b->h->tensors.data[b->h->host_values.data[i].same].written) return false;
  return true;
}

static void emit_view(Body *b, MlirOperation op) {
  intptr_t i = tensor(b, mlirOperationGetResult(op, 0));
  if (viewed(b, i) < 0 || !is_used(b, i)) return;
  indented(b, tt_emit_buffer, i);
  if (is_stable(b, i)) move(b, viewed(b, i), i);
}

/* Whether the first kernel that takes tensor `i` reads it, and writes it: parts of tiles, beside
 * which it keeps what is there. */
static bool is_merged_into(Body *b, intptr_t i) {
  TtHost *h = b->h;
  TtOps launches = tt_collect(h->arena, h->program, "tt.launch");
  for (intptr_t l = 0; l < launches.n; ++l) {
    TtTensors params = tt_program_tensors(h->arena, tt_launched_program(launches.data[l]));
    bool taken = false, read = false, written = false;
    for (intptr_t p = 0; p < params.n; ++p) {
      MlirValue operand = mlirOperationGetOperand(launches.data[l], p);
      if (params.data[p].scalar || tensor(b, operand) != i) continue;
      taken = true;
      read |= params.data[p].read, written |= params.data[p].written;
    }
    if (taken) return read && written;
  }
  return false;
}

/* What nobody writes is zero, and not what was in memory before. */
static void emit_zeros(Body *b, intptr_t i) {
  const char *name = b->h->buffers[i];
  size_t scope = tt_names_enter(&b->e.names);
  tt_emit_line(&b->e, "{  // Parts of tiles are written, and what lies beside them is kept.");
  ++b->e.indent;
  tt_emit_line(&b->e, "std::vector<uint8_t> zeros(%s->size());", name);
  tt_emit_line(&b->e, "distributed::EnqueueWriteMeshBuffer(cq, %s, zeros, true);", name);
  --b->e.indent;
  tt_emit_line(&b->e, "}");
  tt_names_leave(&b->e.names, scope);
}

/* The sizes of dynamic dimensions, in elements. */
static void emit_alloc(Body *b, MlirOperation op) {
  intptr_t i = tensor(b, mlirOperationGetResult(op, 0)), operand = 0;
  TtTensor *t = &b->h->tensors.data[i];
  if (!is_used(b, i)) return;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(t->type); ++d) {
    if (!mlirShapedTypeIsDynamicDim(t->type, d)) continue;
    const char *size = bare(b, mlirOperationGetOperand(op, operand++));
    const char *name =
        tt_names_take(&b->e.names, tt_arena_printf(b->h->arena, "%s_d%jd", t->name, (intmax_t)d));
    tt_emit_line(&b->e, "const uint32_t %s = size_of(\"%s\", %s);", name, name, size);
    tt_add_host_dim(b->h, t->name, d, name);
  }
  indented(b, tt_emit_buffer, i);
  if (is_merged_into(b, i)) emit_zeros(b, i);
}

static const char *buffer(Body *b, MlirValue value) { return b->h->buffers[tensor(b, value)]; }

/*===- Launches -------------------------------------------------------------------------------===*/

static void emit_launch(Body *b, MlirOperation op) {
  TtHost *h = b->h;
  MlirOperation program = tt_launched_program(op);
  TtTensors params = tt_program_tensors(h->arena, program);
  for (intptr_t i = 0; i < params.n; ++i) {
    if (params.data[i].scalar) continue;
    intptr_t at = tensor(b, mlirOperationGetOperand(op, i));
    bool again = false;
    for (intptr_t j = 0; j < i; ++j) again |= tensor(b, mlirOperationGetOperand(op, j)) == at;
    if (!again && viewed(b, at) >= 0 && !is_stable(b, at)) move(b, viewed(b, at), at);
  }
  const char *text = tt_arena_printf(h->arena, "run_%s(device, cq",
                                     tt_arena_identifier(h->arena, tt_symbol_name(program)));
  for (intptr_t i = 0; i < params.n; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    text = tt_arena_printf(h->arena, "%s, %s", text,
                           params.data[i].scalar ? bare(b, operand) : buffer(b, operand));
  }
  for (intptr_t i = 0; i < params.n; ++i)
    for (intptr_t d = 0;
         tt_is_dynamic(&params.data[i]) && d < mlirShapedTypeGetRank(params.data[i].type); ++d)
      if (mlirShapedTypeIsDynamicDim(params.data[i].type, d))
        text = tt_arena_printf(h->arena, "%s, %s", text,
                               tt_host_size(h, mlirOperationGetOperand(op, i), d));
  tt_emit_line(&b->e, "%s);", text);
  for (intptr_t i = 0; i < params.n; ++i) {
    if (params.data[i].scalar || !params.data[i].written) continue;
    intptr_t at = tensor(b, mlirOperationGetOperand(op, i));
    if (viewed(b, at) >= 0) move(b, at, viewed(b, at));
  }
}

/*===- Control --------------------------------------------------------------------------------===*/

/* A variable for a number or a tensor that a loop carries or a branch gives. */
static const char *carried(Body *b, MlirValue result, MlirValue inner) {
  bool memref = tt_is_memref(mlirValueGetType(result));
  const char *name = memref ? buffer(b, result) : tt_emit_bind(&b->e, result, "value");
  if (!memref && !tt_is_null_value(inner)) tt_emit_bind_to(&b->e, inner, name);
  return name;
}

static const char *value_text(Body *b, MlirValue value) {
  return tt_is_memref(mlirValueGetType(value)) ? buffer(b, value) : bare(b, value);
}

static const char *carried_type(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return tt_is_memref(type) ? "std::shared_ptr<distributed::MeshBuffer>"
                            : tt_host_number_type(type);
}

/* One after the other, but none before all are read. */
static void emit_yield(Body *b, MlirOperation op) {
  MlirOperation parent = tt_parent(op);
  intptr_t n = mlirOperationGetNumOperands(op);
  const char *left = "", *right = "";
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue result = mlirOperationGetResult(parent, i);
    const char *comma = i ? ", " : "";
    left = tt_arena_printf(b->h->arena, "%s%s%s", left, comma, value_text(b, result));
    right = tt_arena_printf(b->h->arena, "%s%s%s", right, comma,
                            value_text(b, mlirOperationGetOperand(op, i)));
  }
  if (n == 0 || strcmp(left, right) == 0) return;
  if (n == 1) tt_emit_line(&b->e, "%s = %s;", left, right);
  else tt_emit_line(&b->e, "std::tie(%s) = std::make_tuple(%s);", left, right);
}

static void emit_for(Body *b, MlirOperation op) {
  int64_t step;
  MlirValue iv = tt_for_iv(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    const char *init = value_text(b, mlirOperationGetOperand(op, 3 + i)),
               *name = carried(b, result, mlirBlockGetArgument(tt_for_body(op), i + 1));
    tt_emit_line(&b->e, "%s %s = %s;", carried_type(result), name, init);
  }
  const char *lb = bare(b, mlirOperationGetOperand(op, 0)),
             *ub = bare(b, mlirOperationGetOperand(op, 1)),
             *by = bare(b, mlirOperationGetOperand(op, 2));
  bool one = tt_constant(mlirOperationGetOperand(op, 2), &step) && step == 1;
  size_t scope = tt_names_enter(&b->e.names);
  MlirAttribute hint = tt_get_attr(op, "tt.var");
  const char *i = tt_emit_bind(
      &b->e, iv, mlirAttributeIsNull(hint) ? "i" : tt_arena_str(b->h->arena, tt_string(hint)));
  const char *type = tt_host_number_type(mlirValueGetType(iv));
  if (one) tt_emit_line(&b->e, "for (%s %s = %s; %s < %s; ++%s) {", type, i, lb, i, ub, i);
  else tt_emit_line(&b->e, "for (%s %s = %s; %s < %s; %s += %s) {", type, i, lb, i, ub, i, by);
  ++b->e.indent;
  emit_block(b, tt_for_body(op));
  --b->e.indent;
  tt_emit_line(&b->e, "}");
  tt_names_leave(&b->e.names, scope);
}

static void emit_if(Body *b, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    tt_emit_line(&b->e, "%s %s{};", carried_type(result), carried(b, result, (MlirValue){NULL}));
  }
  tt_emit_line(&b->e, "if (%s) {", bare(b, mlirOperationGetOperand(op, 0)));
  for (intptr_t i = 0; i < 2; ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (mlirBlockIsNull(block)) continue;
    if (i == 1) tt_emit_line(&b->e, "} else {");
    size_t scope = tt_names_enter(&b->e.names);
    ++b->e.indent;
    emit_block(b, block);
    --b->e.indent;
    tt_names_leave(&b->e.names, scope);
  }
  tt_emit_line(&b->e, "}");
}

static void emit_op(Body *b, MlirOperation op) {
  if (tt_launch_isa(op)) emit_launch(b, op);
  else if (tt_op_is(op, "memref.alloc")) emit_alloc(b, op);
  else if (tt_op_is(op, "memref.dealloc")) {
    MlirValue value = mlirOperationGetOperand(op, 0);
    if (is_used(b, tensor(b, value))) tt_emit_line(&b->e, "%s->deallocate();", buffer(b, value));
  } else if (tt_is_host_view(op)) emit_view(b, op);
  else if (tt_op_is(op, "scf.for")) emit_for(b, op);
  else if (tt_op_is(op, "scf.if")) emit_if(b, op);
  else if (tt_op_is(op, "scf.yield")) emit_yield(b, op);
  else if (mlirOperationGetNumResults(op) == 1 && !tt_op_is(op, "memref.get_global")) define(b, op);
}

static void emit_block(Body *b, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = tt_next(op))
    emit_op(b, op);
}

void tt_emit_host_body(TtHost *h) {
  Body b = {.h = h};
  b.e = (TtEmitter){.arena = h->arena,
                    .program = h->program,
                    .func = h->program,
                    .api = h->api,
                    .out = h->out,
                    .names = h->names,
                    .indent = 1,
                    .ok = true};
  for (intptr_t i = 0; i < h->num_args; ++i)
    if (h->tensors.data[i].scalar) tt_emit_bind_to(&b.e, tt_arg(h->program, i), h->buffers[i]);
  tt_text_printf(h->out, "\n");
  emit_block(&b, tt_body(h->program));
  h->names = b.e.names;
}
