/*===- infer_layout.c - A1: --tt-infer-layout -------------------------------------===
 *
 * Gives every tensor argument its canonical layout, from the user's `tt.layout`
 * where there is one, and checks it. Stamps the target on the module.
 *
 *   before  func.func @f(%A: memref<64x64xbf16> {tt.name = "A",
 *                        tt.layout = {memory = "L1"}}) attributes {tt.kernel}
 *   after   func.func @f(…) attributes {tt.kernel, tt.buffer.A = #tt.buffer<
 *             memory = L1, layout = interleaved, tile_shape = [32, 32], dtype = bf16>}
 *
 * Tensors that a host function gives to several kernels have one layout: host_layouts.c.
 *
 * Requires nothing. Leaves tt.target on the module and tt.buffer.<name> on kernels.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Analysis/shards.h"
#include "Passes/passes_decl.h"
#include "Target/eras.h"
#include "Transforms/Layout/host_layouts.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RANK = 8 };

/*===- Reading the user's dictionary ------------------------------------------===*/

typedef struct Reader {
  MlirOperation func;
  const char *tensor; /* name, for messages */
  MlirType type;
} Reader;

static bool check_fields(Reader *r, MlirAttribute dict, const char *what, const char *const *fields,
                         size_t n) {
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(dict); ++i) {
    MlirStringRef key = mlirIdentifierStr(mlirDictionaryAttrGetElement(dict, i).name);
    bool known = false;
    for (size_t j = 0; j < n; ++j) known |= tt_str_eq(key, fields[j]);
    if (known) continue;
    const char *near = tt_suggest(key, fields, n);
    return tt_error(r->func, "tensor '%s': %s has no field '%.*s'%s%s%s", r->tensor, what,
                    (int)key.length, key.data, near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
  }
  return true;
}

static MlirAttribute field(MlirAttribute dict, const char *name) {
  return mlirDictionaryAttrGetElementByName(dict, tt_str(name));
}

/* A list of integers, as [1, 2] or array<i64: 1, 2>. */
static bool read_ints(Reader *r, MlirAttribute dict, const char *name, int64_t *out, intptr_t *n) {
  MlirAttribute a = field(dict, name);
  if (mlirAttributeIsNull(a))
    return tt_error(r->func, "tensor '%s': nd_shard needs the field '%s'", r->tensor, name);
  bool dense = mlirAttributeIsADenseI64Array(a);
  if (dense || mlirAttributeIsAArray(a)) {
    *n = dense ? mlirDenseArrayGetNumElements(a) : mlirArrayAttrGetNumElements(a);
    intptr_t i = 0;
    for (; i < *n && i < MAX_RANK; ++i) {
      MlirAttribute item = dense ? a : mlirArrayAttrGetElement(a, i);
      if (!dense && !mlirAttributeIsAInteger(item)) break;
      out[i] = dense ? mlirDenseI64ArrayGetElement(a, i) : tt_int(item);
      if (out[i] < 1) break;
    }
    if (i == *n) return true;
  }
  return tt_error(r->func, "tensor '%s': '%s' must be a list of at most %d positive integers",
                  r->tensor, name, MAX_RANK);
}

/* The text of a string field, or `fallback` where it is not there. */
static bool read_text(Reader *r, MlirAttribute dict, const char *name, const char *fallback,
                      MlirStringRef *out) {
  MlirAttribute a = field(dict, name);
  if (mlirAttributeIsNull(a)) return *out = tt_str(fallback), true;
  if (mlirAttributeIsAString(a)) return *out = tt_string(a), true;
  return tt_error(r->func, "tensor '%s': '%s' must be a string", r->tensor, name);
}

/*===- nd_shard -------------------------------------------------------------===*/

static intptr_t axis_named(MlirAttribute axes, const char *name) {
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(axes); ++i)
    if (tt_str_eq(tt_string(mlirArrayAttrGetElement(axes, i)), name)) return i;
  return -1;
}

