/* The parts of a host program's emission. */
#ifndef TILEWRIGHT_EMIT_HOST_H
#define TILEWRIGHT_EMIT_HOST_H

#include "Emit/emit_kernel.h"

#include "mlir-c/AffineMap.h"

/* Dynamic dimensions: their names, variables, and the first one that is equal to each. */
typedef struct TtDims {
  char **names;
  const char **variables;
  intptr_t *same, n;
  intptr_t given; /* of them, the first: those of arguments */
} TtDims;

typedef struct TtHost {
  TtArena *arena;
  MlirOperation program; /* tt.program, or the host function */
  bool is_function;
  TtApi api;
  TtText *out;
  TtNames names;
  TtTensors tensors;
  intptr_t num_args;        /* of tensors, the first: what the command line gives */
  TtHostValues host_values; /* of a host function: the value of each */
  char **buffers;           /* the variable of each tensor or scalar */
  TtDims dims;              /* dynamic dimensions of the arguments */
  const char *folder;       /* of the program's kernels, from that of main.cpp: "" or "scale/" */
  TtKernelFiles kernels;
  const char **handles; /* the variable of each */
  TtOps core_sets;      /* those that kernels run on */
  const char **core_set_names;
} TtHost;

/* The sizes of a tensor in C++: its matrices, one below the other, and what they take in tiles. */
typedef struct TtSides {
  const char *count, *rows, *cols;       /* matrices, and elements of each */
  const char *padded_rows, *padded_cols; /* of all of them, padded to tiles */
  const char *tile_rows, *tile_cols;     /* the same in tiles */
  const char *tiles;                     /* number of them */
} TtSides;
TtSides tt_host_sides(TtHost *h, const TtTensor *t); /* host_sizes.c */
/* Fills in h->dims and names them. */
void tt_name_host_dims(TtHost *h);
/* Gives dimension `dim` of a tensor that the host function makes a variable. */
void tt_add_host_dim(TtHost *h, const char *tensor, intptr_t dim, const char *variable);
/* Dimension `dim` of a value of a host function, in C++. */
const char *tt_host_size(TtHost *h, MlirValue value, intptr_t dim);
/* The variable of the size of dynamic dimension `name` ("A_d0"). */
const char *tt_host_dim(TtHost *h, const char *name);
/* What `dims` of the command line give: a dimension of each class of equal ones, in order. */
intptr_t tt_num_free_dims(TtHost *h);
const char *tt_free_dim(TtHost *h, intptr_t i);
/* Constants with all of them, in main. */
void tt_emit_dims(TtHost *h);
/* What the program asks of them (tt.least_sizes). */
void tt_emit_least_sizes(TtHost *h);
/* That blocks which integers place are inside of their tensors (tt.block_ends, emit_ends.c). */
void tt_emit_block_ends(TtHost *h);
/* Result `i` of an affine map of dimensions, as a C++ expression. */
const char *tt_host_affine(TtHost *h, MlirAffineMap map, MlirAttribute symbols, intptr_t i);
/* Whether a tensor has a dynamic dimension. */
bool tt_is_dynamic(const TtTensor *t);
/* The C++ type of an element in files and memory. */
const char *tt_host_type(MlirType memref);
TtDType tt_stored_type(const TtTensor *t);
/* That of a tile's elements as the host has them: block floats are packed from it. */
const char *tt_device_type(const TtTensor *t);
/* The function that makes tiles of a tensor's rows, or rows of its tiles. */
const char *tt_tilize(const TtTensor *t, bool to_device);
/* `data`, a C++ expression, from the elements of files to those of the device, or back. */
const char *tt_converted(TtHost *h, const char *data, const TtTensor *t, bool to_device);
/* The functions that tt_converted calls (host_conversions.c). */
void tt_emit_conversions(TtHost *h);
/* Bits of an element where a tensor is stored with shared exponents, else 0. */
int tt_block_bits(const TtTensor *t);
/* `data`, a C++ expression, with the elements of a tensor padded to tiles, or cropped. */
const char *tt_resized(TtHost *h, const char *data, const TtTensor *t, bool pad);
/* "float" or "int32_t". */
const char *tt_host_scalar_type(MlirType scalar);
/* What makes buffers on the device, and those of arguments, in main (emit_buffers.c). */
void tt_emit_buffers(TtHost *h);
/* Tensor `i` on the device. */
void tt_emit_buffer(TtHost *h, intptr_t i);
/* Of a host function: a function for each program that it launches (emit_launches.c), and what
 * it does, in order (emit_host_body.c). */
bool tt_emit_run_functions(TtHost *h);
void tt_emit_host_body(TtHost *h);
/* `rows`, a C++ expression with the elements of a file, as the tiles of a tensor, and back. */
const char *tt_rows_to_tiles(TtHost *h, const TtTensor *t, const char *rows);
const char *tt_tiles_to_rows(TtHost *h, const TtTensor *t, const char *tiles);
/* Reads the globals of a host function, and puts them on the device (emit_weights.c). */
void tt_emit_weights(TtHost *h);
/* The function that reads them, where there are any. */
void tt_emit_weights_helper(TtHost *h);
/* Ends the program where a scalar is not what it may be (emit_ranges.c). */
void tt_emit_range_checks(TtHost *h);
/* Variables with the numbers of the program's semaphores (emit_semaphores.c). */
void tt_emit_host_semaphores(TtHost *h);
/* " = {…}": those that are a kernel's first compile-time arguments, or "". */
const char *tt_host_semaphore_args(TtHost *h, MlirOperation kernel);
/* Functions that the tensors and scalars of a host program need (host_helpers.c). */
void tt_emit_host_helpers(TtHost *h);
/* What fills and enqueues a workload with h->program; `program`, `device` and `cq` are
 * variables (emit_workload.c). False after an error. */
bool tt_emit_workload(TtHost *h);
/* The variable of the set of cores that a member of the program names. */
const char *tt_host_cores(TtHost *h, MlirOperation member);
/* What each core gets (emit_core_args.c). False after an error. */
bool tt_emit_core_args(TtHost *h);

#endif
