/* SFPU functions against vectors from the vendor's chip simulator. sfpu.txt lists the
 * functions; sfpu.bin holds inputs and results: bf16 ones within one unit in the last
 * place, fp32 ones within 1e-6. Of the functions that the chip approximates, the largest
 * fp32 error is that of the chip, within a factor of two. Vectors whose input or result is
 * no normal number are left out: there the chip's shortcuts differ from function to
 * function. */

#include "emu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Function {
  char name[64];
  int op, two, cases16, cases32;
  unsigned scalars[3];
  double (*exact)(double); /* of an approximation */
  double error, error_of_chip;
} Function;

static double recip(double x) { return 1 / x; }
static double gelu(double x) { return 0.5 * x * (1 + erf(x * M_SQRT1_2)); }
static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double elu(double x) { return x < 0 ? expm1(x) : x; }
static double softplus(double x) { return x > 20 ? x : log1p(exp(x)); }

static const struct {
  const char *name;
  double (*exact)(double);
  double from, to; /* where its errors are compared; absolute ones */
} approximations[] = {
    {"exp_approx_nofast", exp, -8, 8},
    {"recip_legacy_default", recip, 0.5, 8},
    {"sqrt_approx", sqrt, 0, 100},
    {"gelu", gelu, -4, 4},
    {"gelu_fast_default", gelu, -8, 8},
    {"sigmoid_fast", sigmoid, -8, 8},
    {"tanh_fast", tanh, -8, 8},
    {"elu_1", elu, -8, 8},
    {"erf", erf, -4, 4},
    {"softplus", softplus, -8, 8},
};
enum { NUM_APPROXIMATIONS = sizeof approximations / sizeof *approximations };

static uint32_t read_bits(FILE *file, int bytes) {
  uint32_t value = 0;
  if (fread(&value, 1, (size_t)bytes, file) != (size_t)bytes) exit(2);
  return bytes == 2 ? value << 16 : value;
}

static bool is_normal(uint32_t bits) {
  uint32_t exp = bits >> 23 & 255;
  return (bits & 0x7fffffffu) == 0 || (exp != 0 && exp != 255);
}

/* Beyond this the chip reduces angles in fp32, and its results have no digits. */
static bool in_range(const Function *f, uint32_t bits) {
  float x;
  memcpy(&x, &bits, 4);
  if (f->op == TTEMU_EXP_APPROX) return x < 44; /* its shifts overflow above */
  return (f->op != TTEMU_SIN && f->op != TTEMU_COS) || fabsf(x) < 3.0f;
}

static bool near_enough(const Function *f, uint32_t got, uint32_t expected, int bytes) {
  /* A power's error grows with its exponent; the chip's own is 1.2e-5. */
  float relative = f->op == TTEMU_POWER_DST ? 2e-5f : 1e-6f;
  float a, b;
  memcpy(&a, &got, 4), memcpy(&b, &expected, 4);
  if (bytes == 4) return fabsf(a - b) <= relative * fabsf(b) + 1e-6f;
  int32_t x = (int32_t)(got >> 16), y = (int32_t)(expected >> 16);
  return a == b || (x - y <= 1 && y - x <= 1);
}

static float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

/* Keeps the largest errors, the chip's and ours. */
static void compare_errors(Function *f, uint32_t x, uint32_t got, uint32_t expected) {
  for (int i = 0; i < NUM_APPROXIMATIONS; ++i) {
    double at = (double)float_of(x), exact;
    if (strcmp(f->name, approximations[i].name) != 0 || at < approximations[i].from ||
        at > approximations[i].to)
      continue;
    exact = approximations[i].exact(at);
    f->exact = approximations[i].exact;
    f->error = fmax(f->error, fabs((double)float_of(got) - exact));
    f->error_of_chip = fmax(f->error_of_chip, fabs((double)float_of(expected) - exact));
  }
}

static bool is_approximation(const Function *f) {
  for (int i = 0; i < NUM_APPROXIMATIONS; ++i)
    if (strcmp(f->name, approximations[i].name) == 0) return true;
  return false;
}

