/*===- tensors.c - what goes into a run, and how large it is ------------------------------------===
 *
 *   --input A=a.npy, --shape C=100x70, or random values  ->  raw files for the host program, and
 *                                                            the same data for the reference
 *
 *===----------------------------------------------------------------------===*/

#include "Run/session.h"

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
  if (r->model) seen.rank = tt_drop_units(seen.shape, file.rank, a->rank);
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
