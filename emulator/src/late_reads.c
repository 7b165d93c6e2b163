/*===- late_reads.c - reads that the host does not wait for -----------------------------------===
 *
 *   ReadShard(queue, data, buffer, at, false)   data holds nobody's bytes
 *   Finish(queue)                               and now what the buffer held when the read was
 * issued
 *
 * On the chip the bytes come while the host goes on. Here they come when it waits, and until then
 * the memory that they go to holds a pattern, and its whole pages cannot be touched: who does so
 * has looked too early. In slow dispatch, which has no queue, all reads are waited for.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NOT_YET = 0xa5 };

typedef struct LateRead {
  struct LateRead *next;
  uint8_t *to, *data;
  uint64_t bytes;
} LateRead;

static LateRead *pending;

/* The pages that lie in it as a whole. */
static void guard(const LateRead *r, int protection) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)r->to,
                  first = (start + page - 1) / page * page, end = (start + r->bytes) / page * page;
  if (end > first) mprotect((void *)first, end - first, protection);
}

void ttemu_buffer_read_late(const ttemu_buffer *buffer, uint64_t offset, void *to, uint64_t bytes) {
  if (getenv("TT_METAL_SLOW_DISPATCH_MODE")) {
    ttemu_buffer_read(buffer, offset, to, bytes);
    return;
  }
  for (const LateRead *r = pending; r; r = r->next) /* the later one comes later */
    if ((uint8_t *)to < r->to + r->bytes && r->to < (uint8_t *)to + bytes)
      guard(r, PROT_READ | PROT_WRITE);
  LateRead *r = emu_calloc(1, sizeof *r);
  *r = (LateRead){.next = pending, .to = to, .data = emu_calloc(bytes + 1, 1), .bytes = bytes};
  ttemu_buffer_read(buffer, offset, r->data, bytes);
  memset(to, NOT_YET, bytes);
  guard(r, PROT_NONE);
  pending = r;
}

static void leave(bool brings) {
  LateRead *first = NULL; /* in the order in which they were issued */
  for (LateRead *r = pending, *next; r; r = next) {
    next = r->next, r->next = first, first = r;
    guard(r, PROT_READ | PROT_WRITE);
  }
  pending = NULL;
  for (LateRead *r = first, *next; r; r = next) {
    next = r->next;
    if (brings) memcpy(r->to, r->data, r->bytes);
    free(r->data), free(r);
  }
}

void ttemu_reads_arrive(void) { leave(true); }

/* Where their data should go may be gone by now, so they stay away. */
void emu_forget_reads(void) {
  uint64_t n = 0, bytes = 0;
  for (const LateRead *r = pending; r; r = r->next) ++n, bytes = r->bytes;
  leave(false);
  if (n)
    emu_host_warning(22,
                     "nobody waited for %llu read(s) that do not block, the first one of %llu "
                     "bytes: finish the queue before their data are looked at",
                     (unsigned long long)n, (unsigned long long)bytes);
}

void emu_check_late_read(uintptr_t at) {
  for (const LateRead *r = pending; r; r = r->next)
    if (at >= (uintptr_t)r->to && at < (uintptr_t)r->to + r->bytes)
      emu_host_error(22,
                     "the host uses byte %llu of the %llu that a read which does not block has "
                     "not brought yet: finish the queue first",
                     (unsigned long long)(at - (uintptr_t)r->to), (unsigned long long)r->bytes);
}
