/*===- emit_prologue.c - what stands before the body of a kernel ------------------------------===
 *
 *   #include "api/dataflow/dataflow_api.h"
 *   inline void fill_index_tile(…) { … }                 where the kernel calls it
 *
 *       const uint32_t A_addr = get_arg_val<uint32_t>(0);
 *       constexpr uint32_t cb_in0 = tt::CBIndex::c_0;
 *       constexpr auto A_args = TensorAccessorArgs<0>();
 *       const auto A = TensorAccessor(A_args, A_addr);
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/shards.h"
#include "Dialect/op_info.h"
#include "Emit/emitter.h"
#include "Target/eras.h"

#include <string.h>

static void include(TtEmitter *e, TtNames *seen, const char *header) {
  if (tt_names_add(seen, header)) tt_emit_line(e, "#include \"%s\"", header);
}

static const char *header_path(TtEmitter *e, const char *header) {
  if (strcmp(header, "compute_kernel_api.h") == 0)
    return tt_api_text(TT_API_COMPUTE_KERNEL_API, e->api);
  return tt_arena_printf(e->arena, "%s%s", tt_api_text(TT_API_COMPUTE_FOLDER, e->api), header);
}

static void include_compute(TtEmitter *e, TtNames *seen, const char *header) {
  const char *path = header_path(e, header), *before = tt_api_before_header(header);
  if (before && !tt_names_has(seen, path)) tt_emit_line(e, "%s", before);
  include(e, seen, path);
}

void tt_emit_includes(TtEmitter *e, bool compute) {
  TtNames seen = {.arena = e->arena};
  if (tt_collect(e->arena, e->func, "arith.minui").n +
          tt_collect(e->arena, e->func, "arith.minsi").n +
          tt_collect(e->arena, e->func, "arith.maxui").n >
      0)
    tt_emit_line(e, "#include <algorithm>");
  tt_emit_line(e, "#include <cstdint>");
  tt_emit_line(e, "%s", "");
  if (!compute) {
    include(e, &seen, tt_api_text(TT_API_DATAFLOW, e->api));
    tt_emit_line(e, "%s", "");
    return;
  }
  include(e, &seen, tt_api_text(TT_API_COMPUTE_COMMON, e->api));
  TtOps ops = tt_collect(e->arena, e->func, NULL);
  bool *used = tt_arena_alloc(e->arena, tt_num_api_rows * sizeof *used), words = false;
  for (intptr_t i = 0; i < ops.n; ++i) {
    const TtApiRow *row =
        tt_op_info(ops.data[i])->level == TT_LEVEL_PROTOCOL ? tt_api_row(ops.data[i]) : NULL;
    if (row) used[row - tt_api_rows] = true;
    words |= tt_emit_fills_words(e, ops.data[i]);
  }
  for (size_t i = 0; i < tt_num_api_rows; ++i) /* in the order of the table */
    if (used[i] && tt_api_rows[i].header[0])
      include_compute(e, &seen, tt_era_column(tt_api_rows[i].header, e->api));
  if (words) include_compute(e, &seen, "eltwise_unary/binop_with_scalar.h");
  tt_emit_line(e, "%s", "");
}

/* Gives a scalar argument its variable; true where it is a float. */
static bool bind_scalar(TtEmitter *e, const char *name, const char *variable) {
  for (intptr_t i = 0; i < tt_num_args(e->func); ++i) {
    MlirValue arg = tt_arg(e->func, i);
    if (tt_is_memref(mlirValueGetType(arg)) || strcmp(tt_arg_name(e->arena, e->func, i), name) != 0)
      continue;
    tt_emit_bind_to(e, arg, variable);
    return mlirTypeIsAFloat(mlirValueGetType(arg));
  }
  return false;
}

/* The float bits of an index as an element. Indices are small integers: exact in both. */
static const char *index_element(bool f16) {
  return f16 ? "bits == 0 ? 0 : (bits >> 16 & 0x8000) | ((bits >> 13 & 0x3ffff) - (112 << 10))"
             : "bits >> 16";
}

static void emit_fill_index_tile(TtEmitter *e) {
  TtOps ops = tt_collect(e->arena, e->func, "metalium.fill_index_tile");
  /* Those of a kernel are alike: circular buffers of both do not go together (rule 12). */
  bool f16 = ops.n > 0 && !mlirAttributeIsNull(metalium_fill_index_tile_f16(ops.data[0]));
  if (ops.n > 0)
    tt_text_printf(
        e->out,
        "// Element (r, c) of a tile of %s becomes r * rows + c * cols.\n"
        "inline void fill_index_tile(uint32_t l1_addr, int32_t rows, int32_t cols) {\n"
        "    auto* tile = reinterpret_cast<volatile tt_l1_ptr uint16_t*>(l1_addr);\n"
        "    for (int32_t face = 0; face < 4; ++face) {\n"
        "        for (int32_t i = 0; i < 256; ++i) {\n"
        "            const int32_t r = face / 2 * 16 + i / 16, c = face %% 2 * 16 + i %% 16;\n"
        "            const float value = static_cast<float>(r * rows + c * cols);\n"
        "            const uint32_t bits = __builtin_bit_cast(uint32_t, value);\n"
        "            *tile++ = static_cast<uint16_t>(%s);\n"
        "        }\n"
        "    }\n"
        "}\n\n",
        f16 ? "halves" : "bfloat16", index_element(f16));
}

