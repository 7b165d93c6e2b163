/*===- op_info.c - level and role of each op, generated from dialects/ ---------===*/

#include "tilewright/ir.h"
#include "tilewright/verify.h"

#include <stdlib.h>
#include <string.h>

static const TtOpInfo rows[] = {
#include "op_info.inc"
};

TtOpInfo tt_op_info(MlirOperation op) {
  MlirStringRef name = tt_op_name(op);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (tt_str_eq(name, rows[i].name)) return rows[i];
  return (TtOpInfo){"", TT_LEVEL_OTHER, TT_ROLE_ANY};
}
