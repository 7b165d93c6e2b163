/* SFPU functions against vectors from the vendor's chip simulator. sfpu.txt lists the
 * functions; sfpu.bin holds inputs and results: bf16 ones within one unit in the last
 * place, fp32 ones within 1e-6. Vectors whose input or result is no normal number are
 * left out: there the chip's shortcuts differ from function to function. */

#include "emu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Function {
  char name[64];
  int op, two, cases16, cases32;
  unsigned scalar;
} Function;

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
  return (f->op != TTEMU_SIN && f->op != TTEMU_COS) || fabsf(x) < 3.0f;
}

static bool near_enough(uint32_t got, uint32_t expected, int bytes) {
  float a, b;
  memcpy(&a, &got, 4), memcpy(&b, &expected, 4);
  if (bytes == 4) return fabsf(a - b) <= 1e-6f * fabsf(b) + 1e-6f;
  int32_t x = (int32_t)(got >> 16), y = (int32_t)(expected >> 16);
  return a == b || (x - y <= 1 && y - x <= 1);
}

static int check(const Function *f, FILE *bin, int bytes, int cases, int *used) {
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
    if (f->two) emu_sfpu_two((ttemu_sfpu)f->op, mode, x, y, out);
    else emu_sfpu((ttemu_sfpu)f->op, mode, f->scalar, out);
    for (int i = 0; i < n; ++i) {
      if (!is_normal(x[i]) || !is_normal(y[i]) || !is_normal(expected[i]) || !is_normal(out[i]) ||
          !in_range(f, x[i]))
        continue;
      ++*used;
      if (near_enough(out[i], expected[i], bytes)) continue;
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
  int functions = 0, right = 0, used = 0;
  while (fgets(line, sizeof line, list)) {
    Function f;
    if (line[0] == '#') continue;
    if (sscanf(line, "%63s %d %u %d %d %d", f.name, &f.op, &f.scalar, &f.two, &f.cases16, &f.cases32) != 6)
      return fprintf(stderr, "bad line: %s", line), 2;
    int wrong = check(&f, bin, 2, f.cases16, &used) + check(&f, bin, 4, f.cases32, &used);
    if (wrong) printf("%s: %d wrong\n", f.name, wrong);
    right += wrong == 0;
    ++functions;
  }
  printf("%d of %d SFPU functions agree with the chip, on %d vectors\n", right, functions, used);
  fclose(bin), fclose(list);
  return right != functions;
}
