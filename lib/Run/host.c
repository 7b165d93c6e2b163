/*===- host.c - host programs on the emulated device ----------------------------------===
 *
 *   main.cpp, emitted or written by hand -> the compiler, with the emulator's headers
 *     -> a program -> its run
 *
 *===----------------------------------------------------------------------===*/

#include "Run/options.h"
#include "tilewright/dialects.h"
#include "tilewright/run.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool tt_message(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "error: ");
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return false;
}

/* The exit status of a command, or -1 after a message. */
static int wait_for(const char *folder, char *const argv[], const char *what) {
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    if (chdir(folder) == 0) execvp(argv[0], argv);
    fprintf(stderr, "error: %s: %s\n", argv[0], strerror(errno));
    _exit(127);
  }
  if (child < 0) return tt_message("%s: %s", argv[0], strerror(errno)), -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status))
    return tt_message("%s was killed by signal %d", what, WTERMSIG(status)), -1;
  return WEXITSTATUS(status);
}

bool tt_host_command(const char *folder, char *const argv[], const char *what) {
  int status = wait_for(folder, argv, what);
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

bool tt_host_compile(TtArena *arena, const char *folder, const char *source, const char *program) {
  const char *cxx = getenv("CXX"), *include = getenv("TTEMU_INCLUDE"), *lib = getenv("TTEMU_LIB");
  if (!include || !*include)
    include = installed(arena, "../share/tilewright/emulator/include", TTEMU_INCLUDE_DIR);
  if (!lib || !*lib)
    lib =
        *installed(arena, "libttemu.so", "") ? installed(arena, ".", TTEMU_LIB_DIR) : TTEMU_LIB_DIR;
  setenv("TTEMU_INCLUDE", include, 1);
  char *argv[] = {(char *)(uintptr_t)(cxx && *cxx ? cxx : "c++"),
                  "-std=c++20",
                  "-O1",
                  "-w",
                  tt_arena_printf(arena, "-I%s/host", include),
                  tt_arena_printf(arena, "-I%s", include),
                  "-DFMT_HEADER_ONLY",
                  tt_arena_printf(arena, "%s", source),
                  "-o",
                  tt_arena_printf(arena, "%s", program),
                  tt_arena_printf(arena, "-L%s", lib),
                  "-lttemu",
                  tt_arena_printf(arena, "-Wl,-rpath,%s", lib),
                  NULL};
  return tt_host_command(folder, argv, "compiling the host program");
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
  if (options->strict) setenv("TTEMU_STRICT", "1", 1);
  set_number(arena, "TTEMU_THREADS", options->threads);
  set_number(arena, "TTEMU_MAX_EVENTS", options->max_events);
  set_file(arena, "TTEMU_TRACE", options->trace);
  set_file(arena, "TTEMU_REPORT", options->report);
  if (isatty(2)) setenv("TTEMU_PROGRESS", "1", 1);
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
  const char *tmp = getenv("TMPDIR"), *slash = strrchr(options->kernel, '/');
  char *dir = tt_arena_printf(arena, "%s/tt-run-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(dir)) return tt_message("no temporary folder: %s", strerror(errno)), 1;
  char *program = tt_arena_printf(arena, "%s/main", dir);
  int status = 1;
  if (tt_host_compile(arena, ".", options->kernel, program)) {
    tt_host_environment(arena, options, options->arch ? options->arch : "wormhole_b0");
    /* Kernels may stand beside their host program. */
    setenv("TT_METAL_KERNEL_PATH",
           slash ? tt_arena_printf(arena, "%.*s", (int)(slash - options->kernel), options->kernel)
                 : ".",
           0);
    options->host_args[0] = program;
    status = wait_for(".", options->host_args, "the host program");
  }
  unlink(program);
  rmdir(dir);
  return status < 0 ? 1 : status;
}
