/*===- verify_cores.c - verifiers of semaphores and of products of blocks -----------------===*/

#include "Dialect/members.h"
#include "Dialect/target.h"
#include "Dialect/verify.h"
#include "tilewright/dialects.h"
#include "tilewright/ir.h"

/* (C1) `init` fits 32 bits; (C2) a program has at most 16 semaphores. */
bool tt_semaphore_verify(MlirOperation op) {
  int64_t init = tt_int(tt_semaphore_init(op));
  int before = 0;
  if (init < 0 || init > UINT32_MAX)
    return tt_error(op, "(C1) a semaphore has 32 bits, but `init` is %jd", (intmax_t)init);
  for (MlirOperation m = mlirBlockGetFirstOperation(tt_body(tt_parent(op))); !tt_op_eq(m, op);
       m = tt_next(m))
    before += tt_semaphore_isa(m);
  return before < TT_MAX_SEMAPHORES ||
         tt_error(op, "(C2) [rule 18] a core has %d semaphores, and the program has more",
                  TT_MAX_SEMAPHORES);
}

bool metalium_get_semaphore_verify(MlirOperation op) {
  MlirStringRef name = tt_string(metalium_get_semaphore_name(op));
  MlirOperation program = tt_program_of(tt_parent(op));
  if (mlirOperationIsNull(program))
    return tt_error(op, "(C1) metalium.get_semaphore stands inside a tt.program only");
  for (MlirOperation m = mlirBlockGetFirstOperation(tt_body(program)); !mlirOperationIsNull(m);
       m = tt_next(m))
    if (tt_semaphore_isa(m) && mlirStringRefEqual(tt_symbol_name(m), name)) return true;
  return tt_error(op, "(C1) [rule 18] the program has no tt.semaphore @%.*s", (int)name.length,
                  name.data);
}

/* (C1) The sides of the block are positive. */
static bool verify_block(MlirOperation op) {
  static const char *const sides[] = {"ct", "rt", "kt"};
  for (size_t i = 0; i < sizeof sides / sizeof *sides; ++i)
    if (tt_int(tt_op_attr(op, sides[i])) < 1)
      return tt_error(op, "(C1) %s is positive, but this is %jd", sides[i],
                      (intmax_t)tt_int(tt_op_attr(op, sides[i])));
  return true;
}
bool metalium_matmul_block_verify(MlirOperation op) { return verify_block(op); }
bool metalium_matmul_block_init_verify(MlirOperation op) { return verify_block(op); }
