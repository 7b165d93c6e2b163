/*===- trace.c - what every processor did, and when ------------------------------------------===
 *
 * While TTEMU_TRACE or TTEMU_REPORT names a file, waits, tile ops, transfers and the fill
 * of circular buffers are kept, and written when the device is closed: as a Chrome trace,
 * which Perfetto opens too, and as a page that needs nothing else.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RECORDS = 8000000, PAGE_CORES = 16 };

typedef struct Record {
  uint64_t start, end;
  uint16_t core;
  uint8_t role, kind; /* a TraceKind */
  uint32_t what, value;
} Record;

typedef struct Launch {
  uint64_t start, end;
} Launch;

static struct {
  Record *data;
  size_t n, capacity;
  uint64_t offset; /* of this launch */
  Launch *launches;
  size_t num_launches;
  bool on, full;
} trace;

void emu_trace_open(void) {
  const char *file = getenv("TTEMU_TRACE"), *page = getenv("TTEMU_REPORT");
  memset(&trace, 0, sizeof trace);
  trace.on = (file && *file) || (page && *page);
}

void emu_trace(const Core *core, int role, TraceKind kind, uint32_t what, uint32_t value,
               uint64_t start, uint64_t end) {
  if (!trace.on || trace.full) return;
  if (trace.n == trace.capacity) {
    if (trace.n >= MAX_RECORDS) {
      trace.full = true;
      fprintf(stderr, "warning: the trace ends after %d records\n", MAX_RECORDS);
      return;
    }
    trace.capacity = trace.capacity ? 2 * trace.capacity : 4096;
    trace.data = realloc(trace.data, trace.capacity * sizeof *trace.data);
    if (!trace.data) emu_fatal("out of memory for the trace");
  }
  trace.data[trace.n++] = (Record){.start = start + trace.offset,
                                   .end = end + trace.offset,
                                   .core = (uint16_t)(core->y * emu.chip->grid_x + core->x),
                                   .role = (uint8_t)role,
                                   .kind = (uint8_t)kind,
                                   .what = what,
                                   .value = value};
}

void emu_trace_launch(uint64_t clk) {
  if (!trace.on) return;
  trace.launches = realloc(trace.launches, (trace.num_launches + 1) * sizeof *trace.launches);
  if (!trace.launches) emu_fatal("out of memory for the trace");
  trace.launches[trace.num_launches++] = (Launch){trace.offset, trace.offset + clk};
  trace.offset += clk;
}

/*===- A Chrome trace ----------------------------------------------------------------------===*/

static const char *name_of(const Record *r) {
  switch ((TraceKind)r->kind) {
  case TRACE_WAIT: return emu_wait_name((WaitKind)r->what);
  case TRACE_OP: return emu_fpu_name((int)r->what);
  case TRACE_SFPU: return emu_sfpu_name((ttemu_sfpu)r->what);
  case TRACE_PACK: return "pack";
  case TRACE_UNPACK: return "unpack";
  case TRACE_READ: return "read";
  case TRACE_WRITE: return "write";
  case TRACE_KERNEL: return "kernel";
  case TRACE_FILL: break;
  }
  return "pages";
}

static void write_names(FILE *file, const bool *seen) {
  uint32_t cores = emu.chip->grid_x * emu.chip->grid_y;
  for (uint32_t i = 0; i < cores; ++i) {
    if (!seen[i]) continue;
    fprintf(file,
            ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"core "
            "(%u, %u)\"}}",
            i, i % emu.chip->grid_x, i / emu.chip->grid_x);
    for (int r = 0; r < NUM_RISCS; ++r)
      fprintf(file,
              ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%d,\"args\":"
              "{\"name\":\"%s\"}}",
              i, r, emu_role_name(r));
  }
}

