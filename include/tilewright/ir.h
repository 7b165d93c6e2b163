/*===- ir.h - asking and changing IR from C ---------------------------------===
 *
 * Small questions that mlir-c leaves to its users, and diagnostics.
 *
 * Ownership: IR belongs to MLIR, so that nothing that these functions return is to be freed;
 * lists and texts belong to the arena that is passed in. Names are NUL-terminated and copied
 * where they are kept. A function whose "or null" is not said wants what it is given to be
 * there, and does not look. Not for use by several threads on one module at once.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_IR_H
#define TILEWRIGHT_IR_H

#include "tilewright/builder.h"

#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*===- Diagnostics ----------------------------------------------------------===*/

/* Errors say what was found, what was expected and what to do. Returns false, so
 * that `return tt_error(op, …)` ends a function that reports success. */
bool tt_error(MlirOperation op, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool tt_error_at(MlirLocation loc, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* With notes at other places. */
bool tt_error_with_notes(MlirOperation op, int n, const MlirLocation *places,
                         const char *const *notes, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Has errors, warnings and remarks of this thread say nothing, or say them again; what it was
 * before. For what is tried and may fail. */
bool tt_silence(bool silent);
bool tt_is_silent(void);
void tt_warning(MlirOperation op, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Where an op stands; one that has no place, as in the body of a named op, where that stands. */
MlirLocation tt_place_of(MlirOperation op);
/* What an optimization did at an op (passed), or did not do and why (missed), for MLIR's remark
 * engine: --remarks-filter=REGEX prints those of the passes that it matches. `pass` is the flag.
 * The op's operands, or its loop, are said before it (Analysis/remark.c). */
typedef enum TtRemark { TT_REMARK_PASSED, TT_REMARK_MISSED } TtRemark;
void tt_remark(MlirOperation op, TtRemark kind, const char *pass, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Whether anyone reads remarks. */
bool tt_remarks_wanted(MlirOperation op);
/* mlir-c emits errors only; these are its counterparts. The text of a remark is asked for where it
 * is wanted. */
void tt_emit_remark(MlirLocation loc, TtRemark kind, const char *pass,
                    const char *(*text)(void *of), void *of);
bool tt_has_remark_engine(MlirContext context);
void tt_emit_warning(MlirLocation loc, const char *text);
void tt_emit_error_with_notes(MlirLocation loc, const char *text, int n, const MlirLocation *places,
                              const char *const *notes);
/* The candidate that differs least from `text`, or NULL where none is near. */
const char *tt_suggest(MlirStringRef text, const char *const *candidates, size_t n);

/*===- Operations -----------------------------------------------------------===*/

/* With its dialect, "tt.kernel"; lives as long as the context. */
MlirStringRef tt_op_name(MlirOperation op);
/* Discardable attribute, or null. Setting one replaces it; removing one that is not there does
 * nothing. */
MlirAttribute tt_get_attr(MlirOperation op, const char *name);
void tt_set_attr(MlirOperation op, const char *name, MlirAttribute attr);
void tt_remove_attr(MlirOperation op, const char *name);
/* The value of an IntegerAttr, which may be an enum's, a bool's or an index; not null. */
int64_t tt_int(MlirAttribute attr);
/* Of a StringAttr or a flat symbol; empty where the attribute is null. Lives as long as the
 * context. */
MlirStringRef tt_string(MlirAttribute attr);
bool tt_is_null_value(MlirValue value);
MlirOperation tt_parent(MlirOperation op);     /* the op whose region holds it, or null */
MlirOperation tt_defining_op(MlirValue value); /* null for block arguments */
MlirBlock tt_body(MlirOperation op); /* first block of the first region; null: there is none */
/* One of those that end the blocks of kernels and programs: scf.yield, func.return, … */
bool tt_is_terminator(MlirOperation op);
MlirOperation tt_next(MlirOperation op); /* in its block, or null */
/* The one before it there, or null. Looks from the start of the block: mlir-c has no way back. */
MlirOperation tt_previous(MlirOperation op);
/* The op in `block` that is `op` or holds it; null where there is none. */
MlirOperation tt_ancestor_in(MlirBlock block, MlirOperation op);
/* Whether a region of `op` defines `value`, at any depth. */
bool tt_is_defined_in(MlirOperation op, MlirValue value);
bool tt_is_before(MlirOperation a, MlirOperation b); /* both in one block */
bool tt_value_eq(MlirValue a, MlirValue b);
bool tt_op_eq(MlirOperation a, MlirOperation b);
bool tt_has_uses(MlirValue value);
/* The value of an integer or index constant (arith.constant); false, and `out` as it was, where
 * the value is something else. */
bool tt_constant(MlirValue value, int64_t *out);
/* All ops under `root` in program order, `root` left out; `name` NULL takes all. */
TtOps tt_collect(TtArena *arena, MlirOperation root, const char *name);
/* MLIR's own answer: nobody uses it and it has no effect. */
bool tt_is_trivially_dead(MlirOperation op);
/* Erases ops that have no effect: unused values, and loops and branches without
 * results whose bodies are empty, inside `root`, from the innermost out. */
void tt_erase_dead(MlirOperation root);
void tt_replace(MlirOperation op, MlirValue with); /* of op's one result; erases op */
/* Replaces the uses of a value in `op` and in what its regions hold. */
void tt_replace_in(TtArena *arena, MlirOperation op, MlirValue value, MlirValue with);

/*===- Functions ------------------------------------------------------------===*/

bool tt_is_function(MlirOperation op); /* func.func, or tt.kernel of a program */
bool tt_is_kernel(MlirOperation op);   /* func.func with tt.kernel */
/* Kernels of a module, in order. */
TtOps tt_kernels(TtArena *arena, MlirOperation module);
TtOps tt_hosts(TtArena *arena, MlirOperation module); /* func.funcs with tt.host */
/* Arguments of a function with a body, counted from 0. */
intptr_t tt_num_args(MlirOperation func);
MlirValue tt_arg(MlirOperation func, intptr_t i);
/* Attribute of an argument, or null. */
MlirAttribute tt_arg_attr(MlirOperation func, intptr_t i, const char *name);
void tt_set_arg_attr(MlirOperation func, intptr_t i, const char *name, MlirAttribute attr);
/* `tt.name`, else arg0, arg1, … */
char *tt_arg_name(TtArena *arena, MlirOperation func, intptr_t i);
MlirStringRef tt_symbol_name(MlirOperation op); /* empty where it has none */
/* Attribute `tt.<kind>.<name>` of an op, e.g. tt_named_attr(f, "buffer", "A"). */
MlirAttribute tt_named_attr(MlirOperation op, const char *kind, const char *name);
void tt_set_named_attr(MlirOperation op, const char *kind, const char *name, MlirAttribute attr);
/* A ranked memref. */
bool tt_is_memref(MlirType type);
/* Prints an op as MLIR's text, with its regions. */
void tt_print(FILE *file, MlirOperation op);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
