/*===- verify_metadata.c - what the fields of typed metadata mean -----------------------------===
 *
 * #tt.buffer and its kin parse with any numbers; passes act on what they say. So what is
 * missing, or contradicts itself, is found when IR comes in:
 *
 *   tt.buffer.A = #tt.buffer<… layout = sharded …>                    without nd_shard
 *   tt.tensor_accessor.A = #tt.tensor_accessor<type = bound, …>       without runtime_binding
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/target.h"
#include "Dialect/verify.h"
#include "tilewright/ir.h"

#include <string.h>

static bool refuse(MlirOperation op, MlirStringRef key, const char *what) {
  return tt_error(op, "attribute '%.*s': %s", (int)key.length, key.data, what);
}

/*===- Shards ------------------------------------------------------------------------------===*/

static bool are_positive(MlirAttribute shard, intptr_t n,
                         int64_t (*element)(MlirAttribute, intptr_t)) {
  for (intptr_t i = 0; i < n; ++i)
    if (element(shard, i) < 1) return false;
  return true;
}

/* The place of "M" or "N" among the axes; -1 where it is not there, or twice. */
static intptr_t axis_named(MlirAttribute axes, const char *name) {
  intptr_t found = -1;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(axes); ++i) {
    MlirAttribute axis = mlirArrayAttrGetElement(axes, i);
    if (!mlirAttributeIsAString(axis) || !tt_str_eq(tt_string(axis), name)) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

/* The projection on tiles repeats grid and shard along M and N. */
static bool is_projection(MlirAttribute shard, intptr_t side, intptr_t axis) {
  int64_t elems = tt_nd_shard_attr_shard_shape_elems(shard, axis);
  return tt_nd_shard_attr_projected_grid(shard, side) == tt_nd_shard_attr_grid(shard, axis) &&
         tt_nd_shard_attr_projected_shard_tiles(shard, side) == (elems - 1) / TT_TILE + 1;
}

static bool check_shard(MlirOperation op, MlirStringRef key, MlirAttribute shard) {
  MlirAttribute axes = tt_nd_shard_attr_axes(shard);
  intptr_t n = mlirArrayAttrGetNumElements(axes), m = axis_named(axes, "M"),
           k = axis_named(axes, "N");
  if (m < 0 || k < 0)
    return refuse(op, key, "'axes' must name the dimensions, with \"M\" and \"N\" once each");
  if (tt_nd_shard_attr_num_grid(shard) != n || tt_nd_shard_attr_num_shard_shape_elems(shard) != n)
    return refuse(op, key, "'axes', 'grid' and 'shard_shape_elems' differ in length");
  if (!are_positive(shard, n, tt_nd_shard_attr_grid) ||
      !are_positive(shard, n, tt_nd_shard_attr_shard_shape_elems))
    return refuse(op, key, "'grid' and 'shard_shape_elems' must be positive");
  if (tt_nd_shard_attr_num_projected_grid(shard) != 2 ||
      tt_nd_shard_attr_num_projected_shard_tiles(shard) != 2 || !is_projection(shard, 0, m) ||
      !is_projection(shard, 1, k))
    return refuse(op, key,
                  "'projected_grid' and 'projected_shard_tiles' must be those of M and N in 'grid' "
                  "and, in tiles, 'shard_shape_elems'; --tt-infer-layout makes them of tt.layout");
  return tt_nd_shard_attr_block(shard) >= 0 || refuse(op, key, "'block' must not be negative");
}

bool tt_verify_buffer(MlirOperation op, MlirStringRef key, MlirAttribute buffer) {
  bool tile = tt_buffer_attr_num_tile_shape(buffer) == 2 &&
              tt_buffer_attr_tile_shape(buffer, 0) == TT_TILE &&
              tt_buffer_attr_tile_shape(buffer, 1) == TT_TILE;
  if (!tile) return refuse(op, key, "'tile_shape' must be [32, 32]");
  MlirAttribute shard = tt_buffer_attr_nd_shard(buffer), storage = tt_buffer_attr_storage(buffer);
  bool sharded = tt_buffer_attr_layout(buffer) == TT_LAYOUT_SHARDED;
  if (!mlirAttributeIsNull(storage) && !tt_str_eq(tt_string(storage), "row_major"))
    return refuse(op, key, "'storage' must be \"row_major\", or not be there");
  if (!mlirAttributeIsNull(storage) && sharded)
    return refuse(op, key, "'storage' goes with layout = interleaved only");
  if (!mlirAttributeIsNull(storage) &&
      tt_format(tt_buffer_attr_dtype(buffer))->datum_bits % 16 != 0)
    return refuse(op, key, "'storage' goes with elements of 16 or 32 bits only");
  if (sharded == mlirAttributeIsNull(shard))
    return refuse(op, key,
                  sharded ? "a sharded layout needs 'nd_shard'"
                          : "'nd_shard' goes with layout = sharded only");
  if (!sharded) return true;
  if (!check_shard(op, key, shard)) return false;
  MlirAttribute axes = tt_nd_shard_attr_axes(shard);
  static const char *const sides[] = {"M", "N"};
  for (int i = 0; i < 2 && tt_buffer_attr_memory(buffer) == TT_MEMORY_L1; ++i)
    if (tt_nd_shard_attr_shard_shape_elems(shard, axis_named(axes, sides[i])) % TT_TILE != 0)
      return refuse(op, key, "an L1 shard is made of whole tiles: multiples of 32 elements");
  return true;
}

/*===- Accessors and circular buffers ------------------------------------------------------===*/

/* What follows "tt.<kind>." in the key. */
static MlirStringRef name_in(MlirStringRef key, const char *kind) {
  size_t skip = strlen("tt.") + strlen(kind) + 1;
  return mlirStringRefCreate(key.data + skip, key.length - skip);
}

static bool refers_to(MlirStringRef reference, MlirStringRef name) {
  size_t prefix = strlen("tt.buffer.");
  return reference.length == prefix + name.length &&
         memcmp(reference.data, "tt.buffer.", prefix) == 0 &&
         memcmp(reference.data + prefix, name.data, name.length) == 0;
}

bool tt_verify_accessor(MlirOperation op, MlirStringRef key, MlirAttribute accessor) {
  MlirStringRef name = name_in(key, "tensor_accessor");
  MlirAttribute binding = tt_tensor_accessor_attr_runtime_binding(accessor),
                shard = tt_tensor_accessor_attr_nd_shard(accessor);
  bool bound = tt_tensor_accessor_attr_type(accessor) == TT_ACCESSOR_KIND_BOUND,
       sharded = tt_tensor_accessor_attr_stride_mode(accessor) == TT_STRIDE_MODE_SHARDED;
  if (!mlirStringRefEqual(tt_tensor_accessor_attr_buffer_name(accessor), name))
    return refuse(op, key, "'buffer_name' must be the name in the attribute's own name");
  if (!refers_to(tt_tensor_accessor_attr_layout_ref(accessor), name))
    return refuse(op, key, "'layout_ref' must be \"tt.buffer.\" and the name of the tensor");
  if (bound == mlirAttributeIsNull(binding))
    return refuse(op, key,
                  bound ? "a bound accessor needs 'runtime_binding', which "
                          "--tt-configure-tensor-accessor gives it"
                        : "'runtime_binding' goes with type = bound only");
  if (bound && (tt_runtime_binding_attr_runtime_arg_idx(binding) < 0 ||
                tt_runtime_binding_attr_base_offset(binding) < 0 ||
                tt_runtime_binding_attr_tile_size_bytes(binding) < 1))
    return refuse(op, key,
                  "'runtime_arg_idx' and 'base_offset' must not be negative, and "
                  "'tile_size_bytes' must be positive");
  if (mlirAttributeIsNull(shard)) return true;
  return (sharded || refuse(op, key, "'nd_shard' goes with stride_mode = sharded only")) &&
         check_shard(op, key, shard);
}

bool tt_verify_cb_geometry(MlirOperation op, MlirStringRef key, MlirAttribute cb) {
  int64_t tile = tt_format((TtDType)tt_cb_attr_data_format(cb))->tile_bytes;
  if (tt_cb_attr_page_size(cb) == tile) return true;
  return tt_error(op,
                  "attribute '%.*s': a page is a tile, which has %jd bytes in this format, but "
                  "'page_size' is %jd",
                  (int)key.length, key.data, (intmax_t)tile, (intmax_t)tt_cb_attr_page_size(cb));
}

bool tt_verify_core_ranges(MlirOperation op, MlirStringRef key, MlirAttribute ranges) {
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
    MlirAttribute range = mlirArrayAttrGetElement(ranges, i);
    for (int d = 0; d < 2; ++d)
      if (tt_core_range_attr_start(range, d) < 0 ||
          tt_core_range_attr_start(range, d) > tt_core_range_attr_end(range, d))
        return tt_error(op, "a range of %.*s ends at (%jd, %jd), before its start", (int)key.length,
                        key.data, (intmax_t)tt_core_range_attr_end(range, 0),
                        (intmax_t)tt_core_range_attr_end(range, 1));
  }
  return mlirArrayAttrGetNumElements(ranges) > 0 || refuse(op, key, "there must be a core");
}
