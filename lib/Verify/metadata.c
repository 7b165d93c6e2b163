/*===- metadata.c - attributes of a program agree with each other and with the chip -----------===
 *
 *   tt.core_grid = array<i64: 8, 8>     every core of tt.work_partition and tt.core_ranges lies in
 * the worker grid tt.grid_map                         x, y and z from the sizes that
 * tt.grid_symbols names
 *
 * What each attribute is by itself stands in lib/Dialect/verify_attrs.c. Programs written by hand
 * may lack some; stage E says which a host program needs.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/dims.h"
#include "Analysis/shards.h"
#include "Verify/protocol.h"

#include <string.h>

static int64_t at(MlirAttribute array, intptr_t i) { return mlirDenseI64ArrayGetElement(array, i); }

static bool check_positive(MlirOperation program, const char *name) {
  MlirAttribute a = tt_get_attr(program, name);
  for (intptr_t i = 0; !mlirAttributeIsNull(a) && i < mlirDenseArrayGetNumElements(a); ++i)
    if (at(a, i) < 1 || at(a, i) > UINT32_MAX)
      return tt_error(program, "%s has %jd, but its numbers are 1 to %ju", name, (intmax_t)at(a, i),
                      (uintmax_t)UINT32_MAX);
  return true;
}

/* Inside of the worker grid. */
static bool check_core(MlirOperation program, const char *name, int64_t x, int64_t y) {
  TtTarget target = tt_target_of(program);
  return (x >= 0 && y >= 0 && x < target.grid_x && y < target.grid_y) ||
         tt_error(program, "%s names core (%jd, %jd), but the worker grid has %jd x %jd cores",
                  name, (intmax_t)x, (intmax_t)y, (intmax_t)target.grid_x, (intmax_t)target.grid_y);
}

static bool check_cores(MlirOperation program) {
  MlirAttribute ranges = tt_get_attr(program, "tt.core_ranges"),
                work = tt_get_attr(program, "tt.work_partition"),
                grid = tt_get_attr(program, "tt.core_grid"),
                shards = tt_get_attr(program, "tt.shard_grid");
  for (intptr_t i = 0; !mlirAttributeIsNull(ranges) && i < mlirArrayAttrGetNumElements(ranges);
       ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    int64_t x = tt_core_range_attr_start(r, 0), y = tt_core_range_attr_start(r, 1),
            to_x = tt_core_range_attr_end(r, 0), to_y = tt_core_range_attr_end(r, 1);
    if (!check_core(program, "tt.core_ranges", x, y) ||
        !check_core(program, "tt.core_ranges", to_x, to_y))
      return false;
    if (x > to_x || y > to_y)
      return tt_error(program, "a range of tt.core_ranges ends at (%jd, %jd), before its start",
                      (intmax_t)to_x, (intmax_t)to_y);
  }
  for (intptr_t i = 0; !mlirAttributeIsNull(work) && i < mlirArrayAttrGetNumElements(work); ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(work, i);
    if (!check_core(program, "tt.work_partition", tt_work_attr_core(w, 0), tt_work_attr_core(w, 1)))
      return false;
    if (tt_work_attr_count(w) < 0 || tt_work_attr_count(w) > UINT32_MAX ||
        tt_work_attr_start_id(w) < 0)
      return tt_error(program,
                      "tt.work_partition gives a core %jd units from %jd on; both are at least 0, "
                      "and fit 32 bits",
                      (intmax_t)tt_work_attr_count(w), (intmax_t)tt_work_attr_start_id(w));
  }
  if (!mlirAttributeIsNull(grid) &&
      !check_core(program, "tt.core_grid", at(grid, 0) - 1, at(grid, 1) - 1))
    return false;
  TtTarget target = tt_target_of(program);
  int64_t cores = target.grid_x * target.grid_y;
  return mlirAttributeIsNull(shards) || at(shards, 0) <= cores / at(shards, 1) ||
         tt_error(program, "tt.shard_grid has %jd x %jd shards, but the worker grid has %jd cores",
                  (intmax_t)at(shards, 0), (intmax_t)at(shards, 1), (intmax_t)cores);
}

