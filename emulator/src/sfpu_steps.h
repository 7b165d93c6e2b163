/*===- sfpu_steps.h - functions of the vector unit, instruction by instruction ---------------===*/

#ifndef TTEMU_SFPU_STEPS_H
#define TTEMU_SFPU_STEPS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A float as its bits, and back. */
static inline float bits_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

static inline uint32_t float_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}

/* One instruction, a b + c, with the chip's rounding. */
float emu_steps_mad(float a, float b, float c);
/* A lane's value before it is stored. `wide`: DST has 32 bits, which takes longer polynomials;
 * `wormhole`: it has no instruction for reciprocals, as Blackhole has. */
float emu_steps_exp(float x, bool wide);
float emu_steps_exp2(float x, bool wide);
float emu_steps_expm1(float x, bool wide);
float emu_steps_log(float x, bool wide, bool wormhole);
float emu_steps_recip(float x, bool wide, bool wormhole);
float emu_steps_divide(float x, float y, bool wormhole);
/* A root, or its reciprocal. */
float emu_steps_sqrt(float x, bool reciprocal);
float emu_steps_sigmoid(float x, bool wide, bool wormhole);
float emu_steps_silu(float x, bool wide, bool wormhole);
float emu_steps_tanh(float x, bool wide, bool wormhole);
float emu_steps_sin(float x, bool wide);
float emu_steps_cos(float x, bool wide);
float emu_steps_erf(float x);
float emu_steps_gelu(float x);
float emu_steps_elu(float x, float slope);

/* A lane from one ttemu_format to another (conversions.c). */
uint32_t emu_convert(uint32_t x, uint32_t from, uint32_t to);

#endif
