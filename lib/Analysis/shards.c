/*===- shards.c - sharded tensors, in tiles ---------------------------------------===*/

#include "Analysis/shards.h"

#include "Analysis/kernel.h"

bool tt_is_row_major(MlirAttribute buffer) {
  if (!tt_buffer_attr_isa(buffer)) return false;
  MlirAttribute storage = tt_buffer_attr_storage(buffer);
  return !mlirAttributeIsNull(storage) && tt_str_eq(tt_string(storage), "row_major");
}

bool tt_lies_in_rows(TtArena *arena, MlirValue tensor) {
  if (!mlirValueIsABlockArgument(tensor)) return false;
  MlirOperation func = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(tensor));
  if (!tt_is_function(func)) return false;
  const TtArg *arg = tt_arg_of(tt_kernel_args(arena, func), tensor);
  if (!arg) return false;
  MlirAttribute buffer = tt_named_attr(func, "buffer", arg->name);
  if (mlirAttributeIsNull(buffer)) buffer = tt_named_attr(tt_parent(func), "buffer", arg->name);
  return tt_is_row_major(buffer);
}

int64_t tt_page_bytes(MlirAttribute buffer, MlirType memref) {
  const TtFormat *format = tt_format(tt_buffer_attr_dtype(buffer));
  if (!tt_is_row_major(buffer)) return format->tile_bytes;
  intptr_t rank = mlirShapedTypeGetRank(memref);
  int64_t cols = rank > 0 ? mlirShapedTypeGetDimSize(memref, rank - 1) : 1;
  return tt_tiles(cols) * TT_TILE * format->datum_bits / 8;
}

bool tt_is_sharded(MlirAttribute buffer) {
  return tt_buffer_attr_isa(buffer) && tt_buffer_attr_layout(buffer) == TT_LAYOUT_SHARDED;
}

bool tt_is_l1_sharded(MlirAttribute buffer) {
  return tt_is_sharded(buffer) && tt_buffer_attr_memory(buffer) == TT_MEMORY_L1;
}

/* Size of the tensor along axis `axis` of `axes`; the last axes are its last dimensions. */
static int64_t size_along(MlirType memref, intptr_t axis, intptr_t axes) {
  intptr_t dim = mlirShapedTypeGetRank(memref) - axes + axis;
  return dim < 0 ? 1 : mlirShapedTypeGetDimSize(memref, dim);
}

TtShards tt_shards_of(MlirAttribute buffer, MlirType memref) {
  MlirAttribute nd = tt_buffer_attr_nd_shard(buffer);
  intptr_t axes = mlirArrayAttrGetNumElements(tt_nd_shard_attr_axes(nd));
  TtMatrices m = tt_matrices(memref);
  TtShards s = {.rows = m.count * tt_tiles(m.rows),
                .cols = tt_tiles(m.cols),
                .shard_rows = tt_nd_shard_attr_projected_shard_tiles(nd, 0),
                .shard_cols = tt_nd_shard_attr_projected_shard_tiles(nd, 1),
                .grid_rows = 1,
                .grid_cols = tt_nd_shard_attr_grid(nd, axes - 1)};
  for (intptr_t i = 0; i < axes - 1; ++i) s.grid_rows *= tt_nd_shard_attr_grid(nd, i);
  for (intptr_t i = 0; i < axes - 2; ++i) s.shard_rows *= tt_nd_shard_attr_shard_shape_elems(nd, i);
  return s;
}

int64_t tt_shard_core_columns(TtShards s, TtTarget target) {
  bool line = s.grid_rows == 1 || s.grid_cols == 1;
  bool fits = s.grid_cols <= target.grid_x && s.grid_rows <= target.grid_y;
  return line && !fits ? target.grid_x : s.grid_cols;
}