static bool read_axes(Reader *r, MlirAttribute dict, MlirAttribute *axes) {
  *axes = field(dict, "axes");
  if (mlirAttributeIsNull(*axes))
    return tt_error(r->func, "tensor '%s': nd_shard needs the field 'axes'", r->tensor);
  bool names = mlirAttributeIsAArray(*axes) && mlirArrayAttrGetNumElements(*axes) <= MAX_RANK;
  for (intptr_t i = 0; names && i < mlirArrayAttrGetNumElements(*axes); ++i)
    names = mlirAttributeIsAString(mlirArrayAttrGetElement(*axes, i));
  if (!names || axis_named(*axes, "M") < 0 || axis_named(*axes, "N") < 0)
    return tt_error(r->func, "tensor '%s': 'axes' must be a list of names that has \"M\" and \"N\"",
                    r->tensor);
  return true;
}

static bool check_l1_shard(Reader *r, const int64_t *shard, intptr_t n, intptr_t m_axis,
                           intptr_t n_axis, TtDType dtype) {
  if (shard[m_axis] % TT_TILE || shard[n_axis] % TT_TILE)
    return tt_error(r->func,
                    "tensor '%s': an L1 shard is made of whole tiles, but this is %jdx%jd "
                    "elements; make both multiples of 32",
                    r->tensor, (intmax_t)shard[m_axis], (intmax_t)shard[n_axis]);
  int64_t bytes = tt_format(dtype)->tile_bytes, l1 = tt_usable_l1(tt_target_of(r->func).chip);
  for (intptr_t i = 0; i < n; ++i)
    bytes *= i == m_axis || i == n_axis ? shard[i] / TT_TILE : shard[i];
  if (bytes > l1)
    return tt_error(r->func,
                    "tensor '%s': a shard has %jd bytes, but a core's L1 has %jd; use "
                    "more cores or smaller shards",
                    r->tensor, (intmax_t)bytes, (intmax_t)l1);
  return true;
}

/* Units down and across a square of order block_linear; 0 for the other orders. */
static bool read_block(Reader *r, MlirAttribute dict, TtShardOrder order, int64_t *block) {
  enum { DEFAULT_BLOCK = 2 };
  MlirAttribute a = field(dict, "block");
  bool linear = order == TT_SHARD_ORDER_BLOCK_LINEAR;
  *block = linear ? DEFAULT_BLOCK : 0;
  if (mlirAttributeIsNull(a)) return true;
  if (!linear)
    return tt_error(r->func, "tensor '%s': 'block' goes with order = \"block_linear\" only",
                    r->tensor);
  *block = mlirAttributeIsAInteger(a) ? tt_int(a) : 0;
  return *block > 0 ||
         tt_error(r->func, "tensor '%s': 'block' must be a positive integer", r->tensor);
}

static bool read_nd_shard(Reader *r, MlirAttribute dict, TtMemory memory, TtDType dtype,
                          MlirAttribute *out) {
  static const char *const fields[] = {"axes",  "grid",        "shard_shape_elems",
                                       "order", "align_tiles", "block"};
  int64_t grid[MAX_RANK], shard[MAX_RANK], block;
  intptr_t num_grid, num_shard;
  MlirAttribute axes;
  MlirStringRef order_text;
  if (!mlirAttributeIsADictionary(dict))
    return tt_error(r->func, "tensor '%s': 'nd_shard' must be a dictionary", r->tensor);
  if (!check_fields(r, dict, "nd_shard", fields, sizeof fields / sizeof *fields) ||
      !read_axes(r, dict, &axes) || !read_ints(r, dict, "grid", grid, &num_grid) ||
      !read_ints(r, dict, "shard_shape_elems", shard, &num_shard) ||
      !read_text(r, dict, "order", "row_major", &order_text))
    return false;
  if (num_grid != mlirArrayAttrGetNumElements(axes) || num_shard != num_grid)
    return tt_error(r->func, "tensor '%s': 'axes', 'grid' and 'shard_shape_elems' differ in length",
                    r->tensor);
  TtShardOrder order;
  if (!tt_shard_order_parse(order_text, &order))
    return tt_error(r->func,
                    "tensor '%s': unknown shard order '%.*s'; there are row_major, "
                    "match_shard and block_linear",
                    r->tensor, (int)order_text.length, order_text.data);
  intptr_t m = axis_named(axes, "M"), n = axis_named(axes, "N");
  if (memory == TT_MEMORY_L1 && !check_l1_shard(r, shard, num_shard, m, n, dtype)) return false;
  MlirAttribute align = field(dict, "align_tiles");
  bool aligned =
      mlirAttributeIsNull(align) || !mlirAttributeIsABool(align) || mlirBoolAttrGetValue(align);
  if (!read_block(r, dict, order, &block)) return false;
  int64_t pgrid[2] = {grid[m], grid[n]}, ptiles[2] = {tt_tiles(shard[m]), tt_tiles(shard[n])};
  *out = tt_nd_shard_attr_get(mlirOperationGetContext(r->func), axes, num_grid, grid, num_shard,
                              shard, order, block, aligned, 2, pgrid, 2, ptiles);
  return true;
}

