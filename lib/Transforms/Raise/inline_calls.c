/*===- inline_calls.c - --tt-inline-calls --------------------------------------------------===
 *
 * Puts the bodies of functions in the place of their calls in kernels and models, and of those
 * that are no kernels in host functions. No function is called on a core.
 *
 *   before  func.func private @row(%i: index) -> index { %r = %i * 64  return %r }
 *           func.func @f(…) attributes {tt.kernel} { … %m = call @row(%by) … use(%m) }
 *   after   func.func @f(…) attributes {tt.kernel} { … %r = %by * 64 … use(%r) }
 *
 * Requires nothing. Leaves no func.call in kernels and models, and only those of kernels in host
 * functions; the functions stay, for others.
 *
 *===----------------------------------------------------------------------===*/

#include "Analysis/for_each_kernel.h"
#include "Passes/passes_decl.h"
#include "Transforms/Raise/inline_text.h"

#include <string.h>

enum { MAX_CALLS = 10000 }; /* in one kernel */

/* The function of the module that a call names; null where there is none. */
static MlirOperation callee_of(TtArena *arena, MlirOperation call) {
  MlirOperation module = call;
  while (!mlirOperationIsNull(tt_parent(module))) module = tt_parent(module);
  MlirStringRef name = tt_string(tt_op_attr(call, "callee"));
  TtOps funcs = tt_collect(arena, module, "func.func");
  for (intptr_t i = 0; i < funcs.n; ++i)
    if (mlirStringRefEqual(tt_symbol_name(funcs.data[i]), name)) return funcs.data[i];
  return (MlirOperation){NULL};
}

/* What `func` is, for errors. */
static const char *kind_of(MlirOperation func) {
  return tt_is_kernel(func)                                    ? "kernel"
         : !mlirAttributeIsNull(tt_get_attr(func, "tt.model")) ? "model"
                                                               : "host function";
}

/* Whether it is one of the three. */
static bool is_marked(MlirOperation func) {
  return strcmp(kind_of(func), "host function") != 0 ||
         !mlirAttributeIsNull(tt_get_attr(func, "tt.host"));
}

/* The one block of a function that can stand where its call does; null after an error. */
static MlirBlock body_of(MlirOperation call, MlirOperation func, const char *in) {
  MlirStringRef name = tt_string(tt_op_attr(call, "callee"));
  MlirBlock none = {NULL};
  if (mlirOperationIsNull(func) ||
      mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(func, 0))))
    return tt_error(call,
                    "a %s calls @%.*s, which has no body in this module; define it, so that "
                    "it can be inlined: no function is called on a core",
                    in, (int)name.length, name.data),
           none;
  if (is_marked(func))
    return tt_error(call,
                    "a %s calls @%.*s, which is a %s itself; call a plain function, or let a host "
                    "function (tt.host) call both",
                    in, (int)name.length, name.data, kind_of(func)),
           none;
  MlirBlock body = tt_body(func);
  if (mlirBlockIsNull(mlirBlockGetNextInRegion(body))) return body;
  return tt_error(call,
                  "a %s calls @%.*s, which has branches between blocks (cf); write them as "
                  "scf.if and scf.for",
                  in, (int)name.length, name.data),
         none;
}

/* Replaces `call`; false after an error. */
static bool inline_call(MlirOperation call, MlirOperation func, const char *in) {
  if (mlirBlockIsNull(body_of(call, func, in))) return false;
  MlirOperation copy = mlirOperationClone(func);
  tt_inline_body(call, tt_body(copy));
  mlirOperationDestroy(copy);
  return true;
}

/* Calls that a body stands for; those of kernels and models stay in host functions. */
static TtOps calls_in(TtArena *arena, MlirOperation func) {
  TtOps all = tt_collect(arena, func, "func.call"), calls = {NULL, 0, 0};
  bool host = strcmp(kind_of(func), "host function") == 0;
  for (intptr_t i = 0; i < all.n; ++i) {
    MlirOperation callee = callee_of(arena, all.data[i]);
    bool stays =
        host && !mlirOperationIsNull(callee) && strcmp(kind_of(callee), "host function") != 0;
    if (!stays) tt_ops_add(arena, &calls, all.data[i]);
  }
  return calls;
}

/* Functions that are being gone through, the caller of each before it. */
typedef struct Chain {
  MlirOperation func;
  intptr_t length;
  const struct Chain *before;
} Chain;

/* Refuses calls of what the calls come from. `seen` is what has been gone through. */
static bool check_ends(TtArena *arena, const Chain *chain, TtOps *seen, const char *in) {
  TtOps calls = calls_in(arena, chain->func);
  for (intptr_t i = 0; i < calls.n && chain->length <= MAX_CALLS; ++i) {
    MlirOperation func = callee_of(arena, calls.data[i]);
    if (mlirOperationIsNull(func) || is_marked(func)) continue; /* refused where it is inlined */
    bool known = false;
    for (const Chain *c = chain; c != NULL; c = c->before)
      if (tt_op_eq(c->func, func))
        return tt_error(calls.data[i],
                        "the functions that this %s calls call each other without an end; write "
                        "the recursion as a loop",
                        in);
    for (intptr_t j = 0; !known && j < seen->n; ++j) known = tt_op_eq(seen->data[j], func);
    Chain next = {func, chain->length + 1, chain};
    if (!known && !check_ends(arena, &next, seen, in)) return false;
  }
  tt_ops_add(arena, seen, chain->func);
  return true;
}

static bool inline_calls(TtArena *arena, MlirOperation func) {
  const char *in = kind_of(func);
  Chain start = {func, 0, NULL};
  TtOps seen = {NULL, 0, 0};
  if (!check_ends(arena, &start, &seen, in)) return false;
  TtOps calls = calls_in(arena, func);
  for (intptr_t done = 0; calls.n > 0; calls = calls_in(arena, func))
    for (intptr_t i = 0; i < calls.n; ++i, ++done) {
      if (done == MAX_CALLS)
        return tt_error(calls.data[i],
                        "the calls of this %s, with those in what they call, are more than %d, "
                        "each of which a body is to stand for; write what is repeated as a loop",
                        in, MAX_CALLS);
      if (!inline_call(calls.data[i], callee_of(arena, calls.data[i]), in)) return false;
    }
  return true;
}

bool tt_run_inline_calls(MlirOperation module, const TtPassOptions *options) {
  (void)options;
  TtArena *arena = tt_arena_create();
  TtOps funcs = tt_collect(arena, module, "func.func");
  bool ok = true;
  for (intptr_t i = 0; ok && i < funcs.n; ++i) {
    MlirOperation func = funcs.data[i];
    if (!mlirAttributeIsNull(tt_get_attr(func, "tt.host")) ||
        !mlirAttributeIsNull(tt_get_attr(func, "tt.model")))
      ok = inline_calls(arena, func);
  }
  tt_arena_destroy(arena);
  return ok && tt_for_each_kernel(module, inline_calls);
}