int64_t tt_l1_bytes_of(MlirAttribute buffer, MlirType memref, TtTarget target) {
  if (!tt_buffer_attr_isa(buffer) || tt_buffer_attr_memory(buffer) != TT_MEMORY_L1) return 0;
  int64_t tile = tt_format(tt_buffer_attr_dtype(buffer))->tile_bytes,
          cores = target.grid_x * target.grid_y;
  if (!tt_is_sharded(buffer)) {
    if (!mlirShapedTypeHasStaticShape(memref)) return 0; /* the device says when it does not fit */
    return (tt_tensor_tiles(memref) + cores - 1) / cores * tile;
  }
  TtShards s = tt_shards_of(buffer, memref);
  return s.shard_rows * s.shard_cols * tile;
}

int64_t tt_l1_beside(MlirOperation kernel) {
  MlirAttribute bytes = tt_get_attr(kernel, "tt.l1_beside");
  return mlirAttributeIsNull(bytes) ? 0 : tt_int(bytes);
}

/*===- Checks -----------------------------------------------------------------------===*/

static bool check_axes(MlirOperation op, const char *name, MlirAttribute nd, MlirType memref) {
  MlirAttribute axes = tt_nd_shard_attr_axes(nd);
  intptr_t n = mlirArrayAttrGetNumElements(axes), rank = mlirShapedTypeGetRank(memref);
  bool last = tt_str_eq(tt_string(mlirArrayAttrGetElement(axes, n - 2)), "M") &&
              tt_str_eq(tt_string(mlirArrayAttrGetElement(axes, n - 1)), "N");
  if (!last)
    return tt_error(op,
                    "tensor '%s': 'axes' names the dimensions in their order, and tiles lie in the "
                    "last two; end it with \"M\", \"N\"",
                    name);
  if (n < rank)
    return tt_error(op,
                    "tensor '%s': 'axes' has %jd names, but the tensor %jd dimensions; name each",
                    name, (intmax_t)n, (intmax_t)rank);
  for (intptr_t d = 0; d + 2 < rank; ++d)
    if (mlirShapedTypeIsDynamicDim(memref, d))
      return tt_error(
          op, "tensor '%s': dimension %jd of a sharded tensor is dynamic; only the last two may be",
          name, (intmax_t)d);
  return true;
}

static bool check_cover(MlirOperation op, const char *name, MlirAttribute nd, MlirType memref) {
  MlirAttribute axes = tt_nd_shard_attr_axes(nd);
  intptr_t n = mlirArrayAttrGetNumElements(axes);
  bool cut = false; /* an inner axis is cut, so that shards are not whole matrices */
  for (intptr_t i = n - 1; i >= 0; --i) {
    int64_t size = size_along(memref, i, n), shard = tt_nd_shard_attr_shard_shape_elems(nd, i),
            grid = tt_nd_shard_attr_grid(nd, i);
    MlirStringRef axis = tt_string(mlirArrayAttrGetElement(axes, i));
    if (size == INT64_MIN) { /* dynamic: the host program checks it */
      if (i > 0 && i < n - 1 && grid > 1 && size_along(memref, i - 1, n) > 1)
        return tt_error(
            op, "tensor '%s': %.*s is dynamic and cut below an outer dimension; make it constant",
            name, (int)axis.length, axis.data);
      cut |= i < n - 1 && grid > 1;
      continue;
    }
    bool in_tiles = i >= n - 2;
    int64_t unit = in_tiles ? TT_TILE : 1;
    int64_t have = in_tiles ? tt_tiles(size) : size, each = in_tiles ? tt_tiles(shard) : shard;
    if (in_tiles && grid > 1 && shard % TT_TILE && !tt_nd_shard_attr_align_tiles(nd))
      return tt_error(
          op,
          "tensor '%s': shards are whole tiles, but one has %jd elements along %.*s; make "
          "it a multiple of 32 or set align_tiles",
          name, (intmax_t)shard, (int)axis.length, axis.data);
    if ((have + each - 1) / each != grid)
      return tt_error(
          op,
          "tensor '%s': shards of %jd elements along %.*s cut %jd into %jd, but the grid "
          "has %jd",
          name, (intmax_t)(each * unit), (int)axis.length, axis.data, (intmax_t)size,
          (intmax_t)((have + each - 1) / each), (intmax_t)grid);
    bool inner = i < n - 1; /* columns are cut on their own */
    if (inner && cut && each > 1 && i < n - 2)
      return tt_error(
          op,
          "tensor '%s': a shard takes part of an inner dimension and %jd steps of %.*s; "
          "take one step of it",
          name, (intmax_t)each, (int)axis.length, axis.data);
    bool outer = i > 0 && inner && size_along(memref, i - 1, n) > 1;
    if (inner && grid > 1 && outer && have % each)
      return tt_error(
          op,
          "tensor '%s': shards of %jd along %.*s do not divide %jd, so that the matrices "
          "of the outer dimensions would share one; take a divisor",
          name, (intmax_t)(each * unit), (int)axis.length, axis.data, (intmax_t)size);
    cut |= inner && grid > 1;
  }
  return true;
}