/*===- One tensor -----------------------------------------------------------===*/

static bool check_tile_shape(Reader *r, MlirAttribute dict) {
  int64_t tile[MAX_RANK];
  intptr_t n;
  if (mlirAttributeIsNull(field(dict, "tile_shape"))) return true;
  if (!read_ints(r, dict, "tile_shape", tile, &n)) return false;
  if (n == 2 && tile[0] == TT_TILE && tile[1] == TT_TILE) return true;
  return tt_error(r->func,
                  "tensor '%s': tiles are 32x32 elements; remove 'tile_shape' or make it "
                  "[32, 32]",
                  r->tensor);
}

/* Null for tiles. */
static bool read_storage(Reader *r, MlirAttribute dict, TtLayout layout, TtDType dtype,
                         MlirAttribute *out) {
  MlirStringRef text;
  if (!read_text(r, dict, "storage", "tiled", &text)) return false;
  if (tt_str_eq(text, "tiled")) return true;
  if (!tt_str_eq(text, "row_major"))
    return tt_error(r->func, "tensor '%s': unknown storage '%.*s'; there are tiled and row_major",
                    r->tensor, (int)text.length, text.data);
  if (layout == TT_LAYOUT_SHARDED)
    return tt_error(r->func,
                    "tensor '%s': a tensor that is stored row by row is not cut into shards; make "
                    "its layout interleaved, or remove 'storage'",
                    r->tensor);
  if (tt_format(dtype)->datum_bits != 16 && tt_format(dtype)->datum_bits != 32)
    return tt_error(r->func,
                    "tensor '%s': elements of a tensor that is stored row by row have 16 or 32 "
                    "bits, but those of %s have %d; store it as tiles, or as another dtype",
                    r->tensor, tt_d_type_str((int)dtype), (int)tt_format(dtype)->datum_bits);
  intptr_t rank = mlirShapedTypeGetRank(r->type);
  if (rank > 0 && mlirShapedTypeIsDynamicDim(r->type, rank - 1))
    return tt_error(r->func,
                    "tensor '%s': rows of dynamic length cannot be stored row by row; make the "
                    "last size constant, or remove 'storage'",
                    r->tensor);
  *out = mlirStringAttrGet(mlirOperationGetContext(r->func), text);
  return true;
}

