/* fp8 of floats, and back: `e5m2`, else e4m3 (f8E4M3FN). */
#ifndef TILEWRIGHT_FP8_H
#define TILEWRIGHT_FP8_H

#include <stdbool.h>
#include <stdint.h>

/* `n` numbers of `in`, rounded to nearest, ties to even. What is too large for e4m3 is NaN, for
 * e5m2 infinite. */
void tt_to_fp8(bool e5m2, const float *in, int64_t n, uint8_t *out);
/* `n` numbers of `in`, exactly. */
void tt_from_fp8(bool e5m2, const uint8_t *in, int64_t n, float *out);

/* The bits of `n` numbers of `in` as f16 (`half`) or bf16, exactly. */
void tt_fp8_bits16(bool e5m2, bool half, const uint8_t *in, int64_t n, uint16_t *out);

#endif
