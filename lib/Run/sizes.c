/*===- sizes.c - the names, types and sizes that a run's arguments have ---------------------===
 *
 *   --shape C=100x70, --input A=a.npy  ->  memref<?x?xf32> of C is memref<100x70xf32>
 *
 *===----------------------------------------------------------------------===*/

#include "Run/session.h"

#include "Analysis/dims.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

int tt_drop_units(int64_t *shape, int n, intptr_t rank) {
  int left = 0, more = n > rank ? n - (int)rank : 0;
  for (int d = 0; d < n; ++d)
    if (shape[d] == 1 && more > 0) --more;
    else shape[left++] = shape[d];
  return left;
}

static int find_arg(TtRun *r, const char *name) {
  for (intptr_t i = 0; i < r->n; ++i)
    if (fnmatch(name, r->args.data[i].name, 0) == 0) return (int)i;
  return -1;
}

/* What is said of a name that no tensor or scalar has: the nearest one, or those that there are. */
static bool unknown_name(TtRun *r, const char *option, const char *name) {
  enum { SHOWN = 8 };
  const char **names = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *names);
  for (intptr_t i = 0; i < r->n; ++i) names[i] = r->args.data[i].name;
  const char *near = tt_suggest(tt_str(name), names, (size_t)r->n);
  const char *more = near ? tt_arena_printf(r->arena, "; did you mean '%s'?", near) : "";
  for (intptr_t i = 0; i < r->n && !near; ++i) {
    if (i == SHOWN) {
      more = tt_arena_printf(r->arena, "%s, …", more);
      break;
    }
    more = tt_arena_printf(r->arena, "%s%s%s", more, i > 0 ? ", " : "; it has ", names[i]);
  }
  return tt_message("--%s %s: the kernel has no tensor of this name%s", option, name, more);
}

static bool check_names(TtRun *r, const TtPair *pairs, int n, const char *option, bool inputs) {
  for (int i = 0; i < n; ++i) {
    int at = find_arg(r, pairs[i].name);
    if (at < 0) return unknown_name(r, option, pairs[i].name);
    const TtTensor *arg = &r->args.data[at];
    if (inputs ? arg->read || arg->scalar : arg->written) continue;
    return tt_message("--%s %s: the kernel does not %s this tensor", option, pairs[i].name,
                      inputs ? "read" : "write");
  }
  return true;
}

/*===- Sizes --------------------------------------------------------------------------------===*/

static intptr_t dim_of(TtRun *r, const char *name) {
  for (intptr_t i = 0; i < r->dims.dims.n; ++i)
    if (strcmp(r->dims.dims.names[i], name) == 0) return i;
  return -1;
}

/* Sets the sizes of tensor `i`, and of all that are equal to them. */
static bool set_shape(TtRun *r, intptr_t i, int64_t *shape, int rank, const char *from) {
  MlirType type = r->args.data[i].type;
  const char *name = r->args.data[i].name;
  if (r->model) rank = tt_drop_units(shape, rank, mlirShapedTypeGetRank(type));
  if (rank != mlirShapedTypeGetRank(type))
    return tt_message("%s: tensor '%s' has %jd dimensions, but here are %d", from, name,
                      (intmax_t)mlirShapedTypeGetRank(type), rank);
  for (int d = 0; d < rank; ++d) {
    if (!mlirShapedTypeIsDynamicDim(type, d)) continue;
    intptr_t at = r->dims.dims.same[dim_of(r, tt_dim_name(r->arena, name, d))];
    if (r->sizes[at] > 0 && r->sizes[at] != shape[d])
      return tt_message(
          "%s: dimension %d of tensor '%s' is %jd, but the kernel takes it to be equal to %s, "
          "which is %jd",
          from, d, name, (intmax_t)shape[d], r->dims.dims.names[at], (intmax_t)r->sizes[at]);
    for (intptr_t j = 0; j < r->dims.dims.n; ++j)
      if (r->dims.dims.same[j] == at) r->sizes[j] = shape[d];
  }
  return true;
}

/* "100x70" */
static int parse_shape(const char *text, int64_t shape[8]) {
  int rank = 0;
  for (char *end; rank < 8; text = end + 1) {
    shape[rank++] = strtoll(text, &end, 10);
    if (end == text || shape[rank - 1] < 1) return -1;
    if (*end == '\0') return rank;
    if (*end != 'x') return -1;
  }
  return -1;
}