static void write_chrome(const char *path) {
  FILE *file = fopen(path, "wb");
  bool *seen = emu_calloc(emu.chip->grid_x * emu.chip->grid_y, 1);
  double us = 1e-3 / emu.chip->clock_ghz;
  if (!file) emu_fatal("the trace '%s' cannot be written", path);
  fprintf(file,
          "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"chip\":\"%s\"},\"traceEvents\":[\n"
          "{\"name\":\"device\",\"ph\":\"M\",\"pid\":0}",
          emu.chip->name);
  for (size_t i = 0; i < trace.n; ++i) {
    const Record *r = &trace.data[i];
    seen[r->core] = true;
    if (r->kind == TRACE_FILL) {
      fprintf(file,
              ",\n{\"name\":\"CB %u\",\"ph\":\"C\",\"pid\":%u,\"ts\":%.4f,\"args\":{\"pages\":%u}}",
              r->what, r->core, (double)r->start * us, r->value);
      continue;
    }
    bool transfer = r->kind == TRACE_READ || r->kind == TRACE_WRITE; /* these overlap */
    if (transfer) {
      const char *end[] = {"b", "e"};
      for (int e = 0; e < 2; ++e)
        fprintf(
            file,
            ",\n{\"name\":\"%s\",\"cat\":\"noc\",\"ph\":\"%s\",\"id\":%zu,\"pid\":%u,\"tid\":%u,"
            "\"ts\":%.4f,\"args\":{\"bytes\":%u}}",
            name_of(r), end[e], i, r->core, r->role, (double)(e ? r->end : r->start) * us,
            r->value);
      continue;
    }
    fprintf(file,
            ",\n{\"name\":\"%s%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%.4f,"
            "\"dur\":%.4f}",
            r->kind == TRACE_WAIT ? "wait: " : "", name_of(r),
            r->kind == TRACE_WAIT ? "wait" : "work", r->core, r->role, (double)r->start * us,
            (double)(r->end - r->start) * us);
  }
  write_names(file, seen);
  fprintf(file, "\n]}\n");
  free(seen);
  if (fclose(file) != 0) emu_fatal("the trace '%s' cannot be written", path);
}

/*===- A page ---------------------------------------------------------------------------------===*/

/* The first cores that did something; more would not fit a page. */
static size_t choose_cores(uint16_t *chosen) {
  size_t n = 0;
  for (size_t i = 0; i < trace.n && n < PAGE_CORES; ++i) {
    size_t c = 0;
    while (c < n && chosen[c] != trace.data[i].core) ++c;
    if (c == n) chosen[n++] = trace.data[i].core;
  }
  return n;
}

static bool is_chosen(const uint16_t *chosen, size_t n, uint16_t core) {
  for (size_t i = 0; i < n; ++i)
    if (chosen[i] == core) return true;
  return false;
}

static void write_data(FILE *file) {
  uint16_t chosen[PAGE_CORES];
  size_t n = choose_cores(chosen), written = 0;
  fprintf(file, "{\"chip\":\"%s\",\"ghz\":%g,\"width\":%u,\"roles\":[", emu.chip->name,
          emu.chip->clock_ghz, emu.chip->grid_x);
  for (int r = 0; r < NUM_RISCS; ++r) fprintf(file, "%s\"%s\"", r ? "," : "", emu_role_name(r));
  fprintf(file, "],\"launches\":[");
  for (size_t i = 0; i < trace.num_launches; ++i)
    fprintf(file, "%s[%llu,%llu]", i ? "," : "", (unsigned long long)trace.launches[i].start,
            (unsigned long long)trace.launches[i].end);
  fprintf(file, "],\"records\":[");
  for (size_t i = 0; i < trace.n; ++i) {
    const Record *r = &trace.data[i];
    if (!is_chosen(chosen, n, r->core)) continue;
    const char *kind = r->kind == TRACE_FILL                             ? "f"
                       : r->kind == TRACE_WAIT                           ? "w"
                       : r->kind == TRACE_READ || r->kind == TRACE_WRITE ? "t"
                       : r->kind == TRACE_KERNEL                         ? "k"
                                                                         : "o";
    fprintf(file, "%s\n[%u,%u,\"%s\",\"%s\",%llu,%llu,%u,%u]", written++ ? "," : "", r->core,
            r->role, kind, name_of(r), (unsigned long long)r->start, (unsigned long long)r->end,
            r->what, r->value);
  }
  fprintf(file, "]}");
}

static void write_page(const char *path) {
  static const char mark[] = "@DATA@";
  char *template = emu_read_include("ttemu/report.html");
  char *place = strstr(template, mark);
  FILE *file = fopen(path, "wb");
  if (!file || !place) emu_fatal("the report '%s' cannot be written", path);
  fwrite(template, 1, (size_t)(place - template), file);
  write_data(file);
  fputs(place + strlen(mark), file);
  free(template);
  if (fclose(file) != 0) emu_fatal("the report '%s' cannot be written", path);
}

void emu_trace_close(void) {
  const char *file = getenv("TTEMU_TRACE"), *page = getenv("TTEMU_REPORT");
  if (!trace.on) return;
  if (file && *file) write_chrome(file);
  if (page && *page) write_page(page);
  free(trace.data);
  free(trace.launches);
  memset(&trace, 0, sizeof trace);
}
