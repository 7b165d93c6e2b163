/* The greatest common divisor. */
#ifndef TILEWRIGHT_SUPPORT_GCD_H
#define TILEWRIGHT_SUPPORT_GCD_H

#include <stdint.h>

/* Of two numbers that are not negative; that of 0 and b is b. */
static inline int64_t tt_gcd(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

#endif
