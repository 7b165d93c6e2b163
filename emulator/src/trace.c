/*===- trace.c - what every processor did, and when ------------------------------------------===
 *
 * While TTEMU_TRACE or TTEMU_REPORT names a file, waits, tile ops, transfers and the fill
 * of circular buffers are kept, and written when the device is closed: as a Chrome trace,
 * which Perfetto opens too, and as a page that needs nothing else.
 *
 * Each record knows its place: the line of the kernel, or, where a comment before that line
 * names one (`// gemm.py:14:1`, as --source-comments writes them), the place in the source.
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
  uint32_t what, value, place;
} Record;

typedef struct Launch {
  uint64_t start, end, predicted; /* 0 where it is not known */
  uint32_t name;                  /* of `places` */
} Launch;

static struct {
  Record *data;
  size_t n, capacity;
  uint64_t offset; /* of this launch */
  Launch *launches;
  size_t num_launches;
  bool on, full;
} trace;

/*===- Places --------------------------------------------------------------------------------===*/

/* The place of each line of a kernel's file, as a number of `places`. */
typedef struct Lines {
  struct Lines *next;
  char *path;
  uint32_t *place, n;
} Lines;

static struct {
  Lines *files;
  char **names; /* the first is "", for what is nowhere */
  uint32_t n;
} places;

static uint32_t add_place(const char *text, int length) {
  for (uint32_t i = places.n; i-- > 0;)
    if (strncmp(places.names[i], text, (size_t)length) == 0 && !places.names[i][length]) return i;
  places.names = realloc(places.names, (places.n + 1) * sizeof *places.names);
  if (!places.names) emu_fatal("out of memory for the trace");
  places.names[places.n] = emu_calloc((size_t)length + 1, 1);
  memcpy(places.names[places.n], text, (size_t)length);
  return places.n++;
}

/* The length of FILE:LINE in a line that is `// FILE:LINE:COLUMN`, and where it starts; or 0. */
static int source_place(const char *line, size_t n, const char **start) {
  while (n && *line == ' ') ++line, --n;
  if (n < 4 || strncmp(line, "// ", 3) != 0) return 0;
  *start = line + 3;
  size_t end = n;
  for (int colons = 0; colons < 2; ++colons) {
    size_t digits = end;
    while (end > 3 && line[end - 1] >= '0' && line[end - 1] <= '9') --end;
    if (end == digits || end <= 3 || line[--end] != ':') return 0;
    if (colons == 0) n = end;
  }
  const char *slash = *start;
  for (const char *p = *start; p < line + n; ++p)
    if (*p == ' ') return 0;
    else if (*p == '/') slash = p + 1;
  *start = slash;
  return (int)(line + n - slash);
}

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t n = 0;
  while (file && !feof(file) && !ferror(file)) {
    text = realloc(text, n + 4097);
    if (!text) emu_fatal("out of memory for the trace");
    n += fread(text + n, 1, 4096, file);
  }
  if (file) fclose(file);
  if (text) text[n] = 0;
  return text;
}

static const Lines *lines_of(const char *path) {
  for (Lines *l = places.files; l; l = l->next)
    if (strcmp(l->path, path) == 0) return l;
  Lines *l = emu_calloc(1, sizeof *l);
  char *text = read_all(path);
  const char *base = strrchr(path, '/');
  base = base ? base + 1 : path;
  l->path = emu_calloc(strlen(path) + 1, 1);
  strcpy(l->path, path);
  uint32_t from_comment = 0;
  for (const char *p = text ? text : ""; *p;) {
    size_t n = strcspn(p, "\n");
    const char *start = NULL;
    int length = source_place(p, n, &start);
    if (length) from_comment = add_place(start, length);
    char here[512];
    uint32_t place = from_comment;
    if (!place) place = add_place(here, snprintf(here, sizeof here, "%.400s:%u", base, l->n + 1));
    l->place = realloc(l->place, (l->n + 1) * sizeof *l->place);
    if (!l->place) emu_fatal("out of memory for the trace");
    l->place[l->n++] = place;
    p += n + (p[n] == '\n');
  }
  free(text);
  l->next = places.files;
  return places.files = l;
}

