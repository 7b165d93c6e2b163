/*===- target.h - what a module is compiled for ---------------------------------------===
 *
 * Limits of the chips and sizes of the formats stand in the tables of lib/Target, with
 * their sources, and nowhere else; this is how IR refers to them.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_DIALECT_TARGET_H
#define TILEWRIGHT_DIALECT_TARGET_H

#include "Target/chips.h"
#include "Target/formats.h"
#include "Target/sfpu.h"
#include "tilewright/dialects.h"

/* The figures of a chip, by its enum. */
const TtChip *tt_chip(TtArch arch);

/* The target of a module: its tt.target, or the default (wormhole_b0). */
typedef struct TtTarget {
  TtArch arch;
  int64_t grid_x, grid_y;
  const TtChip *chip;
  int64_t cbs; /* circular buffers: the chip's, or what headers of the era name */
} TtTarget;
TtTarget tt_target_of(MlirOperation op_in_module);

/* For messages about circular buffers: "the chip has", or, where fewer may be used, that. */
const char *tt_has_cbs(MlirOperation op_in_module);

/* The figures of a storage format, by its enum. */
const TtFormat *tt_format(TtDType dtype);
/* The storage format of an MLIR element type; false where there is none. */
bool tt_dtype_of(MlirType element, TtDType *dtype);
/* Bytes of one element of an MLIR type in files and host memory. */
int64_t tt_element_bytes(MlirType element);
/* fp8, which kernels see as bf16. */
bool tt_is_f8(MlirType element);
/* An integer of 64 bits, of which the device has 32: what does not fit is refused. */
bool tt_is_i64(MlirType element);
/* Formats of circular buffers are the same, in the same order. */
TtDataFormat tt_data_format_of(TtDType dtype);

/* Names of runtime arguments, in the order in which kernels take them. */
extern const char *const tt_runtime_arg_names[];
extern const size_t tt_num_runtime_arg_names;

/* Tiles in one block of a !tt.cb, and its sides. */
int64_t tt_cb_tiles(MlirType cb);
int64_t tt_cb_rows(MlirType cb);
int64_t tt_cb_cols(MlirType cb);

#endif
