/*===- npy.c - NumPy files, and elements of MLIR types -----------------------------------===*/

#include "Run/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *descr;
  int64_t bytes;
} types[] = {[TT_NPY_F32] = {"<f4", 4}, [TT_NPY_I32] = {"<i4", 4}, [TT_NPY_U8] = {"|u1", 1}};

static bool fail(const char *path, const char *what) {
  fprintf(stderr, "error: %s: %s\n", path, what);
  return false;
}

/* The value after 'key': in the header's dictionary, or NULL. */
static const char *value_of(const char *header, const char *key) {
  const char *at = strstr(header, key);
  if (!at) return NULL;
  at += strlen(key);
  while (*at == ' ' || *at == ':') ++at;
  return at;
}

/* `*wide`: the file has integers of 64 bits, of which the array is to have 32. */
static bool parse_header(const char *path, const char *header, TtArray *array, bool *wide) {
  const char *descr = value_of(header, "'descr'"), *order = value_of(header, "'fortran_order'"),
             *shape = value_of(header, "'shape'");
  if (!descr || !order || !shape || *shape != '(')
    return fail(path, "is no .npy file that NumPy writes");
  size_t t = 0;
  while (t < 3 && strncmp(descr + 1, types[t].descr, 3) != 0) ++t;
  if (strncmp(descr + 1, "|b1", 3) == 0) t = TT_NPY_U8; /* flags, a byte each */
  *wide = strncmp(descr + 1, "<i8", 3) == 0;
  if (*wide) t = TT_NPY_I32;
  if (t == 3)
    return fail(path, "must hold float32, int32, int64, uint8 or bool ('<f4', '<i4', '<i8', '|u1' "
                      "or '|b1')");
  array->type = (TtNpyType)t;
  if (strncmp(order, "False", 5) != 0) return fail(path, "must be row-major (fortran_order False)");
  array->rank = 0;
  array->n = 1;
  for (const char *at = shape + 1; *at && *at != ')';) {
    char *end;
    long long size = strtoll(at, &end, 10);
    if (end == at) return fail(path, "has a shape that cannot be read");
    if (array->rank == 8 || size < 0) return fail(path, "has too many dimensions");
    array->shape[array->rank++] = size;
    array->n *= size;
    for (at = end; *at == ',' || *at == ' ';) ++at;
  }
  return true;
}

/* Makes `n` integers of 64 bits at `data` those of 32 bits, as they are on the device. */
static bool narrow(const char *path, void *data, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    int64_t value;
    memcpy(&value, (const char *)data + 8 * i, 8);
    int32_t small = (int32_t)value;
    if (small != value)
      return fail(path, "holds an integer of more than the 32 bits that the device has");
    memcpy((char *)data + 4 * i, &small, 4);
  }
  return true;
}

bool tt_npy_read(TtArena *arena, const char *path, TtArray *array) {
  bool wide = false;
  unsigned char magic[10];
  FILE *file = fopen(path, "rb");
  if (!file) return fail(path, strerror(errno));
  bool ok = fread(magic, 1, 10, file) == 10 && memcmp(magic, "\x93NUMPY\x01", 7) == 0;
  size_t length = ok ? (size_t)(magic[8] | magic[9] << 8) : 0;
  char *header = tt_arena_alloc(arena, length + 1);
  ok = ok && fread(header, 1, length, file) == length;
  if (!ok) fail(path, "is no .npy file (version 1)");
  ok = ok && parse_header(path, header, array, &wide);
  if (ok) {
    size_t bytes = (size_t)(array->n * (wide ? 8 : types[array->type].bytes));
    array->data = tt_arena_alloc(arena, bytes + 1);
    if (fread(array->data, 1, bytes, file) != bytes || fgetc(file) != EOF)
      ok = fail(path, "has not as many elements as its shape says");
    ok = ok && (!wide || narrow(path, array->data, array->n));
  }
  fclose(file);
  return ok;
}

