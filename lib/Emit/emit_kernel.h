/* Emission of one kernel, of the host program and of the plan. */
#ifndef TILEWRIGHT_EMIT_KERNEL_H
#define TILEWRIGHT_EMIT_KERNEL_H

#include "Analysis/host_values.h"
#include "Analysis/program.h"
#include "Dialect/api_row.h"
#include "Support/text.h"

#include "tilewright/emit.h"

/* The C++ of one function of a program, with the places in the source that its calls come
 * from where `source_comments` asks for them. False after an error. */
bool tt_emit_kernel(TtArena *arena, MlirOperation program, MlirOperation func, TtApi api,
                    bool source_comments, TtText *out);
/* "file:line:column" of a location, on one line whatever the file's name; NULL where it has
 * no file. */
const char *tt_source_place(TtArena *arena, MlirLocation loc);
/* The kernels of a program, in order, and the files that they are emitted to. */
typedef struct TtKernelFile {
  MlirOperation op;
  TtKernelRole role;
  const char *name; /* of the file, without ".cpp": the kernel's symbol, as an identifier */
} TtKernelFile;
typedef struct TtKernelFiles {
  TtKernelFile *data;
  intptr_t n;
} TtKernelFiles;
TtKernelFiles tt_kernel_files(TtArena *arena, MlirOperation program);
/* main.cpp of a program. */
bool tt_emit_host(TtArena *arena, MlirOperation program, TtApi api, TtText *out);
/* main.cpp of a host function. */
bool tt_emit_host_function(TtArena *arena, MlirOperation func, TtApi api, TtText *out);
/* Whether a host function takes globals, and weights.bin, which has them. False after an error. */
bool tt_has_weights(TtArena *arena, MlirOperation func);
bool tt_emit_weights_file(TtArena *arena, MlirOperation func, TtText *out);
/* tt.plan.json of a host function. */
void tt_emit_host_plan(TtArena *arena, MlirOperation func, TtApi api, TtText *out);
/* tt.plan.json of a program. */
bool tt_emit_plan(TtArena *arena, MlirOperation program, TtApi api, TtText *out);
/* CMakeLists.txt that builds the host program against an installed SDK. */
void tt_emit_cmake(const char *name, TtText *out);

/* What a program does with one argument. */
typedef struct TtTensor {
  char *name;
  MlirType type;
  bool scalar;          /* a number, and none of the following */
  MlirAttribute buffer; /* #tt.buffer */
  MlirType file;        /* of the elements of its file, where these are fp8; else null */
  bool read, written;
  bool launched; /* of a host function: a program takes it, or a view of it */
  bool on_host;  /* the host program has its elements */
} TtTensor;
typedef struct TtTensors {
  TtTensor *data;
  intptr_t n;
} TtTensors;
TtTensors tt_program_tensors(TtArena *arena, MlirOperation program);
/* The tensors of a host function that launches programs, one for each of `values`. */
TtTensors tt_host_tensors(TtArena *arena, MlirOperation func, TtHostValues *values);

/* A scope with the names of the API taken. */
TtNames tt_names_with_api(TtArena *arena);

#endif
