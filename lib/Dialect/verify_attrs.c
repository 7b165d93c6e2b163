/*===- verify_attrs.c - every `tt.` attribute is known and well formed -----------===
 *
 * MLIR calls this for each discardable attribute whose name starts with `tt.`.
 * One table says what each must be; what is not in it is an error, with the
 * nearest name there is.
 *
 *===----------------------------------------------------------------------===*/

#include "Dialect/target.h"
#include "Dialect/verify.h"
#include "tilewright/ir.h"

#include <string.h>

typedef struct Rule {
  const char *name; /* a trailing dot takes any name after it */
  bool (*holds)(MlirAttribute);
  const char *expected;
} Rule;

/* What the fields of an attribute must mean, where that is more; false after an error. */
typedef struct Meaning {
  const char *name;
  bool (*check)(MlirOperation, MlirStringRef, MlirAttribute);
} Meaning;

static const Meaning meanings[] = {
    {"tt.core_ranges", tt_verify_core_ranges},
    {"tt.buffer.", tt_verify_buffer},
    {"tt.cb.", tt_verify_cb_geometry},
    {"tt.tensor_accessor.", tt_verify_accessor},
};

static bool is_unit(MlirAttribute a) { return mlirAttributeIsAUnit(a); }
static bool is_flag(MlirAttribute a) { return mlirAttributeIsAUnit(a) || mlirAttributeIsABool(a); }
static bool is_name(MlirAttribute a) {
  return mlirAttributeIsAString(a) && tt_string(a).length > 0;
}
static bool is_positive(MlirAttribute a) { return mlirAttributeIsAInteger(a) && tt_int(a) >= 1; }
static bool is_dictionary(MlirAttribute a) { return mlirAttributeIsADictionary(a); }
static bool is_pair(MlirAttribute a) {
  return mlirAttributeIsADenseI64Array(a) && mlirDenseArrayGetNumElements(a) == 2;
}
static bool is_fp8(MlirAttribute a) {
  return mlirAttributeIsAType(a) && tt_is_f8(mlirTypeAttrGetValue(a));
}
static bool is_range(MlirAttribute a) {
  if (!mlirAttributeIsAArray(a) || mlirArrayAttrGetNumElements(a) != 2) return false;
  MlirAttribute lo = mlirArrayAttrGetElement(a, 0), hi = mlirArrayAttrGetElement(a, 1);
  return mlirAttributeIsAInteger(lo) && mlirAttributeIsAInteger(hi) && tt_int(lo) <= tt_int(hi);
}
static bool is_triple(MlirAttribute a) {
  return mlirAttributeIsADenseI64Array(a) && mlirDenseArrayGetNumElements(a) == 3;
}
static bool is_fidelity(MlirAttribute a) {
  TtMathFidelity fidelity;
  return mlirAttributeIsAString(a) && tt_math_fidelity_parse(tt_string(a), &fidelity);
}
static bool is_partition_mode(MlirAttribute a) {
  TtPartitionMode mode;
  return mlirAttributeIsAString(a) && tt_partition_mode_parse(tt_string(a), &mode);
}
static bool is_kernel_role(MlirAttribute a) {
  TtKernelRole role;
  return mlirAttributeIsAString(a) && tt_kernel_role_parse(tt_string(a), &role);
}
static bool all(MlirAttribute a, bool (*holds)(MlirAttribute)) {
  if (!mlirAttributeIsAArray(a)) return false;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(a); ++i)
    if (!holds(mlirArrayAttrGetElement(a, i))) return false;
  return true;
}
/* A row or column of cores that some chip may have. */
static bool is_place(int64_t at) { return at >= 0 && at < TT_MAX_SIDE; }
static bool is_core_range(MlirAttribute a) {
  return tt_core_range_attr_isa(a) && tt_core_range_attr_num_start(a) == 2 &&
         tt_core_range_attr_num_end(a) == 2 && is_place(tt_core_range_attr_start(a, 0)) &&
         is_place(tt_core_range_attr_start(a, 1)) && is_place(tt_core_range_attr_end(a, 0)) &&
         is_place(tt_core_range_attr_end(a, 1));
}
static bool is_work(MlirAttribute a) {
  return tt_work_attr_isa(a) && tt_work_attr_num_core(a) == 2 &&
         is_place(tt_work_attr_core(a, 0)) && is_place(tt_work_attr_core(a, 1)) &&
         tt_work_attr_count(a) >= 0;
}
static bool are_core_ranges(MlirAttribute a) { return all(a, is_core_range); }
static bool are_work(MlirAttribute a) { return all(a, is_work); }
static bool are_names(MlirAttribute a) { return all(a, is_name); }
/* Where a block ends: see --tt-note-ends. */
static bool is_end(MlirAttribute a) {
  if (!mlirAttributeIsADictionary(a)) return false;
  MlirAttribute dim = mlirDictionaryAttrGetElementByName(a, tt_str("dim")),
                ends = mlirDictionaryAttrGetElementByName(a, tt_str("ends")),
                of = mlirDictionaryAttrGetElementByName(a, tt_str("of")),
                size = mlirDictionaryAttrGetElementByName(a, tt_str("size")),
                tensor = mlirDictionaryAttrGetElementByName(a, tt_str("tensor"));
  if (mlirAttributeIsNull(dim) || mlirAttributeIsNull(ends) || mlirAttributeIsNull(of) ||
      mlirAttributeIsNull(size) || mlirAttributeIsNull(tensor) || !mlirAttributeIsAInteger(dim) ||
      !mlirAttributeIsAAffineMap(ends) || !are_names(of) || !is_name(tensor))
    return false;
  MlirAffineMap map = mlirAffineMapAttrGetValue(ends);
  return (mlirAttributeIsAInteger(size) || is_name(size)) && mlirAffineMapGetNumResults(map) == 2 &&
         mlirAffineMapGetNumSymbols(map) == 0 &&
         mlirAffineMapGetNumDims(map) == mlirArrayAttrGetNumElements(of);
}
static bool are_ends(MlirAttribute a) { return all(a, is_end); }
static bool is_cb(MlirAttribute a) {
  return tt_cb_attr_isa(a) && tt_cb_attr_cb_id(a) >= 0 && tt_cb_attr_page_size(a) > 0 &&
         tt_cb_attr_depth(a) > 0;
}
static bool is_target(MlirAttribute a) {
  return tt_target_attr_isa(a) && tt_target_attr_grid_x(a) >= 1 && tt_target_attr_grid_y(a) >= 1 &&
         tt_target_attr_grid_x(a) <= tt_chip(tt_target_attr_arch(a))->grid_x &&
         tt_target_attr_grid_y(a) <= tt_chip(tt_target_attr_arch(a))->grid_y &&
         tt_target_attr_cbs(a) >= 0 &&
         tt_target_attr_cbs(a) <= (int64_t)tt_chip(tt_target_attr_arch(a))->cbs;
}

