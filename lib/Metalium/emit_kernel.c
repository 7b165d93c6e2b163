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

#include "emit_kernel.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Precedence of C++ operators, loosest first. */
enum { P_OR = 1, P_AND, P_EQUALITY, P_SUM, P_PRODUCT, P_PRIMARY };

typedef struct Expr {
  const char *text;
  int precedence;
} Expr;

typedef struct Binding {
  MlirValue value;
  const char *name;
} Binding;

typedef struct Emitter {
  TtArena *arena;
  MlirOperation program, func;
  TtApi api;
  TtText *out;
  TtNames names;
  Binding *bindings;
  intptr_t num_bindings, capacity;
  int indent;
  bool ok, source_comments;
  const char *place; /* of the last comment */
} Emitter;

/*===- Names and lines --------------------------------------------------------------===*/

TtNames tt_names_with_api(TtArena *arena) {
  TtNames names = {arena, NULL, 0, 0};
  for (size_t i = 0; i < tt_num_api_reserved; ++i)
    if (!tt_names_has(&names, tt_api_reserved[i])) tt_names_take(&names, tt_api_reserved[i]);
  for (size_t i = 0; i < tt_num_api_rows; ++i)
    for (int api = 0; api < TT_API_COUNT; ++api) {
      const char *call = tt_api_rows[i].call[api];
      size_t n = 0;
      while (isalnum((unsigned char)call[n]) || call[n] == '_') ++n;
      char *name = tt_arena_str(arena, (MlirStringRef){call, n});
      if (!tt_names_has(&names, name)) tt_names_take(&names, name);
    }
  return names;
}

static void line(Emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(Emitter *e, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = tt_arena_alloc(e->arena, (size_t)n + 1);
  vsnprintf(text, (size_t)n + 1, format, again);
  va_end(again);
  tt_text_printf(e->out, "%*s%s\n", n ? 4 * e->indent : 0, "", text);
}

static const char *bind(Emitter *e, MlirValue value, const char *wish) {
  if (e->num_bindings == e->capacity) {
    intptr_t capacity = e->capacity ? 2 * e->capacity : 64;
    Binding *bindings = tt_arena_alloc(e->arena, (size_t)capacity * sizeof *bindings);
    if (e->num_bindings)
      memcpy(bindings, e->bindings, (size_t)e->num_bindings * sizeof *bindings);
    e->bindings = bindings;
    e->capacity = capacity;
  }
  const char *name = tt_names_take(&e->names, wish);
  e->bindings[e->num_bindings++] = (Binding){value, name};
  return name;
}

static const char *bound(Emitter *e, MlirValue value) {
  for (intptr_t i = e->num_bindings; i-- > 0;)
    if (tt_value_eq(e->bindings[i].value, value)) return e->bindings[i].name;
  return NULL;
}

/* Leaves a scope: its names are free again. */
static void leave(Emitter *e, intptr_t bindings, size_t names) {
  e->num_bindings = bindings;
  e->names.n = names;
}

/*===- Expressions ------------------------------------------------------------------===*/

static const struct {
  const char *op, *sign;
  int precedence;
} operators[] = {
    {"arith.addi", " + ", P_SUM},     {"arith.subi", " - ", P_SUM},
    {"arith.muli", " * ", P_PRODUCT}, {"arith.divui", " / ", P_PRODUCT},
    {"arith.remui", " % ", P_PRODUCT}, {"arith.ori", " || ", P_OR},
    {"arith.andi", " && ", P_AND},    {"metalium.l1_offset", " + ", P_SUM},
};

static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};

static Expr expr(Emitter *e, MlirValue value);

static const char *inside(Emitter *e, MlirValue value, int precedence) {
  Expr x = expr(e, value);
  return x.precedence >= precedence ? x.text : tt_arena_printf(e->arena, "(%s)", x.text);
}

static Expr binary(Emitter *e, MlirOperation op, const char *sign, int precedence) {
  bool sum = strcmp(sign, " + ") == 0; /* a + (b + c) needs no brackets */
  const char *x = inside(e, mlirOperationGetOperand(op, 0), precedence),
             *y = inside(e, mlirOperationGetOperand(op, 1), sum ? precedence : precedence + 1);
  return (Expr){tt_arena_printf(e->arena, "%s%s%s", x, sign, y), precedence};
}

