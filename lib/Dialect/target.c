/*===- target.c - what a module is compiled for, and formats of MLIR types ----------------===*/

#include "Dialect/target.h"

#include "tilewright/ir.h"

/* clang-format off */
const TtSfpuFunction tt_sfpu_functions[] = {
    {"exp", 1, false},      {"exp2", 1, false},     {"expm1", 1, false},    {"log", 1, false},
    {"log1p", 1, false},    {"recip", 1, false},    {"sqrt", 1, false},     {"rsqrt", 1, false},
    {"square", 1, false},   {"tanh", 1, false},     {"sigmoid", 1, false},  {"silu", 1, false},
    {"relu", 1, false},     {"gelu", 1, false},     {"erf", 1, false},      {"erfc", 1, false},
    {"sin", 1, false},      {"cos", 1, false},      {"tan", 1, false},      {"asin", 1, false},
    {"acos", 1, false},     {"atan", 1, false},     {"sinh", 1, false},     {"cosh", 1, false},
    {"asinh", 1, false},    {"acosh", 1, false},    {"atanh", 1, false},    {"abs", 1, false},
    {"negative", 1, false}, {"sign", 1, false},     {"floor", 1, false},    {"ceil", 1, false},
    {"trunc", 1, false},    {"gtz", 1, false},      {"ltz", 1, false},      {"gez", 1, false},
    {"lez", 1, false},      {"eqz", 1, false},      {"nez", 1, false},
    {"isnan", 1, false},    {"isposinf", 1, false}, {"isneginf", 1, false},
    {"round_to_bf16", 1, false},
    {"add_scalar", 1, true}, {"sub_scalar", 1, true}, {"mul_scalar", 1, true},
    {"rsub_scalar", 1, true}, {"max_scalar", 1, true}, {"min_scalar", 1, true}, {"fill", 0, true},
    {"copy", 1, false},     {"add", 2, false},      {"sub", 2, false},      {"mul", 2, false},
    {"div", 2, false},      {"power", 2, false},    {"max", 2, false},      {"min", 2, false},
    {"where", 3, false},
    /* Integers of 32 bits in DST. */
    {"add_int", 2, false},  {"sub_int", 2, false},  {"mul_int", 2, false},  {"max_int", 2, false},
    {"min_int", 2, false},  {"abs_int", 1, false},  {"nez_int", 1, false},  {"eqz_int", 1, false},
    {"where_int", 3, false}, {"fill_int", 0, true}, {"i32_to_f32", 1, false},
    {"f32_to_i32", 1, false}, {"u8_to_f32", 1, false}, {"f32_to_u8", 1, false},
    {"u8_to_i32", 1, false},
};
/* clang-format on */
const size_t tt_num_sfpu_functions = sizeof tt_sfpu_functions / sizeof *tt_sfpu_functions;

const char *const tt_runtime_arg_names[] = {"start_id", "count", "Mt", "Kt", "Nt", "Sm", "Sn",
                                            "Gy",       "Gx",    "sy", "sx", "gx", "gy"};
const size_t tt_num_runtime_arg_names = sizeof tt_runtime_arg_names / sizeof *tt_runtime_arg_names;

const TtChip *tt_chip(TtArch arch) { return &tt_chips[arch]; }

const TtFormat *tt_format(TtDType dtype) { return &tt_formats[dtype]; }

TtTarget tt_target_of(MlirOperation op) {
  for (; !mlirOperationIsNull(op); op = tt_parent(op)) {
    MlirAttribute attr = tt_get_attr(op, "tt.target");
    if (!tt_target_attr_isa(attr)) continue;
    TtArch arch = tt_target_attr_arch(attr);
    return (TtTarget){arch, tt_target_attr_grid_x(attr), tt_target_attr_grid_y(attr),
                      tt_chip(arch)};
  }
  const TtChip *chip = tt_chip(TT_ARCH_WORMHOLE_B0);
  return (TtTarget){TT_ARCH_WORMHOLE_B0, chip->grid_x, chip->grid_y, chip};
}

bool tt_dtype_of(MlirType element, TtDType *dtype) {
  if (mlirTypeIsABF16(element)) return *dtype = TT_D_TYPE_BF16, true;
  if (mlirTypeIsAF16(element)) return *dtype = TT_D_TYPE_FP16, true;
  if (mlirTypeIsAF32(element)) return *dtype = TT_D_TYPE_FP32, true;
  if (!mlirTypeIsAInteger(element)) return false;
  switch (mlirIntegerTypeGetWidth(element)) {
  case 32: return *dtype = TT_D_TYPE_INT32, true;
  case 16: return *dtype = TT_D_TYPE_UINT16, true;
  case 8: return *dtype = TT_D_TYPE_UINT8, true;
  default: return false;
  }
}

int64_t tt_element_bytes(MlirType element) {
  TtDType dtype;
  return tt_dtype_of(element, &dtype) ? tt_formats[dtype].datum_bits / 8 : 0;
}

TtDataFormat tt_data_format_of(TtDType dtype) { return (TtDataFormat)dtype; }

bool tt_is_reuse_op(MlirStringRef name) {
  static const char *const ops[] = {"add", "sub", "mul", "rsub"};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (tt_str_eq(name, ops[i])) return true;
  return false;
}

const TtSfpuFunction *tt_sfpu_function(MlirStringRef name) {
  for (size_t i = 0; i < tt_num_sfpu_functions; ++i)
    if (tt_str_eq(name, tt_sfpu_functions[i].name)) return &tt_sfpu_functions[i];
  return NULL;
}

int64_t tt_cb_rows(MlirType cb) { return tt_cb_type_shape(cb, 0); }
int64_t tt_cb_cols(MlirType cb) { return tt_cb_type_shape(cb, 1); }
int64_t tt_cb_tiles(MlirType cb) { return tt_cb_rows(cb) * tt_cb_cols(cb); }
