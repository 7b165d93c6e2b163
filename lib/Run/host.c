/*===- host.c - host programs on the emulated device ----------------------------------===
 *
 *   main.cpp, emitted or written by hand -> the compiler, with the emulator's headers
 *     -> a program, kept by content -> its run
 *
 *===----------------------------------------------------------------------===*/

#include "Run/host_compiler.h"
#include "Support/build_cache.h"
#include "Target/eras.h"
#include "tilewright/dialects.h"
#include "tilewright/run.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 64 }; /* of a command line */

bool tt_message(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "error: ");
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return false;
}

/* The exit status of a program, or -1 after a message. */
static int wait_for(const char *folder, const char *program, char *const argv[], const char *what) {
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    if (chdir(folder) == 0) execv(program, argv);
    fprintf(stderr, "error: %s: %s\n", program, strerror(errno));
    _exit(127);
  }
  if (child < 0) return tt_message("%s: %s", program, strerror(errno)), -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status))
    return tt_message("%s was killed by signal %d", what, WTERMSIG(status)), -1;
  return WEXITSTATUS(status);
}

bool tt_host_execute(const char *folder, const char *program, char *const argv[]) {
  static const char what[] = "the program on the emulated device";
  int status = wait_for(folder, program, argv, what);
  return status == 0 || (status > 0 && tt_message("%s failed", what));
}

/* A folder beside this library where it is installed, else where it was built. */
static const char *installed(TtArena *arena, const char *beside, const char *built) {
  Dl_info self;
  if (!dladdr((void *)(uintptr_t)tilewright_run_main, &self) || !self.dli_fname) return built;
  const char *slash = strrchr(self.dli_fname, '/');
  int n = slash ? (int)(slash - self.dli_fname) : 0;
  char *path = tt_arena_printf(arena, "%.*s/%s", n, self.dli_fname, beside);
  return access(path, R_OK) == 0 ? path : built;
}

/* What a program has of its own, as make takes it: CPPFLAGS="-DX=1 -IY", LDLIBS="-lX -lY". */
static size_t add_own(TtArena *arena, const char *variable, const char **words, size_t n,
                      size_t most) {
  const char *own = getenv(variable);
  for (char *word = strtok(tt_arena_printf(arena, "%s", own ? own : ""), " "); word && n < most;
       word = strtok(NULL, " "))
    words[n++] = word;
  return n;
}

char *tt_host_compile(TtArena *arena, const char *folder, const char *source, TtHostKind kind) {
  const char *include = getenv("TTEMU_INCLUDE"), *lib = getenv("TTEMU_LIB");
  char cache[TT_PATH_BYTES], program[TT_PATH_BYTES];
  if (!include || !*include)
    include = installed(arena, "../share/tilewright/emulator/include", TTEMU_INCLUDE_DIR);
  if (!lib || !*lib)
    lib =
        *installed(arena, "libttemu.so", "") ? installed(arena, ".", TTEMU_LIB_DIR) : TTEMU_LIB_DIR;
  setenv("TTEMU_INCLUDE", include, 1);
  if (!tt_build_folder(cache)) return tt_message("%s", cache), NULL;
  TtHostCompiler compiler = tt_host_compiler(kind);
  const char *command[MAX_WORDS] = {
      compiler.program,
      "-std=c++20",
      compiler.optimize,
      "-w",
      tt_arena_printf(arena, "-I%s/host", include),
      tt_arena_printf(arena, "-I%s", include),
      tt_arena_printf(arena, "-idirafter%s/host/tt-metalium", include),
      "-DFMT_HEADER_ONLY",
      tt_arena_printf(arena, "-I%s/host/impl", include)};
  size_t n = 9;
  const char *const *others = NULL;
  if (kind != TT_HOST_EMITTED) {
    n += tt_host_headers(arena, source, include, command + n, MAX_WORDS - n - 8, &others);
    n = add_own(arena, "CPPFLAGS", command, n, MAX_WORDS - 8);
  }
  const char *libraries[MAX_WORDS] = {tt_arena_printf(arena, "-L%s", lib), "-lttemu",
                                      tt_arena_printf(arena, "-Wl,-rpath,%s", lib)};
  size_t last = add_own(arena, "LDLIBS", libraries, 3, MAX_WORDS - 3);
  for (; others && *others && last + 3 < MAX_WORDS; ++others) libraries[last++] = *others;
  TtBuild b = {.cache = cache,
               .base = folder,
               .source = source,
               .suffix = ".main",
               .command = command,
               .libraries = libraries,
               .quiet = kind == TT_HOST_TRIED};
  bool alone = true; /* compiled headers have to come before all else */
  for (size_t i = 0; i < n; ++i) alone = alone && strncmp(command[i], "-include", 8) != 0;
  if (kind == TT_HOST_TRIED) command[n++] = "-fmax-errors=1"; /* it may fail for another reason */
  else if (alone && tt_host_is_precompilable(arena, folder, source))
    tt_host_use_precompiled(arena, b, &compiler, command + n, libraries + last);
  TtBuildStatus status = tt_build(&b, program);
  if (status == TT_BUILD_OK) return tt_arena_printf(arena, "%s", program);
  if (kind == TT_HOST_TRIED) return NULL;
  if (status == TT_BUILD_COMPILER) tt_message("compiling the host program failed");
  else tt_message("the host program cannot be compiled: %s", program);
  return NULL;
}