static Expr compute(Emitter *e, MlirOperation op) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i)
    if (tt_op_is(op, operators[i].op))
      return binary(e, op, operators[i].sign, operators[i].precedence);
  if (tt_op_is(op, "arith.cmpi")) {
    size_t predicate = (size_t)tt_int(tt_op_attr(op, "predicate"));
    return binary(e, op, tt_arena_printf(e->arena, " %s ", comparisons[predicate]), P_EQUALITY);
  }
  if (metalium_get_tile_size_isa(op))
    return (Expr){tt_arena_printf(e->arena, "get_tile_size(%s)",
                                  expr(e, metalium_get_tile_size_cb(op)).text), P_PRIMARY};
  if (metalium_get_write_ptr_isa(op) || metalium_get_read_ptr_isa(op))
    return (Expr){tt_arena_printf(e->arena, "get_%s_ptr(%s)",
                                  metalium_get_write_ptr_isa(op) ? "write" : "read",
                                  expr(e, mlirOperationGetOperand(op, 0)).text), P_PRIMARY};
  if (tt_runtime_arg_isa(op)) {
    MlirAttribute index = tt_runtime_arg_index(op);
    return (Expr){tt_arena_printf(e->arena, "get_arg_val<uint32_t>(%jd)",
                                  (intmax_t)(mlirAttributeIsNull(index) ? 0 : tt_int(index))),
                  P_PRIMARY};
  }
  MlirStringRef name = tt_op_name(op);
  e->ok = tt_error(op, "%.*s has no form in C++; only index arithmetic may stand in a kernel",
                   (int)name.length, name.data);
  return (Expr){"0", P_PRIMARY};
}

static Expr expr(Emitter *e, MlirValue value) {
  int64_t constant;
  const char *name = bound(e, value);
  if (name) return (Expr){name, P_PRIMARY};
  if (tt_constant(value, &constant)) {
    bool flag = mlirTypeIsAInteger(mlirValueGetType(value)) &&
                mlirIntegerTypeGetWidth(mlirValueGetType(value)) == 1;
    return (Expr){flag ? (constant ? "true" : "false")
                       : tt_arena_printf(e->arena, "%jd", (intmax_t)constant), P_PRIMARY};
  }
  return compute(e, tt_defining_op(value));
}

/*===- Statements ---------------------------------------------------------------------===*/