static bool check_places(MlirOperation op, const char *name, MlirAttribute buffer, TtShards s) {
  TtTarget target = tt_target_of(op);
  int64_t shards = s.grid_rows * s.grid_cols, banks = target.chip->dram_banks;
  if (tt_buffer_attr_memory(buffer) == TT_MEMORY_DRAM)
    return shards <= banks ||
           tt_error(op,
                    "tensor '%s': %jd shards in DRAM, which has %jd banks, one for each; take "
                    "larger shards",
                    name, (intmax_t)shards, (intmax_t)banks);
  bool line = s.grid_rows == 1 || s.grid_cols == 1;
  if (line ? shards <= target.grid_x * target.grid_y
           : s.grid_cols <= target.grid_x && s.grid_rows <= target.grid_y)
    return true;
  return tt_error(op,
                  "tensor '%s': %jd x %jd shards (down, across) have no place on %jd x %jd cores "
                  "(x, y); take larger shards",
                  name, (intmax_t)s.grid_rows, (intmax_t)s.grid_cols, (intmax_t)target.grid_x,
                  (intmax_t)target.grid_y);
}

bool tt_check_shards(MlirOperation op, const char *name, MlirAttribute buffer, MlirType memref) {
  MlirAttribute nd = tt_buffer_attr_nd_shard(buffer);
  return check_axes(op, name, nd, memref) && check_cover(op, name, nd, memref) &&
         check_places(op, name, buffer, tt_shards_of(buffer, memref));
}

int64_t tt_dram_banks_of(MlirAttribute buffer, MlirType memref, TtTarget target) {
  int64_t parts = 1, banks = target.chip->dram_banks;
  if (mlirAttributeIsNull(buffer)) return banks;
  if (tt_buffer_attr_memory(buffer) != TT_MEMORY_DRAM) return 0;
  if (tt_is_sharded(buffer)) {
    TtShards shards = tt_shards_of(buffer, memref);
    parts = shards.grid_rows * shards.grid_cols;
  } else {
    intptr_t rank = mlirShapedTypeGetRank(memref);
    for (intptr_t d = 0; d < rank; ++d) {
      if (mlirShapedTypeIsDynamicDim(memref, d)) return banks;
      int64_t size = mlirShapedTypeGetDimSize(memref, d);
      parts *= d < rank - 2 ? size : tt_tiles(size);
    }
  }
  return parts < banks ? parts : banks;
}

bool tt_follows_shards(TtArena *arena, MlirOperation func) {
  TtArgs args = tt_kernel_args(arena, func);
  bool local = tt_str_eq(tt_string(tt_get_attr(func, "tt.partition_mode")), "local_shard");
  for (intptr_t i = 0; i < args.n; ++i) {
    MlirAttribute buffer = tt_named_attr(func, "buffer", args.data[i].name);
    if (args.data[i].is_tensor && tt_is_sharded(buffer) &&
        (local ||
         tt_nd_shard_attr_order(tt_buffer_attr_nd_shard(buffer)) != TT_SHARD_ORDER_ROW_MAJOR))
      return true;
  }
  return false;
}