static bool is_dfg_node(MlirAttribute a) {
  MlirAttribute inputs = tt_dfg_node_attr_isa(a) ? tt_dfg_node_attr_inputs(a) : a;
  return tt_dfg_node_attr_isa(a) && (mlirAttributeIsNull(inputs) || are_names(inputs));
}
static bool is_tile_dfg(MlirAttribute a) {
  return tt_tile_dfg_attr_isa(a) && all(tt_tile_dfg_attr_nodes(a), is_dfg_node) &&
         all(tt_tile_dfg_attr_edges(a), tt_dfg_edge_attr_isa) &&
         all(tt_tile_dfg_attr_cb_assignments(a), tt_dfg_cb_attr_isa) &&
         all(tt_tile_dfg_attr_opportunities(a), tt_dfg_opportunity_attr_isa);
}

static const Rule op_rules[] = {
    {"tt.kernel", is_unit, "a unit attribute"},
    {"tt.host", is_unit, "a unit attribute"},
    {"tt.model", is_unit, "a unit attribute"},
    {"tt.aside", mlirAttributeIsAString, "a module in bytecode"},
    {"tt.label", is_name, "a name"},
    {"tt.kernel_name", is_name, "a name"},
    {"tt.function", is_name, "the name of a function of the vector unit"},
    {"tt.fuses", are_names, "an array of names"},
    {"tt.sums", is_positive, "a positive integer"},
    {"tt.l1_beside", is_positive, "a positive integer, bytes"},
    {"tt.join", is_positive, "a positive integer"},
    {"tt.joined", is_positive, "a positive integer"},
    {"tt.math_fidelity", is_fidelity, "\"LoFi\", \"HiFi2\", \"HiFi3\" or \"HiFi4\""},
    {"tt.math_approx", is_flag, "a unit attribute, true or false"},
    {"tt.fp32_dest_acc", is_flag, "a unit attribute, true or false"},
    {"tt.partition_mode", is_partition_mode, "\"global\" or \"local_shard\""},
    {"tt.grid", is_triple, "array<i64: x, y, z>"},
    {"tt.grid_map", mlirAttributeIsAAffineMap, "an affine map to x, y and z"},
    {"tt.grid_symbols", are_names, "an array of names"},
    {"tt.shard_units", is_pair, "array<i64: Sm, Sn>"},
    {"tt.unit_axes", is_triple, "array<i64: x, y, z>"},
    {"tt.equal_dims", are_names, "an array of names"},
    {"tt.least_sizes", are_names, "an array of names"},
    {"tt.block_ends", are_ends, "an array of {dim, ends, of, size, tensor}"},
    {"tt.stream", is_name, "\"auto\", \"all\" or \"none\""},
    {"tt.keeps", are_names, "an array of names"},
    {"tt.may_meet", are_names, "an array of names"},
    {"tt.grid_tiles", is_pair, "array<i64: Mt, Nt>"},
    {"tt.shard_grid", is_pair, "array<i64: Gy, Gx>"},
    {"tt.local_shape_tiles", is_pair, "array<i64: Sm, Sn>"},
    {"tt.core_grid", is_pair, "array<i64: x, y>"},
    {"tt.core_ranges", are_core_ranges, "an array of #tt.core_range with (x, y) pairs of cores"},
    {"tt.work_partition", are_work, "an array of #tt.work with (x, y) cores from 0 on, and counts"},
    {"tt.runtime_args", are_names, "an array of names"},
    {"tt.tile_dfg", is_tile_dfg, "a #tt.tile_dfg of nodes, edges, buffers and opportunities"},
    {"tt.kernel_role", is_kernel_role, "\"reader\", \"compute\" or \"writer\""},
    {"tt.kt", is_positive, "a positive integer"},
    {"tt.target", is_target, "a #tt.target whose grid the chip has"},
    {"tt.num_stages", is_positive, "a positive integer"},
    {"tt.var", is_name, "a name"},
    {"tt.in_startup", is_unit, "a unit attribute"},
    {"tt.rows_alone", is_unit, "a unit attribute"},
    {"tt.page_filled", is_unit, "a unit attribute"},
    {"tt.name", is_name, "a name"},
    {"tt.layout", is_dictionary, "a dictionary"},
    {"tt.args", are_names, "an array of names"},
    {"tt.buffer.", tt_buffer_attr_isa, "a #tt.buffer"},
    {"tt.file", is_fp8, "the type f8E4M3FN or f8E5M2"},
    {"tt.file.", is_fp8, "the type f8E4M3FN or f8E5M2"},
    {"tt.range.", is_range, "[lo, hi], two integers, the least and the greatest value"},
    {"tt.cb.", is_cb, "a #tt.cb with positive page_size and depth"},
    {"tt.tensor_accessor.", tt_tensor_accessor_attr_isa, "a #tt.tensor_accessor"},
};