bool tt_npy_write(const char *path, const TtArray *array) {
  char header[256];
  int n = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                   types[array->type].descr);
  for (int i = 0; i < array->rank; ++i)
    n += snprintf(header + n, sizeof header - (size_t)n, "%jd,%s", (intmax_t)array->shape[i],
                  i + 1 < array->rank ? " " : "");
  n += snprintf(header + n, sizeof header - (size_t)n, "), }");
  while ((10 + n + 1) % 64 != 0) header[n++] = ' ';
  header[n++] = '\n';
  unsigned char magic[10] = {
      0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(n & 255), (unsigned char)(n >> 8)};
  size_t bytes = (size_t)(array->n * types[array->type].bytes);
  FILE *file = fopen(path, "wb");
  if (!file) return fail(path, strerror(errno));
  bool ok = fwrite(magic, 1, 10, file) == 10 && fwrite(header, 1, (size_t)n, file) == (size_t)n &&
            fwrite(array->data, 1, bytes, file) == bytes;
  ok = fclose(file) == 0 && ok;
  return ok || fail(path, "cannot be written");
}

/*===- Elements -------------------------------------------------------------------------===*/

static uint32_t bits_of(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}

static float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

static uint16_t to_bf16(float f) {
  uint32_t b = bits_of(f);
  if ((b & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(b >> 16 | 0x40);
  return (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

static uint16_t to_f16(float f) {
  _Float16 h = (_Float16)f;
  uint16_t bits;
  memcpy(&bits, &h, 2);
  return bits;
}

static float from_f16(uint16_t bits) {
  _Float16 h;
  memcpy(&h, &bits, 2);
  return (float)h;
}

TtNpyType tt_npy_type_of(MlirType element) {
  if (!mlirTypeIsAInteger(element)) return TT_NPY_F32;
  return mlirIntegerTypeGetWidth(element) == 8 ? TT_NPY_U8 : TT_NPY_I32;
}

void tt_to_elements(MlirType element, const TtArray *array, void *out) {
  for (int64_t i = 0; i < array->n; ++i) {
    if (mlirTypeIsABF16(element)) ((uint16_t *)out)[i] = to_bf16(((const float *)array->data)[i]);
    else if (mlirTypeIsAF16(element))
      ((uint16_t *)out)[i] = to_f16(((const float *)array->data)[i]);
    else if (tt_is_i64(element)) ((int64_t *)out)[i] = ((const int32_t *)array->data)[i];
    else if (tt_element_bytes(element) == 4)
      ((uint32_t *)out)[i] = ((const uint32_t *)array->data)[i];
    else if (tt_element_bytes(element) == 2)
      ((uint16_t *)out)[i] = (uint16_t)((const int32_t *)array->data)[i];
    else ((uint8_t *)out)[i] = ((const uint8_t *)array->data)[i];
  }
}

void tt_from_elements(MlirType element, const void *in, TtArray *array) {
  for (int64_t i = 0; i < array->n; ++i) {
    if (mlirTypeIsABF16(element))
      ((float *)array->data)[i] = float_of((uint32_t)((const uint16_t *)in)[i] << 16);
    else if (mlirTypeIsAF16(element))
      ((float *)array->data)[i] = from_f16(((const uint16_t *)in)[i]);
    else if (tt_is_i64(element)) /* in 32 bits, as on the device */
      ((int32_t *)array->data)[i] = (int32_t)((const int64_t *)in)[i];
    else if (tt_element_bytes(element) == 4)
      ((uint32_t *)array->data)[i] = ((const uint32_t *)in)[i];
    else if (tt_element_bytes(element) == 2)
      ((int32_t *)array->data)[i] = ((const uint16_t *)in)[i];
    else ((uint8_t *)array->data)[i] = ((const uint8_t *)in)[i];
  }
}

void tt_round_to_format(float *values, int64_t n, TtDType format) {
  for (int64_t i = 0; i < n; ++i) {
    if (format == TT_D_TYPE_FP16) values[i] = from_f16(to_f16(values[i]));
    uint32_t bits = (uint32_t)to_bf16(values[i]) << 16;
    if (format == TT_D_TYPE_BF16) memcpy(&values[i], &bits, sizeof bits);
  }
}