static bool infer(Reader *r, MlirAttribute dict, TtDType dtype, MlirAttribute *out) {
  static const char *const fields[] = {"memory",   "layout", "tile_shape", "dtype",
                                       "nd_shard", "halo",   "storage"};
  static const int64_t tile[2] = {TT_TILE, TT_TILE};
  MlirStringRef memory_text, layout_text, dtype_text;
  TtMemory memory;
  TtLayout layout;
  MlirAttribute nd_shard = {NULL};
  if (!check_fields(r, dict, "tt.layout", fields, sizeof fields / sizeof *fields)) return false;
  if (!mlirAttributeIsNull(field(dict, "halo")))
    return tt_error(r->func,
                    "tensor '%s': halo exchange is not supported; remove 'halo' and read "
                    "the neighbouring rows as blocks of their own",
                    r->tensor);
  if (!check_tile_shape(r, dict) || !read_text(r, dict, "memory", "DRAM", &memory_text) ||
      !read_text(r, dict, "layout", "interleaved", &layout_text) ||
      !read_text(r, dict, "dtype", tt_d_type_str((int)dtype), &dtype_text))
    return false;
  if (!tt_memory_parse(memory_text, &memory))
    return tt_error(r->func, "tensor '%s': unknown memory '%.*s'; there are DRAM and L1", r->tensor,
                    (int)memory_text.length, memory_text.data);
  if (!tt_layout_parse(layout_text, &layout))
    return tt_error(r->func,
                    "tensor '%s': unknown layout '%.*s'; there are interleaved and sharded",
                    r->tensor, (int)layout_text.length, layout_text.data);
  if (!tt_d_type_parse(dtype_text, &dtype))
    return tt_error(r->func,
                    "tensor '%s': unknown dtype '%.*s'; there are bf16, fp16, fp32, int32, "
                    "uint16, uint8, bfp8_b and bfp4_b",
                    r->tensor, (int)dtype_text.length, dtype_text.data);
  if (!tt_check_stored_as(r->func, r->tensor, r->type, dtype)) return false;
  MlirAttribute shard_dict = field(dict, "nd_shard");
  bool has_shard = !mlirAttributeIsNull(shard_dict);
  if (has_shard != (layout == TT_LAYOUT_SHARDED))
    return tt_error(r->func, "tensor '%s': %s", r->tensor,
                    has_shard
                        ? "'nd_shard' goes with layout = \"sharded\" only"
                        : "a sharded layout needs 'nd_shard' = {axes, grid, shard_shape_elems}");
  if (has_shard && !read_nd_shard(r, shard_dict, memory, dtype, &nd_shard)) return false;
  MlirAttribute storage = mlirAttributeGetNull();
  if (!read_storage(r, dict, layout, dtype, &storage)) return false;
  *out = tt_buffer_attr_get(mlirOperationGetContext(r->func), memory, layout, 2, tile, dtype,
                            nd_shard, storage);
  return !has_shard || tt_check_shards(r->func, r->tensor, *out, r->type);
}

static bool check_type(MlirOperation func, const TtArg *arg, TtDType *dtype) {
  if (!arg->is_tensor) {
    bool scalar =
        mlirTypeIsAFloat(arg->type) || mlirTypeIsAInteger(arg->type) || mlirTypeIsAIndex(arg->type);
    return scalar || tt_error(func, "argument '%s' is neither a memref nor a scalar", arg->name);
  }
  if (!mlirShapedTypeHasRank(arg->type))
    return tt_error(func, "tensor '%s' has no rank", arg->name);
  if (!mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(arg->type)))
    return tt_error(func, "tensor '%s' has a strided layout; arguments are whole tensors",
                    arg->name);
  if (!tt_dtype_of(mlirShapedTypeGetElementType(arg->type), dtype))
    return tt_error(func,
                    "tensor '%s': there is no storage format for its element type; use bf16, "
                    "f16, f32, i64, i32, i16 or i8",
                    arg->name);
  return true;
}

static bool infer_kernel(TtArena *arena, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  for (intptr_t i = 0; i < args.n; ++i) {
    TtArg *arg = &args.data[i];
    for (intptr_t j = 0; j < i; ++j)
      if (strcmp(arg->name, args.data[j].name) == 0)
        return tt_error(func, "two arguments have the name '%s'; give each its own tt.name",
                        arg->name);
    TtDType dtype;
    if (!check_type(func, arg, &dtype)) return false;
    MlirAttribute layout = tt_arg_attr(func, i, "tt.layout");
    MlirAttribute present = tt_named_attr(func, "buffer", arg->name);
    bool known = !mlirAttributeIsNull(present);
    if (!mlirAttributeIsNull(layout) && !arg->is_tensor)
      return tt_error(func, "argument '%s' is a scalar and has no layout", arg->name);
    if (!arg->is_tensor) continue;
    if (known && mlirAttributeIsNull(layout)) {
      if (tt_is_sharded(present) && !tt_check_shards(func, arg->name, present, arg->type))
        return false;
      continue;
    }
    Reader reader = {func, arg->name, arg->type};
    MlirAttribute buffer;
    if (mlirAttributeIsNull(layout))
      layout = mlirDictionaryAttrGet(mlirOperationGetContext(func), 0, NULL);
    if (!infer(&reader, layout, dtype, &buffer)) return false;
    tt_set_named_attr(func, "buffer", arg->name, buffer);
  }
  return true;
}