/* The grid of a kernel of dynamic sizes. */
static bool check_dynamic_grid(MlirOperation program) {
  MlirAttribute map = tt_get_attr(program, "tt.grid_map"),
                symbols = tt_get_attr(program, "tt.grid_symbols");
  if (mlirAttributeIsNull(map)) return true;
  MlirAffineMap m = mlirAffineMapAttrGetValue(map);
  intptr_t named = mlirAttributeIsNull(symbols) ? 0 : mlirArrayAttrGetNumElements(symbols);
  if (mlirAffineMapGetNumResults(m) != 3 || mlirAffineMapGetNumSymbols(m) != 0 ||
      mlirAffineMapGetNumDims(m) != named)
    return tt_error(program,
                    "tt.grid_map maps the %jd sizes of tt.grid_symbols to x, y and z, as "
                    "affine_map<(d0, …) -> (…, …, "
                    "…)>",
                    (intmax_t)named);
  for (intptr_t i = 0; i < named; ++i) {
    MlirStringRef name = tt_string(mlirArrayAttrGetElement(symbols, i));
    if (!tt_is_dim_name(name))
      return tt_error(program, "tt.grid_symbols names '%.*s', which is no size like 'A_d0'",
                      (int)name.length, name.data);
  }
  return true;
}

static bool check_local_shards(MlirOperation program) {
  bool local = tt_str_eq(tt_string(tt_get_attr(program, "tt.partition_mode")), "local_shard");
  MlirAttribute axes = tt_get_attr(program, "tt.unit_axes"),
                work = tt_get_attr(program, "tt.work_partition"),
                units = tt_get_attr(program, "tt.shard_units");
  for (intptr_t i = 0; !mlirAttributeIsNull(axes) && i < 3; ++i)
    if (at(axes, i) < -1 || at(axes, i) > 1)
      return tt_error(
          program,
          "tt.unit_axes has %jd, but an axis goes along side 0 or 1 of the shards, or -1, none",
          (intmax_t)at(axes, i));
  for (intptr_t i = 0; !mlirAttributeIsNull(units) && i < 2; ++i)
    if (at(units, i) < 0)
      return tt_error(program, "tt.shard_units has %jd; it counts units", (intmax_t)at(units, i));
  if (local && mlirAttributeIsNull(tt_get_attr(program, "tt.shard_grid")))
    return tt_error(program, "tt.partition_mode is \"local_shard\", but there is no tt.shard_grid");
  bool dynamic = !mlirAttributeIsNull(work) && mlirArrayAttrGetNumElements(work) == 0;
  if (local && dynamic && (mlirAttributeIsNull(axes) || mlirAttributeIsNull(units)))
    return tt_error(program, "a local_shard program whose tt.work_partition is empty needs "
                             "tt.unit_axes and tt.shard_units");
  return true;
}

/*===- What the program says already ----------------------------------------------------------===*/

/* What tt.core_args gives core (x, y) under `name`; `otherwise` where it does not say. */
static int64_t given(const TtCoreTable *t, int64_t core, const char *name, int64_t otherwise) {
  intptr_t column = tt_core_table_column(t, tt_str(name));
  return column < 0 ? otherwise : t->values[core * t->num_names + column];
}

static int64_t row_of(const TtCoreTable *t, int64_t x, int64_t y) {
  int64_t i = 0;
  while (i < t->n && (t->cores[i].x != x || t->cores[i].y != y)) ++i;
  return i;
}

