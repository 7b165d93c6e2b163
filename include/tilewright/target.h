/*===- target.h - chips and data formats --------------------------------------===
 *
 * Limits of the chips and sizes of the formats stand in the tables behind these
 * functions, with their sources, and nowhere else.
 *
 *===----------------------------------------------------------------------===*/

#ifndef TILEWRIGHT_TARGET_H
#define TILEWRIGHT_TARGET_H

#include "tilewright/dialects.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TT_TILE = 32 };    /* rows and columns of a tile, in elements */
enum { TT_MAX_CBS = 64 }; /* circular buffers a core, of the chip that has most */

/* What a chip has. */
typedef struct TtChip {
  int64_t grid_x, grid_y;  /* default worker grid */
  int64_t max_x, max_y;    /* largest worker grid */
  int64_t l1_bytes;        /* usable for circular buffers and L1 tensors, a core */
  int64_t cbs;             /* circular buffers a core */
  int64_t dst_tiles_16;    /* DST tiles, half-sync, 16-bit */
  int64_t dst_tiles_32;    /* the same with 32-bit DST */
  int64_t noc_read_align;  /* bytes, from DRAM */
  int64_t noc_write_align; /* bytes, to DRAM; and of all that goes to or from L1 */
  int64_t dram_banks;
  int64_t runtime_args; /* 32-bit runtime arguments a kernel */
} TtChip;
const TtChip *tt_chip(TtArch arch);

/* The target of a module: its tt.target, or the default (wormhole_b0). */
typedef struct TtTarget {
  TtArch arch;
  int64_t grid_x, grid_y;
  const TtChip *chip;
} TtTarget;
TtTarget tt_target_of(MlirOperation op_in_module);

/* What the compiler knows about a storage format; `dtype` is its index. */
typedef struct TtFormat {
  const char *data_format; /* tt::DataFormat::… */
  int64_t tile_bytes;
  int64_t datum_bits; /* of one element, shared exponents left out */
  bool is_float;
} TtFormat;
const TtFormat *tt_format(TtDType dtype);
/* The storage format of an MLIR element type; false where there is none. */
bool tt_dtype_of(MlirType element, TtDType *dtype);
/* Bytes of one element of an MLIR type in files and host memory. */
int64_t tt_element_bytes(MlirType element);
/* Formats of circular buffers are the same, in the same order. */
TtDataFormat tt_data_format_of(TtDType dtype);

/* A function of the vector unit, as tt.sfpu.unary and tt.sfpu.combine name it. */
typedef struct TtSfpuFunction {
  const char *name;
  int inputs;  /* tiles of DST that it reads; one of 1 works in place, but for "copy" */
  bool scalar; /* takes one */
} TtSfpuFunction;
extern const TtSfpuFunction tt_sfpu_functions[];
extern const size_t tt_num_sfpu_functions;
/* NULL where there is none. */
const TtSfpuFunction *tt_sfpu_function(MlirStringRef name);
/* An op of DST and a circular buffer, as tt.fpu.reuse names it: add, sub, mul, rsub. */
bool tt_is_reuse_op(MlirStringRef name);

/* Names of runtime arguments, in the order in which kernels take them. */
extern const char *const tt_runtime_arg_names[];
extern const size_t tt_num_runtime_arg_names;

/* Tiles in one block of a !tt.cb, and its sides. */
int64_t tt_cb_tiles(MlirType cb);
int64_t tt_cb_rows(MlirType cb);
int64_t tt_cb_cols(MlirType cb);

#ifdef __cplusplus
}
#endif
#endif
