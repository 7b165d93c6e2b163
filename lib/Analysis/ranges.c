/*===- ranges.c - the values that integers may hold -------------------------------------------===*/

#include "Analysis/ranges.h"

static TtRange range_of(MlirAttribute attr, MlirType type) {
  if (!mlirAttributeIsNull(attr))
    return (TtRange){tt_int(mlirArrayAttrGetElement(attr, 0)),
                     tt_int(mlirArrayAttrGetElement(attr, 1)), true};
  MlirType element = tt_is_memref(type) ? mlirShapedTypeGetElementType(type) : type;
  if (mlirTypeIsAIndex(element)) return (TtRange){0, INT32_MAX, false};
  if (!mlirTypeIsAInteger(element)) return (TtRange){0, 0, false};
  unsigned width = mlirIntegerTypeGetWidth(element);
  bool is_unsigned = width == 1 || mlirIntegerTypeIsUnsigned(element);
  if (width > 62) return (TtRange){INT64_MIN, INT64_MAX, false};
  int64_t all = INT64_C(1) << width;
  return is_unsigned ? (TtRange){0, all - 1, false} : (TtRange){-all / 2, all / 2 - 1, false};
}

TtRange tt_arg_range(MlirOperation func, intptr_t i) {
  return range_of(tt_arg_attr(func, i, "tt.range"), mlirValueGetType(tt_arg(func, i)));
}

TtRange tt_program_range(MlirOperation program, const char *name, MlirType type) {
  return range_of(tt_named_attr(program, "range", name), type);
}