static bool used_once(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

static const char *hint(Emitter *e, MlirOperation op, const char *fallback) {
  MlirAttribute name = tt_get_attr(op, "tt.var");
  return mlirAttributeIsNull(name) ? fallback : tt_arena_str(e->arena, tt_string(name));
}

/* What a value without a name is called, by what it is. */
static const char *kind_name(MlirOperation op) {
  if (metalium_l1_offset_isa(op)) return "l1_addr";
  if (tt_op_is(op, "arith.cmpi") || tt_op_is(op, "arith.ori") || tt_op_is(op, "arith.andi"))
    return "condition";
  return "index";
}

static void define(Emitter *e, MlirOperation op) {
  MlirValue value = mlirOperationGetResult(op, 0);
  bool named = !mlirAttributeIsNull(tt_get_attr(op, "tt.var"));
  bool pointer = metalium_get_write_ptr_isa(op) || metalium_get_read_ptr_isa(op);
  if (tt_op_is(op, "arith.constant") || (!named && !pointer && used_once(value))) return;
  if (!tt_has_uses(value) || bound(e, value)) return;
  const char *text = expr(e, value).text;
  bool flag = mlirTypeIsAInteger(mlirValueGetType(value));
  const char *name = bind(e, value, hint(e, op, kind_name(op)));
  line(e, "const %s %s = %s;", flag ? "bool" : "uint32_t", name, text);
}

/* The bits of a scalar that is known at run time: arguments come as such. */
static const char *scalar_bits(Emitter *e, MlirOperation op) {
  MlirValue value = metalium_sfpu_scalar_tile_value(op);
  MlirAttribute limit = metalium_sfpu_scalar_tile_limit(op);
  const char *text = expr(e, value).text;
  if (!mlirTypeIsAIndex(mlirValueGetType(value))) return text;
  if (mlirAttributeIsNull(limit)) return tt_arena_printf(e->arena, "float_bits(%s)", text);
  return tt_arena_printf(e->arena, "float_bits(%s, %jd)", text, (intmax_t)tt_int(limit));
}

/* What letters stand for: $s, $f and $v scalars of an op, $t the width of DST, $r and $c the
 * factors of indices. */
static const char *fill_in_letter(Emitter *e, MlirOperation op, char letter) {
  if (letter == 'v') return scalar_bits(e, op);
  if (letter == 'r' || letter == 'c')
    return tt_arena_printf(e->arena, "%jd",
                           (intmax_t)tt_int(tt_op_attr(op, letter == 'r' ? "rows" : "cols")));
  if (letter == 't')
    return tt_dst_is_32bit(e->program) ? "DataFormat::Float32" : "DataFormat::Float16_b";
  float value = (float)mlirFloatAttrGetValueDouble(tt_op_attr(op, "scalar"));
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (letter == 's') return tt_arena_printf(e->arena, "0x%08X", bits);
  if (isinf(value)) return value < 0 ? "-__builtin_inff()" : "__builtin_inff()";
  if (isnan(value)) return "__builtin_nanf(\"\")";
  char *text = tt_arena_printf(e->arena, "%.9g", (double)value);
  return tt_arena_printf(e->arena, "%s%sf", text, strpbrk(text, ".e") ? "" : ".0");
}

/* $0, $1, … and letters in a row's call. */
static const char *fill_in(Emitter *e, MlirOperation op, const char *call) {
  TtText text = {NULL, 0, 0};
  for (const char *p = call; *p; ++p) {
    if (*p != '$') {
      tt_text_append(&text, p, 1);
    } else if (isalpha((unsigned char)p[1])) {
      const char *word = fill_in_letter(e, op, *++p);
      tt_text_append(&text, word, strlen(word));
    } else {
      intptr_t i = *++p - '0';
      const char *operand = i < mlirOperationGetNumOperands(op)
                                ? expr(e, mlirOperationGetOperand(op, i)).text
                                : "0";
      tt_text_append(&text, operand, strlen(operand));
    }
  }
  char *copy = tt_arena_str(e->arena, (MlirStringRef){text.data, text.n});
  tt_text_free(&text);
  return copy;
}

/* True where the startup before `op`, on the same circular buffers, did this. */
static bool covered_by_startup(MlirOperation op) {
  MlirOperation startup = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  while (!mlirOperationIsNull(startup) && !tt_engine_init_common_isa(startup))
    startup = tt_next(startup);
  if (mlirOperationIsNull(startup)) return false;
  for (MlirOperation p = tt_next(startup); !mlirOperationIsNull(p) && !tt_op_eq(p, op);
       p = tt_next(p))
    if (mlirOperationGetNumRegions(p) > 0 || tt_fpu_matmul_init_isa(p) ||
        tt_fpu_binary_init_isa(p) || metalium_copy_tile_init_isa(p) ||
        metalium_transpose_wh_init_short_isa(p) || tt_fpu_reduce_init_isa(p) ||
        metalium_binary_dest_reuse_tiles_init_isa(p))
      return false;
  for (intptr_t i = 0; i < 2; ++i)
    if (!tt_value_eq(mlirOperationGetOperand(op, i), mlirOperationGetOperand(startup, i)))
      return false;
  return tt_str_eq(tt_string(tt_engine_init_common_kind(startup)), "matmul");
}

static void emit_block(Emitter *e, MlirBlock block);

static void emit_for(Emitter *e, MlirOperation op) {
  int64_t step;
  const char *lb = expr(e, mlirOperationGetOperand(op, 0)).text,
             *ub = inside(e, mlirOperationGetOperand(op, 1), P_SUM);
  bool one = tt_constant(mlirOperationGetOperand(op, 2), &step) && step == 1;
  intptr_t bindings = e->num_bindings;
  size_t names = e->names.n;
  const char *by = one ? NULL : expr(e, mlirOperationGetOperand(op, 2)).text;
  const char *iv = bind(e, tt_for_iv(op), hint(e, op, "i"));
  if (one) line(e, "for (uint32_t %s = %s; %s < %s; ++%s) {", iv, lb, iv, ub, iv);
  else line(e, "for (uint32_t %s = %s; %s < %s; %s += %s) {", iv, lb, iv, ub, iv, by);
  ++e->indent;
  emit_block(e, tt_for_body(op));
  --e->indent;
  line(e, "}");
  leave(e, bindings, names);
}

static void emit_if(Emitter *e, MlirOperation op) {
  intptr_t bindings = e->num_bindings;
  size_t names = e->names.n;
  for (intptr_t i = 0; i < 2; ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (mlirBlockIsNull(block)) continue;
    if (i == 0) line(e, "if (%s) {", expr(e, mlirOperationGetOperand(op, 0)).text);
    else line(e, "} else {");
    ++e->indent;
    emit_block(e, block);
    --e->indent;
    leave(e, bindings, names);
  }
  line(e, "}");
}

static void emit_place(Emitter *e, MlirOperation op) {
  const char *place = e->source_comments
                          ? tt_source_place(e->arena, mlirOperationGetLocation(op)) : NULL;
  if (!place || (e->place && strcmp(place, e->place) == 0)) return;
  line(e, "// %s", place);
  e->place = place;
}

static void emit_op(Emitter *e, MlirOperation op) {
  const TtApiRow *row = tt_api_row(op);
  if (tt_op_is(op, "scf.for") && mlirOperationGetNumResults(op) == 0) {
    emit_for(e, op);
  } else if (tt_op_is(op, "scf.if") && mlirOperationGetNumResults(op) == 0) {
    emit_if(e, op);
  } else if (metalium_comment_isa(op)) {
    MlirStringRef text = tt_string(metalium_comment_text(op));
    line(e, "// %.*s", (int)text.length, text.data);
  } else if (row) {
    if (!(row->in_startup[e->api] && covered_by_startup(op))) {
      emit_place(e, op);
      line(e, "%s", fill_in(e, op, row->call[e->api]));
    }
    if (tt_engine_init_common_isa(op)) line(e, "%s", "");
  } else if (tt_is_terminator(op) || tt_get_cb_isa(op) || metalium_tensor_accessor_isa(op) ||
             tt_runtime_arg_isa(op)) {
    return; /* in the preamble */
  } else if (mlirOperationGetNumResults(op) == 1 && mlirOperationGetNumRegions(op) == 0) {
    define(e, op);
  } else {
    MlirStringRef name = tt_op_name(op);
    e->ok = tt_error(op, "%.*s has no form in C++ for this API era", (int)name.length, name.data);
  }
}

static void emit_block(Emitter *e, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); e->ok && !mlirOperationIsNull(op);
       op = tt_next(op))
    emit_op(e, op);
}

