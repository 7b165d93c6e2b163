/*===- kernel.h - what a kernel does with its arguments -------------------------===
 *
 * Answers come from data flow: a tensor is an output because it is written.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_KERNEL_H
#define TILEWRIGHT_KERNEL_H

#include "Dialect/shapes.h"
#include "tilewright/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One argument of a kernel (or, after D1, of a program). */
typedef struct TtArg {
  char *name; /* tt.name or argN */
  MlirValue value;
  MlirType type;
  bool is_tensor; /* a memref; else a scalar */
  bool read, written;
  int64_t depth; /* blocks in flight: tt.num_stages of the loop around, else 2 */
} TtArg;

typedef struct TtArgs {
  TtArg *data;
  intptr_t n;
} TtArgs;

enum { TT_DEFAULT_DEPTH = 2 };

/* All arguments of `func` in order. */
TtArgs tt_kernel_args(TtArena *arena, MlirOperation func);
/* The argument that `value` is, or is a view of; NULL where it is none. */
TtArg *tt_arg_of(TtArgs args, MlirValue value);
/* `value` through memref.subview, memref.cast and the like to what it views. */
MlirValue tt_view_root(MlirValue value);
/* tt.num_stages of the nearest loop around `op`, else 2. */
int64_t tt_stages_around(MlirOperation op);
/* Names of tensors that are written, in order; the first decides the grid. */
const TtArg *tt_first_output(TtArgs args);
/* Whether argument `tensor` of a kernel holds what the host gave it, in every call by a host
 * function, and nothing that a kernel has written: its padding is zero. */
bool tt_is_filled_by_host(TtArena *arena, MlirOperation func, MlirValue tensor);
/* Number of `ins` of a linalg op. */
intptr_t tt_linalg_num_inputs(MlirOperation op);
bool tt_is_linalg(MlirOperation op);
/* What --tt-name-kernels has noted at a grid goes to its kernel. The name that the kernel is to
 * have: `otherwise` without a note. */
char *tt_take_grid_notes(TtArena *arena, MlirOperation grid, MlirOperation kernel, char *otherwise);
/* A linalg op that sums products, named or generic, and is one matrix product. Those of integers in
 * a kernel, which the matrix engine has not, are sums like others: --tt-split-products makes
 * products of floats of what fits. */
bool tt_is_contraction(MlirOperation op);
bool tt_is_integer_contraction(MlirOperation op);

/* An error at `op` where elements of a tensor of that type cannot be stored as `stored`. */
bool tt_check_stored_as(MlirOperation op, const char *tensor, MlirType memref, TtDType stored);

/* DST: true where tiles are 32 bits wide (design: f32 or i32 accumulation, a
 * compute operand stored in 32 bits, f16 beside bf16, or tt.fp32_dest_acc). */
bool tt_dst_is_32bit(MlirOperation func_or_program);
/* Bits of the exponents with which a kernel is built: those of its tensors as they are stored, else
 * of their elements. Formats of another width do not go with it, Float32 does (formats.def). */
int tt_kernel_exponent(MlirOperation func);
/* The float of 16 bits with such exponents, for a kernel's own tiles. */
MlirType tt_narrow_float(MlirOperation func);
/* Whether all tensors of floats are stored as fp32, and there is one. */
bool tt_is_of_f32(MlirOperation func);
int64_t tt_dst_capacity(MlirOperation func_or_program);

#ifdef __cplusplus
}
#endif
/* A func.func with a body and the unit attribute tt.model. */
bool tt_is_model(MlirOperation func);

#endif
