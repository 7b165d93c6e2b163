/*===- compare.c - how far a result is from its reference ----------------------------------===
 *
 * The tolerance follows how the chip rounds. Measured on it, relative RMS of one
 * product of tiles against float64: 2.7e-2, 4.7e-3, 4.2e-3, 4.0e-3 with 16-bit DST
 * (1 to 4 fidelity phases), and growing with the number of tiles summed, since
 * every step rounds to 8 bits; with 32-bit DST 2.6e-2, 2.6e-3, 1.8e-3, 1.7e-3, which
 * does not grow. Three times that is allowed. A correlation of 1 - rms^2 is what follows
 * from such an error where the mean is zero; where values vary little about their mean,
 * it follows from the ratio of the two.
 *
 *===----------------------------------------------------------------------===*/

#include "Run/run.h"

#include <math.h>

static const double base[2][4] = {{2.7e-2, 4.7e-3, 4.2e-3, 4.0e-3},
                                  {2.6e-2, 2.6e-3, 1.8e-3, 1.7e-3}};

TtTolerance tt_rounded_tolerance(int phases) {
  double rms = 3 * base[false][phases - 1];
  return (TtTolerance){rms, 1 - rms * rms};
}

TtTolerance tt_tolerance(bool wide_dst, int phases, int64_t accumulated_tiles) {
  double rms = 3 * base[wide_dst][phases - 1];
  if (!wide_dst && accumulated_tiles > 1) rms *= sqrt((double)accumulated_tiles);
  double pcc = wide_dst ? 0.9999 : 0.995;
  if (1 - rms * rms < pcc) pcc = 1 - rms * rms;
  return (TtTolerance){rms, pcc};
}

TtTolerance tt_fast_exp_tolerance(TtTolerance t) {
  t.rms += 3 * 2.0e-2; /* it is 3.1e-2 off at most, a straight line between powers of two */
  if (1 - t.rms * t.rms < t.pcc) t.pcc = 1 - t.rms * t.rms;
  return t;
}

TtTolerance tt_stored_tolerance(TtTolerance t, int bits) {
  /* The packer rounds twice, the significand and then what is shifted out; elements of 4 bits it
   * cuts, which may leave twice as much. */
  t.rms += ldexp(bits <= 4 ? 2.5 : 1.25, 1 - bits);
  if (1 - t.rms * t.rms < t.pcc) t.pcc = 1 - t.rms * t.rms;
  return t;
}

/* Values that differ by r of themselves become other numbers of fp8 in a share r / step of all
 * cases, a step apart. */
TtTolerance tt_fp8_tolerance(TtTolerance t, bool e5m2) {
  t.rms = sqrt(t.rms * (e5m2 ? 0.25 : 0.125));
  if (1 - t.rms * t.rms < t.pcc) t.pcc = 1 - t.rms * t.rms;
  return t;
}

TtComparison tt_compare(const float *result, const float *reference, int64_t n,
                        TtTolerance tolerance, TtSpecials specials) {
  int64_t not_judged = 0, unlike = 0, first = 0;
  double mean_a = 0, mean_b = 0, error = 0, norm = 0, max_abs = 0;
  for (int64_t i = 0; i < n; ++i) {
    double a = result[i], b = reference[i], d = fabs(a - b);
    if (isnan(b) && !specials.keeps_nan) {
      ++not_judged;
      continue;
    }
    if (!isfinite(a) || !isfinite(b)) { /* alike or not, they have no mean */
      if (!tt_are_alike(result[i], reference[i], specials) && !unlike++) first = i;
      continue;
    }
    mean_a += a / (double)n, mean_b += b / (double)n;
    error += d * d, norm += b * b;
    if (d > max_abs) max_abs = d;
  }
  double var_a = 0, var_b = 0, cov = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (!isfinite(result[i]) || !isfinite(reference[i])) continue;
    double a = result[i] - mean_a, b = reference[i] - mean_b;
    var_a += a * a, var_b += b * b, cov += a * b;
  }
  TtComparison c = {.not_judged = not_judged,
                    .max_abs = max_abs,
                    .rms = sqrt(norm > 0 ? error / norm : error / (double)(n ? n : 1)),
                    .pcc = NAN,
                    .pcc_needed = tolerance.pcc,
                    .unlike = unlike,
                    .first = first};
  bool constant = var_b <= 1e-12 * norm || var_b == 0;
  if (!constant) c.pcc = var_a > 0 ? cov / sqrt(var_a * var_b) : 0;
  /* What the RMS allows, against how much the reference varies. */
  double varies = constant ? 1 : 1 - tolerance.rms * tolerance.rms * norm / var_b;
  if (varies < c.pcc_needed) c.pcc_needed = varies < 0 ? 0 : varies;
  c.within = !unlike && not_judged < n + !n && c.rms <= tolerance.rms &&
             (constant || c.pcc >= c.pcc_needed);
  return c;
}
