/* The parts of tt-run. */
#ifndef TILEWRIGHT_RUN_PARTS_H
#define TILEWRIGHT_RUN_PARTS_H

#include "Analysis/kernel.h"
#include "tilewright/emit.h"

/* Prints `error: …` on standard error; returns false. */
bool tt_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*===- Arrays in files ----------------------------------------------------------------===*/

typedef enum TtNpyType { TT_NPY_F32, TT_NPY_I32, TT_NPY_U8 } TtNpyType;

typedef struct TtArray {
  TtNpyType type;
  int64_t shape[8];
  int rank;
  int64_t n;  /* elements */
  void *data; /* in the arena */
} TtArray;

/* Reads or writes NumPy's .npy format, version 1, row-major. False after a message
 * on standard error. */
bool tt_npy_read(TtArena *arena, const char *path, TtArray *array);
bool tt_npy_write(const char *path, const TtArray *array);

/* Elements of an MLIR type as they stand in raw files and host memory, from and to
 * the array type of their .npy: float32 for floats, int32 or uint8 for integers. */
TtNpyType tt_npy_type_of(MlirType element);
void tt_to_elements(MlirType element, const TtArray *array, void *out);
void tt_from_elements(MlirType element, const void *in, TtArray *array);

/* Rounds rows of `cols` values to what bfp8_b (8 bits) or bfp4_b (4) keep of them. */
void tt_round_to_blocks(float *values, int64_t n, int64_t cols, int bits);

/* Rounds values to bf16 or fp16, to nearest, ties to even; leaves them as they are for fp32. */
void tt_round_to_format(float *values, int64_t n, TtDType format);

/*===- The reference --------------------------------------------------------------------===*/

/* Runs `kernel` of a level-1 module, or a host function that calls kernels, by MLIR's JIT: memory
 * spaces stripped, arithmetic and fragments in f32, rounding at storage kept. `types` are those of
 * the arguments, all sizes known. `data` holds each tensor's elements, or a scalar, and takes the
 * results. `module` is changed. False after an error. */
bool tt_reference_run(MlirModule module, MlirOperation kernel, const MlirType *types,
                      void *const *data);
/* Buffers of the core lose their space, and private ones become f32; so do views, and what loops
 * carry (reference_buffers.c). */
void tt_reference_buffers(TtArena *arena, MlirOperation kernel);
/* A buffer lives as long as the block that allocates it; one that is given on, as the process. */
void tt_reference_free(TtArena *arena, MlirOperation func);
/* Makes casts to fp8 and back, which MLIR's JIT has not, calls of a function (reference_fp8.c). */
void tt_reference_fp8(TtArena *arena, MlirOperation module);
/* How a model is evaluated: as it is given, without rounding, or with every op's results rounded.
 */
typedef enum TtPrecision {
  TT_PRECISION_GIVEN = 0,
  TT_PRECISION_F64 = 1,
  TT_PRECISION_BF16 = 2
} TtPrecision;

/* The same of a function on tensors, with types (sizes of this run; without some dimensions of one
 * element) and data of its arguments and then of its results; doubles for floats, in f64. */
bool tt_reference_run_model(MlirModule module, MlirOperation model, const MlirType *types,
                            void *const *data, TtPrecision precision);
/* Has `model`, of linalg ops, round so (reference_precision.c). False after an error. */
bool tt_reference_precision(TtArena *arena, MlirOperation model, TtPrecision precision);

/*===- Comparison -----------------------------------------------------------------------===*/

typedef struct TtTolerance {
  double rms, pcc;
} TtTolerance;
/* What may differ, by how the chip rounds; docs/accuracy.md has the table. */
TtTolerance tt_tolerance(bool wide_dst, int phases, int64_t accumulated_tiles);

/* Whether 32-bit DST comes from how tensors of bf16 are stored alone: the reference then rounds to
 * 16 bits where the device does not. */
bool tt_is_narrow_in_memory(MlirOperation program);
/* Whether a program rounds what it computes to 16 bits, and goes on with that (rounding.c). */
bool tt_rounds_between_ops(MlirOperation program);
/* The tolerance, with 32-bit DST, of such a program: that of one rounding to 16 bits. */
TtTolerance tt_rounded_tolerance(int phases);
/* `t` for a program that takes the fast exponential, as tt.math_approx allows. */
TtTolerance tt_fast_exp_tolerance(TtTolerance t);

/* The same for a result that is stored with shared exponents: a step of its `bits` more. */
TtTolerance tt_stored_tolerance(TtTolerance tolerance, int bits);
/* The same of what is rounded to fp8 in the end. */
TtTolerance tt_fp8_tolerance(TtTolerance tolerance, bool e5m2);

/* How infinities and NaN of a result are judged (specials.c). */
typedef struct TtSpecials {
  bool keeps_nan; /* no op makes a number of NaN */
  bool narrow;    /* stored in 16 bits: NaN arrives as infinity */
  bool f16;       /* as fp16: infinity arrives as what a host takes for NaN, or as a large number */
} TtSpecials;
/* Whether all ops of a program leave NaN as it is. */
bool tt_keeps_nan(MlirOperation program);
/* Whether `a` is what the device has for `b`, an infinity or NaN of the reference. */
bool tt_are_alike(float a, float b, TtSpecials specials);
/* Makes zeros of what is too small for the chip's fp16: below 2^-14. How many there were. */
int64_t tt_flush_small(TtArray *array);

typedef struct TtComparison {
  int64_t not_judged; /* elements that are NaN in the reference, where the device need have none */
  double max_abs, rms, pcc; /* pcc is NaN where the reference is constant */
  double pcc_needed;        /* less than the tolerance's where the reference varies little */
  int64_t unlike, first;    /* infinities and NaN that the other does not have, and the first one */
  bool within;
} TtComparison;
TtComparison tt_compare(const float *result, const float *reference, int64_t n,
                        TtTolerance tolerance, TtSpecials specials);

/* Whether a module makes integers of floats that it computes (integer_results.c). */
bool tt_rounds_to_integers(TtArena *arena, MlirOperation module);
/* Prints how an output of integers compares with its reference: equal, or, where `tolerance` says
 * how far the floats may be off that they are made of, within that. Whether it does. */
bool tt_compare_integers(TtArena *arena, const char *name, const TtArray *result,
                         const TtArray *reference, const TtTolerance *tolerance);

#endif
