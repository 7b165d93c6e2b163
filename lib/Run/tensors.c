/*===- tensors.c - what goes into a run, and how large it is ------------------------------------===
 *
 *   --input A=a.npy, --shape C=100x70, or random values  ->  raw files for the host program, and
 *                                                            the same data for the reference
 *
 *===----------------------------------------------------------------------===*/

#include "Run/session.h"

#include "Analysis/dims.h"
#include "Analysis/ranges.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static MlirType element_of(MlirType type) {
  return tt_is_memref(type) ? mlirShapedTypeGetElementType(type) : type;
}

static int64_t num_elements(MlirType type) {
  int64_t n = 1;
  if (!tt_is_memref(type)) return n;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) n *= mlirShapedTypeGetDimSize(type, d);
  return n;
}

TtArray tt_array_for(TtRun *r, intptr_t i) {
  MlirType type = r->types[i];
  TtArray a = {.type = tt_npy_type_of(element_of(type)), .n = num_elements(type)};
  if (mlirTypeIsAIndex(type)) a.type = TT_NPY_I32;
  a.rank = tt_is_memref(type) ? (int)mlirShapedTypeGetRank(type) : 0;
  for (int d = 0; d < a.rank; ++d) a.shape[d] = mlirShapedTypeGetDimSize(type, d);
  a.data = tt_arena_alloc(r->arena, (size_t)a.n * 4 + 4);
  return a;
}

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* What their range says; else normal values for floats, and for integers -8 … 8 or 0 … 15. */
static void randomize(TtArray *a, TtRange range, double deviation, uint64_t seed) {
  uint64_t state = seed;
  for (int64_t i = 0; i < a->n; ++i) {
    uint64_t x = next_random(&state), y = next_random(&state);
    double u = ((double)(x >> 11) + 0.5) * 0x1p-53, v = (double)(y >> 11) * 0x1p-53;
    if (a->type == TT_NPY_F32 && range.given)
      ((float *)a->data)[i] = (float)((double)range.lo + v * (double)(range.hi - range.lo));
    else if (a->type == TT_NPY_F32)
      ((float *)a->data)[i] = (float)(deviation * sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
    else if (range.given) {
      int64_t value = range.lo + (int64_t)(x % ((uint64_t)(range.hi - range.lo) + 1));
      if (a->type == TT_NPY_I32) ((int32_t *)a->data)[i] = (int32_t)value;
      else ((uint8_t *)a->data)[i] = (uint8_t)value;
    } else if (a->type == TT_NPY_I32) ((int32_t *)a->data)[i] = (int32_t)(x % 17) - 8;
    else ((uint8_t *)a->data)[i] = (uint8_t)(x % 16);
  }
}

/* What tt.range says that argument `i` may hold. */
static TtRange range_of(TtRun *r, intptr_t i) {
  return tt_program_isa(r->subject)
             ? tt_program_range(r->subject, r->args.data[i].name, r->types[i])
             : tt_arg_range(r->subject, i);
}

/* Refuses numbers outside of it. */
static bool check_range(TtRun *r, intptr_t i, const TtArray *a) {
  TtRange range = range_of(r, i);
  for (int64_t j = 0; range.given && a->type == TT_NPY_F32 && j < a->n; ++j) {
    double value = (double)((const float *)a->data)[j];
    if (!(value >= (double)range.lo && value <= (double)range.hi))
      return tt_message("--input %s: holds %g, but its tt.range is %jd to %jd",
                        r->args.data[i].name, value, (intmax_t)range.lo, (intmax_t)range.hi);
  }
  for (int64_t j = 0; range.given && a->type != TT_NPY_F32 && j < a->n; ++j) {
    int64_t value =
        a->type == TT_NPY_I32 ? ((const int32_t *)a->data)[j] : ((const uint8_t *)a->data)[j];
    if (range.lo < 0 && a->type != TT_NPY_I32) value = (int8_t)value; /* bytes with signs */
    if (value < range.lo || value > range.hi)
      return tt_message("--input %s: holds %jd, but its tt.range is %jd to %jd",
                        r->args.data[i].name, (intmax_t)value, (intmax_t)range.lo,
                        (intmax_t)range.hi);
  }
  return true;
}

/* `shape` without as many of its dimensions of one element as are more than `rank`, the first ones:
 * a model's tensors lose theirs. The rank that is left. */
static int drop_units(int64_t *shape, int n, intptr_t rank) {
  int left = 0, more = n > rank ? n - (int)rank : 0;
  for (int d = 0; d < n; ++d)
    if (shape[d] == 1 && more > 0) --more;
    else shape[left++] = shape[d];
  return left;
}

static bool same_shape(const TtArray *a, const TtArray *b) {
  if (a->rank != b->rank) return false;
  for (int d = 0; d < a->rank; ++d)
    if (a->shape[d] != b->shape[d]) return false;
  return true;
}

static const char *shape_text(TtRun *r, const TtArray *a) {
  char *text = "";
  for (int d = 0; d < a->rank; ++d)
    text = tt_arena_printf(r->arena, "%s%s%jd", text, d ? "x" : "", (intmax_t)a->shape[d]);
  return text;
}

static bool load_input(TtRun *r, const char *path, const char *name, TtArray *a) {
  static const char *const names[] = {"float32", "int32", "uint8"};
  TtArray file;
  if (!tt_npy_read(r->arena, path, &file)) return false;
  TtArray seen = file;
  if (r->model) seen.rank = drop_units(seen.shape, file.rank, a->rank);
  if (!same_shape(&seen, a))
    return tt_message("%s: tensor '%s' is %s, but the file holds %s", path, name, shape_text(r, a),
                      shape_text(r, &file));
  if (file.type != a->type)
    return tt_message("%s: tensor '%s' takes %s, but the file holds %s", path, name, names[a->type],
                      names[file.type]);
  a->data = file.data;
  return true;
}

static bool write_raw(TtRun *r, const char *name, const void *data, size_t bytes) {
  char *path = tt_arena_printf(r->arena, "%s/%s", r->folder, name);
  FILE *file = fopen(path, "wb");
  bool ok = file && fwrite(data, 1, bytes, file) == bytes;
  if (file) ok = fclose(file) == 0 && ok;
  return ok || tt_message("%s: %s", path, strerror(errno));
}

bool tt_read_raw(TtRun *r, const char *name, void *data, size_t bytes) {
  char *path = tt_arena_printf(r->arena, "%s/%s", r->folder, name);
  FILE *file = fopen(path, "rb");
  bool ok = file && fread(data, 1, bytes, file) == bytes;
  if (file) fclose(file);
  return ok || tt_message("%s: the host program wrote no complete result", path);
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
  if (r->model) rank = drop_units(shape, rank, mlirShapedTypeGetRank(type));
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
    if (r->model) rank = drop_units(shape, rank, mlirShapedTypeGetRank(type));
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
      bytes += elements * (double)tt_element_bytes(element_of(r->types[i]));
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

/*===- Data ---------------------------------------------------------------------------------===*/

char *tt_raw_name(TtRun *r, intptr_t i) {
  return tt_arena_printf(r->arena, "%jd.bin", (intmax_t)i);
}

size_t tt_raw_bytes(const TtRun *r, intptr_t i) {
  MlirType type = r->types[i];
  if (mlirTypeIsAIndex(type)) return sizeof(int64_t);
  return (size_t)(num_elements(type) * tt_element_bytes(element_of(type)));
}

/* Random numbers that are arguments are mostly an epsilon or a scale: not below zero, where a root
 * of a sum with one has no value. */
static void randomize_number(TtRun *r, intptr_t i, TtArray *a) {
  randomize(a, range_of(r, i), 1, r->options.seed * 1000003 + (uint64_t)i);
  if (a->type == TT_NPY_F32 && !range_of(r, i).given) *(float *)a->data = fabsf(*(float *)a->data);
}

/* A scalar: as its type holds it, for the reference, and as text, for the host program. */
static bool set_scalar(TtRun *r, intptr_t i, const char *text) {
  MlirType type = r->types[i];
  TtArray a = tt_array_for(r, i);
  char *end = NULL;
  double number = text ? strtod(text, &end) : 0;
  if (text && (end == text || *end || !isfinite(number)))
    return tt_message("--input %s=%s: '%s' is a number, such as 0.5", r->args.data[i].name, text,
                      r->args.data[i].name);
  if (!text) randomize_number(r, i, &a);
  else if (a.type == TT_NPY_F32) *(float *)a.data = (float)number;
  else *(int32_t *)a.data = (int32_t)number;
  if (text && a.type == TT_NPY_F32 && !check_range(r, i, &a)) return false;
  if (text && a.type != TT_NPY_F32 && number != (double)*(int32_t *)a.data)
    return tt_message("--input %s=%s: '%s' is an integer of 32 bits", r->args.data[i].name, text,
                      r->args.data[i].name);
  if (!check_range(r, i, &a)) return false;
  r->data[i] = tt_arena_alloc(r->arena, tt_raw_bytes(r, i) + 1);
  if (mlirTypeIsAIndex(type)) *(int64_t *)r->data[i] = *(int32_t *)a.data;
  else tt_to_elements(type, &a, r->data[i]);
  if (!mlirTypeIsAIndex(type)) tt_from_elements(type, r->data[i], &a);
  r->numbers[i] = a.type == TT_NPY_F32
                      ? tt_arena_printf(r->arena, "%.9g", (double)*(float *)a.data)
                      : tt_arena_printf(r->arena, "%jd", (intmax_t) * (int32_t *)a.data);
  return true;
}

/* Whether the device has other elements than the files. */
static bool is_converted(TtRun *r, intptr_t i) {
  TtDType own;
  if (r->args.data[i].scalar || mlirAttributeIsNull(r->args.data[i].buffer)) return false;
  return tt_dtype_of(element_of(r->types[i]), &own) && own != tt_stored_type(&r->args.data[i]);
}

/* What the device makes of values that it stores, for the reference. */
void tt_round_as_stored(TtRun *r, intptr_t i, TtArray *a) {
  int bits = tt_block_bits(&r->args.data[i]);
  if (bits) tt_round_to_blocks(a->data, a->n, tt_matrices(r->types[i]).cols, bits);
  else if (is_converted(r, i) && a->type == TT_NPY_I32) {
    for (int64_t j = 0; j < a->n; ++j) ((int32_t *)a->data)[j] &= UINT8_MAX; /* stored as uint8 */
  } else if (is_converted(r, i) && a->type == TT_NPY_F32)
    tt_round_to_format(a->data, a->n, tt_stored_type(&r->args.data[i]));
}

/* What the device computes with where it has a tensor's elements; a copy may move them as they are.
 */
static void read_as_stored(TtRun *r, intptr_t i, TtArray *a) {
  MlirType element = mlirShapedTypeGetElementType(r->types[i]);
  bool is_f16 = mlirTypeIsAF16(element) && !r->args.data[i].scalar;
  if (!is_f16 && !is_converted(r, i)) return;
  tt_from_elements(element, r->data[i], a);
  tt_round_as_stored(r, i, a);
  if (is_f16) tt_flush_small(a);
  tt_to_elements(element, a, r->data[i]);
}

bool tt_write_inputs(TtRun *r) {
  for (intptr_t i = 0; i < r->n; ++i) {
    MlirType type = r->types[i];
    TtArray a = tt_array_for(r, i);
    const char *path = NULL;
    for (int j = 0; j < r->options.num_inputs; ++j)
      if (fnmatch(r->options.inputs[j].name, r->args.data[i].name, 0) == 0)
        path = r->options.inputs[j].value;
    double deviation = 1;
    if (path && *path == '~') {
      char *end;
      deviation = strtod(path + 1, &end);
      if (*end || end == path + 1 || !(deviation > 0))
        return tt_message("--input %s=%s: '~' stands before the deviation of random values, as in "
                          "~0.05",
                          r->args.data[i].name, path);
      path = NULL;
    }
    if (!tt_is_memref(type)) {
      if (!set_scalar(r, i, path)) return false;
      continue;
    }
    if (path && (!load_input(r, path, r->args.data[i].name, &a) || !check_range(r, i, &a)))
      return false;
    if (!path && r->args.data[i].read)
      randomize(&a, range_of(r, i), deviation, r->options.seed * 1000003 + (uint64_t)i);
    r->data[i] = tt_arena_alloc(r->arena, tt_raw_bytes(r, i) + 1);
    if (!mlirTypeIsNull(r->args.data[i].file)) {
      bool e5m2 = mlirTypeIsAFloat8E5M2(r->args.data[i].file);
      uint8_t *bytes = tt_arena_alloc(r->arena, (size_t)a.n + 1);
      tt_to_fp8(e5m2, a.data, a.n, bytes);
      tt_from_fp8(e5m2, bytes, a.n, a.data);
      if (!write_raw(r, tt_raw_name(r, i), bytes, (size_t)a.n)) return false;
      tt_to_elements(mlirShapedTypeGetElementType(type), &a, r->data[i]);
      continue;
    }
    tt_to_elements(mlirShapedTypeGetElementType(type), &a, r->data[i]);
    if (!write_raw(r, tt_raw_name(r, i), r->data[i], tt_raw_bytes(r, i))) return false;
    read_as_stored(r, i, &a);
  }
  return true;
}