static uint32_t place_of(const Risc *risc) {
  if (!places.n) add_place("", 0);
  if (!risc->kernel || !risc->kernel->path || !risc->line) return 0;
  const Lines *l = lines_of(risc->kernel->path);
  return risc->line <= l->n ? l->place[risc->line - 1] : 0;
}

static void free_places(void) {
  for (Lines *l = places.files; l;) {
    Lines *next = l->next;
    free(l->path);
    free(l->place);
    free(l);
    l = next;
  }
  for (uint32_t i = 0; i < places.n; ++i) free(places.names[i]);
  free(places.names);
  memset(&places, 0, sizeof places);
}

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
                                   .value = value,
                                   .place = place_of(&core->riscs[role])};
}

void emu_trace_launch(const ttemu_program *program, uint64_t clk) {
  if (!trace.on) return;
  int length;
  const char *name = emu_program_folder(program, &length);
  if (!places.n) add_place("", 0);
  trace.launches = realloc(trace.launches, (trace.num_launches + 1) * sizeof *trace.launches);
  if (!trace.launches) emu_fatal("out of memory for the trace");
  trace.launches[trace.num_launches++] = (Launch){
      trace.offset, trace.offset + clk, emu_predicted_clk(program), add_place(name, length)};
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
            "\"dur\":%.4f,\"args\":{\"at\":\"%s\"}}",
            r->kind == TRACE_WAIT ? "wait: " : "", name_of(r),
            r->kind == TRACE_WAIT ? "wait" : "work", r->core, r->role, (double)r->start * us,
            (double)(r->end - r->start) * us, places.names[r->place]);
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

/* What each processor worked: the time of its kernels, without its waits. */
static void write_heat(FILE *file) {
  uint64_t *working =
      emu_calloc((size_t)emu.chip->grid_x * emu.chip->grid_y * NUM_RISCS, sizeof *working);
  for (size_t i = 0; i < trace.n; ++i) {
    const Record *r = &trace.data[i];
    uint64_t *clk = &working[r->core * NUM_RISCS + r->role];
    if (r->kind == TRACE_KERNEL) *clk += r->end - r->start;
    if (r->kind == TRACE_WAIT) *clk -= r->end - r->start;
  }
  emu_write_heat(file, working);
  free(working);
}

static void write_data(FILE *file) {
  uint16_t chosen[PAGE_CORES];
  size_t n = choose_cores(chosen), written = 0;
  fprintf(file, "{\"chip\":\"%s\",\"ghz\":%g,\"width\":%u,\"roles\":[", emu.chip->name,
          emu.chip->clock_ghz, emu.chip->grid_x);
  for (int r = 0; r < NUM_RISCS; ++r) fprintf(file, "%s\"%s\"", r ? "," : "", emu_role_name(r));
  fprintf(file, "],\"launches\":[");
  for (size_t i = 0; i < trace.num_launches; ++i)
    fprintf(file, "%s[%llu,%llu,\"%s\",%llu]", i ? "," : "",
            (unsigned long long)trace.launches[i].start, (unsigned long long)trace.launches[i].end,
            places.names[trace.launches[i].name], (unsigned long long)trace.launches[i].predicted);
  fprintf(file, "],\"places\":[");
  for (uint32_t i = 0; i < places.n; ++i) fprintf(file, "%s\"%s\"", i ? "," : "", places.names[i]);
  fprintf(file, "],\"records\":[");
  for (size_t i = 0; i < trace.n; ++i) {
    const Record *r = &trace.data[i];
    if (!is_chosen(chosen, n, r->core)) continue;
    const char *kind = r->kind == TRACE_FILL                             ? "f"
                       : r->kind == TRACE_WAIT                           ? "w"
                       : r->kind == TRACE_READ || r->kind == TRACE_WRITE ? "t"
                       : r->kind == TRACE_KERNEL                         ? "k"
                                                                         : "o";
    fprintf(file, "%s\n[%u,%u,\"%s\",\"%s\",%llu,%llu,%u,%u,%u]", written++ ? "," : "", r->core,
            r->role, kind, name_of(r), (unsigned long long)r->start, (unsigned long long)r->end,
            r->what, r->value, r->place);
  }
  fprintf(file, "],\"heat\":");
  write_heat(file);
  fputc('}', file);
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
  free_places();
  memset(&trace, 0, sizeof trace);
}
