/*===- fuzz.c - changed inputs, and what must not happen --------------------------------------===
 *
 *   tw-fuzz --seed 1 --count 1000 --keep DIR a.mlir b.mlir …
 *   tw-fuzz --seed 1 --count 1000 --accepted DIR a.mlir …    keeps what is emitted, for tt-run to
 * try tw-fuzz --seed 1 --only 417 a.mlir b.mlir …  prints input 417, and runs it alone
 *
 * Each input is one of the files, or of their parts between `// -----`, changed a few times: as
 * text, or as IR. It goes through a pipeline of passes, and what is right is emitted. An input that
 * crashes, leaks, hangs, fails without an error, or has an error without a location is kept, and
 * counted as a fault.
 *
 * Children run some hundred inputs each, so that a fault ends one of them only.
 *
 *===----------------------------------------------------------------------===*/

#include "fuzz.h"

#include "tilewright/tilewright.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* An input may take so long of a processor, and as long as that by the clock: other processes may
 * have the machine as well. */
enum { SECONDS = 20, WAIT = 300 };

/*===- Diagnostics --------------------------------------------------------------------------===*/

static void print_text(MlirStringRef text, void *unused) {
  (void)unused;
  fwrite(text.data, 1, text.length, stderr);
}

MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *data) {
  Fuzz *f = data;
  bool is_error = mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  bool unknown =
      mlirLocationEqual(mlirDiagnosticGetLocation(diagnostic), mlirLocationUnknownGet(f->context));
  if (is_error && !f->quiet) ++f->errors;
  f->unlocated |= is_error && unknown && !f->quiet;
  if ((f->options.has_only || (is_error && unknown)) && !f->quiet) {
    mlirDiagnosticPrint(diagnostic, print_text, NULL);
    fputc('\n', stderr);
  }
  return mlirLogicalResultSuccess();
}

static void ignore(const char *text, size_t length, void *unused) {
  (void)text, (void)length, (void)unused;
}

static void ignore_text(MlirStringRef text, void *unused) { (void)text, (void)unused; }

/*===- Inputs -------------------------------------------------------------------------------===*/

Text make_input(Fuzz *f, Random *r) {
  const Text *from = &f->corpus.inputs[below(r, f->corpus.n)];
  Text t = text_copy(from->data, from->n);
  if (below(r, 3) == 0) return t; /* its IR is changed */
  for (size_t changes = 1 + below(r, 4); changes > 0; --changes) change_text(r, &f->corpus, &t);
  return t;
}

Random random_of(const Fuzz *f, uint64_t i) {
  return (Random){f->options.seed * UINT64_C(1000000007) + i * UINT64_C(0x9e3779b97f4a7c15)};
}

void write_input(const char *folder, uint64_t i, const Text *t) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%llu.mlir", folder, (unsigned long long)i);
  FILE *file = fopen(path, "wb");
  bool ok = file && fwrite(t->data, 1, t->n, file) == t->n;
  if (file && fclose(file) != 0) ok = false;
  if (!ok) fprintf(stderr, "'%s' cannot be written\n", path);
}

/* Passes as --pass-pipeline takes them: a pipeline of the table, or some passes in any order. */
static void choose_pipeline(Random *r, char *text, size_t size) {
  static const char *const options[] = {"",         "arch=blackhole", "grid=1x1", "grid=3x2",
                                        "grid=0x0", "arch=none",      "grid=x",   "x=y"};
  const char *option = below(r, 4) ? "" : options[below(r, sizeof options / sizeof *options)];
  size_t n = 0;
  if (below(r, 3)) {
    const TtPipeline *p =
        &tt_pipelines[below(r, 3) ? tt_num_pipelines - 1 : below(r, tt_num_pipelines)];
    n = (size_t)snprintf(text, size, "builtin.module(");
    n += (size_t)tt_pipeline_text(p, option, text + n, size - n);
  } else {
    size_t first = below(r, 2) ? 0 : below(r, tt_num_passes), passes = 1 + below(r, 5);
    bool in_order = below(r, 4) > 0;
    n = (size_t)snprintf(text, size, "builtin.module(");
    for (size_t i = 0; i < passes; ++i) {
      const TtPass *p =
          &tt_passes[in_order ? (first + i) % tt_num_passes : below(r, tt_num_passes)];
      n += (size_t)snprintf(text + n, size - n, "%s%s", i ? "," : "", p->flag);
    }
    if (below(r, 4) == 0) n += (size_t)snprintf(text + n, size - n, ",canonicalize,cse");
  }
  snprintf(text + n, size - n, ")");
}

/*===- One input ----------------------------------------------------------------------------===*/

static void fault(int status, const char *what) {
  fprintf(stderr, "%s\n", what);
  _exit(status);
}

/* An outcome is success, or an error with a place. */
static void check(Fuzz *f, bool ok, const char *what) {
  if (f->unlocated) fault(NO_LOCATION, "an error without a location");
  if (!ok && f->errors == 0) fault(NO_ERROR, what);
}

static bool run_passes(Fuzz *f, Random *r, MlirModule module) {
  char text[2048];
  choose_pipeline(r, text, sizeof text);
  if (f->options.has_only) fprintf(stderr, "passes: %s\n", text);
  MlirPassManager pm = mlirPassManagerCreate(f->context);
  MlirOpPassManager all = mlirPassManagerGetAsOpPassManager(pm);
  bool parsed =
      mlirLogicalResultIsSuccess(mlirParsePassPipeline(all, tt_str(text), ignore_text, NULL));
  bool ok = parsed &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(pm, mlirModuleGetOperation(module)));
  if (parsed) check(f, ok, "the passes failed without an error");
  mlirPassManagerDestroy(pm);
  return ok;
}