/* Integers that steer the kernel. */
static void emit_integers(TtEmitter *e) {
  TtOps words = tt_collect(e->arena, e->func, "metalium.load_word");
  bool plus = false;
  for (intptr_t i = 0; i < words.n; ++i)
    plus |= !mlirAttributeIsNull(metalium_load_word_plus(words.data[i]));
  if (words.n > 0)
    tt_text_printf(e->out,
                   "// An integer in L1%s.\n"
                   "template <typename T%s>\n"
                   "inline uint32_t load_integer(uint32_t l1_addr) {\n"
                   "    return *reinterpret_cast<volatile tt_l1_ptr T*>(l1_addr)%s;\n"
                   "}\n\n",
                   plus ? ", plus what makes it at least zero" : "",
                   plus ? ", uint32_t plus = 0" : "", plus ? " + plus" : "");
  if (tt_collect(e->arena, e->func, "metalium.store_word").n > 0)
    tt_text_printf(e->out, "inline void store_word(uint32_t l1_addr, uint32_t value) {\n"
                           "    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(l1_addr) = value;\n"
                           "}\n\n");
  TtOps values = tt_collect(e->arena, e->func, "metalium.read_tile_value");
  if (values.n > 0 && tt_api_text(TT_API_FRONT_WORD, e->api)[0])
    tt_text_printf(e->out, "%s", tt_api_text(TT_API_FRONT_WORD, e->api));
}

static void emit_row_maxima(TtEmitter *e) {
  if (tt_collect(e->arena, e->func, "metalium.reduce_block_max_row").n > 0)
    tt_text_printf(e->out, "%s", tt_api_text(TT_API_ROW_MAXIMA, e->api));
}

/* Functions that a kernel brings along. */
void tt_emit_helpers(TtEmitter *e) {
  TtOps scalars = tt_collect(e->arena, e->func, "metalium.sfpu_scalar_tile");
  bool bits = false;
  for (intptr_t i = 0; i < scalars.n; ++i)
    bits |= mlirTypeIsAIndex(mlirValueGetType(metalium_sfpu_scalar_tile_value(scalars.data[i])));
  if (bits)
    tt_text_printf(
        e->out,
        "// The bits of an integer as a float, limited to plus and minus `limit`.\n"
        "inline uint32_t float_bits(int32_t value, int32_t limit = 0x7FFFFFFF) {\n"
        "    const int32_t limited = value > limit ? limit : value < -limit ? -limit : value;\n"
        "    return __builtin_bit_cast(uint32_t, static_cast<float>(limited));\n"
        "}\n\n");
  emit_integers(e);
  emit_row_maxima(e);
  if (tt_collect(e->arena, e->func, "metalium.fill_zeros").n > 0)
    tt_text_printf(e->out,
                   "// A tile behind the end of a tensor.\n"
                   "inline void fill_zeros(uint32_t l1_addr, uint32_t bytes) {\n"
                   "    auto* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(l1_addr);\n"
                   "    for (uint32_t i = 0; i < bytes / 4; ++i) {\n"
                   "        words[i] = 0;\n"
                   "    }\n"
                   "}\n\n");
  emit_fill_index_tile(e);
  tt_emit_part_helpers(e);
}

void tt_emit_runtime_args(TtEmitter *e) {
  MlirAttribute names = tt_get_attr(e->func, "tt.runtime_args");
  intptr_t n = mlirAttributeIsNull(names) ? 0 : mlirArrayAttrGetNumElements(names);
  TtOps ops = tt_collect(e->arena, e->func, "tt.runtime_arg");
  for (intptr_t i = 0; i < n; ++i) {
    char *name = tt_arena_str(e->arena, tt_string(mlirArrayAttrGetElement(names, i)));
    const char *variable = tt_names_take(&e->names, name);
    tt_emit_line(e, "const uint32_t %s = get_arg_val<uint32_t>(%jd);%s", variable, (intmax_t)i,
                 bind_scalar(e, name, variable) ? "  // the bits of a float" : "");
    for (intptr_t j = 0; j < ops.n; ++j) {
      if (!tt_str_eq(tt_string(tt_runtime_arg_name(ops.data[j])), name)) continue;
      tt_emit_bind_to(e, tt_runtime_arg_value(ops.data[j]), variable);
    }
  }
}