/* tt.work_partition, where it is not left to the host, repeats tt.core_args. */
static bool check_work(TtArena *arena, MlirOperation program) {
  MlirAttribute work = tt_get_attr(program, "tt.work_partition");
  intptr_t n = mlirAttributeIsNull(work) ? 0 : mlirArrayAttrGetNumElements(work);
  MlirOperation args = tt_program_core_args(program);
  TtCoreTable t;
  if (n == 0) return true;
  if (!tt_core_table(arena, program, &(TtSizes){.others = 1}, &t)) return false;
  bool *seen = tt_arena_alloc(arena, (size_t)t.n + 1);
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute w = mlirArrayAttrGetElement(work, i);
    int64_t x = tt_work_attr_core(w, 0), y = tt_work_attr_core(w, 1), row = row_of(&t, x, y);
    if (row == t.n)
      return tt_error(program,
                      "tt.work_partition gives core (%jd, %jd) work, but no kernel runs there; the "
                      "sets of cores are smaller than the work",
                      (intmax_t)x, (intmax_t)y);
    seen[row] = true;
    int64_t start = given(&t, row, "start_id", tt_work_attr_start_id(w)),
            count = given(&t, row, "count", tt_work_attr_count(w));
    if (start != tt_work_attr_start_id(w) || count != tt_work_attr_count(w))
      return tt_error(args,
                      "gives core (%jd, %jd) %jd units from %jd on, but tt.work_partition %jd from "
                      "%jd on",
                      (intmax_t)x, (intmax_t)y, (intmax_t)count, (intmax_t)start,
                      (intmax_t)tt_work_attr_count(w), (intmax_t)tt_work_attr_start_id(w));
  }
  for (int64_t row = 0; row < t.n; ++row)
    if (!seen[row] && given(&t, row, "count", 0) != 0)
      return tt_error(args, "gives core (%jd, %jd) %jd units, but tt.work_partition none",
                      (intmax_t)t.cores[row].x, (intmax_t)t.cores[row].y,
                      (intmax_t)given(&t, row, "count", 0));
  return true;
}

/* tt.core_ranges has the cores on which kernels run. */
static bool check_ranges(TtArena *arena, MlirOperation program) {
  MlirAttribute ranges = tt_get_attr(program, "tt.core_ranges");
  TtCoreTable t;
  int64_t cores = 0;
  if (mlirAttributeIsNull(ranges)) return true;
  if (!tt_core_table(arena, program, &(TtSizes){.others = 1}, &t)) return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ranges); ++i) {
    MlirAttribute r = mlirArrayAttrGetElement(ranges, i);
    for (int64_t y = tt_core_range_attr_start(r, 1); y <= tt_core_range_attr_end(r, 1); ++y)
      for (int64_t x = tt_core_range_attr_start(r, 0); x <= tt_core_range_attr_end(r, 0); ++x) {
        if (row_of(&t, x, y) == t.n && t.n > 0)
          return tt_error(program, "tt.core_ranges has core (%jd, %jd), where no kernel runs",
                          (intmax_t)x, (intmax_t)y);
        ++cores;
      }
  }
  return t.n <= cores ||
         tt_error(program, "tt.core_ranges has %jd cores, but the kernels run on %jd",
                  (intmax_t)cores, (intmax_t)t.n);
}

/* A circular buffer that carries a tensor has the format in which that is stored. */
static bool check_format(TtArena *arena, MlirOperation program, MlirOperation cb) {
  MlirAttribute name = tt_circular_buffer_buffer(cb), args = tt_get_attr(program, "tt.args");
  if (mlirAttributeIsNull(name) || mlirAttributeIsNull(args)) return true;
  const char *tensor = tt_arena_str(arena, tt_string(name));
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  intptr_t n = mlirArrayAttrGetNumElements(args), i = 0;
  while (i < n && !tt_str_eq(tt_string(mlirArrayAttrGetElement(args, i)), tensor)) ++i;
  if (i >= mlirFunctionTypeGetNumInputs(type) || !tt_is_memref(mlirFunctionTypeGetInput(type, i)))
    return tt_error(cb, "carries buffer = \"%s\", which is no tensor of the program", tensor);
  MlirAttribute buffer = tt_named_attr(program, "buffer", tensor);
  if (!tt_buffer_attr_isa(buffer)) return true;
  TtDataFormat stored = tt_data_format_of(tt_buffer_attr_dtype(buffer));
  return stored == tt_cb_format(cb) ||
         tt_error(cb, "has format = %s, but tensor '%s' is stored as %s, as tt.buffer.%s says",
                  tt_data_format_str((int)tt_cb_format(cb)), tensor,
                  tt_data_format_str((int)stored), tensor);
}