/*===- The target -----------------------------------------------------------===*/

static bool parse_grid(const char *text, int64_t *x, int64_t *y) {
  char *end;
  *x = strtoll(text, &end, 10);
  if (end == text || *end != 'x') return false;
  const char *second = end + 1;
  *y = strtoll(second, &end, 10);
  return end != second && *end == '\0' && *x > 0 && *y > 0;
}

/* How many circular buffers a program may have, as tt.target says it: what it says already, or less
 * where headers of the era name less; 0 where all of the chip's will do, -1 if there is no such
 * era. */
static int64_t circular_buffers(MlirAttribute present, const TtChip *chip, const char *era_text) {
  int64_t most = (int64_t)chip->cbs;
  if (tt_target_attr_isa(present) && tt_target_attr_cbs(present) > 0)
    most = tt_target_attr_cbs(present);
  if (*era_text) {
    const TtEra *era = tt_era_named(era_text);
    if (!era) return -1;
    if (era->cbs > 0 && era->cbs < most) most = era->cbs;
  }
  return most < (int64_t)chip->cbs ? most : 0;
}

static bool stamp_target(MlirOperation module, const TtPassOptions *options) {
  const char *arch_text = options->values[0], *grid_text = options->values[1],
             *era_text = options->values[2];
  MlirAttribute present = tt_get_attr(module, "tt.target");
  bool has = tt_target_attr_isa(present);
  TtArch arch = has ? tt_target_attr_arch(present) : TT_ARCH_WORMHOLE_B0;
  if (*arch_text && !tt_arch_parse(tt_str(arch_text), &arch))
    return tt_error(module, "unknown arch '%s'; there are wormhole_b0 and blackhole", arch_text);
  const TtChip *chip = tt_chip(arch);
  int64_t x = chip->grid_x, y = chip->grid_y;
  if (has && arch == tt_target_attr_arch(present))
    x = tt_target_attr_grid_x(present), y = tt_target_attr_grid_y(present);
  if (*grid_text && !parse_grid(grid_text, &x, &y))
    return tt_error(module, "grid '%s' is not of the form XxY, such as 8x8", grid_text);
  if (has && (arch != tt_target_attr_arch(present) || x != tt_target_attr_grid_x(present) ||
              y != tt_target_attr_grid_y(present)))
    return tt_error(module,
                    "the options ask for %s with a grid of %jdx%jd, but the module has %s with "
                    "%jdx%jd; remove the options or its tt.target",
                    tt_arch_str((int)arch), (intmax_t)x, (intmax_t)y,
                    tt_arch_str((int)tt_target_attr_arch(present)),
                    (intmax_t)tt_target_attr_grid_x(present),
                    (intmax_t)tt_target_attr_grid_y(present));
  if (x > chip->grid_x || y > chip->grid_y)
    return tt_error(module, "a grid of %jdx%jd cores is more than the %jdx%jd of %s", (intmax_t)x,
                    (intmax_t)y, (intmax_t)chip->grid_x, (intmax_t)chip->grid_y,
                    tt_arch_str((int)arch));
  int64_t cbs = circular_buffers(present, chip, era_text);
  if (cbs < 0)
    return tt_error(module, "unknown metalium-api '%s'; there are %s", era_text, tt_era_names());
  MlirAttribute target = tt_target_attr_get(mlirOperationGetContext(module), arch, x, y, cbs);
  tt_set_attr(module, "tt.target", target);
  return true;
}

bool tt_run_infer_layout(MlirOperation module, const TtPassOptions *options) {
  if (!stamp_target(module, options) || !tt_share_host_layouts(module)) return false;
  return tt_for_each_kernel(module, infer_kernel);
}
