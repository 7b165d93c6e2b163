/*===- protocol_ahead.c - pages that arrive before those in front of them -----------------------===
 *
 * Two cores send 14 pages each to a third one, which has read 14 of its own: pages 28 to 41 may be
 * there first. A bit stands for as many pages as all that arrived so come in, here 14.
 *
 *===----------------------------------------------------------------------===*/

#include "Support/gcd.h"
#include "Verify/protocol_state.h"

enum { MOST_BITS = 31 };

/* Bits of fewer pages each; those that there is no bit for are as if they had not arrived. */
static void refine(TtBufferMarks *m, int64_t pages) {
  int64_t of_old = m->ahead_pages / pages;
  unsigned old = (unsigned)m->ahead, bits = 0;
  for (int64_t i = 0; i < MOST_BITS; ++i)
    if (old >> (i / of_old) & 1u) bits |= 1u << i;
  m->ahead = (int)bits, m->ahead_pages = (int)pages;
}

bool tt_add_ahead(TtBufferMarks *m, int64_t from, int64_t to) {
  int64_t pages = tt_gcd(tt_gcd(m->ahead_pages, from), to);
  if (pages <= 0 || pages > INT32_MAX || to / pages > MOST_BITS) return false;
  if (m->ahead_pages == 0) m->ahead_pages = (int)pages;
  if (pages != m->ahead_pages) refine(m, pages);
  for (int64_t i = from / pages; i < to / pages; ++i) m->ahead |= (int)(1u << i);
  return true;
}

int64_t tt_behind_ahead(const TtBufferMarks *m, int64_t page) {
  while (page >= 0 && page / m->ahead_pages < MOST_BITS &&
         (unsigned)m->ahead >> (page / m->ahead_pages) & 1u)
    page = (page / m->ahead_pages + 1) * m->ahead_pages;
  return page;
}

void tt_drop_ahead(TtBufferMarks *m, int64_t n) {
  int64_t pages = tt_gcd(m->ahead_pages, n);
  if (pages != m->ahead_pages) refine(m, pages);
  m->ahead = n / pages < MOST_BITS ? m->ahead >> (n / pages) : 0;
  if (m->ahead == 0) m->ahead_pages = 0;
}