/*===- The file -------------------------------------------------------------------------===*/

static void include(Emitter *e, TtNames *seen, const char *header) {
  for (size_t i = 0; i < seen->n; ++i)
    if (strcmp(seen->data[i], header) == 0) return;
  line(e, "#include \"%s\"", header);
  if (seen->n < 32) seen->data[seen->n++] = tt_arena_str(e->arena, tt_str(header));
}

/* compute_kernel_api.h stood beside its folder in 2025. */
static const char *header_path(Emitter *e, const char *header) {
  if (e->api == TT_API_2025 && strcmp(header, "compute_kernel_api.h") == 0) return header;
  return tt_arena_printf(e->arena, "%s%s", tt_api_compute_folder(e->api), header);
}

static void emit_includes(Emitter *e, bool compute) {
  char *seen_data[32];
  TtNames seen = {e->arena, seen_data, 0, 32};
  line(e, "#include <cstdint>");
  line(e, "%s", "");
  if (!compute) {
    include(e, &seen, tt_api_dataflow_header(e->api));
    line(e, "%s", "");
    return;
  }
  include(e, &seen, tt_api_common_header(e->api));
  for (size_t i = 0; i < tt_num_api_rows; ++i) { /* in the order of the table */
    const TtApiRow *row = &tt_api_rows[i];
    TtOps ops = tt_collect(e->arena, e->func, row->op);
    for (intptr_t j = 0; j < ops.n && row->header[e->api]; ++j) {
      if (tt_api_row(ops.data[j]) != row) continue;
      include(e, &seen, header_path(e, row->header[e->api]));
      break;
    }
  }
  line(e, "%s", "");
}

/* Gives a scalar argument its variable; true where it is a float. */
static bool bind_scalar(Emitter *e, const char *name, const char *variable) {
  for (intptr_t i = 0; i < tt_num_args(e->func); ++i) {
    MlirValue arg = tt_arg(e->func, i);
    if (tt_is_memref(mlirValueGetType(arg)) || strcmp(tt_arg_name(e->arena, e->func, i), name) != 0)
      continue;
    bind(e, arg, name);
    e->bindings[e->num_bindings - 1].name = variable;
    return mlirTypeIsAFloat(mlirValueGetType(arg));
  }
  return false;
}