static bool emit(Fuzz *f, Random *r, MlirModule module) {
  TtEmitOptions options = {.api = (TtApi)below(r, TT_API_COUNT),
                           .source_comments = below(r, 2),
                           .unverified = below(r, 4) == 0};
  bool ok = tt_emit_metalium(mlirModuleGetOperation(module), &options, ignore, NULL);
  check(f, ok, "the emission failed without an error");
  f->errors = 0;
  bool drawn = tt_emit_dfg(mlirModuleGetOperation(module), ignore, NULL);
  check(f, drawn, "the dataflow graph failed without an error");
  return ok;
}

/* Whether it is emitted. */
static bool run_module(Fuzz *f, Random *r, MlirModule module, bool by_ir) {
  MlirOperation op = mlirModuleGetOperation(module);
  if (by_ir) {
    f->quiet = f->shared->parsing = true; /* of text that is no attribute */
    change_ir(r, &f->corpus, op);
    f->quiet = f->shared->parsing = false;
    if (kills_verifier(op)) {
      ++f->shared->rejected;
      return false;
    }
    bool valid = mlirOperationVerify(op);
    check(f, valid, "the verifier failed without an error");
    if (!valid) return false;
    if (f->options.has_only) mlirOperationDump(op);
  }
  ++f->shared->parsed;
  if (kills_upstream(op)) {
    ++f->shared->rejected;
    return false;
  }
  bool ok = run_passes(f, r, module);
  f->errors = 0;
  ok = (ok || below(r, 8) == 0) && emit(f, r, module);
  *(ok ? &f->shared->accepted : &f->shared->rejected) += 1;
  return ok;
}

static void limit_time(time_t seconds, unsigned wait) {
  struct itimerval processor = {.it_value = {.tv_sec = seconds}};
  setitimer(ITIMER_PROF, &processor, NULL);
  alarm(wait);
}

void run_input(Fuzz *f, uint64_t i) {
  Random r = random_of(f, i);
  Text t = make_input(f, &r);
  bool by_ir = below(&r, 2);
  if (f->options.has_only) printf("%s", t.data), fflush(stdout);
  f->errors = 0;
  f->unlocated = false;
  limit_time(SECONDS, WAIT);
  f->shared->parsing = true;
  MlirModule module = {NULL};
  bool kills = kills_parser(&t);
  if (!kills) module = mlirModuleCreateParse(f->context, (MlirStringRef){t.data, t.n});
  check(f, kills || !mlirModuleIsNull(module), "the parser failed without an error");
  f->shared->parsing = false;
  f->shared->whole[i % CHUNK] = !mlirModuleIsNull(module);
  if (!mlirModuleIsNull(module)) {
    bool ok = run_module(f, &r, module, by_ir);
    if (ok && !by_ir && f->options.accepted) write_input(f->options.accepted, i, &t);
    mlirModuleDestroy(module);
  }
  limit_time(0, 0);
  free(t.data);
}

/*===- Command line -------------------------------------------------------------------------===*/

static void add_file(Corpus *c, const char *path) {
  static const char separator[] = "// -----\n";
  FILE *file = fopen(path, "rb");
  if (!file) exit((fprintf(stderr, "error: '%s' cannot be read\n", path), 2));
  Text t = text_copy("", 0);
  char chunk[4096];
  for (size_t n; (n = fread(chunk, 1, sizeof chunk, file)) > 0;) text_replace(&t, t.n, 0, chunk, n);
  fclose(file);
  for (char *part = t.data, *end; part; part = end ? end + strlen(separator) : NULL) {
    end = strstr(part, separator);
    corpus_add(c, part, end ? (size_t)(end - part) : strlen(part));
  }
  free(t.data);
}

static uint64_t number(const char *flag, const char *text) {
  char *end;
  uint64_t n = text ? strtoull(text, &end, 10) : 0;
  if (!text || !*text || *end) exit((fprintf(stderr, "error: %s takes a number\n", flag), 2));
  return n;
}

static void parse(int argc, char **argv, Fuzz *f) {
  Options *o = &f->options;
  *o = (Options){
      .seed = (uint64_t)time(NULL), .count = 1000, .jobs = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN)};
  for (int i = 1; i < argc; ++i) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--seed") == 0) o->seed = number(argv[i++], value);
    else if (strcmp(argv[i], "--count") == 0) o->count = number(argv[i++], value);
    else if (strcmp(argv[i], "--jobs") == 0) o->jobs = number(argv[i++], value);
    else if (strcmp(argv[i], "--only") == 0) o->only = number(argv[i++], value), o->has_only = true;
    else if (strcmp(argv[i], "--keep") == 0) o->keep = value, ++i;
    else if (strcmp(argv[i], "--accepted") == 0) o->accepted = value, ++i;
    else add_file(&f->corpus, argv[i]);
  }
  if (o->jobs == 0) o->jobs = 1;
  if (f->corpus.n == 0) exit((fprintf(stderr, "error: no inputs to start from\n"), 2));
}

int main(int argc, char **argv) {
  static Fuzz f;
  Shared own = {0};
  parse(argc, argv, &f);
  mlirRegisterAllPasses();
  tt_register_passes();
  uint64_t faults = 0;
  if (f.options.has_only) {
    f.shared = &own;
    run_chunk(&f, f.options.only, f.options.only + 1);
  } else {
    faults = run_all(&f);
  }
  corpus_destroy(&f.corpus);
  return faults ? 1 : 0;
}