static const Rule arg_rules[] = {
    {"tt.name", is_name, "a name"},
    {"tt.file", is_fp8, "the type f8E4M3FN or f8E5M2"},
    {"tt.range", is_range, "[lo, hi], two integers, the least and the greatest value"},
    {"tt.layout", is_dictionary, "a dictionary"},
};

/* A rule that ends in a dot is one of all names that begin so. */
static bool matches(const char *rule, MlirStringRef name) {
  size_t n = 0;
  while (n < name.length && rule[n] == name.data[n]) ++n;
  if (rule[n] != '\0') return false;
  return n < name.length ? rule[n - 1] == '.' : rule[n - 1] != '.';
}

static bool check_meaning(MlirOperation op, MlirStringRef name, MlirAttribute value) {
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; ++i)
    if (matches(meanings[i].name, name)) return meanings[i].check(op, name, value);
  return true;
}

static bool check(MlirOperation op, const Rule *rules, size_t n, MlirStringRef name,
                  MlirAttribute value) {
  const char *names[sizeof op_rules / sizeof *op_rules];
  for (size_t i = 0; i < n; ++i) {
    names[i] = rules[i].name;
    if (!matches(rules[i].name, name)) continue;
    if (!rules[i].holds(value))
      return tt_error(op, "attribute '%.*s' must be %s", (int)name.length, name.data,
                      rules[i].expected);
    return check_meaning(op, name, value);
  }
  const char *near = tt_suggest(name, names, n);
  return tt_error(op, "unknown attribute '%.*s'%s%s%s", (int)name.length, name.data,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool tt_verify_op_attr(MlirOperation op, MlirStringRef name, MlirAttribute value) {
  return check(op, op_rules, sizeof op_rules / sizeof *op_rules, name, value);
}

bool tt_verify_arg_attr(MlirOperation op, unsigned index, MlirStringRef name, MlirAttribute value) {
  (void)index;
  return check(op, arg_rules, sizeof arg_rules / sizeof *arg_rules, name, value);
}