/* Functions that a kernel brings along. */
static void emit_helpers(Emitter *e) {
  TtOps scalars = tt_collect(e->arena, e->func, "metalium.sfpu_scalar_tile");
  bool bits = false;
  for (intptr_t i = 0; i < scalars.n; ++i)
    bits |= mlirTypeIsAIndex(mlirValueGetType(metalium_sfpu_scalar_tile_value(scalars.data[i])));
  if (bits)
    tt_text_printf(e->out,
                   "// The bits of an integer as a float, limited to plus and minus `limit`.\n"
                   "inline uint32_t float_bits(int32_t value, int32_t limit = 1 << 24) {\n"
                   "    const int32_t limited = value > limit ? limit : value < -limit ? -limit : value;\n"
                   "    return __builtin_bit_cast(uint32_t, static_cast<float>(limited));\n"
                   "}\n\n");
  if (tt_collect(e->arena, e->func, "metalium.fill_index_tile").n > 0)
    tt_text_printf(e->out,
                   "// Element (r, c) of a tile of bfloat16 becomes r * rows + c * cols.\n"
                   "inline void fill_index_tile(uint32_t l1_addr, int32_t rows, int32_t cols) {\n"
                   "    auto* tile = reinterpret_cast<volatile tt_l1_ptr uint16_t*>(l1_addr);\n"
                   "    for (int32_t face = 0; face < 4; ++face) {\n"
                   "        for (int32_t i = 0; i < 256; ++i) {\n"
                   "            const int32_t r = face / 2 * 16 + i / 16, c = face %% 2 * 16 + i %% 16;\n"
                   "            const float value = static_cast<float>(r * rows + c * cols);\n"
                   "            *tile++ = static_cast<uint16_t>(__builtin_bit_cast(uint32_t, value) >> 16);\n"
                   "        }\n"
                   "    }\n"
                   "}\n\n");
}

static void emit_runtime_args(Emitter *e) {
  MlirAttribute names = tt_get_attr(e->func, "tt.runtime_args");
  intptr_t n = mlirAttributeIsNull(names) ? 0 : mlirArrayAttrGetNumElements(names);
  TtOps ops = tt_collect(e->arena, e->func, "tt.runtime_arg");
  for (intptr_t i = 0; i < n; ++i) {
    char *name = tt_arena_str(e->arena, tt_string(mlirArrayAttrGetElement(names, i)));
    const char *variable = tt_names_take(&e->names, name);
    line(e, "const uint32_t %s = get_arg_val<uint32_t>(%jd);%s", variable, (intmax_t)i,
         bind_scalar(e, name, variable) ? "  // the bits of a float" : "");
    for (intptr_t j = 0; j < ops.n; ++j) {
      if (!tt_str_eq(tt_string(tt_runtime_arg_name(ops.data[j])), name)) continue;
      bind(e, tt_runtime_arg_value(ops.data[j]), name);
      e->bindings[e->num_bindings - 1].name = variable;
    }
  }
}

static void emit_cbs(Emitter *e) {
  TtOps ops = tt_collect(e->arena, e->func, "tt.get_cb");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation decl = tt_cb_decl(e->program, tt_get_cb_cb(ops.data[i]));
    if (mlirOperationIsNull(decl) || !tt_has_uses(tt_get_cb_cb(ops.data[i]))) continue;
    const char *name = bind(e, tt_get_cb_cb(ops.data[i]),
                            tt_arena_str(e->arena, tt_string(tt_get_cb_name(ops.data[i]))));
    line(e, "constexpr uint32_t %s = tt::CBIndex::c_%jd;", name,
         (intmax_t)tt_cb_attr_cb_id(tt_circular_buffer_config(decl)));
  }
}

/* Sizes of tiles that the function asks for at its top. */
static void emit_tile_sizes(Emitter *e) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(e->func)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (metalium_get_tile_size_isa(op)) define(e, op);
}

/* The constant with the size of a tile of `cb`, or NULL. */
static const char *tile_size_of(Emitter *e, MlirValue cb) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(e->func)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (metalium_get_tile_size_isa(op) && tt_value_eq(metalium_get_tile_size_cb(op), cb))
      return bound(e, metalium_get_tile_size_bytes(op));
  return NULL;
}