static int check(Function *f, FILE *bin, int bytes, int cases, int *used, int *unequal) {
  static uint32_t x[TILE], y[TILE], out[TILE], expected[TILE];
  DstMode mode = {.wide = bytes == 4, .wormhole = true};
  int wrong = 0;
  for (int done = 0; done < cases; done += TILE) {
    int n = cases - done < TILE ? cases - done : TILE;
    for (int i = 0; i < n; ++i) {
      x[i] = read_bits(bin, bytes);
      y[i] = f->two ? read_bits(bin, bytes) : 0;
      expected[i] = read_bits(bin, bytes);
    }
    memcpy(out, x, sizeof out);
    ttemu_sfpu_call call = {.op = (ttemu_sfpu)f->op,
                            .inputs = 1 + f->two,
                            .scalars = {f->scalars[0], f->scalars[1], f->scalars[2]},
                            .vector_mode = TTEMU_VECTOR_RC};
    emu_sfpu(&call, mode, (uint32_t *[3]){x, f->two ? y : NULL, NULL}, out);
    for (int i = 0; i < n; ++i) {
      if (!is_normal(x[i]) || !is_normal(y[i]) || !is_normal(expected[i]) || !is_normal(out[i]) ||
          !in_range(f, x[i]))
        continue;
      ++*used;
      *unequal += out[i] != expected[i] && (out[i] | expected[i]) != 0x80000000u;
      if (bytes == 4 && is_approximation(f)) {
        compare_errors(f, x[i], out[i], expected[i]);
        continue;
      }
      if (near_enough(f, out[i], expected[i], bytes)) continue;
      if (++wrong <= 3)
        printf("%s(%08x, %08x) = %08x, expected %08x\n", f->name, x[i], y[i], out[i], expected[i]);
    }
  }
  return wrong;
}

int main(int argc, char **argv) {
  char path[1024], line[256];
  if (argc != 2) return fprintf(stderr, "usage: %s FOLDER\n", argv[0]), 2;
  snprintf(path, sizeof path, "%s/sfpu.bin", argv[1]);
  FILE *bin = fopen(path, "rb");
  snprintf(path, sizeof path, "%s/sfpu.txt", argv[1]);
  FILE *list = fopen(path, "r");
  if (!bin || !list) return fprintf(stderr, "%s: no vectors\n", argv[1]), 2;
  int functions = 0, right = 0, used = 0, equal = 0;
  while (fgets(line, sizeof line, list)) {
    Function f;
    char op[64];
    memset(&f, 0, sizeof f);
    if (line[0] == '#') continue;
    if (sscanf(line, "%63s %63s %u %u %u %d %d %d", f.name, op, &f.scalars[0], &f.scalars[1],
               &f.scalars[2], &f.two, &f.cases16, &f.cases32) != 8)
      return fprintf(stderr, "bad line: %s", line), 2;
    while (f.op < TTEMU_NUM_SFPU && strcmp(emu_sfpu_name((ttemu_sfpu)f.op), op) != 0) ++f.op;
    if (f.op == TTEMU_NUM_SFPU) return fprintf(stderr, "no function %s\n", op), 2;
    int unequal = 0, wrong = check(&f, bin, 2, f.cases16, &used, &unequal);
    wrong += check(&f, bin, 4, f.cases32, &used, &unequal);
    if (unequal) printf("%s: %d not bit for bit\n", f.name, unequal);
    equal += unequal == 0;
    if (f.exact && (f.error > 2 * f.error_of_chip || f.error < 0.5 * f.error_of_chip))
      printf("%s: largest error %g, the chip's %g\n", f.name, f.error, f.error_of_chip), ++wrong;
    if (wrong) printf("%s: %d wrong\n", f.name, wrong);
    right += wrong == 0;
    ++functions;
  }
  printf("%d of %d SFPU functions agree with the chip, on %d vectors; %d bit for bit\n", right,
         functions, used, equal);
  fclose(bin), fclose(list);
  return right != functions;
}
