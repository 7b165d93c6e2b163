/*===- verify_metalium.c - verifiers of the metalium dialect --------------------===*/

#include "Dialect/members.h"
#include "Dialect/target.h"
#include "Dialect/verify.h"
#include "tilewright/ir.h"

/* (C1) A constant count is positive and at most the CB's pages. */
static bool verify_count(MlirOperation op, MlirValue cb, MlirValue count) {
  int64_t n;
  if (!tt_constant(count, &n)) return true;
  if (n < 1) return tt_error(op, "(C1) the page count is positive, but this is %jd", (intmax_t)n);
  MlirOperation get = tt_defining_op(cb), program = tt_program_of(op);
  if (!tt_get_cb_isa(get) || mlirOperationIsNull(program)) return true;
  MlirStringRef name = tt_string(tt_get_cb_name(get));
  MlirOperation decl = tt_program_cb(program, name);
  int64_t pages = mlirOperationIsNull(decl) ? n : tt_int(tt_circular_buffer_pages(decl));
  return n <= pages ||
         tt_error(op, "(C1) [rule 1] %jd pages of @%.*s, which has %jd: this waits forever",
                  (intmax_t)n, (int)name.length, name.data, (intmax_t)pages);
}

bool metalium_cb_reserve_back_verify(MlirOperation op) {
  return verify_count(op, metalium_cb_reserve_back_cb(op), metalium_cb_reserve_back_count(op));
}
bool metalium_cb_push_back_verify(MlirOperation op) {
  return verify_count(op, metalium_cb_push_back_cb(op), metalium_cb_push_back_count(op));
}
bool metalium_cb_wait_front_verify(MlirOperation op) {
  return verify_count(op, metalium_cb_wait_front_cb(op), metalium_cb_wait_front_count(op));
}
bool metalium_cb_pop_front_verify(MlirOperation op) {
  return verify_count(op, metalium_cb_pop_front_cb(op), metalium_cb_pop_front_count(op));
}

/* (C2) The operand is the argument of this name. */
static bool is_argument(TtArena *arena, MlirOperation func, MlirValue tensor, MlirStringRef name) {
  if (!mlirValueIsABlockArgument(tensor) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(tensor), tt_body(func)))
    return false;
  return tt_str_eq(name, tt_arg_name(arena, func, mlirBlockArgumentGetArgNumber(tensor)));
}

bool metalium_tensor_accessor_verify(MlirOperation op) {
  MlirStringRef name = tt_string(metalium_tensor_accessor_name(op));
  MlirOperation func = tt_parent(op);
  while (!mlirOperationIsNull(func) && !tt_is_function(func)) func = tt_parent(func);
  TtArena *arena = tt_arena_create();
  bool found = !mlirOperationIsNull(func) &&
               tt_tensor_accessor_attr_isa(
                   tt_named_attr(func, "tensor_accessor", tt_arena_str(arena, name)));
  bool argument = found && is_argument(arena, func, metalium_tensor_accessor_tensor(op), name);
  tt_arena_destroy(arena);
  if (!found)
    return tt_error(op, "(C1) the function has no tt.tensor_accessor.%.*s", (int)name.length,
                    name.data);
  return argument ||
         tt_error(op, "(C2) the tensor is not the argument of the function with tt.name = \"%.*s\"",
                  (int)name.length, name.data);
}
