/*===- target.c - what a module is compiled for, and formats of MLIR types ----------------===*/

#include "Dialect/target.h"

#include "tilewright/ir.h"

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
    const TtChip *chip = tt_chip(arch);
    int64_t cbs = tt_target_attr_cbs(attr);
    return (TtTarget){arch, tt_target_attr_grid_x(attr), tt_target_attr_grid_y(attr), chip,
                      cbs ? cbs : (int64_t)chip->cbs};
  }
  const TtChip *chip = tt_chip(TT_ARCH_WORMHOLE_B0);
  return (TtTarget){TT_ARCH_WORMHOLE_B0, chip->grid_x, chip->grid_y, chip, chip->cbs};
}

const char *tt_has_cbs(MlirOperation op) {
  TtTarget target = tt_target_of(op);
  return target.cbs < (int64_t)target.chip->cbs ? "the target takes" : "the chip has";
}

bool tt_dtype_of(MlirType element, TtDType *dtype) {
  if (mlirTypeIsABF16(element)) return *dtype = TT_D_TYPE_BF16, true;
  if (mlirTypeIsAF16(element)) return *dtype = TT_D_TYPE_FP16, true;
  if (mlirTypeIsAF32(element)) return *dtype = TT_D_TYPE_FP32, true;
  if (!mlirTypeIsAInteger(element)) return false;
  switch (mlirIntegerTypeGetWidth(element)) {
  case 64: /* in 32 bits on the device */
  case 32: return *dtype = TT_D_TYPE_INT32, true;
  case 16: return *dtype = TT_D_TYPE_UINT16, true;
  case 8: return *dtype = TT_D_TYPE_UINT8, true;
  default: return false;
  }
}

bool tt_is_f8(MlirType element) {
  return mlirTypeIsAFloat8E4M3FN(element) || mlirTypeIsAFloat8E5M2(element);
}

bool tt_is_i64(MlirType element) {
  return mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 64;
}

int64_t tt_element_bytes(MlirType element) {
  TtDType dtype;
  if (tt_is_i64(element)) return 8;
  return tt_dtype_of(element, &dtype) ? tt_formats[dtype].datum_bits / 8 : 0;
}

TtDataFormat tt_data_format_of(TtDType dtype) { return (TtDataFormat)dtype; }

int64_t tt_cb_rows(MlirType cb) { return tt_cb_type_shape(cb, 0); }
int64_t tt_cb_cols(MlirType cb) { return tt_cb_type_shape(cb, 1); }
int64_t tt_cb_tiles(MlirType cb) { return tt_cb_rows(cb) * tt_cb_cols(cb); }