/* tt.buffer.<tensor> fits the tensor: its elements, and its shards. */
static bool check_buffers(TtArena *arena, MlirOperation program) {
  MlirAttribute args = tt_get_attr(program, "tt.args");
  MlirType type = mlirTypeAttrGetValue(tt_program_function_type(program));
  intptr_t n = mlirAttributeIsNull(args) ? 0 : mlirArrayAttrGetNumElements(args);
  for (intptr_t i = 0; i < n && i < mlirFunctionTypeGetNumInputs(type); ++i) {
    MlirType tensor = mlirFunctionTypeGetInput(type, i);
    const char *name = tt_arena_str(arena, tt_string(mlirArrayAttrGetElement(args, i)));
    MlirAttribute buffer = tt_named_attr(program, "buffer", name);
    if (!tt_is_memref(tensor) || !tt_buffer_attr_isa(buffer)) continue;
    if (!tt_check_stored_as(program, name, tensor, tt_buffer_attr_dtype(buffer)) ||
        (tt_is_sharded(buffer) && !tt_check_shards(program, name, buffer, tensor)))
      return false;
  }
  return true;
}

/* Blocks that a circular buffer holds. */
static int64_t depth_of(MlirOperation cb) {
  return tt_int(tt_circular_buffer_pages(cb)) /
         tt_cb_tiles(mlirTypeAttrGetValue(tt_circular_buffer_type(cb)));
}

/* tt.cb.<tensor> is the geometry of a circular buffer that carries the tensor: of
 * that which has its id. All of them have its pages. */
static bool check_geometry(MlirStringRef name, MlirAttribute cb, TtOps cbs) {
  MlirOperation of_id = {NULL}, other = {NULL};
  for (intptr_t i = 0; i < cbs.n; ++i) {
    MlirAttribute buffer = tt_circular_buffer_buffer(cbs.data[i]);
    if (mlirAttributeIsNull(buffer) || !mlirStringRefEqual(tt_string(buffer), name)) continue;
    int64_t bytes = tt_int(tt_circular_buffer_page_bytes(cbs.data[i]));
    if (tt_cb_attr_data_format(cb) != tt_cb_format(cbs.data[i]) ||
        tt_cb_attr_page_size(cb) != bytes)
      return tt_error(cbs.data[i],
                      "has pages of %jd bytes of %s, but tt.cb.%.*s of the program has %jd of %s",
                      (intmax_t)bytes, tt_data_format_str((int)tt_cb_format(cbs.data[i])),
                      (int)name.length, name.data, (intmax_t)tt_cb_attr_page_size(cb),
                      tt_data_format_str((int)tt_cb_attr_data_format(cb)));
    if (tt_int(tt_circular_buffer_id(cbs.data[i])) == tt_cb_attr_cb_id(cb)) of_id = cbs.data[i];
    else if (mlirOperationIsNull(other)) other = cbs.data[i];
  }
  if (mlirOperationIsNull(of_id))
    return mlirOperationIsNull(other) ||
           tt_error(other,
                    "has id %jd, but tt.cb.%.*s has cb_id = %jd; of the circular buffers of a "
                    "tensor, one has the id that it says",
                    (intmax_t)tt_int(tt_circular_buffer_id(other)), (int)name.length, name.data,
                    (intmax_t)tt_cb_attr_cb_id(cb));
  return tt_cb_attr_depth(cb) == depth_of(of_id) ||
         tt_error(of_id, "holds %jd blocks, but tt.cb.%.*s has depth = %jd",
                  (intmax_t)depth_of(of_id), (int)name.length, name.data,
                  (intmax_t)tt_cb_attr_depth(cb));
}

