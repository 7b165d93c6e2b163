/*===- verify.h - what the dialects' C++ hooks call ----------------------------===*/

#ifndef TILEWRIGHT_VERIFY_H
#define TILEWRIGHT_VERIFY_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of each op that has constraints of its own: bool tt_<op>_verify(MlirOperation op). */
#include "verifiers.inc"

/* NULL, or why there is no circular buffer type of this shape and element. */
const char *tt_cb_type_check(intptr_t rank, const int64_t *shape, MlirType element);
/* Checks a discardable `tt.` attribute of an op, or of a function argument. */
bool tt_verify_op_attr(MlirOperation op, MlirStringRef name, MlirAttribute value);
bool tt_verify_arg_attr(MlirOperation op, unsigned index, MlirStringRef name, MlirAttribute value);

/* Whether two tt.core_sets have a core in common, which is then at x and y. */
bool tt_core_sets_meet(MlirOperation a, MlirOperation b, int64_t *x, int64_t *y);

/* What the fields of typed metadata mean (verify_metadata.c): of attribute `key` of `op`. False
 * after an error. */
bool tt_verify_buffer(MlirOperation op, MlirStringRef key, MlirAttribute buffer);
bool tt_verify_accessor(MlirOperation op, MlirStringRef key, MlirAttribute accessor);
bool tt_verify_cb_geometry(MlirOperation op, MlirStringRef key, MlirAttribute cb);
bool tt_verify_core_ranges(MlirOperation op, MlirStringRef key, MlirAttribute ranges);

/* A rule of the protocol, by its number in diagnostics and docs/rules.md. */
typedef struct TtRule {
  int number;
  const char *text;
  bool by_compiler, by_emulator; /* who checks it */
} TtRule;
extern const TtRule tt_rules[];
extern const size_t tt_num_rules;

#ifdef __cplusplus
}
#endif
#endif
