/*===- protocol_values.c - numbers that grow with the repetitions of a loop -------------------===
 *
 * While repetitions are looked at, each number is  at + Σ by[k] · t[k],  where t[k] counts the
 * repetitions of period k. A comparison goes the same way for some repetitions: the least of these
 * counts is how often the whole period can be repeated. It is enough to know that for the first and
 * for the last repetition of an inner period: in between a linear function has no other sign.
 *
 *===----------------------------------------------------------------------===*/

#include "Verify/protocol_state.h"

static int64_t multiply(TtProtocolRun *r, int64_t a, int64_t b) {
  int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  r->overflow = true;
  return 0;
}

static void at_most(TtProtocolRun *r, int period, int64_t repeats) {
  if (repeats < r->periods[period].repeats) r->periods[period].repeats = repeats;
}

/* For how many t = 0, 1, … `at + by · t` is not negative, where `at` is not. */
static int64_t while_not_negative(int64_t at, int64_t by) {
  if (by >= 0) return INT64_MAX;
  return by == INT64_MIN ? 1 : at / -by + 1;
}

int tt_note_sign(TtProtocolRun *r, const TtGrowing *value, int sign) {
  TtGrowing v = *value;
  for (int k = 0; k < r->depth; ++k) {
    if (v.by[k] == 0) continue;
    if (sign == 0) at_most(r, k, 1);
    else if (sign > 0) at_most(r, k, while_not_negative(v.at - 1, v.by[k]));
    else
      at_most(r, k, while_not_negative(-(v.at + 1), v.by[k] == INT64_MIN ? INT64_MAX : -v.by[k]));
  }
  return sign;
}

int64_t tt_exact(TtProtocolRun *r, TtGrowing v) {
  for (int k = 0; k < r->depth; ++k)
    if (v.by[k] != 0) at_most(r, k, 1);
  return v.at;
}

static bool grows(const TtProtocolRun *r, TtGrowing v) {
  for (int k = 0; k < r->depth; ++k)
    if (v.by[k] != 0) return true;
  return false;
}

TtGrowing tt_grows_mul(TtProtocolRun *r, TtGrowing a, int64_t by) {
  a.at = multiply(r, a.at, by);
  for (int k = 0; k < r->depth; ++k) a.by[k] = multiply(r, a.by[k], by);
  return a;
}

static TtGrowing product(TtProtocolRun *r, TtGrowing a, TtGrowing b) {
  if (!grows(r, b)) return tt_grows_mul(r, a, b.at);
  if (!grows(r, a)) return tt_grows_mul(r, b, a.at);
  return tt_grows_const(multiply(r, tt_exact(r, a), tt_exact(r, b)));
}

/* a / b, rounded down, for a >= 0 and b > 0; others do not come from indices, and count as 0. The
 * rest of the division stays in [0, b) for some repetitions, unless it grows by multiples of b. */
TtGrowing tt_grows_div(TtProtocolRun *r, TtGrowing a, int64_t by) {
  if (by <= 0 || a.at < 0) {
    tt_exact(r, a);
    return tt_grows_const(0);
  }
  TtGrowing q = tt_grows_const(a.at < by ? 0 : a.at / by); /* the processor is slow at it */
  for (int k = 0; k < r->depth; ++k) {
    int64_t rest = a.at % by;
    if (a.by[k] % by == 0) q.by[k] = a.by[k] / by;
    else if (a.by[k] > 0) at_most(r, k, while_not_negative(by - 1 - rest, -a.by[k]));
    else at_most(r, k, while_not_negative(rest, a.by[k]));
    if (q.by[k] < 0) at_most(r, k, while_not_negative(a.at, a.by[k]));
  }
  return q;
}

TtGrowing tt_grows_mod(TtProtocolRun *r, TtGrowing a, int64_t b) {
  bool negative = tt_sign(r, a) < 0;
  if (negative) a = tt_grows_sub(r, tt_grows_const(0), a);
  TtGrowing rest = tt_grows_sub(r, a, tt_grows_mul(r, tt_grows_div(r, a, b), b));
  if (!negative || tt_sign(r, rest) == 0) return rest;
  return tt_grows_sub(r, tt_grows_const(b), rest);
}

/* An index that is below zero lies before a tensor, and so does its quotient, rounded down: of an
 * unsigned division on the chip it is a place far behind. Neither is inside. */
static TtGrowing quotient(TtProtocolRun *r, TtGrowing a, int64_t by) {
  if (a.at >= 0 || by <= 0) return tt_grows_div(r, a, by);
  TtGrowing before = tt_grows_sub(r, tt_grows_const(-1), a);
  return tt_grows_sub(r, tt_grows_const(-1), tt_grows_div(r, before, by));
}

static TtGrowing compute(TtProtocolRun *r, TtProcess *p, const TtIndexNode *n) {
  TtGrowing a = tt_evaluate(r, p, n->a);
  if (n->kind == TT_IX_SELECT) return tt_evaluate(r, p, tt_exact(r, a) ? n->b : n->c);
  TtGrowing b = tt_evaluate(r, p, n->b);
  int64_t value;
  if (r->depth == 0 && tt_calculate(n, a.at, b.at, &value)) return tt_grows_const(value);
  switch (n->kind) {
  case TT_IX_ADD: return tt_grows_add(r, a, b);
  case TT_IX_SUB: return tt_grows_sub(r, a, b);
  case TT_IX_MUL: return product(r, a, b);
  case TT_IX_DIV: return quotient(r, a, tt_exact(r, b));
  case TT_IX_REM: return tt_grows_sub(r, a, product(r, quotient(r, a, tt_exact(r, b)), b));
  case TT_IX_OR: return tt_grows_const(tt_exact(r, a) | tt_exact(r, b));
  case TT_IX_AND: return tt_grows_const(tt_exact(r, a) & tt_exact(r, b));
  case TT_IX_XOR: return tt_grows_const(tt_exact(r, a) ^ tt_exact(r, b));
  case TT_IX_MIN: return tt_is_less(r, a, b) ? a : b;
  case TT_IX_MAX: return tt_is_less(r, a, b) ? b : a;
  default: return tt_grows_const(tt_holds(n->value, tt_sign(r, tt_grows_sub(r, a, b))));
  }
}

TtGrowing tt_evaluate_now(TtProtocolRun *r, TtProcess *p, int node) {
  if (r->stamps[node] == r->stamp) return r->memo[node];
  r->memo[node] = compute(r, p, &p->expressions->nodes[node]);
  r->stamps[node] = r->stamp;
  return r->memo[node];
}
