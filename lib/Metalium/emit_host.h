/* The parts of a host program's emission. */
#ifndef TILEWRIGHT_EMIT_HOST_H
#define TILEWRIGHT_EMIT_HOST_H

#include "emit_kernel.h"

typedef struct TtHost {
  TtArena *arena;
  MlirOperation program; /* tt.program, or the host function */
  bool is_function;
  TtApi api;
  TtText *out;
  TtNames names;
  TtTensors tensors;
  intptr_t num_args;  /* of tensors, the first: what the command line gives */
  MlirValue *values;  /* of a host function: the value of each */
  char **buffers;     /* the variable of each tensor or scalar */
  const char *folder; /* of the program's kernels, from that of main.cpp: "" or "scale/" */
  bool has[TT_KERNEL_ROLE_COUNT];
} TtHost;

/* The C++ type of an element in files and memory. */
const char *tt_host_type(MlirType memref);
TtDType tt_stored_type(const TtTensor *t);
/* Bits of an element where a tensor is stored with shared exponents, else 0. */
int tt_block_bits(const TtTensor *t);
/* `data`, a C++ expression, with the elements of a tensor padded to tiles, or cropped. */
const char *tt_resized(TtHost *h, const char *data, MlirType type, bool pad);
/* "float" or "int32_t". */
const char *tt_host_scalar_type(MlirType scalar);
/* What makes buffers on the device, and those of arguments, in main (emit_buffers.c). */
void tt_emit_buffers(TtHost *h);
/* Tensor `i` on the device. */
void tt_emit_buffer(TtHost *h, intptr_t i);
/* Of a host function (emit_launches.c): a function for each program that it launches, and
 * what it does, in order. */
void tt_emit_run_functions(TtHost *h);
void tt_emit_launches(TtHost *h);
/* Functions that the tensors and scalars of a host program need (host_helpers.c). */
void tt_emit_host_helpers(TtHost *h);
/* What fills and enqueues a workload with h->program; `program`, `device` and `cq` are
 * variables (emit_workload.c). */
void tt_emit_workload(TtHost *h);

#endif