static void set_number(TtArena *arena, const char *name, uint64_t value) {
  if (value) setenv(name, tt_arena_printf(arena, "%ju", (uintmax_t)value), 1);
}

/* The program may run in another folder. */
static void set_file(TtArena *arena, const char *name, const char *path) {
  char here[4096];
  if (!path) return;
  bool absolute = *path == '/' || !getcwd(here, sizeof here);
  setenv(name, absolute ? path : tt_arena_printf(arena, "%s/%s", here, path), 1);
}

void tt_host_environment(TtArena *arena, const TtRunOptions *options, const char *arch) {
  setenv("TTEMU_API", tt_api_str((int)options->api), 1);
  setenv("TTEMU_ARCH", arch, 1);
  setenv("TTEMU_MATH", options->fast ? "fast" : "exact", 1);
  setenv("TTEMU_SEED", tt_arena_printf(arena, "%ju", (uintmax_t)options->seed), 1);
  setenv("TTEMU_SUMMARY", "1", 1);
  if (!options->is_host) setenv("TTEMU_EMITTED", "1", 1); /* what we emit keeps to all rules */
  if (options->strict) setenv("TTEMU_STRICT", "1", 1);
  if (options->no_races) setenv("TTEMU_RACES", "0", 1);
  set_number(arena, "TTEMU_THREADS", options->threads);
  set_number(arena, "TTEMU_MAX_EVENTS", options->max_events);
  set_file(arena, "TTEMU_TRACE", options->trace);
  set_file(arena, "TTEMU_REPORT", options->report);
  if (isatty(2)) setenv("TTEMU_PROGRESS", "1", 1);
}

/* A program that fails may be of another time. */
static void tell_other_era(TtArena *arena, const TtRunOptions *options) {
  for (int i = 0; i < TT_API_COUNT; ++i) {
    if (i == (int)options->api) continue;
    setenv("TTEMU_API", tt_eras[i].name, 1);
    if (!tt_host_compile(arena, ".", options->kernel, TT_HOST_TRIED)) continue;
    fprintf(stderr, "note: it compiles with the API of another era: --metalium-api=%s\n",
            tt_eras[i].name);
    return;
  }
}

int tt_host_run(TtArena *arena, const TtRunOptions *options) {
  if (options->check || options->num_inputs || options->num_outputs || options->grid ||
      options->keep)
    return tt_message("--check, --input, --output, --grid and --keep are for kernels in MLIR; '%s' "
                      "is a host program",
                      options->kernel),
           1;
  if (access(options->kernel, R_OK) != 0)
    return tt_message("%s: %s", options->kernel, strerror(errno)), 1;
  if (options->arch && strcmp(options->arch, tt_arch_str(0)) != 0 &&
      strcmp(options->arch, tt_arch_str(1)) != 0)
    return tt_message("unknown chip '%s': --arch takes %s or %s", options->arch, tt_arch_str(0),
                      tt_arch_str(1)),
           1;
  const char *slash = strrchr(options->kernel, '/');
  setenv("TTEMU_API", tt_api_str((int)options->api), 1);
  char *program = tt_host_compile(arena, ".", options->kernel, TT_HOST_BY_HAND);
  if (!program) return tell_other_era(arena, options), 1;
  tt_host_environment(arena, options, options->arch ? options->arch : "wormhole_b0");
  /* Kernels may stand beside their host program. */
  setenv("TT_METAL_KERNEL_PATH",
         slash ? tt_arena_printf(arena, "%.*s", (int)(slash - options->kernel), options->kernel)
               : ".",
         0);
  set_file(arena, "TTEMU_PROGRAM", options->kernel);
  options->host_args[0] = program;
  int status = wait_for(".", program, options->host_args, "the host program");
  return status < 0 ? 1 : status;
}
