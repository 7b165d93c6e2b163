/*===- builder.h - building IR from C ---------------------------------------===
 *
 * mlir-c creates an operation from a state and inserts it by hand. These few
 * functions do both; the generated `<dialect>_<op>_create` stand on them.
 * IR belongs to MLIR: nothing here is to be freed, except where it says so.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_BUILDER_H
#define TILEWRIGHT_BUILDER_H

#include "tilewright/arena.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Where new operations go: before `before`, or at the end of `block` where
 * `before` is null. */
typedef struct TtBuilder {
  MlirContext context;
  MlirBlock block;
  MlirOperation before;
} TtBuilder;

TtBuilder tt_builder_at_end(MlirBlock block);
TtBuilder tt_builder_at_start(MlirBlock block);
TtBuilder tt_builder_before(MlirOperation op);
TtBuilder tt_builder_after(MlirOperation op);
/* Before the terminator of `block`. */
TtBuilder tt_builder_at_terminator(MlirBlock block);
/* Inserts a detached operation and returns it. */
MlirOperation tt_builder_insert(TtBuilder *b, MlirOperation op);

/* The parts of an operation to be. A null operand or attribute is left out. */
typedef MlirOperationState TtOpState;
TtOpState tt_op_state(const char *name, MlirLocation loc);
void tt_op_state_operand(TtOpState *s, MlirValue value);
void tt_op_state_attr(TtOpState *s, MlirContext context, const char *name, MlirAttribute attr);
void tt_op_state_result(TtOpState *s, MlirType type);
/* Adds a region of one empty block. */
void tt_op_state_region(TtOpState *s);
MlirOperation tt_op_state_finish(TtOpState *s);

/* Reading operations, for the generated accessors. */
bool tt_op_is_named(MlirOperation op, const char *name, size_t length);
static inline bool tt_op_is(MlirOperation op, const char *name) {
  return tt_op_is_named(op, name, strlen(name));
}
/* Inherent attribute, or null. */
MlirAttribute tt_op_attr(MlirOperation op, const char *name);
/* The operand at `index` where the op has all `total` of them, else null. */
MlirValue tt_op_optional_operand(MlirOperation op, intptr_t index, intptr_t total);

/* Attributes and strings. */
static inline MlirStringRef tt_str(const char *text) { return (MlirStringRef){text, strlen(text)}; }
bool tt_str_eq(MlirStringRef a, const char *b);
MlirAttribute tt_string_attr(MlirContext context, const char *text);
MlirAttribute tt_i64_attr(MlirContext context, int64_t value);
MlirAttribute tt_i32_attr(MlirContext context, int32_t value); /* of an enum, too */
MlirAttribute tt_strings_attr(TtArena *arena, MlirContext context, intptr_t n,
                              const char *const *texts);

/* Upstream ops that most passes need, built where `b` stands. Operands of arithmetic are of
 * type index, those of tt_and and tt_or of type i1; tt_less and tt_ne give an i1. Division and
 * remainder are unsigned; tt_div and tt_rem want a divisor that is not zero. Constants and
 * neutral elements are folded, so that what is built is what a person would write. */
MlirValue tt_index(TtBuilder *b, MlirLocation loc, int64_t value);
MlirValue tt_bool(TtBuilder *b, MlirLocation loc, bool value);
MlirValue tt_add(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y);
MlirValue tt_sub(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y);
MlirValue tt_mul(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y);
MlirValue tt_div(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y);
MlirValue tt_rem(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y);
MlirValue tt_min(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y);
MlirValue tt_max(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y); /* unsigned */
MlirValue tt_and(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y);
MlirValue tt_less(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y); /* unsigned */
/* One of two values of a type; the one that both are, where they are the same. */
MlirValue tt_select(TtBuilder *b, MlirLocation loc, MlirValue condition, MlirValue yes,
                    MlirValue no);
/* arith.cmpi with a predicate by its number in MLIR. */
MlirValue tt_cmpi(TtBuilder *b, MlirLocation loc, int64_t predicate, MlirValue x, MlirValue y);
MlirValue tt_or(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y);
/* %r = arith.cmpi ne, %x, %y : index */
MlirValue tt_ne(TtBuilder *b, MlirLocation loc, MlirValue x, MlirValue y);

/* %r = name %x, %y, of the type of x, such as "arith.xori". */
MlirValue tt_op_of_two(TtBuilder *b, MlirLocation loc, const char *name, MlirValue x, MlirValue y);

/* `value` as one of `type` by the op `name` (arith.index_cast, say); itself where it has the type.
 */
MlirValue tt_cast(TtBuilder *b, MlirLocation loc, const char *name, MlirValue value, MlirType type);
/* The zero of a type of floats, integers or indices. */
MlirValue tt_zero(TtBuilder *b, MlirLocation loc, MlirType type);
/* A named op of linalg on memrefs, its body with it: of the operands, the last is written. */
MlirOperation tt_named_op(TtBuilder *b, MlirLocation loc, const char *name, intptr_t inputs,
                          const MlirValue *operands);

/* scf.for %iv = %lb to %ub step %step { }, with its yield. `name` is how the
 * emitted code calls the induction variable. */
MlirOperation tt_for(TtBuilder *b, MlirLocation loc, MlirValue lb, MlirValue ub, MlirValue step,
                     const char *name);
/* The same from 0 to `n`, one by one. For n = 1 no loop is built: `b` stays
 * where it is, and the variable is the constant 0. Else `b` moves into the loop,
 * and the caller restores it. */
MlirValue tt_counted_loop(TtBuilder *b, MlirLocation loc, int64_t n, const char *name);
MlirBlock tt_for_body(MlirOperation loop);
MlirValue tt_for_iv(MlirOperation loop);
/* scf.if %cond { }, without results, with its yield. */
MlirOperation tt_if(TtBuilder *b, MlirLocation loc, MlirValue condition);
MlirOperation tt_if_else(TtBuilder *b, MlirLocation loc,
                         MlirValue condition); /* the same, with an else */
/* Gives a value (by its op) or a loop's variable the name it has in emitted code. */
void tt_name_hint(MlirOperation op, const char *name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