/* An error where headers of the era have no name for a circular buffer. */
static void check_name(TtEmitter *e, MlirOperation decl) {
  int64_t id = tt_int(tt_circular_buffer_id(decl));
  int known = tt_eras[e->api].cbs;
  MlirStringRef name = tt_symbol_name(decl);
  if (known == 0 || id < known) return;
  e->ok = tt_error(decl,
                   "@%.*s has id %jd, and the headers of %s name circular buffers up to %d; have "
                   "the pipeline keep to them (--tt-pipeline=\"metalium-api=%s\"), or use a newer "
                   "--metalium-api",
                   (int)name.length, name.data, (intmax_t)id, tt_eras[e->api].name, known - 1,
                   tt_eras[e->api].name);
}

void tt_emit_cbs(TtEmitter *e) {
  TtOps ops = tt_collect(e->arena, e->func, "tt.get_cb");
  for (intptr_t i = 0; i < ops.n; ++i) {
    MlirOperation decl = tt_cb_decl(e->program, tt_get_cb_cb(ops.data[i]));
    if (mlirOperationIsNull(decl) || !tt_has_uses(tt_get_cb_cb(ops.data[i]))) continue;
    check_name(e, decl);
    const char *name = tt_emit_bind(e, tt_get_cb_cb(ops.data[i]),
                                    tt_arena_str(e->arena, tt_string(tt_get_cb_name(ops.data[i]))));
    tt_emit_line(e, "constexpr uint32_t %s = tt::CBIndex::c_%jd;", name,
                 (intmax_t)tt_int(tt_circular_buffer_id(decl)));
  }
}

/* The constant with the size of a tile of `cb`, or NULL. */
static const char *tile_size_of(TtEmitter *e, MlirValue cb) {
  for (MlirOperation op = mlirBlockGetFirstOperation(tt_body(e->func)); !mlirOperationIsNull(op);
       op = tt_next(op))
    if (metalium_get_tile_size_isa(op) && tt_value_eq(metalium_get_tile_size_cb(op), cb))
      return tt_emit_bound(e, metalium_get_tile_size_bytes(op));
  return NULL;
}

/* The circular buffer that a tensor is moved through, for its page size. */
static const char *page_size_of(TtEmitter *e, MlirOperation accessor) {
  MlirStringRef tensor = tt_string(metalium_tensor_accessor_name(accessor));
  TtOps ops = tt_collect(e->arena, e->func, "tt.get_cb");
  bool rows = tt_lies_in_rows(e->arena, metalium_tensor_accessor_tensor(accessor));
  for (intptr_t i = 0; !rows && i < ops.n; ++i) {
    MlirOperation decl = tt_cb_decl(e->program, tt_get_cb_cb(ops.data[i]));
    MlirAttribute buffer =
        mlirOperationIsNull(decl) ? mlirAttributeGetNull() : tt_circular_buffer_buffer(decl);
    const char *name = tt_emit_bound(e, tt_get_cb_cb(ops.data[i]));
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

/* The accessors of one tensor: its place in the compile-time arguments, and an object for each op.
 */
static const char *emit_accessors_of(TtEmitter *e, TtOps ops, const char *tensor,
                                     const char *previous) {
  const char *args = tt_names_take(&e->names, tt_arena_printf(e->arena, "%s_args", tensor));
  char *addr = tt_arena_identifier(e->arena, tt_str(tt_arena_printf(e->arena, "%s_addr", tensor)));
  if (previous)
    tt_emit_line(e, "constexpr auto %s = TensorAccessorArgs<%s.next_compile_time_args_offset()>();",
                 args, previous);
  else
    tt_emit_line(e, "constexpr auto %s = TensorAccessorArgs<%jd>();", args,
                 (intmax_t)tt_kernel_semaphores(e->arena, e->program, e->func).n);
  for (intptr_t i = 0; i < ops.n; ++i) {
    if (!tt_str_eq(tt_string(metalium_tensor_accessor_name(ops.data[i])), tensor)) continue;
    const char *name = tt_emit_bind(e, metalium_tensor_accessor_accessor(ops.data[i]), tensor);
    const char *comma = tt_api_text(TT_API_ACCESSOR_COMMA, e->api);
    tt_emit_line(e, "const auto %s = TensorAccessor(%s, %s%s%s);", name, args, addr, comma,
                 *comma ? page_size_of(e, ops.data[i]) : "");
  }
  return args;
}

/* In the order of the function's arguments, which is the host's, up to the last that is used. */
void tt_emit_accessors(TtEmitter *e) {
  TtOps ops = tt_collect(e->arena, e->func, "metalium.tensor_accessor");
  TtArgs args = tt_kernel_args(e->arena, e->func);
  intptr_t last = -1;
  for (intptr_t i = 0; i < args.n; ++i)
    for (intptr_t j = 0; j < ops.n; ++j)
      if (tt_str_eq(tt_string(metalium_tensor_accessor_name(ops.data[j])), args.data[i].name))
        last = i;
  const char *previous = NULL;
  for (intptr_t i = 0; i <= last; ++i)
    if (args.data[i].is_tensor) previous = emit_accessors_of(e, ops, args.data[i].name, previous);
}