static bool read_shapes(TtRun *r) {
  for (int j = 0; j < r->options.num_shapes; ++j) {
    const TtPair *pair = &r->options.shapes[j];
    int64_t shape[8];
    int at = find_arg(r, pair->name), rank = parse_shape(pair->value, shape);
    if (at < 0 || r->args.data[at].scalar) return unknown_name(r, "shape", pair->name);
    if (rank < 0)
      return tt_message(
          "--shape %s: '%s' is no shape; write sizes with x between them, such as 100x70",
          pair->name, pair->value);
    MlirType type = r->args.data[at].type;
    if (r->model) rank = tt_drop_units(shape, rank, mlirShapedTypeGetRank(type));
    for (int d = 0; d < rank && rank == mlirShapedTypeGetRank(type); ++d) {
      if (!mlirShapedTypeIsDynamicDim(type, d) && mlirShapedTypeGetDimSize(type, d) != shape[d])
        return tt_message("--shape %s: dimension %d is %jd in the kernel", pair->name, d,
                          (intmax_t)mlirShapedTypeGetDimSize(type, d));
    }
    if (!set_shape(r, at, shape, rank, tt_arena_printf(r->arena, "--shape %s", pair->name)))
      return false;
  }
  for (int j = 0; j < r->options.num_inputs; ++j) {
    int at = find_arg(r, r->options.inputs[j].name);
    TtArray file;
    if (at < 0 || !tt_is_dynamic(&r->args.data[at]) || *r->options.inputs[j].value == '~') continue;
    if (!tt_npy_read(r->arena, r->options.inputs[j].value, &file) ||
        !set_shape(r, at, file.shape, file.rank, r->options.inputs[j].value))
      return false;
  }
  return true;
}

/* The type of argument `i` with the sizes of this run. */
static bool fix_type(TtRun *r, intptr_t i) {
  MlirType type = r->types[i] = r->args.data[i].type;
  const char *name = r->args.data[i].name;
  int64_t shape[8];
  if (!tt_is_dynamic(&r->args.data[i])) return true;
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; ++d) {
    shape[d] = mlirShapedTypeGetDimSize(type, d);
    if (!mlirShapedTypeIsDynamicDim(type, d)) continue;
    shape[d] = r->sizes[dim_of(r, tt_dim_name(r->arena, name, d))];
    if (shape[d] > 0) continue;
    return tt_message(
        "dimension %jd of tensor '%s' is not known: give it with --shape %s=100x70, or by an "
        "--input",
        (intmax_t)d, name, name);
  }
  r->types[i] = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), rank, shape,
                                            mlirAttributeGetNull());
  return true;
}

/* The device holds the tensors in its DRAM, at two bytes an element or more; so does this process.
 */
static bool check_sizes(TtRun *r) {
  const TtChip *chip = tt_target_of(r->subject).chip;
  double bytes = 0, dram = (double)chip->dram_banks * chip->dram_bytes;
  for (intptr_t i = 0; i < r->n; ++i) {
    double elements = 1;
    for (intptr_t d = 0; tt_is_memref(r->types[i]) && d < mlirShapedTypeGetRank(r->types[i]); ++d)
      elements *= (double)mlirShapedTypeGetDimSize(r->types[i], d);
    if (tt_is_memref(r->types[i]))
      bytes += elements * (double)tt_element_bytes(mlirShapedTypeGetElementType(r->types[i]));
    if (bytes > dram)
      return tt_message("with tensor '%s' the arguments take %.0f bytes, but DRAM has %.0f; take a "
                        "smaller problem",
                        r->args.data[i].name, bytes, dram);
  }
  return true;
}

bool tt_describe_args(TtRun *r) {
  TtHostValues values;
  bool host = !tt_program_isa(r->subject);
  if (host) tt_note_equal_host_dims(r->arena, r->subject);
  r->args = host ? tt_host_tensors(r->arena, r->subject, &values)
                 : tt_program_tensors(r->arena, r->subject);
  r->n = host ? tt_num_args(r->subject) : r->args.n;
  r->data = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *r->data);
  r->numbers = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *r->numbers);
  r->types = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *r->types);
  if (!check_names(r, r->options.inputs, r->options.num_inputs, "input", true) ||
      !check_names(r, r->options.outputs, r->options.num_outputs, "output", false))
    return false;
  r->dims =
      (TtHost){.arena = r->arena, .program = r->subject, .tensors = r->args, .num_args = r->n};
  r->dims.names = (TtNames){.arena = r->arena};
  tt_name_host_dims(&r->dims);
  r->sizes = tt_arena_alloc(r->arena, (size_t)(r->dims.dims.n + 1) * sizeof *r->sizes);
  if (!read_shapes(r)) return false;
  for (intptr_t i = 0; i < r->n; ++i)
    if (!fix_type(r, i)) return false;
  return check_sizes(r);
}