/* What follows "tt.cb." in the name of an attribute; empty for another one. */
static MlirStringRef cb_name(MlirStringRef key) {
  static const char prefix[] = "tt.cb.";
  enum { N = sizeof prefix - 1 };
  return key.length > N && memcmp(key.data, prefix, N) == 0
             ? mlirStringRefCreate(key.data + N, key.length - N)
             : tt_str("");
}

static bool check_cbs(TtArena *arena, MlirOperation program) {
  TtOps cbs = tt_collect(arena, program, "tt.circular_buffer");
  for (intptr_t i = 0; i < cbs.n; ++i)
    if (!check_format(arena, program, cbs.data[i])) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(program); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(program, i);
    MlirStringRef name = cb_name(mlirIdentifierStr(attr.name));
    if (name.length > 0 && !check_geometry(name, attr.attribute, cbs)) return false;
  }
  return true;
}

/* What a kernel repeats of its program's metadata is the same there. What only kernels have, or
 * have in another form, stands in bindings.c and rule 20. */
static bool check_repeats(MlirOperation program, MlirOperation kernel) {
  static const char accessor[] = "tt.tensor_accessor.";
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(kernel); ++i) {
    MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(kernel, i);
    MlirStringRef key = mlirIdentifierStr(attr.name);
    MlirAttribute own = mlirOperationGetDiscardableAttributeByName(program, key);
    bool is_accessor =
        key.length >= sizeof accessor && memcmp(key.data, accessor, sizeof accessor - 1) == 0;
    if (is_accessor || tt_str_eq(key, "tt.runtime_args") || mlirAttributeIsNull(own) ||
        mlirAttributeEqual(own, attr.attribute))
      continue;
    return tt_error(kernel, "the kernel has another %.*s than its program; remove it here",
                    (int)key.length, key.data);
  }
  return true;
}

/* The canonical names and those that tt.core_args gives are all that cores may get. */
static bool check_names(MlirOperation program) {
  MlirAttribute names = tt_get_attr(program, "tt.runtime_args");
  MlirOperation args = tt_program_core_args(program);
  for (intptr_t i = 0; !mlirAttributeIsNull(names) && i < mlirArrayAttrGetNumElements(names); ++i) {
    MlirStringRef name = tt_string(mlirArrayAttrGetElement(names, i));
    bool known = false;
    for (size_t j = 0; j < tt_num_runtime_arg_names && !known; ++j)
      known = tt_str_eq(name, tt_runtime_arg_names[j]);
    MlirAttribute given =
        mlirOperationIsNull(args) ? mlirAttributeGetNull() : tt_core_args_names(args);
    for (intptr_t j = 0;
         !known && !mlirAttributeIsNull(given) && j < mlirArrayAttrGetNumElements(given); ++j)
      known = mlirStringRefEqual(name, tt_string(mlirArrayAttrGetElement(given, j)));
    if (known) continue;
    const char *near = tt_suggest(name, tt_runtime_arg_names, tt_num_runtime_arg_names);
    return tt_error(program, "tt.runtime_args names '%.*s', which no core gets%s%s%s",
                    (int)name.length, name.data, near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
  }
  return true;
}

bool tt_check_metadata(MlirOperation program) {
  if (!check_positive(program, "tt.core_grid") || !check_positive(program, "tt.shard_grid") ||
      !check_cores(program) || !check_dynamic_grid(program) || !check_local_shards(program))
    return false;
  TtArena *arena = tt_arena_create();
  TtOps kernels = tt_program_kernels(arena, program);
  bool ok = check_buffers(arena, program) && check_ranges(arena, program) &&
            check_work(arena, program) && check_cbs(arena, program) && check_names(program);
  for (intptr_t i = 0; ok && i < kernels.n; ++i) ok = check_repeats(program, kernels.data[i]);
  tt_arena_destroy(arena);
  return ok;
}
