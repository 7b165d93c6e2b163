/*===- host_ops.c - what a host function computes with numbers ------------------------------===*/

#include "Analysis/host_ops.h"

#include "Analysis/host_values.h"

/* clang-format off */
static const struct {
  const char *op, *text;
} rows[] = {
    {"arith.addi", "($0 + $1)"},       {"arith.subi", "($0 - $1)"},
    {"arith.muli", "($0 * $1)"},       {"arith.divsi", "($0 / $1)"},
    {"arith.remsi", "($0 % $1)"},
    {"arith.divui", "static_cast<$t>(static_cast<$u>($0) / static_cast<$u>($1))"},
    {"arith.remui", "static_cast<$t>(static_cast<$u>($0) % static_cast<$u>($1))"},
    {"arith.floordivsi", "divide_down($0, $1)"},
    {"arith.ceildivsi", "divide_up($0, $1)"},
    {"arith.maxsi", "std::max<$t>($0, $1)"},
    {"arith.minsi", "std::min<$t>($0, $1)"},
    {"arith.maxui", "static_cast<$t>(std::max<$u>($0, $1))"},
    {"arith.minui", "static_cast<$t>(std::min<$u>($0, $1))"},
    {"arith.andi", "($0 & $1)"},       {"arith.ori", "($0 | $1)"},
    {"arith.xori", "($0 ^ $1)"},       {"arith.shli", "($0 << $1)"},
    {"arith.shrsi", "($0 >> $1)"},
    {"arith.shrui", "static_cast<$t>(static_cast<$u>($0) >> $1)"},
    {"arith.addf", "($0 + $1)"},       {"arith.subf", "($0 - $1)"},
    {"arith.mulf", "($0 * $1)"},       {"arith.divf", "($0 / $1)"},
    {"arith.negf", "(-$0)"},           {"arith.select", "($0 ? $1 : $2)"},
    {"math.sqrt", "std::sqrt($0)"},    {"math.rsqrt", "(1.0f / std::sqrt($0))"},
    {"math.exp", "std::exp($0)"},      {"math.log", "std::log($0)"},
    {"math.absf", "std::fabs($0)"},    {"math.powf", "std::pow($0, $1)"},
    {"arith.index_cast", "static_cast<$t>($0)"},
    {"arith.extsi", "static_cast<$t>($0)"},
    {"arith.trunci", "static_cast<$t>($0)"},
    {"arith.sitofp", "static_cast<$t>($0)"},
    {"arith.fptosi", "static_cast<$t>($0)"},
    {"arith.index_castui", "static_cast<$t>(static_cast<$u>($0))"},
    {"arith.extui", "static_cast<$t>(static_cast<$u>($0))"},
    {"arith.uitofp", "static_cast<$t>(static_cast<$u>($0))"},
};

static const char *const others[] = {
    "arith.constant", "arith.cmpi",   "arith.cmpf",    "affine.apply",   "affine.min",
    "affine.max",     "memref.alloc", "memref.dealloc", "memref.dim",     "memref.get_global",
    "scf.for",        "scf.if",       "scf.yield",      "tt.launch",      "func.return",
};
/* clang-format on */

const char *tt_host_unsigned_type(MlirType type) {
  if (!mlirTypeIsAInteger(type)) return "uint64_t";
  switch (mlirIntegerTypeGetWidth(type)) {
  case 1: return "bool";
  case 8: return "uint8_t";
  case 16: return "uint16_t";
  case 32: return "uint32_t";
  default: return "uint64_t";
  }
}

const char *tt_host_number_type(MlirType type) {
  if (mlirTypeIsAF32(type)) return "float";
  if (mlirTypeIsAF64(type)) return "double";
  if (mlirTypeIsABF16(type) || mlirTypeIsAF16(type)) return "float";
  if (mlirTypeIsAIndex(type)) return "int64_t";
  if (!mlirTypeIsAInteger(type)) return NULL;
  switch (mlirIntegerTypeGetWidth(type)) {
  case 1: return "bool";
  case 8: return "int8_t";
  case 16: return "int16_t";
  case 32: return "int32_t";
  case 64: return "int64_t";
  default: return NULL;
  }
}

static bool is_one_of(MlirOperation op, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (tt_op_is(op, names[i])) return true;
  return false;
}

const char *tt_host_op_text(MlirOperation op) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (tt_op_is(op, rows[i].op)) return rows[i].text;
  return NULL;
}

static bool is_half(MlirType type) { return mlirTypeIsABF16(type) || mlirTypeIsAF16(type); }

bool tt_is_host_op(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (!tt_is_memref(type) && !tt_host_number_type(type)) return false;
    if (is_half(type) && !tt_op_is(op, "arith.constant")) return false; /* nobody rounds it */
  }
  return tt_host_op_text(op) || tt_is_host_view(op) ||
         is_one_of(op, others, sizeof others / sizeof *others);
}