/* The circular buffer that a tensor is moved through, for its page size. */
static const char *page_size_of(Emitter *e, MlirOperation accessor) {
  MlirStringRef tensor = tt_string(metalium_tensor_accessor_name(accessor));
  TtOps ops = tt_collect(e->arena, e->func, "tt.get_cb");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation decl = tt_cb_decl(e->program, tt_get_cb_cb(ops.data[i]));
    MlirAttribute buffer = mlirOperationIsNull(decl) ? mlirAttributeGetNull()
                                                     : tt_circular_buffer_buffer(decl);
    const char *name = bound(e, tt_get_cb_cb(ops.data[i]));
    if (!name || mlirAttributeIsNull(buffer) || !mlirStringRefEqual(tt_string(buffer), tensor))
      continue;
    const char *size = tile_size_of(e, tt_get_cb_cb(ops.data[i]));
    return size ? size : tt_arena_printf(e->arena, "get_tile_size(%s)", name);
  }
  MlirAttribute bound_accessor =
      tt_named_attr(e->func, "tensor_accessor", tt_arena_str(e->arena, tensor));
  return tt_arena_printf(e->arena, "%jd",
                         (intmax_t)tt_runtime_binding_attr_tile_size_bytes(
                             tt_tensor_accessor_attr_runtime_binding(bound_accessor)));
}

static void emit_accessors(Emitter *e) {
  TtOps ops = tt_collect(e->arena, e->func, "metalium.tensor_accessor");
  MlirAttribute arg_names = tt_get_attr(e->func, "tt.runtime_args");
  const char *previous = NULL;
  for (intptr_t i = 0; i < ops.n; ++i) {
    char *tensor = tt_arena_str(e->arena, tt_string(metalium_tensor_accessor_name(ops.data[i])));
    const char *args = tt_names_take(&e->names, tt_arena_printf(e->arena, "%s_args", tensor));
    const char *name = bind(e, metalium_tensor_accessor_accessor(ops.data[i]), tensor);
    char *addr = tt_arena_identifier(
        e->arena, tt_string(mlirArrayAttrGetElement(arg_names, i)));
    if (previous)
      line(e, "constexpr auto %s = TensorAccessorArgs<%s.next_compile_time_args_offset()>();", args,
           previous);
    else line(e, "constexpr auto %s = TensorAccessorArgs<0>();", args);
    if (e->api == TT_API_2026_08)
      line(e, "const auto %s = TensorAccessor(%s, %s);", name, args, addr);
    else
      line(e, "const auto %s = TensorAccessor(%s, %s, %s);", name, args, addr,
           page_size_of(e, ops.data[i]));
    previous = args;
  }
}

static const char *role_summary(MlirStringRef role) {
  if (tt_str_eq(role, "reader")) return "moves blocks of the inputs from DRAM to circular buffers";
  if (tt_str_eq(role, "writer")) return "moves blocks of the results from circular buffers to DRAM";
  return "computes on tiles of circular buffers";
}

bool tt_emit_kernel(TtArena *arena, MlirOperation program, MlirOperation func, TtApi api,
                    bool source_comments, TtText *out) {
  Emitter e = {.arena = arena, .program = program, .func = func, .api = api, .out = out,
               .ok = true, .source_comments = source_comments};
  MlirStringRef role = tt_string(tt_get_attr(func, "tt.kernel_role"));
  bool compute = tt_str_eq(role, "compute"), old = compute && api == TT_API_2025;
  char *kernel = tt_arena_identifier(arena, tt_symbol_name(program));
  e.names = tt_names_with_api(arena);
  line(&e, "// %s, %.*s: %s.", kernel, (int)role.length, role.data, role_summary(role));
  emit_includes(&e, compute);
  emit_helpers(&e);
  if (old) line(&e, "namespace NAMESPACE {");
  line(&e, "%s", old ? "void MAIN {" : "void kernel_main() {");
  e.indent = 1;
  emit_runtime_args(&e);
  emit_cbs(&e);
  emit_tile_sizes(&e);
  emit_accessors(&e);
  line(&e, "%s", "");
  emit_block(&e, tt_body(func));
  e.indent = 0;
  line(&e, "}");
  if (old) line(&e, "}  // namespace NAMESPACE");
  return e.ok;
}
